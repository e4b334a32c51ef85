"""Who holds which name: a phone asks for a name, keeps it while it sleeps, and gets it back when its cookie is lost."""

from __future__ import annotations

import json
import secrets
import threading
import time
from collections.abc import Callable, Iterable
from pathlib import Path

from referee.dashboard.keys import write_json
from referee.dashboard.refused import Refused

MAX_NAME = 16
"""Letters of a name. Longer ones are cut on a phone; shorter turns away real names."""
MAX_PEOPLE = 64
"""Names held at once. Fewer turns away spectators; more lets one prankster fill the list."""
HERE_S = 6 * 3600.0
"""Seconds after which a phone that was not heard of is no longer here. Less: who puts the phone away for dinner is gone
from the lists and from votes; more: the visitors of last week stand among those of today, and votes wait for them."""
RESERVED = frozenset({"eye", "button", "host", "viewer"})
"""What the journal calls authors without a name: a player called "eye" would be taken for the camera, whom people
overrule."""


class NameTaken(Exception):
    """Another phone holds the name; it may be taken over by saying so."""


def clean_name(text: object, known: Iterable[str] = ()) -> str:
    """The name as it is kept: spaces squeezed, and spelt like one of `known` when it differs only in case.

    Raises Refused when it is empty, too long, holds a character that cannot be shown, or is reserved and not known.
    """
    if not isinstance(text, str):
        raise Refused("bad_name", 400, "name: expected text")
    name = " ".join(text.split())
    if not 1 <= len(name) <= MAX_NAME:
        raise Refused("bad_name", 400, f"name: expected 1 to {MAX_NAME} letters")
    if not name.isprintable():
        raise Refused("bad_name", 400, "name: holds a character that cannot be shown")
    same = next((other for other in known if other.casefold() == name.casefold()), None)
    if same is None and name.casefold() in RESERVED:
        raise Refused("name_reserved", 400, f"name: {name!r} is a word of the referee's own", name=name)
    return same or name


