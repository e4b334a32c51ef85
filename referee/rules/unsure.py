"""A card that was not surely read is told better by what people do next (RULES 9, 12): where its best reading makes an
odd act of what follows, and another reading does not, the other one is taken. One that was surely read takes more to be
doubted, and then the table is asked."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from math import log

from referee.cards import Card
from referee.events import Discard, Event, Lift, TurnUp
from referee.rules.draft import Draft, rule, seat, settle, thaw
from referee.rules.game import step
from referee.rules.hand import CERTAIN
from referee.rules.position import NOBODY, Position, Question
from referee.rules.record import Entry, Filed, Told
from referee.rules.rulings import Code, Reason, Ruling, Tier

WATCHED = 8
"""Acts after an unsure card that may still tell what it was. Too small: a card that changes the direction is found out
too late; too large: somebody's mistake long after it changes what lay there."""
MISTAKE = 0.02
"""How often, as a share of acts, people do something odd. Too small: an unlikely reading is believed at the first odd
act; too large: the referee asks where the reading was to blame."""
UNREAD = 0.02
"""The share of unsure readings in which the card is none of those offered. Too small: the referee asks about every act
after a card that it does not know; too large: it forgets a card for somebody's mistake."""
MISREAD = 0.001
"""The share of sure readings in which the card is none of those offered. Too small: one misread card makes a row of
accusations; too large: two mistakes in a row make the referee doubt what it saw well."""
ODD = frozenset(
    {
        Code.ILLEGAL_CARD, Code.OUT_OF_TURN, Code.DRAW_FIRST, Code.MUST_DRAW, Code.OVERDRAWN, Code.DRAW_OUT_OF_TURN,
        Code.CHALLENGE_REFUSED, Code.NOT_ENTITLED,
    }
)  # fmt: skip
"""Rulings that nobody hears where people play by the rules and every card is read."""
ODD_QUESTIONS = frozenset({"whose_turn", "who_drew", "which_card", "play_after_hand_over"})
"""Questions that nobody is asked there."""


def is_unsure(event: Event) -> bool:
    """A card landed, and it could be another than the one it was taken for."""
    return isinstance(event, Discard | TurnUp) and not event.sure and bool(event.card and event.alternatives)


def is_doubtable(event: Event) -> bool:
    """A card landed that was surely read, but only seen: no person has named it."""
    if not isinstance(event, Discard | TurnUp) or event.card is None or event.extra.get("named"):
        return False
    return event.sure and event.confidence < CERTAIN


def candidates(entries: Sequence[Entry], illegal: bool) -> list[int]:
    """Which of the entries may be another card than it seems, the last one of them being odd; as how many before that
    one, the unsure ones first. Sure ones that may be nothing else only where cards do not go on each other (illegal):
    what else is odd comes of cards that nobody saw, more often than of sure ones misread. What was taken back was a
    mistake, and no misread."""
    unsure, sure = list[int](), list[int]()
    lifted: set[Card | None] = set()
    for back, entry in enumerate(reversed(entries)):
        event = entry.event
        if isinstance(event, Lift):
            lifted.add(event.card)
        elif back and is_unsure(event):
            unsure.append(back)
        elif back and is_doubtable(event) and not lifted & {None, getattr(event, "card", None)}:
            sure += [back] if illegal or getattr(event, "alternatives", None) else []
    return unsure + sure


def goes_on_nothing(rulings: Sequence[Ruling], before: Sequence[Filed]) -> bool:
    """Did somebody lay a card that does not go on the one before, or go on upon one that was called so? Who lays that
    very card once more only insists."""
    last = next((filed.ruling for filed in reversed(before) if filed.ruling.code in ODD), None)
    wrong = [ruling for ruling in rulings if ruling.code is Code.ILLEGAL_CARD]
    if wrong:
        return last is None or (last.code, last.player, last.cards) != (wrong[0].code, wrong[0].player, wrong[0].cards)
    standing = [ruling.cards for ruling in rulings if ruling.code is Code.PLAY_STANDS]
    return bool(standing) and last is not None and last.code is Code.ILLEGAL_CARD and last.cards in standing


def odd(d: Draft, rulings: Sequence[Ruling], number: int) -> float:
    """How odd it was, 0 to 1, what happened in the event with that number and led to these rulings."""
    if any(ruling.code in ODD for ruling in rulings):
        return 1.0
    turn = d.setup.names[d.turn_id] if d.turn_id != NOBODY else None
    for question in d.open:
        if question.ref == number and (
            question.kind in ODD_QUESTIONS or (question.kind == "did_draw" and question.player != turn)
        ):
            return 1.0
    # A colour that nobody named for a wild is often only not typed in.
    return 0.5 if any(ruling.reason in (Reason.COLOUR, Reason.HIDDEN_CARD) for ruling in rulings) else 0.0


def retold(before: Position, entries: Sequence[Entry], illegal: bool) -> Discard | TurnUp | None:
    """The first of the entries, a card, as another reading that explains the others better; None where its best reading
    explains them as well as any. before: the position before it; illegal: as for `candidates`, only then a sure card
    may be none of those that its reading offers."""
    first = entries[0].event
    assert isinstance(first, Discard | TurnUp)
    found, best = None, strangeness(before, entries, first, first.confidence)
    none_offered = MISREAD if first.sure else UNREAD
    for reading in others(before, first):
        if reading.card is None and first.sure and not illegal:
            continue
        found_here = strangeness(before, entries, reading, reading.confidence or none_offered)
        if found_here < best:
            found, best = reading, found_here
    return found


def others(before: Position, event: Discard | TurnUp) -> Iterator[Discard | TurnUp]:
    """The card as each of its alternatives, the likeliest first, and as one that was not read."""
    offered = ((str(event.card), event.confidence), *event.alternatives)
    for name, share in event.alternatives:
        try:
            card = Card.parse(name)
        except ValueError:
            continue
        if card in before.setup.pack.copies:
            rest = tuple(pair for pair in offered if pair[0] != name)
            yield replace(event, card=card, sure=False, confidence=min(1.0, max(0.0, share)), alternatives=rest)
    yield replace(event, card=None, sure=False, confidence=0.0, alternatives=offered)


def strangeness(before: Position, entries: Sequence[Entry], reading: Discard | TurnUp, share: float) -> float:
    """How strange the entries are if the first of them is that reading: the negative logarithm of how often one sees
    such a thing, up to a constant."""
    d = thaw(before)
    surely = is_doubtable(entries[0].event)  # then it is not odd, but what is wanted, that the table is asked
    found = -log(max(share, 1e-6))
    for entry in (entries[0]._replace(event=reading), *entries[1:]):
        d.out = ()
        step(d, entry.event, entry.number)
        if entry.event is not reading or reading.card is not None or not surely:
            found -= log(MISTAKE) * odd(d, d.out, entry.number)
    return found


def tell(d: Draft, told: Told) -> None:
    """The entry that was just judged tells another card: that is noted, and where the card had surely been read the
    table says which it was."""
    read = told.read.event
    assert isinstance(read, Discard | TurnUp)
    assert isinstance(told.told, Discard | TurnUp)
    card = told.told.card
    if card is not None:
        rule(d, Code.INFERRED, reason=Reason.UNSURE_CARD, cards=(card,), tier=Tier.NOTE)
    if is_doubtable(read):
        who = seat(d, read.by)
        options = (str(read.card),) if card is None else (str(card), str(read.card))
        name = None if who == NOBODY else d.setup.names[who]
        settle(d, "which_card", who)
        d.open += (Question("which_card", name, options, told.read.number, d.t),)
