"""Who a request comes from, whether it may do what it asks, and the headers that keep other sites out."""

from __future__ import annotations

import ipaddress
import re
import secrets
import threading
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from flask import Flask, Response, request, session

from referee.dashboard.actions import ACTIONS
from referee.dashboard.cookies import Cookies
from referee.dashboard.keys import Gate, Keys, claim
from referee.dashboard.people import People
from referee.dashboard.refused import Refused

HEADERS: Mapping[str, str] = {
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
        "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
}
LARGEST_BODY = 16 * 1024
"""Bytes of a request. Ten players with options need 2 kB; more only serves who wants to fill the memory."""
PIN_FORM = re.compile(r"[0-9]{4,6}")
"""What a PIN looks like that a host chooses."""
LOCAL_NAMES = (".local", ".lan", ".home", ".internal", ".localdomain", ".home.arpa", ".fritz.box")
"""How names end that routers and Avahi give to machines of a home network."""


@dataclass(frozen=True, slots=True)
class Who:
    """The phone behind a request. name: the one it holds, None for a spectator. plays: the name is in the game."""

    name: str | None
    plays: bool
    host: bool

    @property
    def role(self) -> str:
        """host, player or viewer."""
        return "host" if self.host else "player" if self.plays else "viewer"

    @property
    def author(self) -> str:
        """What the journal names as the author of what this phone does."""
        return self.name or ("host" if self.host else "viewer")


class Guard:
    """Reads and writes the signed cookie, which holds a number for the phone, and a mark when it typed the PIN.

    codes: slows down whoever guesses the table's code, as gate does for the PIN. folder: where the keys are kept.
    """

    def __init__(self, keys: Keys, people: People, gate: Gate, codes: Gate, folder: Path) -> None:
        self._keys, self._people, self._gate, self._codes, self._folder = keys, people, gate, codes, folder
        self._claiming = threading.Lock()

    def who(self, board: Mapping[str, Any]) -> Who:
        """Who sent the present request."""
        phone, mark = session.get("phone"), self._keys.host_mark
        name = None if phone is None else self._people.name_of(phone)
        plays = any(player["name"] == name for player in board["players"])
        return Who(name, plays, session.get("host") == mark or self._people.is_host(phone, mark))

    def host_only(self, board: Mapping[str, Any]) -> None:
        """Raises Refused when the present phone is no host."""
        if not self.who(board).host:
            raise Refused("host_only", 403, "only a host may do this")

    @property
    def code(self) -> str:
        """The table's code."""
        return self._people.code

    def join(self, name: str, code: str | None) -> None:
        """Gives the present phone a name; one that another phone holds only with the table's code.

        Raises NameTaken, ValueError, and Refused when the code is wrong or was tried too often.
        """
        if code is not None:
            self._check_code(code)
        self._people.join(name, self._phone(), take=code is not None)

    def _check_code(self, code: str) -> None:
        wait = self._codes.enter()
        if wait > 0:
            raise Refused("code_wait", 429, f"too many wrong codes: wait {wait:.0f} s", wait_s=round(wait + 0.5))
        if not secrets.compare_digest(code.strip().encode(), self._people.code.encode()):
            raise Refused("code_wrong", 403, "wrong code: it is on the big screen")
        self._codes.right()

    def claim(self, name: str) -> None:
        """The present phone asks a host for a name that another phone holds."""
        self._people.claim(name, self._phone())

    @property
    def phone(self) -> str | None:
        """The number of the present phone, None for one that never had a name."""
        number: str | None = session.get("phone")
        return number

    @property
    def asks(self) -> str | None:
        """The name that the present phone asks a host for."""
        return self._people.asked_by(session.get("phone"))

    def leave(self) -> None:
        """The present phone gives its name back."""
        self._people.leave(session.get("phone"))

    def pass_host(self, name: str) -> None:
        """The phone that holds `name` becomes host instead of the present one. Raises KeyError when none does."""
        self._people.make_host(name, self._keys.host_mark)
        if self._people.name_of(session.get("phone")) != name:
            self.end_host()

    @staticmethod
    def _phone() -> str:
        phone: str = session.setdefault("phone", secrets.token_urlsafe(12))
        return phone

    def become_host(self, pin: str) -> None:
        """Makes the present phone a host. Raises Refused when the PIN is wrong or tried too often."""
        wait = self._gate.enter()
        if wait > 0:
            raise Refused("pin_wait", 429, f"too many wrong PINs: wait {wait:.0f} s", wait_s=round(wait + 0.5))
        if not self._keys.is_pin(pin):
            raise Refused("pin_wrong", 403, "wrong PIN")
        self._gate.right()
        with self._claiming:
            if not self._keys.claimed:
                self._keys = claim(self._folder, self._keys)
        self._be_host()

    @property
    def unclaimed(self) -> bool:
        """Whether nobody has ever been host here."""
        return not self._keys.claimed

    def be_first_host(self, code: str, pin: str) -> None:
        """Makes the present phone the first host, who chooses the PIN. Raises Refused."""
        if not PIN_FORM.fullmatch(pin):
            raise Refused("bad_pin", 400, "pin: expected 4 to 6 digits")
        if self.unclaimed:
            self._check_code(code)
        with self._claiming:
            if self._keys.claimed:
                raise Refused("has_host", 409, "there is a host already: ask for the PIN")
            self._keys = claim(self._folder, self._keys, pin)
        self._be_host()

    def _be_host(self) -> None:
        session["host"] = self._keys.host_mark

    def end_host(self) -> None:
        """The present phone is no host any more."""
        session.pop("host", None)
        self._people.end_host(session.get("phone"))


