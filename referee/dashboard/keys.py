"""Secrets of this installation: the key that signs cookies, and the host's PIN (kept as a hash only)."""

from __future__ import annotations

import hashlib
import hmac
import json
import logging
import secrets
import threading
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from referee.durable import write_atomically

log = logging.getLogger(__name__)

_FILE = "dashboard.json"
_ASIDE = "dashboard.damaged.json"
_SCRYPT = {"n": 2**14, "r": 8, "p": 1}
"""Cost of one PIN check: 16 MiB and some tens of milliseconds on a Pi."""

FREE_TRIES = 5
"""Wrong PINs before waiting begins. Fewer annoys a host who mistypes; more helps a guesser."""
FIRST_WAIT_S = 10.0
"""Seconds of the first wait; it doubles with every further wrong PIN. Shorter helps a guesser, longer locks out."""
LONGEST_WAIT_S = 600.0
"""Seconds the wait grows to: a million PINs then take years, and a locked-out host waits ten minutes at most."""


@dataclass(frozen=True, slots=True)
class Keys:
    """secret: signs cookies, 32 bytes. salt, pin_hash: of the PIN. claimed: somebody was host already, so that only
    who knows the PIN can be."""

    secret: bytes
    salt: bytes
    pin_hash: bytes
    claimed: bool = True

    def is_pin(self, text: str) -> bool:
        """Whether `text` is the PIN, in constant time."""
        return hmac.compare_digest(_hash(text, self.salt), self.pin_hash)

    @property
    def host_mark(self) -> str:
        """What a host's cookie carries: it stops being valid when the PIN is made anew."""
        return hmac.new(self.secret, b"host" + self.pin_hash, "sha256").hexdigest()[:24]


def _hash(pin: str, salt: bytes) -> bytes:
    return hashlib.scrypt(pin.strip().encode(), salt=salt, dklen=32, **_SCRYPT)


def open_keys(folder: Path, *, new_pin: bool = False) -> tuple[Keys, str | None]:
    """The keys kept in `folder`, made at the first call; and the PIN when it was made just now, to be shown once.

    new_pin: make another PIN, because the old one is forgotten. A damaged file is moved aside, and phones are as new to
    the referee as on its first day: a table without one is worse. Raises OSError.
    """
    file = folder / _FILE
    kept = _read(file) if file.exists() else None
    if kept is not None and not new_pin:
        return kept, None
    secret = secrets.token_bytes(32) if kept is None else kept.secret
    pin, salt = f"{secrets.randbelow(10**6):06d}", secrets.token_bytes(16)
    return _kept(folder, Keys(secret, salt, _hash(pin, salt), claimed=new_pin)), pin


def _read(file: Path) -> Keys | None:
    """The keys of this file; None when it is damaged, and then it is moved aside."""
    try:
        data = json.loads(file.read_text("utf-8"))
        secret, salt, pin_hash = (bytes.fromhex(data[key]) for key in ("secret", "salt", "pin_hash"))
    except (ValueError, KeyError, TypeError) as error:
        aside = file.with_name(_ASIDE)
        file.replace(aside)
        log.warning("%s: damaged (%s); kept as %s, and there is a new PIN", file, error, aside.name)
        return None
    return Keys(secret, salt, pin_hash, data.get("claimed", True) is not False)


def claim(folder: Path, keys: Keys, pin: str | None = None) -> Keys:
    """The keys once somebody is host, kept in `folder`. pin: the one that the first host chose; None: the one made."""
    if pin is not None:
        salt = secrets.token_bytes(16)
        keys = replace(keys, salt=salt, pin_hash=_hash(pin, salt))
    return _kept(folder, replace(keys, claimed=True))


def _kept(folder: Path, keys: Keys) -> Keys:
    parts = {"secret": keys.secret.hex(), "salt": keys.salt.hex(), "pin_hash": keys.pin_hash.hex()}
    write_json(folder / _FILE, {**parts, "claimed": keys.claimed})
    return keys


def write_json(file: Path, data: Any) -> None:
    """Writes `data` so that a pulled plug leaves the old file or the new one, readable by the owner only."""
    write_atomically(file, json.dumps(data).encode(), mode=0o600)


class Gate:
    """Slows down whoever guesses PINs: one counter for the whole house, because addresses are easily changed."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._wrong = 0
        self._closed_until = 0.0
        self._lock = threading.Lock()

    def enter(self) -> float:
        """Seconds until the next PIN may be tried; 0 when it may be now. It then counts as wrong until it is `right`:
        many guesses at once wait as if they came one by one."""
        with self._lock:
            now = self._clock()
            if now < self._closed_until:
                return self._closed_until - now
            self._wrong += 1
            over = min(self._wrong - FREE_TRIES, 16)  # the wait is at its longest, and 2**1024 would be no float
            if over >= 0:
                self._closed_until = now + min(FIRST_WAIT_S * 2**over, LONGEST_WAIT_S)
            return 0.0

    def right(self) -> None:
        """The PIN was right: whoever comes next starts anew."""
        with self._lock:
            self._wrong, self._closed_until = 0, 0.0
