"""The deck that is being shown: what was seen of it, kept after each face beside the deck in use; what comes next."""

from __future__ import annotations

import errno
import logging
from dataclasses import replace
from pathlib import Path

from referee.cards import Card
from referee.frame import Image
from referee.vision.deck import Deck, DeckError, load_deck, save_deck

log = logging.getLogger(__name__)

FULL = frozenset({errno.ENOSPC, errno.EDQUOT})
FORBIDDEN = frozenset({errno.EROFS, errno.EACCES, errno.EPERM})


class Draft:
    """A deck that is being shown. Not safe for threads.

    file: where it is kept; used: the file of the deck in use, whose looks it begins with where nothing is kept.
    trouble: why it cannot be kept, as the phrase `deck.trouble.WORD`, None while it is. open: something of it is not
    learned yet.
    """

    def __init__(self, file: Path, used: Path, readers: str) -> None:
        self.file, self._used = file, used
        self.trouble: str | None = None
        self.open = file.exists()
        self._first: list[Card] = []
        self._last: list[Card] = []
        self.deck = Deck("")
        try:
            if self.open or used.exists():
                self.deck = load_deck(file if self.open else used, readers)
        except DeckError as error:
            log.warning("%s", error)
            self.trouble = "damaged"
        self.open = self.open or (bool(self.deck.looks) and self.deck.heads is None)

    @property
    def wanted(self) -> tuple[Card, ...]:
        """Faces to show, the next one first: those that were asked for, those that are missing, those that were put
        off."""
        missing = [card for card in self.deck.missing if card not in self._first]
        put_off = [card for card in self._last if card in missing]
        return (*self._first, *(card for card in missing if card not in put_off), *put_off)

    def took(self, card: Card, crop: Image) -> None:
        """There is a look at this face, which is kept."""
        self._first = [face for face in self._first if face != card]
        self._set(self.deck.with_look(card, crop))

    def put_off(self, card: Card) -> None:
        """This face comes last; one that was to be shown again keeps the look that there is."""
        self._first = [face for face in self._first if face != card]
        self._last = [*(face for face in self._last if face != card), card]

    def show_next(self, card: Card) -> None:
        """This face comes next, also when there is a look at it: that one stays until there is another."""
        self._first = [card, *(face for face in self._first if face != card)]

    def rename(self, name: str) -> None:
        """The deck is called otherwise; what was learned still counts. Raises OSError where that is in use."""
        deck = replace(self.deck, name=name)
        if self.open:
            self._set(deck)
            return
        if deck.looks:
            save_deck(deck, self._used)
        self.deck = deck

    def clear(self) -> None:
        """Nothing of it was seen. Raises OSError when the file cannot be removed."""
        self.file.unlink(missing_ok=True)
        self.deck, self.open, self.trouble = Deck(self.deck.name), False, None
        self._first, self._last = [], []

    def keep(self) -> None:
        """Writes the file. Raises OSError."""
        save_deck(self.deck, self.file)
        self.trouble = None

    def _set(self, deck: Deck) -> None:
        self.deck, self.open = deck, True
        try:
            self.keep()
        except OSError as error:
            log.warning("%s: what was seen of the deck is not kept (%s)", self.file, error.strerror)
            self.trouble = "full" if error.errno in FULL else "read_only" if error.errno in FORBIDDEN else "other"