def may_act(who: Who, action: str, by: object) -> str | None:
    """The player in whose name `who` does `action`; None when nobody is named. Raises Refused.

    by: the player that the phone named, None when it named nobody.
    """
    kind = ACTIONS[action]
    if kind.host and not who.host:
        raise Refused("host_only", 403, "only a host may do this")
    if not (who.plays or who.host):
        raise Refused("join_first", 403, "choose your name first")
    own = who.name if who.plays else None
    if by is None:
        return None if kind.anyones else own
    if not isinstance(by, str):
        raise Refused("bad_field", 400, "by: expected a name")
    if by != own and not (who.host or kind.anyones):
        raise Refused("not_your_seat", 403, f"{by!r} is not this phone's seat")
    return by


def body(*fields: str) -> dict[str, Any]:
    """The JSON object that was sent, with no other fields than these. Raises Refused."""
    data = any_body()
    for key in set(data) - set(fields):
        raise Refused("bad_field", 400, f"{key[:40]}: unknown; expected {', '.join(fields) or 'no field'}")
    return data


def any_body() -> dict[str, Any]:
    """The JSON object that was sent. Raises Refused when it is none."""
    try:
        data = request.get_json(silent=True) if request.is_json else None
    except RecursionError:  # thousands of brackets in one another
        data = None
    if not isinstance(data, dict):
        raise Refused("bad_body", 400, "expected a JSON object with Content-Type application/json")
    return data


def is_local(host: str) -> bool:
    """Whether `host`, with or without a port, is an address or a name of the table's own network. Any other name may
    lead here by somebody else's DNS, whose page would then pass for one of ours."""
    name = (urlsplit(f"//{host}").hostname or "").rstrip(".")
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return "." not in name or name.endswith(LOCAL_NAMES)
    return True


def _refuse_other_sites() -> None:
    """A page of another site must not act with this phone's cookie, nor under a name of its own."""
    if request.method in ("GET", "HEAD", "OPTIONS"):
        return
    if not is_local(request.host):
        raise Refused("other_name", 403, f"{request.host[:80]!r} is no name of this network: use the IP")
    if request.headers.get("Sec-Fetch-Site", "same-origin") != "same-origin":
        raise Refused("other_site", 403, "the request comes from another site")
    origin = request.headers.get("Origin")
    if origin is not None and urlsplit(origin).netloc != request.host:
        raise Refused("other_site", 403, f"the request comes from {origin}")


def _add_headers(response: Response) -> Response:
    for name, value in HEADERS.items():
        response.headers.setdefault(name, value)
    response.headers.setdefault("Cache-Control", "no-cache")
    return response


def install(app: Flask, keys: Keys) -> None:
    """Signs cookies with this installation's key, and guards every request."""
    app.secret_key = keys.secret
    app.session_interface = Cookies()
    app.config.update(
        SESSION_COOKIE_NAME="referee",
        SESSION_COOKIE_HTTPONLY=True,
        SESSION_COOKIE_SAMESITE="Lax",
        MAX_CONTENT_LENGTH=LARGEST_BODY,
    )
    app.before_request(_refuse_other_sites)
    app.after_request(_add_headers)
