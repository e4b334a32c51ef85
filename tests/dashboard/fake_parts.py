"""A camera, a voice and a set-up table for pages: they answer at once and keep what they are told."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from fake_table import JPEG

from referee.cards import FACES, Card
from referee.dashboard.voice import VoiceSettings
from referee.rules import Options
from referee.session.showing import Doubt, Proposal


class FakeShows:
    """A camera that sees Ana's red 7 and Wild Draw Four at once, and one card that it cannot read until it is named.
    Special wilds count 25 at this table. challenge: hands are shown in one."""

    def __init__(self, cards: str = "R7 W+4", *, challenge: bool = False) -> None:
        self.cards = cards
        self.player: str | None = None
        self.challenge = challenge
        self.accepted: list[tuple[str, str, list[str] | None]] = []

    def begin(self, player: str) -> dict[str, Any]:
        if player == "Nobody":
            raise ValueError("'Nobody' does not play")
        self.player = player
        return Proposal(player).to_json()

    def state(self) -> dict[str, Any] | None:
        if self.player is None:
            return None
        cards = tuple(None if card == "?" else Card.parse(card) for card in self.cards.split())
        unread = tuple(i for i, card in enumerate(cards, start=1) if card is None)
        hand = Proposal(
            self.player, cards, (2, 2), unread, ((0.2, 0.5),) * len(cards), (Doubt.UNSURE,) if unread else (),
            Options(special_wild_points=25),
        )  # fmt: skip
        return {**hand.to_json(), "challenge": self.challenge}

    @property
    def picture(self) -> bytes | None:
        return JPEG if self.player else None

    def accept(self, author: str, cards: Sequence[Card] | None = None) -> int:
        if self.player is None or (cards is None and "?" in self.cards):
            raise ValueError("some cards were not read")
        self.accepted.append((self.player, author, None if cards is None else [str(card) for card in cards]))
        self.player = None
        return 50

    def cancel(self) -> None:
        self.player = None


class FakeVoice:
    """Keeps what it is told."""

    def __init__(self) -> None:
        self.settings, self.tried = VoiceSettings(), 0

    def use(self, settings: VoiceSettings) -> None:
        self.settings = settings

    def try_out(self) -> None:
        self.tried += 1


class FakeSetUp:
    """A table that is set up; a new game is one of a tournament at two tables."""

    ready = True

    def rules(self) -> dict[str, Any]:
        return {"preset": "official_108", "options": {"tournament": "eight_player_28_hands"}}

    def keep_rules(self, preset: str, options: dict[str, Any]) -> None:
        """They are taken as they are."""

    def look(self, what: str) -> dict[str, Any]:
        """No camera, and one button."""
        return {"n": 0, "ready": True, "camera": None, "calibration": None, "facts": None, "hand_shown": False,
                "buttons": [{"pin": 17, "seat": None, "role": "UNO"}], "presses": [], "pin_troubles": []}  # fmt: skip

    def end(self) -> None:
        """It has been looked at."""


class FakeDecks:
    """A deck that is shown without a camera: `see` takes a look. fit: how the learning stands, for good."""

    def __init__(self, seen: int = 0, *, hint: dict[str, Any] | None = None, fit: dict[str, Any] | None = None,
                 deck: dict[str, Any] | None = None, looks: bool = False, **more: Any) -> None:  # fmt: skip
        self.seen = [str(face) for face in FACES[:seen]]
        self.fit, self.looks, self.more = fit, looks, more
        self._hint, self._deck, self.name = hint, deck, "Grandma’s deck"
        self.took: list[str] = []

    def summary(self) -> dict[str, Any] | None:
        return self._deck

    def hint(self) -> dict[str, Any] | None:
        return self._hint

    def hush(self) -> None:
        self._hint = None

    def look(self) -> dict[str, Any]:
        wanted = [str(face) for face in FACES if str(face) not in self.seen]
        facts = {"size": [1280, 720], "asked": wanted[0], "wanted": wanted[0], "fault": "other", "seen": "B8",
                 "quad": [[500, 200], [600, 200], [600, 355], [500, 355]]} if wanted else None  # fmt: skip
        return {
            "n": 0, "camera": {"state": "running", "trouble": None}, "deck": self._deck, "name": self.name,
            "seen": self.seen, "wanted": wanted, "open": bool(self.seen), "took": self.took, "looks": self.looks,
            "hand_shown": False, "facts": facts if self.looks else None, "fit": self.fit, "trouble": None,
            "playing": False, **self.more,
        }  # fmt: skip

    def picture(self) -> bytes | None:
        return None

    def begin(self) -> None:
        self.looks = True

    def pause(self) -> None:
        self.looks = False

    def see(self, face: str) -> None:
        """The camera has taken a look at this face."""
        self.seen, self.took = [*self.seen, face], [*self.took, face]

    def put_off(self, face: Card) -> None:
        """Nothing else is wanted."""

    def again(self, face: Card) -> None:
        """It is seen already."""

    def rename(self, name: str) -> None:
        self.name = name

    def start_over(self) -> None:
        self.seen = []

    def forget(self) -> None:
        self.seen, self._deck = [], None

    def finish(self) -> None:
        self.fit = {"state": "running", "share": 0.4, "left_s": None}

    def stop(self) -> None:
        self.fit = None
