"""The state machine from looks to sightings.

    rest -> busy (a hand, or motion in the discard zone) -> looking (nobody there, nothing moves) -> rest

`activity` takes every frame and may ask for a close look through `want`; `look` takes the close look. Times are
seconds on the frames' clock and never go back.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum
from typing import Any

from referee.cards import Card
from referee.observations import (
    UNREAD,
    CardLanded,
    CardRead,
    CardReading,
    CardRemoved,
    CardsDrawn,
    PileMoved,
    PileSeen,
    PileTaken,
    Quad,
    Quality,
    Sighting,
)
from referee.tracker.arms import TOUCH_MM2, Arms
from referee.tracker.brought import was_not_brought
from referee.tracker.chances import mean_reading, probability
from referee.tracker.doubts import LOOKS, Doubt, Doubts
from referee.tracker.draw_pile import Draw
from referee.tracker.judge import judge
from referee.tracker.landing import is_disputed
from referee.tracker.looks import Activity, CardLook, PileLook, TableGeometry
from referee.tracker.pile import Pile
from referee.tracker.signs import FRESH, is_covered, is_doubtful, lay_beside, may_be_new
from referee.tracker.unread import hides_the_pile, lies_as_before
from referee.tracker.verdict import PiledCard, Verdict, What
from referee.tracker.view import View
from referee.tracker.visitors import Visitors, Whose

MOVING_SHARE = 0.02
"""Share of the discard zone that must move for the pile to be busy. Smaller: noise keeps the pile busy; larger: a
card is read while it still slides."""

CHANGED_SHARE = 0.03
"""Share of the discard zone that must have changed without a visit for a close look. Smaller: looks for nothing;
larger: a card that a missed hand laid goes unseen."""

UNVISITED_S = 0.5
"""Seconds for which such a change must stay. Shorter: looks at passing shadows; longer: reported late."""

RIM_SHARE = 0.05
"""Share of the discard zone up to which what reaches in from the edge of the picture leaves the pile open, once nothing
has moved there for `UNVISITED_S`. Smaller: a sheet of paper that touches the zone keeps the pile unread until it is
known for one; larger: a card under still fingertips is read."""

STILL_SHARE = 0.001
"""... and the share of the zone that may move meanwhile. Smaller: single pixels of noise keep the pile unread; larger:
a finger that creeps there is nobody."""

SETTLE_S = 0.06
"""Seconds without hand and motion until the pile is at rest. Shorter: read while the card still trembles; longer:
later answers, and quick players merge two plays into one."""

SETTLE_FRAMES = 2
"""... and the least number of frames, for slow cameras."""

DECIDE_S = 0.3
"""Seconds after the hand has gone at which an answer is given, sure or not. Shorter: more answers are unsure; longer:
the table waits."""

LATE_S = 0.4
"""... and until which an answer waits for a second look, where there has been one: frames were dropped. Shorter: such
answers are unsure; longer: as above."""

HELD_S = 1.5
"""... where a card under a hand that is not told from the table (`Visitors.any_rests`) was not read surely, or where
something lies on what seems to have landed, or may. Shorter: a card is told twice, or one that is shown and taken back
lands; longer: the table waits for a question."""

HAND_CARDS = 1.5
"""Cards' areas that have changed from which, where no hypothesis fits, a hand may lie there that was not seen to go.
Smaller: pushes are told late; larger: what lies under it is settled, and the cards that it brought are missed."""

APART_S = 0.02
"""Seconds between the landings of cards that were laid together, the lowest first. 0 would leave nothing to tell them
apart by."""

SURE_EACH = 0.6
"""Confidence that the same face must have on every single look of a sure reading."""

UNVISITED_SURE = 0.6
"""Confidence of a face from which a card landed although no hand was seen. Smaller: a dark hand that rests on the pile
of a dark table is a card; larger: cards that such hands lay are missed where they are read badly."""

OPEN = 0.5
"""How far the top card must count as open, 0 to 1, to be told when watching begins. Smaller: a covered card is compared
with the one remembered; larger: the comparison is left out."""


class Want(Enum):
    """What the tracker needs from the eye after a frame."""

    NOTHING = "nothing"
    FIRST = "first"
    """Find the cards on the pile: it has just come to rest."""
    AGAIN = "again"
    """Read the same cards once more."""


class _State(Enum):
    REST = "rest"
    BUSY = "busy"
    LOOKING = "looking"


class Tracker:
    """Makes sightings of looks. Deterministic; holds no pixels."""

    def __init__(self, geometry: TableGeometry, sure: float) -> None:
        """sure: mean confidence, 0 to 1, from which a reading is sure; smaller: more wrong cards are asserted; larger:
        more questions."""
        self._sure = sure
        self._arms = Arms(geometry)
        self._zone_mm2 = geometry.discard_zone[2] * geometry.discard_zone[3]
        self._view = View()
        self.pile = Pile()
        self._state = _State.BUSY
        self._started = False
        self._seen = False
        self._since = 0.0
        self._quiet_t = 0.0
        self._quiet_frames = 0
        self._changed_t: float | None = None
        self._visitors = Visitors()
        self._stirred_t = -1e9
        self._looks: list[PileLook] = []
        self._verdict = Verdict(What.NOTHING)
        self._doubts = Doubts()
        self._taken_t: float | None = None
        self._hidden = False
        self._quality = Quality.CLEAR
        self.want = Want.NOTHING
        self.accepted = False
        """Set by `activity` and `look`: the last close look is now the settled pile."""

    @property
    def visited(self) -> bool:
        """A hand came to the pile since it was settled last."""
        return self._state is not _State.REST and bool(self._visitors.there)

    @property
    def saw_it_bare(self) -> bool:
        """No pile lay there before those came who are there now: all of them were seen to come."""
        bare = self._started and self.pile.top is None
        return bare and self.visited and all(track.was_seen_to_come() for track in self._visitors.there)

    @property
    def asked(self) -> tuple[int, ...]:
        """With `Want.AGAIN`: which cards of the last look matter, as indices."""
        if self._state is _State.LOOKING:
            return self._verdict.cards
        return tuple(doubt.index for doubt in self._doubts)

    def view(self, t: float, seen: Quality) -> list[Sighting]:
        """Takes the quality of the picture at time t."""
        hand = self._state is _State.BUSY and self._started
        self._quality = seen
        change = self._view.update(t, Quality.HAND if hand and seen is Quality.CLEAR else seen)
        return [change] if change else []

    def activity(self, activity: Activity) -> list[Sighting]:
        """Takes one frame; returns what is decided by it and sets `want`."""
        t = activity.t
        out: list[Sighting] = []
        self.want, self.accepted = Want.NOTHING, False
        out.extend(self._drawn(draw, t) for draw in self._arms.update(activity) if not self._brings_back(draw))
        if self._is_touched(activity) or activity.moving > MOVING_SHARE:
            if self._state is _State.LOOKING and self._is_open():
                self._state = _State.BUSY  # the same visit goes on
            elif self._state is _State.LOOKING:
                out.extend(self._finish(t))
            if self._state is not _State.BUSY:
                self._state, self._since = _State.BUSY, t
                self._visitors.begin()
            self._quiet_frames, self._changed_t = 0, None
            self._visitors.saw(self._arms.tracks, activity, self._zone_mm2)
            return out
        if self._state is _State.BUSY:
            self._settling(t, activity.moving)
        elif self._state is _State.LOOKING:
            self._visitors.rest_on(t)
            self.want = Want.AGAIN if self._verdict.what is not What.UNCLEAR else Want.FIRST
        else:
            self._at_rest(activity)
        return out

    def _is_touched(self, activity: Activity) -> bool:
        """Somebody is at the pile, or something at its rim has not lain still for long."""
        cover = [arm.in_discard for arm in activity.arms if arm.in_discard > TOUCH_MM2]
        if sum(cover) > RIM_SHARE * self._zone_mm2 or activity.moving > STILL_SHARE:
            self._stirred_t = activity.t
        return bool(cover) and activity.t - self._stirred_t < UNVISITED_S

    def _brings_back(self, draw: Draw) -> bool:
        """The hand brought the pile that was taken up, and lays it where cards are drawn (RULES 6.9)."""
        if self._taken_t is None or draw.since < self._taken_t:
            return False
        self._taken_t = None
        return True

    def _drawn(self, draw: Draw, t: float) -> CardsDrawn:
        return CardsDrawn(
            t=draw.t, since=draw.since, latency_s=t - draw.t, seat=draw.seat, seat_confidence=draw.seat_confidence,
            count=draw.count,
        )  # fmt: skip

    def _settling(self, t: float, moving: float) -> None:
        if self._quiet_frames == 0:
            self._quiet_t = t
            self._visitors.settle(t, moving)
        self._quiet_frames += 1
        if self._quiet_frames >= SETTLE_FRAMES and t - self._quiet_t >= SETTLE_S - 1e-6:
            self._state, self._looks, self.want = _State.LOOKING, [], Want.FIRST
            self._verdict = Verdict(What.UNCLEAR)

    def _at_rest(self, activity: Activity) -> None:
        t = activity.t
        if activity.changed <= CHANGED_SHARE:
            self._changed_t = None
            if self._doubts.is_due(t):
                self.want = Want.AGAIN
        elif self._changed_t is None:
            self._changed_t = t
        elif t - self._changed_t >= UNVISITED_S:
            self._since = self._quiet_t = self._changed_t
            self._look_closely()

    def doubt_rest(self, t: float) -> None:
        """The pile at rest is not the settled one after all: look closely at the next frame."""
        if self._state is _State.REST:
            self._since = self._quiet_t = t
            self._look_closely()

    def restart(self) -> None:
        """The pile comes to light only now: what lies there at the next rest is no event."""
        self._started = False
        self.disturbed()

    def knocked(self) -> None:
        """The picture has moved: what rested over it was no arm, but where things lay before."""
        self._arms.forget_present()
        self.disturbed()

    def disturbed(self) -> None:
        """Look again when the picture rests."""
        self._state, self._quiet_frames = _State.BUSY, 0
        self._doubts.clear()

    def _is_open(self) -> bool:
        """Whoever comes now may be who came before, and what they do is not over."""
        return self._verdict.what is What.UNCLEAR or self._nobody_came() or self._is_held()

    def _is_held(self) -> bool:
        """What landed may be in a hand still, which is not told from the table and was not seen to go back: it covers
        the card; or the card was not read surely, and the arm, which is all that is seen, has not moved."""
        if self._is_covered() and not self._visitors.went():
            return True
        if self._verdict.what is not What.LANDED or not self._visitors.any_rests():
            return False
        return any(is_doubtful(self._looks[0].cards[i]) for i in self._verdict.cards)

    def _is_covered(self) -> bool:
        """Something lies on what seems to have landed, or on what alone may have, where no hypothesis fits; or a face
        is read, more has changed than one card changes, and no hypothesis fits."""
        if self._verdict.what is What.UNCLEAR:
            cards = self._looks[-1].cards if self._looks else ()
            faces = any(c.reading.card is not None and not c.fitted for c in cards)
            much = faces and self._looks[-1].change > HAND_CARDS
            return much or any(is_covered(c) and may_be_new(c) for c in cards)
        return self._verdict.what is What.LANDED and is_covered(self._looks[0].cards[self._verdict.cards[-1]])

    def _look_closely(self) -> None:
        self._state, self._looks, self.want = _State.LOOKING, [], Want.FIRST
        self._visitors.begin()
        self._verdict, self._changed_t = Verdict(What.UNCLEAR), None

    # Close looks ---------------------------------------------------------------------------------------------

    def look(self, look: PileLook) -> list[Sighting]:
        """Takes the close look that `want` asked for."""
        self.want = Want.NOTHING
        if not self._started:
            return self._start(look)
        if self._state is _State.REST:
            return self._better(look)
        if self._verdict.what is What.UNCLEAR:
            self._looks = [look]
            self._verdict = self._patiently(self._judged(look), look)
        else:
            self._looks.append(look)
        if self._verdict.what in (What.NOTHING, What.MOVED) or self._ready(look.t):
            return self._finish(look.t)
        return []

    def _judged(self, look: PileLook) -> Verdict:
        """The verdict. What hid the pile goes as a pile does that is picked up, and leaves that pile as it was."""
        verdict = judge(self.pile, look)
        if self._hidden and verdict.what is What.TAKEN and (top := lies_as_before(self.pile, look)) is not None:
            return Verdict(What.MOVED, (top,))
        return verdict

    def _patiently(self, verdict: Verdict, look: PileLook) -> Verdict:
        """That no face is to be seen must hold until an answer is due: a hand may lie there that was not seen, and does
        where nobody came, or was not seen to go, and the bare table is not to be seen either."""
        gone = verdict.what in (What.REMOVED, What.TAKEN) and not verdict.cards
        there = self._visitors.stayed or not self._visitors.there
        unseen = verdict.what is What.TAKEN and there and not (look.bare or look.cleared)
        return Verdict(What.UNCLEAR) if unseen or (gone and look.t - self._quiet_t < DECIDE_S) else verdict

    def _start(self, look: PileLook) -> list[Sighting]:
        """The pile as it lies when watching begins is no event. Its top card is told once it is read for sure, at rest
        (`_better`), so that it can be compared with the one remembered (RULES 12)."""
        self._started = True
        old = self.pile.top
        top = max(look.cards, key=lambda c: c.on_top, default=None)
        if top is None or top.reading.card is None:
            self.pile.reset()
        elif old is not None and probability(top.reading, old.card) > 0.5:
            self.pile.moved(top)
        else:
            self.pile.reset([PiledCard(top.reading.card, top.quad, is_doubtful(top))])
        if top is not None and top.on_top > OPEN and not self._seen:
            self._doubts.clear()
            self._doubts.add(Doubt(look.t, look.cards.index(top), 0, [top.reading], landed=False), look.t)
        return self._rest([])

    def _ready(self, t: float) -> bool:
        quiet = t - self._quiet_t
        if quiet >= (HELD_S if self._is_held() else LATE_S if self._saw_once() else DECIDE_S):
            return True
        if self._verdict.what is What.LANDED and not self._is_covered():
            return len(self._looks) >= LOOKS and all(self._is_sure(self._readings(i)) for i in self._verdict.cards)
        return self._verdict.what in (What.REMOVED, What.TAKEN) and len(self._looks) >= 2

    def _saw_once(self) -> bool:
        """One look at what has landed is all there is."""
        return self._verdict.what is What.LANDED and len(self._looks) < 2

    def _readings(self, index: int) -> list[CardReading]:
        return [look.cards[index].reading for look in self._looks if index < len(look.cards)]

    def _is_sure(self, readings: Sequence[CardReading]) -> bool:
        if len(readings) < 2 or self._quality not in (Quality.CLEAR, Quality.MOVED):
            return False
        mean = mean_reading(readings)
        if mean.card is None or mean.confidence < self._sure:
            return False
        return all(probability(reading, mean.card) >= SURE_EACH for reading in readings)

    def _rest(self, out: list[Sighting]) -> list[Sighting]:
        self._state, self._looks, self.accepted = _State.REST, [], True
        return out

    def _finish(self, t: float) -> list[Sighting]:
        """Decides with the looks there are."""
        if not self._looks:
            self._state = _State.REST
            return []
        what = self._verdict.what
        self._hidden = what is What.UNCLEAR and hides_the_pile(self._looks[-1])
        if self._nobody_came():
            return self._rest([])
        if what is What.LANDED:
            return self._rest(self._land(t))
        if what is What.REMOVED:
            return self._rest(self._remove(t))
        if what is What.MOVED:
            (index,) = self._verdict.cards
            self.pile.moved(self._looks[-1].cards[index])
            self._doubts.moved(index)
            return self._rest([PileMoved(**self._when(t))])
        if what is What.TAKEN:
            left = self.pile.taken(but_top=self._looks[0].cleared)
            seen = [c for c in self._looks[-1].cards if left and not c.fitted and c.reading.card == left.card]
            if seen:
                self.pile.moved(seen[0])  # it lies lower now
            self._doubts.left(top=left is not None)
            self._taken_t = self._quiet_t
            return self._rest([PileTaken(**self._when(t), top=left.card if left else None)])
        if what is What.UNCLEAR:
            return self._rest(self._give_up(t))
        return self._rest([])

    def _nobody_came(self) -> bool:
        """What seems to have landed is a shadow, or a hand that was not seen: little changed, and nobody threw a card,
        or no face is surely read."""
        landed = self._verdict.what is What.LANDED and bool(self._looks)
        return landed and not self._visitors.there and not self._is_plain()

    def _is_plain(self) -> bool:
        cards, thrown = self._looks[0].cards, self._visitors.threw()
        for index in self._verdict.cards:
            reading = mean_reading(self._readings(index))
            if reading.card is None or reading.confidence < UNVISITED_SURE:
                return False
            if cards[index].fresh < FRESH and not thrown:
                return False
        return True

    def _give_up(self, t: float) -> list[Sighting]:
        """No hypothesis fits: an open card with another face than the top card's is reported unsure, anything else
        is taken for a moved pile."""
        look = self._looks[-1]
        top = self.pile.top
        cards = [c for c in look.cards if c.reading.card is not None and not c.fitted]
        known = not any(doubt.depth == 0 for doubt in self._doubts)  # else the top card may have been that all along
        cards = [c for c in cards if may_be_new(c) or (known and self.pile.shows_new_face(c))]
        cards = [c for c in cards if not lay_beside(c) and not self._is_pushed(c)]
        best = max(cards, key=lambda c: c.on_top * c.reading.confidence, default=None)
        if best is None or best.reading.confidence < self._sure or (top and probability(best.reading, top.card) > 0.1):
            self._doubts.clear()
            return [PileMoved(**self._when(t))] if top and look.change > 0.1 else []
        index = look.cards.index(best)
        landing = self._landing(t, index, best.reading, False, self._seat(self._looks[0].cards[index].quad))
        self._doubts.clear()
        self._doubts.add(Doubt(landing.t, index, 0, [landing.reading]), t)
        return [landing]

    def _is_pushed(self, card: CardLook) -> bool:
        """It has the top card's colour, and no hand brought that: it is that one, pushed and read otherwise."""
        top, now = self.pile.face(), card.reading.card
        return top is not None and now is not None and now.colour is top.colour and was_not_brought(self._looks[-1])

    def _when(self, t: float) -> dict[str, Any]:
        return {"t": self._quiet_t, "since": min(self._since, self._quiet_t), "latency_s": max(0.0, t - self._quiet_t)}

    def _seat(self, quad: Quad | None) -> Whose:
        return self._visitors.seat(quad, self._since, self._quiet_t)

    def _land(self, t: float) -> list[Sighting]:
        out: list[Sighting] = []
        self._doubts.clear()
        self._taken_t = None
        cards = self._verdict.cards
        quads = [self._looks[0].cards[index].quad for index in cards]
        seats = self._visitors.seats(quads, self._since, self._quiet_t)
        for index, seat, depth in zip(cards, seats, reversed(range(len(cards))), strict=True):
            readings = self._readings(index)
            disputed = depth == 0 and is_disputed(self._looks[0], index)
            sure = self._is_sure(readings) and not disputed
            landing = self._landing(t, index, mean_reading(readings), sure, seat, depth)
            out.append(landing)
            if not sure and not disputed:  # later looks at the same place would repeat that error
                self._doubts.add(Doubt(landing.t, index, depth, readings, cut_short=len(readings) < LOOKS), t)
        return out

    def _landing(
        self, t: float, index: int, reading: CardReading, sure: bool, laid: Whose, depth: int = 0
    ) -> CardLanded:
        """laid: who laid it, and how sure that is. depth: how many cards came upon this one in the same visit; each
        landing has a t of its own."""
        card, (seat, confidence) = self._looks[0].cards[index], laid
        reading = reading if reading.card is not None or reading.alternatives else UNREAD
        self.pile.landed(reading.card, card.quad, not sure)
        when = self._when(t)
        when["t"] = max(when["since"], when["t"] - depth * APART_S)
        when["latency_s"] = t - when["t"]
        return CardLanded(**when, seat=seat, seat_confidence=confidence, reading=reading, sure=sure)

    def _remove(self, t: float) -> list[Sighting]:
        seat, confidence = self._seat(self.pile.top.quad if self.pile.top else None)
        top = None
        if self._verdict.cards:
            (index,) = self._verdict.cards
            top = self._looks[0].cards[index]
        if top is not None and self.pile.lay_under_top(top):
            self._doubts.laid_open(index, self._readings(index), t)
        else:
            self._doubts.clear()
        gone = self.pile.removed(top)
        now: Card | None = self.pile.top.card if self.pile.top else None
        return [CardRemoved(**self._when(t), seat=seat, seat_confidence=confidence, card=gone.card, top=now)]

    def _better(self, look: PileLook) -> list[Sighting]:
        """One more look at cards that were not read surely."""
        out: list[Sighting] = []
        for doubt in self._doubts.look(look, self._is_sure):
            reading = mean_reading(doubt.looks)
            self.pile.reread(doubt.depth, reading.card)
            if doubt.landed:
                out.append(CardRead(t=doubt.t, latency_s=look.t - doubt.t, reading=reading, sure=True))
            else:
                self._seen = True
                out.append(PileSeen(t=look.t, reading=reading, sure=True))
        return out