class People:
    """Names and the phones that hold them, the phones that were made hosts, and the table's code, kept in a file. Safe
    for several threads.

    `code`: four digits that are shown where only people at the table look, on the big screen and on players' phones:
    who knows them gets a name back that another phone holds.
    """

    def __init__(self, file: Path, clock: Callable[[], float] = time.monotonic) -> None:
        """clock: seconds that never go back."""
        self._file, self._clock = file, clock
        self._heard: dict[str, float] = {}
        self._lock = threading.Lock()
        self._holders: dict[str, str] = {}
        self._hosts: dict[str, str] = {}
        self._claims: dict[str, str] = {}
        self._changes = 0
        self.code = f"{secrets.randbelow(10_000):04d}"
        try:
            kept = json.loads(file.read_text("utf-8"))
            holders, hosts = ({str(k): str(v) for k, v in kept[part].items()} for part in ("holders", "hosts"))
            self._holders, self._hosts, self.code = holders, hosts, str(kept["code"])
        except (FileNotFoundError, ValueError, AttributeError, KeyError, TypeError):
            pass  # a lost list costs one tap on each phone

    def names(self) -> list[str]:
        """Names that a phone holds, in the order they came."""
        with self._lock:
            return list(self._holders)

    def here(self) -> list[str]:
        """Those of these names whose phone was heard of lately, since this start of the service."""
        with self._lock:
            return [name for name, phone in self._holders.items() if self._is_here(phone)]

    def heard(self, phone: str | None) -> bool:
        """`phone` shows the board now. Returns whether that is news."""
        with self._lock:
            if phone is None or phone not in self._holders.values():
                return False
            news = not self._is_here(phone)
            self._heard[phone] = self._clock()
            return news

    def _is_here(self, phone: str) -> bool:
        return self._clock() - self._heard.get(phone, -HERE_S) < HERE_S

    def changes(self) -> int:
        """Grows whenever a name is taken, given back, taken over or asked for, and when hosts change."""
        with self._lock:
            return self._changes

    def name_of(self, phone: str | None) -> str | None:
        """The name that `phone` holds."""
        with self._lock:
            return next((name for name, holder in self._holders.items() if holder == phone), None)

    def join(self, name: str, phone: str, *, take: bool) -> None:
        """Gives `name` to `phone` and frees what it held. Raises NameTaken unless `take`, ValueError when full."""
        with self._lock:
            if self._holders.get(name, phone) != phone and not take:
                raise NameTaken(name)
            kept = {other: holder for other, holder in self._holders.items() if holder != phone or other == name}
            if name not in kept and len(kept) >= MAX_PEOPLE:
                gone = next((other for other, holder in kept.items() if not self._is_here(holder)), None)
                if gone is None:
                    raise ValueError(f"name: {MAX_PEOPLE} people are here already")
                del kept[gone]
            kept[name] = phone
            self._claims.pop(name, None)
            self._keep(kept, self._hosts)
            self._heard[phone] = self._clock()

    def leave(self, phone: str | None) -> None:
        """Frees the name that `phone` holds."""
        with self._lock:
            kept = {name: holder for name, holder in self._holders.items() if holder != phone}
            self._keep(kept, self._hosts)

    def release(self, name: str) -> None:
        """Frees `name`, whichever phone holds it. Raises KeyError when none does."""
        with self._lock:
            kept = dict(self._holders)
            del kept[name]
            self._keep(kept, self._hosts)

    def rename(self, name: str, to: str) -> None:
        """The phone that holds `name` holds `to` instead, and one that asks for it asks for `to`.

        Raises NameTaken, KeyError.
        """
        with self._lock:
            if to in self._holders and to != name:
                raise NameTaken(to)
            if name not in self._holders:
                raise KeyError(name)
            self._keep(_renamed(self._holders, name, to), self._hosts)
            self._claims = _renamed(self._claims, name, to)

    # --- a name that another phone holds ----------------------------------------------------------------------------

    def claims(self) -> list[str]:
        """Names that another phone asks a host for."""
        with self._lock:
            return list(self._claims)

    def asked_by(self, phone: str | None) -> str | None:
        """The name that `phone` asks a host for."""
        with self._lock:
            return next((name for name, other in self._claims.items() if other == phone), None)

    def claim(self, name: str, phone: str) -> None:
        """`phone` asks a host for `name`; the last who asks counts."""
        with self._lock:
            self._claims[name] = phone
            self._changes += 1

    def settle(self, name: str, *, give: bool) -> None:
        """A host gives `name` to the phone that asked for it, or does not. Raises KeyError when none asked."""
        with self._lock:
            phone = self._claims.pop(name)
            self._changes += 1
        if give:
            self.join(name, phone, take=True)

    # --- hosts without a PIN ----------------------------------------------------------------------------------------

    def is_host(self, phone: str | None, mark: str) -> bool:
        """Whether a host made `phone` a host, under the PIN that `mark` stands for."""
        with self._lock:
            return phone is not None and self._hosts.get(phone) == mark

    def make_host(self, name: str, mark: str) -> None:
        """The phone that holds `name` becomes a host until the PIN is changed. Raises KeyError when none does."""
        with self._lock:
            self._keep(self._holders, {**self._hosts, self._holders[name]: mark})

    def end_host(self, phone: str | None) -> None:
        """`phone` is no host any more."""
        with self._lock:
            self._keep(self._holders, {other: mark for other, mark in self._hosts.items() if other != phone})

    def _keep(self, holders: dict[str, str], hosts: dict[str, str]) -> None:
        if (holders, hosts) != (self._holders, self._hosts):
            write_json(self._file, {"holders": holders, "hosts": hosts, "code": self.code})
            self._holders, self._hosts = holders, hosts
            self._heard = {phone: at for phone, at in self._heard.items() if phone in holders.values()}
            self._changes += 1


def _renamed(phones: dict[str, str], name: str, to: str) -> dict[str, str]:
    return {to if other == name else other: phone for other, phone in phones.items()}
