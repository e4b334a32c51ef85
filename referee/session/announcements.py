"""Which rulings are news: after a correction the table hears what it changed, and nothing twice. Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from referee.rules import Filed, Ruling


@dataclass(frozen=True, slots=True)
class Announcement:
    """A ruling that is new since board `seq`; withdrawn: it had been announced and fell away."""

    seq: int
    filed: Filed
    withdrawn: bool


class Announcer:
    """Compares the rulings before and after each event."""

    def __init__(self, rulings: Sequence[Filed]) -> None:
        """rulings: those of the past, which are no news."""
        self._known = tuple(rulings)
        self._made: list[Announcement] = []

    def update(self, rulings: Sequence[Filed], seq: int) -> None:
        """Takes in all rulings of the game as they are since board `seq`."""
        old, new = self._known, tuple(rulings)
        self._known = new
        if new[: len(old)] == old:  # the usual case: the event only added some
            old, new = (), new[len(old) :]
        gone, come = _standing(old), _standing(new)
        gone, come = gone - come, come - gone
        for filed in old:
            if not filed.overruled and gone[_key(filed)] > 0:
                gone[_key(filed)] -= 1
                self._made.append(Announcement(seq, filed, withdrawn=True))
        for filed in new:
            if not filed.overruled and come[_key(filed)] > 0:
                come[_key(filed)] -= 1
                self._made.append(Announcement(seq, filed, withdrawn=False))

    def reword(self, rulings: Sequence[Filed]) -> None:
        """Takes in the rulings told with other names: none of them is news."""
        self._known = tuple(rulings)

    def since(self, seq: int) -> list[Announcement]:
        """What is new since board `seq`, oldest first."""
        return [made for made in self._made if made.seq > seq]


def _key(filed: Filed) -> tuple[int, Ruling]:
    return filed.number, filed.ruling


def _standing(rulings: Sequence[Filed]) -> Counter[tuple[int, Ruling]]:
    return Counter(_key(filed) for filed in rulings if not filed.overruled)
