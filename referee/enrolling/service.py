"""What the page about the deck asks and decides (`referee.dashboard.deck.Decks`): the camera looks, what was seen is
kept, a process learns it, and the running eye uses it at once."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import Any

from referee.cards import FACES, Card
from referee.dashboard.deck import NotNow
from referee.durable import sync
from referee.enrolling.draft import Draft
from referee.enrolling.fitting import Fit
from referee.hardware.camera_child import CameraChild
from referee.rules import Phase
from referee.session import Session
from referee.session.odd_deck import odd_deck
from referee.vision.deck import FILE_NAME as DECK_FILE
from referee.vision.deck import DeckError, load_deck, unlearned
from referee.vision.deck_shown import deck_survey, look_of
from referee.vision.enrolment import Taken
from referee.vision.nets import readers

log = logging.getLogger(__name__)

LEASE_S = 8.0
"""Seconds after the last question of a phone for which the camera looks for faces. Too small: a phone on a slow network
loses the picture between two questions; too large: one that was put away keeps the referee from watching."""

RESULT = "deck-learned.zip"
"""Where a deck is learned to, in the data folder, until it takes the place of the one in use."""

BETWEEN = frozenset({Phase.HAND_OVER, Phase.SCORED, Phase.GAME_OVER})
"""When nobody plays."""

ADVICE = ("asked", "wanted", "fault", "seen", "quad")
"""What the page is told of a look besides the picture's size."""


