"""The dashboard under fifty phones: how late an update is, how long a page takes, and what one phone more gets.

The dashboard runs in a process of its own with a real session and journal. This process holds the streams, taps
actions at a steady rate, and asks for pages meanwhile. Times are of the wall clock, over loopback.
"""

from __future__ import annotations

import http.client
import json
import re
import selectors
import socket
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path
from typing import Any

import click

PLAYERS = ("Ana", "Ben", "Cleo", "Dana")
SETTLE_S = 1.0
"""Seconds for the last updates to arrive. Shorter: late ones count as lost; longer: time."""
GETS = ("/api/board", "/play", "/board")
"""What is asked for in turn, one for each action."""

_SEQ = re.compile(rb'data: \{"seq":(\d+)')


class Streams:
    """Many live streams read by one thread. arrivals: for each stream the time at which it had each board number."""

    def __init__(self, port: int, count: int) -> None:
        self._select = selectors.DefaultSelector()
        self.arrivals: list[dict[int, float]] = [{} for _ in range(count)]
        self._rest = [b""] * count
        for index in range(count):
            wire = socket.create_connection(("127.0.0.1", port))
            wire.sendall(b"GET /api/stream HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
            self._select.register(wire, selectors.EVENT_READ, index)
        self._stop = False
        self._thread = threading.Thread(target=self._read, daemon=True)
        self._thread.start()

    def _read(self) -> None:
        while not self._stop:
            for key, _ in self._select.select(timeout=0.1):
                assert isinstance(key.fileobj, socket.socket)
                text = self._rest[key.data] + key.fileobj.recv(1 << 16)
                now = time.monotonic()
                for found in _SEQ.finditer(text):
                    self.arrivals[key.data].setdefault(int(found[1]), now)
                self._rest[key.data] = text[-32:]  # a number may be cut in two

    def close(self) -> None:
        """Hangs up."""
        self._stop = True
        self._thread.join()
        for key in list(self._select.get_map().values()):
            assert isinstance(key.fileobj, socket.socket)
            key.fileobj.close()
        self._select.close()

    def waited(self, number: int, since: float) -> list[float | None]:
        """Seconds from `since` until each stream had that board or a newer one; None for one that never did."""
        late: list[float | None] = []
        for arrived in self.arrivals:
            times = [t for seq, t in arrived.items() if seq >= number]
            late.append(min(times) - since if times else None)
        return late


def measure(streams: int, rate: float, seconds: float) -> dict[str, Any]:
    """All figures of one run, by name. Raises RuntimeError when the dashboard does not start."""
    with tempfile.TemporaryDirectory() as folder:
        process = subprocess.Popen(
            [sys.executable, "-m", "referee.bench.dashboard", folder, str(streams)],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
        )  # fmt: skip
        assert process.stdin is not None
        assert process.stdout is not None
        try:
            hello = process.stdout.readline()
            if not hello:
                raise RuntimeError("the dashboard's process did not start")
            found = _load(json.loads(hello), streams, rate, seconds)
        finally:
            process.stdin.close()  # tells it to end
            peak = process.stdout.read()
            process.stdout.close()
            process.wait()
    return {**found, "peak_mb": round(float(peak), 1)}


def _load(hello: dict[str, Any], streams: int, rate: float, seconds: float) -> dict[str, Any]:
    port, cookie = hello["port"], _host(hello)
    many = Streams(port, streams)
    seq = json.loads(_ask(port, "GET", "/api/board")[2])["seq"]
    began = time.monotonic()
    while not all(many.arrivals) and time.monotonic() < began + 10:
        time.sleep(0.05)
    asked: list[float] = []
    acted: list[tuple[int, float]] = []
    began = time.monotonic()
    for turn in range(int(rate * seconds)):
        time.sleep(max(0.0, began + turn / rate - time.monotonic()))
        sent = time.monotonic()
        body = {"player": PLAYERS[turn % 4], "n": 3 + turn % 7}
        status, _, text = _ask(port, "POST", "/api/act/count", body, cookie)
        if status != 200:
            raise RuntimeError(f"an action was refused: {text.decode()}")
        acted.append((seq + turn + 1, sent))
        sent = time.monotonic()
        _ask(port, "GET", GETS[turn % len(GETS)])
        asked.append(time.monotonic() - sent)
    time.sleep(SETTLE_S)
    status, headers, _ = _ask(port, "GET", "/api/stream")
    polled = _ask(port, "GET", "/api/board")[0]
    many.close()
    waits = [wait for number, sent in acted for wait in many.waited(number, sent)]
    heard = sorted(wait * 1000 for wait in waits if wait is not None)
    asked.sort()
    return {
        "streams": streams, "actions": len(acted), "updates": len(heard), "updates_lost": len(waits) - len(heard),
        "update_p50_ms": _at(heard, 0.5), "update_p99_ms": _at(heard, 0.99), "update_worst_ms": _at(heard, 1.0),
        "get_p50_ms": _at([s * 1000 for s in asked], 0.5), "get_p99_ms": _at([s * 1000 for s in asked], 0.99),
        "next_phone_stream": status, "next_phone_retry_s": int(headers.get("Retry-After", 0)),
        "next_phone_board": polled, "actions_per_s": round(len(acted) / (acted[-1][1] - began), 1),
    }  # fmt: skip


def _at(values: list[float], share: float) -> float:
    """The smallest value that `share` of all do not exceed; nan of none."""
    if not values:
        return float("nan")
    ordered = sorted(values)
    return round(ordered[min(len(ordered) - 1, int(share * len(ordered)))], 1)


def _host(hello: dict[str, Any]) -> str:
    status, headers, text = _ask(hello["port"], "POST", "/api/host", {"pin": hello["pin"]})
    if status != 200:
        raise RuntimeError(f"the PIN was refused: {text.decode()}")
    return str(headers["Set-Cookie"]).split(";", 1)[0]


def _ask(
    port: int, method: str, path: str, body: dict[str, Any] | None = None, cookie: str = ""
) -> tuple[int, http.client.HTTPMessage, bytes]:
    wire = http.client.HTTPConnection("127.0.0.1", port, timeout=10)
    text = None if body is None else json.dumps(body)
    wire.request(method, path, text, {"Content-Type": "application/json", "Cookie": cookie})
    answer = wire.getresponse()
    read = answer.read()
    wire.close()
    return answer.status, answer.headers, read


# --- in the dashboard's process -------------------------------------------------------------------------------------


def _run(folder: Path, streams: int) -> None:
    """Serves a game of four until standard input ends, then prints the most memory it held."""
    from referee.cards import Card
    from referee.dashboard import DashboardSettings, create_app, open_keys, serve
    from referee.events import TurnUp
    from referee.session import Session
    from referee.storage import Evidence, Journal
    from referee.storage.journal import FILE_NAME

    session = Session(Journal(folder / FILE_NAME), Evidence(folder / "evidence"))
    session.start_game(PLAYERS, "official_108", "Dana", {}, "host")
    session.record(TurnUp(card=Card.parse("R7")), "eye")
    keys, pin = open_keys(folder)
    app = create_app(session, DashboardSettings(address="http://127.0.0.1", streams=streams), keys, folder)
    server = serve(app, "127.0.0.1", 0, threads=streams + SPARE)
    print(json.dumps({"port": server.port, "pin": pin}), flush=True)
    sys.stdin.read()
    server.stop()
    session.close()
    status = Path("/proc/self/status").read_text(encoding="ascii")
    print(int(next(line for line in status.splitlines() if line.startswith("VmHWM:")).split()[1]) / 1024)


SPARE = 14
"""Threads beside those that the streams hold. Fewer: pages wait for one another; more: memory."""

NOTES = {
    "update_p99_ms": "from the tap to the screen; to stay under 250",
    "get_p99_ms": "a page or the board; to stay under 150",
    "updates_lost": "boards that a stream never had",
    "next_phone_stream": "one phone more is told to ask instead (503) ...",
    "next_phone_board": "... and gets the board when it asks (200)",
    "peak_mb": "memory of the dashboard's process",
}


@click.command(name="dashboard")
@click.option("--streams", default=50, show_default=True, type=click.IntRange(1, 200), help="Live phones.")
@click.option("--rate", default=10.0, show_default=True, type=click.FloatRange(0.1, 200), help="Actions a second.")
@click.option("--seconds", default=10.0, show_default=True, type=click.FloatRange(0.5, 600), help="How long.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object.")
def command(streams: int, rate: float, seconds: float, as_json: bool) -> None:
    """Measure the dashboard: update and page times with many phones, and what one phone too many gets."""
    found = measure(streams, rate, seconds)
    if as_json:
        click.echo(json.dumps(found))
        return
    for name, value in found.items():
        click.echo(f"{name:20}{value!s:>10}  {NOTES.get(name, '')}".rstrip())


if __name__ == "__main__":
    _run(Path(sys.argv[1]), int(sys.argv[2]))
