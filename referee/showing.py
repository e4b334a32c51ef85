"""Showing a hand to the camera: the camera process reads it instead of the pile, and the table agrees to the result."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from referee.cards import Card, Deck
from referee.events import ChallengeResult, Show
from referee.hardware.camera_child import CameraChild
from referee.rules import Code, Options, Phase, Position, apply
from referee.session import Session
from referee.session.showing import Pile, Proposal, propose, shown
from referee.vision.hand_shown import hand_survey

LEASE_S = 60.0
"""Seconds after the last question for which the hand is read. Shorter: a phone that sleeps ends it; longer: the pile is
unwatched for nothing."""


class Showing:
    """One hand at a time. Safe to call from any thread. looking(on): called when reading begins and ends.

    deck: where an enrolled deck's file would be. pile: where the discard pile lies in the picture, as `Pile.box`, None
    while that is not known.
    """

    def __init__(
        self, session: Session, deck: Path, looking: Callable[[bool], None],
        pile: Callable[[], tuple[float, float, float, float] | None] = lambda: None,
    ) -> None:  # fmt: skip
        self._session, self._deck, self._looking, self._where = session, deck, looking, pile
        self._camera: CameraChild | None = None
        self._lock = threading.RLock()
        self._proposal: Proposal | None = None
        self._challenge = False
        self._picture: bytes | None = None
        self._until = 0.0

    def attach(self, camera: CameraChild) -> None:
        """Says which camera process to ask."""
        self._camera = camera

    def begin(self, player: str) -> dict[str, Any]:
        """Reads this player's hand from now on, not the pile; the answer is as `state`'s. A second phone
        that asks for the same hand looks on.

        Raises ValueError when there is no camera or no such player.
        """
        if self._camera is None:
            raise ValueError("there is no camera: type the points in")
        self._count(player)
        with self._lock:
            self._until = time.monotonic() + LEASE_S
            shows = self._still_shown()
            if shows is None or shows.player != player:
                shows = self._proposal = Proposal(player, options=self._options())
                self._picture, self._challenge = None, self._open_challenge() is not None
                self._looking(True)  # first, so that the wizard's orders are over
                self._camera.survey(partial(hand_survey, self._deck, self._copies()))
            return self._told(shows)

    def surveyed(self, jpeg: bytes, facts: Mapping[str, Any]) -> None:
        """The camera process read the hand once more; ends when nobody has asked for a while."""
        with self._lock:
            shows = self._still_shown()
            if shows is None:
                return
            over = time.monotonic() >= self._until
            try:
                count = self._count(shows.player)
                self._proposal = propose(shows.player, facts["hand"], count, self._pile(), self._options())
                self._picture = jpeg
            except ValueError:  # left the game, or is called otherwise by now
                over = True
            if over:
                self.cancel()

    def state(self) -> dict[str, Any] | None:
        """The proposal now (`Proposal.to_json`), None when no hand is being shown. Asking keeps it going.

        `challenge`: it is shown in a challenge, and for the challenger's eyes only.
        """
        with self._lock:
            self._until = time.monotonic() + LEASE_S
            shows = self._still_shown()
            return None if shows is None else self._told(shows)

    @property
    def picture(self) -> bytes | None:
        """What the camera sees of the hand, JPEG."""
        with self._lock:
            return None if self._still_shown() is None else self._picture

    def accept(self, author: str, cards: Sequence[Card] | None = None) -> int:
        """Records the hand: as proposed, or with the cards that people named. Returns the event's number, and watches
        the pile again. In a challenge the cards are judged and forgotten: only the verdict is written down.

        Raises ValueError when no hand is being shown, when cards are in doubt and were not named, or when the colour
        that the Wild Draw Four was played on is not known.
        """
        with self._lock:
            shows = self._still_shown()
            if shows is None:
                raise ValueError("no hand is being shown")
            hand = shown(shows, cards)
            event = self._verdict(hand) if self._challenge else hand
        number = self._session.record(event, author)
        self.cancel()
        return number

    def cancel(self) -> None:
        """Watches the pile again. May be called when no hand is being shown."""
        with self._lock:  # the last order to the camera has to be that of the last call
            if self._proposal is None:
                return
            self._proposal = self._picture = None
            if self._camera is not None:
                self._camera.survey(None)
            self._looking(False)

    def _still_shown(self) -> Proposal | None:
        """The hand that is being shown. One that was begun in a challenge ends with it: it is nobody else's to see."""
        if self._proposal is not None and self._challenge != (self._open_challenge() is not None):
            self.cancel()
        return self._proposal

    def _told(self, shows: Proposal) -> dict[str, Any]:
        return {**shows.to_json(), "challenge": self._challenge}

    def _open_challenge(self) -> Position | None:
        """Where the game stands while a challenge is open, None while there is none."""
        position = self._session.position()
        return position if position is not None and position.phase is Phase.CHALLENGE else None

    def _verdict(self, hand: Show) -> ChallengeResult:
        """What the hand proves in the challenge (RULES 6.5)."""
        position = self._open_challenge()
        if position is None or position.wd4 is None:  # decided in this instant
            raise ValueError("the challenge is over")
        codes = {ruling.code for ruling in apply(position, hand)[1]}
        if not codes & {Code.GUILTY, Code.INNOCENT}:
            raise ValueError("the colour that the Wild Draw Four was played on is not known: say guilty or innocent")
        return ChallengeResult(by=position.wd4[1], guilty=Code.GUILTY in codes)

    def _options(self) -> Options:
        position = self._session.position()
        return Options() if position is None else position.options

    def _copies(self) -> Mapping[Card, int]:
        position = self._session.position()
        return Deck.CLASSIC_108.copies if position is None else position.setup.pack.copies

    def _pile(self) -> Pile | None:
        box = self._where()
        return None if box is None else Pile(box, self._session.board()["top"])

    def _count(self, player: str) -> list[int]:
        for one in self._session.board()["players"]:
            if one["name"] == player:
                return list(one["count"])
        raise ValueError(f"{player!r} does not play")