class Enrolling:
    """One deck at a time. Safe to call from any thread.

    data: the folder of its files. looking(on): called when the camera begins to look for faces, and when it is done.
    use(): called when another deck is to be read from now on.
    """

    def __init__(
        self, data: Path, session: Session, looking: Callable[[bool], None], use: Callable[[], None]
    ) -> None:
        self._file, self._new, self._result = data / DECK_FILE, unlearned(data / DECK_FILE), data / RESULT
        self._session, self._looking, self._use = session, looking, use
        self._camera: CameraChild | None = None
        self._lock = threading.RLock()
        self._draft: Draft | None = None
        self._in_use: dict[str, Any] | None = None
        self._known = False
        self._looks = self._lent = False
        self._until = 0.0
        self._orders = 0
        self._count = 0
        self._seen: tuple[bytes, Mapping[str, Any]] | None = None
        self._taken: Taken | None = None
        self._took: list[Card] = []
        self._fit: Fit | None = None
        self._heard: int | None = None

    def attach(self, camera: CameraChild) -> None:
        """Says which camera process to ask."""
        self._camera = camera

    def close(self) -> None:
        """Ends what is being learned."""
        if self._fit is not None:
            self._fit.stop()

    @property
    def looks(self) -> bool:
        """Whether the camera looks for faces, or would if no hand were shown to it."""
        with self._lock:
            return self._looks

    # --- what the service tells -------------------------------------------------------------------------------------

    def surveyed(self, jpeg: bytes, facts: Mapping[str, Any]) -> None:
        """The camera process looked for a face; ends that when nobody has asked for a while, or when all are seen."""
        with self._lock:
            told = facts["deck"]
            if not self._looks or self._lent or told["order"] != self._orders:
                return
            self._count += 1
            self._seen = (jpeg, told)
            draft = self._drafted()
            if told["took"] is not None:
                face, self._taken = Card.parse(told["asked"]), look_of(told["took"])
                draft.took(face, self._taken[0])
                self._took.append(face)
            if not draft.wanted or time.monotonic() >= self._until:
                self.pause()
            elif told["wanted"] != str(draft.wanted[0]):
                self._order()  # a camera process that was started again has an old order

    def lend(self, on: bool) -> None:
        """A hand is being shown to the camera (False: no longer): faces are looked for again afterwards."""
        with self._lock:
            self._lent, self._seen = on, None
            if not on and self._looks:
                self._tell(True)
                self._order()

    # --- what the page asks -----------------------------------------------------------------------------------------

    def summary(self) -> dict[str, Any] | None:
        """The deck whose file is there."""
        with self._lock:
            if not self._known:
                self._in_use, self._known = self._summed_up(), True
            return self._in_use

    def _summed_up(self) -> dict[str, Any] | None:
        if not self._file.exists():
            return None
        try:
            deck = load_deck(self._file, readers())
        except DeckError as error:
            log.warning("%s", error)
            return None
        return {"name": deck.name, "faces": len(deck.looks), "used": deck.heads is not None}

    def hint(self) -> dict[str, Any] | None:
        """Why the host should show the deck."""
        entries = self._session.entries()
        if not entries or entries[0].game == self._heard:
            return None
        odd = odd_deck(entries)
        if odd is None:
            return None
        deck = self.summary()
        faces = [str(face) for face in odd.faces if face in FACES] if deck is not None and deck["used"] else []
        return {"unsure": odd.unsure, "of": odd.of, "faces": faces}

    def hush(self) -> None:
        """The host has heard it."""
        entries = self._session.entries()
        self._heard = entries[0].game if entries else None

    def look(self) -> dict[str, Any]:
        """What the page shows: see docs/architecture.md, "Enrolling at the table"."""
        with self._lock:
            self._until = time.monotonic() + LEASE_S
            draft = self._drafted()
            camera = None if self._camera is None else self._camera.health
            trouble = None if camera is None or camera.trouble is None else camera.trouble.to_json()
            fit = None if self._fit is None else self._fit.state
            return {
                "n": self._count,
                "camera": {"state": "stopped" if camera is None else camera.state.value, "trouble": trouble},
                "deck": self.summary(),
                "name": draft.deck.name,
                "seen": [str(face) for face in draft.deck.looks],
                "wanted": [str(face) for face in draft.wanted],
                "open": draft.open,
                "took": [str(face) for face in self._took],
                "looks": self._looks,
                "hand_shown": self._lent,
                "facts": None if self._seen is None else {key: self._seen[1][key] for key in ("size", *ADVICE)},
                "fit": fit,
                "trouble": draft.trouble,
                "playing": self._playing(),
            }

    def picture(self) -> bytes | None:
        """The newest picture as JPEG."""
        with self._lock:
            return None if self._seen is None else self._seen[0]

    # --- what the host decides --------------------------------------------------------------------------------------

    def begin(self) -> None:
        """Looks for faces from now on."""
        with self._lock:
            draft = self._ready()
            if not draft.wanted:
                raise NotNow("deck_done", "every face has been seen: name one to show it again")
            self.hush()
            self._fit = None
            self._until = time.monotonic() + LEASE_S
            if not self._looks:
                self._looks, self._seen, self._took = True, None, []
                self._tell(True)  # first, so that the wizard's orders are over
                self._order()

    def pause(self) -> None:
        """Watches the game again."""
        with self._lock:
            if not self._looks:
                return
            self._looks, self._seen = False, None
            if self._camera is not None and not self._lent:
                self._camera.survey(None)
            self._tell(False)

    def put_off(self, face: Card) -> None:
        """If it is wanted, it comes last. A second phone, or a second tap, puts off no other."""
        with self._lock:
            draft = self._ready()
            if draft.wanted and draft.wanted[0] == face:
                draft.put_off(face)
                self._changed(draft)

    def again(self, face: Card) -> None:
        """It comes next."""
        with self._lock:
            draft = self._ready()
            draft.show_next(face)
            if self._took and self._took[-1] == face:
                self._taken = None  # its card may lie there still
            self._changed(draft)

    def rename(self, name: str) -> None:
        """The deck is called otherwise."""
        with self._lock:
            self._ready().rename(name)
            self._known = False

    def start_over(self) -> None:
        """Forgets what was seen."""
        with self._lock:
            draft = self._ready()
            draft.clear()
            self._taken, self._took, self._fit = None, [], None
            self._changed(draft)

    def forget(self) -> None:
        """Forgets what was seen, and the deck in use."""
        with self._lock:
            self._ready()
            self.pause()
            self.start_over()
            if self._file.exists():
                self._file.unlink()
                self._known = False
                self._use()

    def finish(self) -> None:
        """Learns the deck from what was seen."""
        with self._lock:
            draft = self._ready()
            if not draft.deck.looks:
                raise NotNow("deck_empty", "no face has been seen yet")
            self.pause()
            draft.keep()
            self._fit = Fit(self._new, self._result, self._learned)

    def stop(self) -> None:
        """Ends the learning, and forgets how it went."""
        with self._lock:
            fit, self._fit = self._fit, None
        if fit is not None:
            fit.stop()

    def _learned(self, _: dict[str, int]) -> None:
        with self._lock:
            self._result.replace(self._file)
            sync(self._file.parent)
            self._known = False
            self._draft = None
            self._new.unlink(missing_ok=True)
            self.hush()
            self._use()

    # --- under the lock ---------------------------------------------------------------------------------------------

    def _ready(self) -> Draft:
        if self._fit is not None and self._fit.running:
            raise NotNow("deck_busy", "the deck is being learned")
        return self._drafted()

    def _drafted(self) -> Draft:
        if self._draft is None:
            self._draft = Draft(self._new, self._file, readers())
        return self._draft

    def _tell(self, on: bool) -> None:
        """Says that the camera looks for faces now (False: no longer), where it is not lent to who shows a hand."""
        if not self._lent:
            self._looking(on)

    def _changed(self, draft: Draft) -> None:
        """Other faces are wanted now."""
        if not draft.wanted:
            self.pause()
        elif self._looks:
            self._order()

    def _order(self) -> None:
        if self._camera is None or self._lent:
            return
        self._orders += 1
        self._camera.survey(partial(deck_survey, self._drafted().wanted, self._orders, self._taken))

    def _playing(self) -> bool:
        position = self._session.position()
        return position is not None and not position.paused and position.phase not in BETWEEN
