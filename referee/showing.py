"""Showing a hand to the camera: the camera process reads it instead of the pile, and the table agrees to the result."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from referee.cards import Card
from referee.events import ChallengeResult, Show
from referee.hardware.camera_child import CameraChild
from referee.rules import Code, Options, Phase, apply
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
            if self._proposal is None or self._proposal.player != player:
                self._proposal, self._picture = Proposal(player, options=self._options()), None
                deck = self._deck if self._deck.is_file() else None
                self._camera.survey(partial(hand_survey, deck))
                self._looking(True)
            return self._proposal.to_json()

    def surveyed(self, jpeg: bytes, facts: Mapping[str, Any]) -> None:
        """The camera process read the hand once more; ends when nobody has asked for a while."""
        with self._lock:
            if self._proposal is None:
                return
            player = self._proposal.player
            over = time.monotonic() >= self._until
            try:
                self._proposal = propose(player, facts["hand"], self._count(player), self._pile(), self._options())
                self._picture = jpeg
            except ValueError:  # left the game, or is called otherwise by now
                over = True
        if over:
            self.cancel()

    def state(self) -> dict[str, Any] | None:
        """The proposal now (`Proposal.to_json`), None when no hand is being shown. Asking keeps it going."""
        with self._lock:
            self._until = time.monotonic() + LEASE_S
            return None if self._proposal is None else self._proposal.to_json()

    @property
    def picture(self) -> bytes | None:
        """What the camera sees of the hand, JPEG."""
        return self._picture

    def accept(self, author: str, cards: Sequence[Card] | None = None) -> int:
        """Records the hand: as proposed, or with the cards that people named. Returns the event's number, and watches
        the pile again. In a challenge the cards are judged and forgotten: only the verdict is written down.

        Raises ValueError when no hand is being shown, when cards are in doubt and were not named, or when the colour
        that the Wild Draw Four was played on is not known.
        """
        with self._lock:
            if self._proposal is None:
                raise ValueError("no hand is being shown")
            event = shown(self._proposal, cards)
        number = self._session.record(self._verdict(event) or event, author)
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

    def _verdict(self, hand: Show) -> ChallengeResult | None:
        """What the hand proves in an open challenge (RULES 6.5), None when there is none."""
        position = self._session.position()
        if position is None or position.phase is not Phase.CHALLENGE or position.wd4 is None:
            return None
        codes = {ruling.code for ruling in apply(position, hand)[1]}
        if not codes & {Code.GUILTY, Code.INNOCENT}:
            raise ValueError("the colour that the Wild Draw Four was played on is not known: say guilty or innocent")
        return ChallengeResult(by=position.wd4[1], guilty=Code.GUILTY in codes)

    def _options(self) -> Options:
        position = self._session.position()
        return Options() if position is None else position.options

    def _pile(self) -> Pile | None:
        box = self._where()
        return None if box is None else Pile(box, self._session.board()["top"])

    def _count(self, player: str) -> list[int]:
        for one in self._session.board()["players"]:
            if one["name"] == player:
                return list(one["count"])
        raise ValueError(f"{player!r} does not play")
