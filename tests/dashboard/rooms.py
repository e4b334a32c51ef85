"""A dashboard on a port, and real browsers that look at it."""

from __future__ import annotations

import shutil
from typing import Any

from referee.dashboard import serve

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
PHONE, SMALL_PHONE, TABLET, TELEVISION = (390, 844), (360, 740), (820, 1180), (1920, 1080)


class Room:
    """A dashboard on a port, and the browsers that look at it."""

    def __init__(self, browser: Any, dashboard: Any) -> None:
        self._browser, self.dashboard, self.table = browser, dashboard, dashboard.table
        self._server = serve(dashboard.app, "127.0.0.1", 0)
        self.base = f"http://127.0.0.1:{self._server.port}"
        self._contexts: list[Any] = []
        self.troubles: list[str] = []

    def open(self, path: str, size: tuple[int, int] = PHONE, name: str | None = None, *, host: bool = False,
             **context: Any) -> Any:  # fmt: skip
        """A page at `path`, of a phone that holds `name`. context: more of Playwright's settings."""
        context = self._browser.new_context(
            **{"viewport": {"width": size[0], "height": size[1]}, "locale": "en-GB", "color_scheme": "dark", **context}
        )
        self._contexts.append(context)
        if name:
            context.request.post(f"{self.base}/api/join", data={"name": name}, headers={"Origin": self.base})
        if host:
            pin = self.dashboard.pin
            context.request.post(f"{self.base}/api/host", data={"pin": pin}, headers={"Origin": self.base})
        page = context.new_page()
        page.set_default_timeout(60_000)  # a busy Pi is slow, and nothing waits longer than it must
        page.on("pageerror", lambda error: self.troubles.append(str(error)))
        page.on("console", lambda line: line.type == "error" and self.troubles.append(line.text))
        page.goto(self.base + path)
        return page

    def stop(self) -> None:
        """The referee is switched off."""
        self._server.stop()

    def start(self, dashboard: Any) -> None:
        """Another dashboard answers at the same address."""
        self.dashboard, self.table = dashboard, dashboard.table
        self._server = serve(dashboard.app, "127.0.0.1", int(self.base.rpartition(":")[2]))

    def close(self) -> None:
        for context in self._contexts:
            context.close()
        self._server.stop()


def violations(page: Any, axe: str, only: str | None = None) -> list[str]:
    """What axe finds serious or critical, with the first element of each; by one of its rules, or by all."""
    if not page.evaluate("Boolean(window.axe)"):
        page.evaluate(axe)
    found = page.evaluate(
        "async (only) => (await axe.run(document, {resultTypes: ['violations'], ...(only && {runOnly: [only]})}))"
        ".violations",
        only,
    )
    return [
        f"{one['id']} ({one['impact']}): {one['nodes'][0]['html'][:160]}: {one['nodes'][0].get('failureSummary', '')}"
        for one in found
        if one["impact"] in ("serious", "critical")
    ]
