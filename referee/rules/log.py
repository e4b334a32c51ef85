"""A whole game as a log: events in order of (t, number), and events about events resolved (RULES 9, "Recompute").

A late sighting goes in at its time; `Correct`, `Undo`, `Override` with a `ref` and some answers edit an earlier event.
Whatever changes, everything after it is judged again, from the nearest of the positions kept every few events.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from referee.cards import Card, Colour
from referee.events import (
    Answer,
    Begin,
    Catch,
    Correct,
    Count,
    Discard,
    Draw,
    Event,
    GameStarted,
    Join,
    Leave,
    NameColour,
    Override,
    Points,
    Rename,
    Reshuffle,
    Resume,
    Target,
    TopSeen,
    TouchDiscard,
    Undo,
    Uno,
    Upheld,
)
from referee.rules.drift import NO_CARD, NOTHING_HIDDEN, WAS_HIDDEN
from referee.rules.position import CHOOSE_TARGET, Position, Question
from referee.rules.record import Entry, Kept, is_news
from referee.rules.renaming import names_of, renamed, renamed_fields
from referee.rules.rulings import Code, Reason
from referee.rules.run import LANDINGS, Run

EDITS = frozenset({Undo, Correct, Override, Answer, NameColour, Target, Rename})
"""Events that may be about earlier ones."""
NO_DEED = frozenset({Undo, GameStarted, TopSeen, Begin, TouchDiscard, Upheld})
"""Events that nobody means by "the last thing": an undo without a number passes over what only the eye noticed, and
over what was decided by votes."""


class Replay(Run):
    """A game that is being followed. Only one thread may append; positions it hands out are immutable."""

    def __init__(self) -> None:
        super().__init__()
        self._target: dict[int, int] = {}
        self._added: dict[int, Entry] = {}  # what an answer put among the entries, by its number
        self._names: dict[str, str] = {}

    def append(self, number: int, event: Event) -> None:
        """Go on with one more event. vanished then holds the rulings that no longer hold because of it."""
        self.vanished = ()
        if self._names:
            if isinstance(event, Join):
                self._names.pop(event.player, None)  # a newcomer, whoever was called that before
            event = renamed(event, self._names)
        if type(event) not in EDITS:
            self._log[number] = event
            self._insert(Entry(event.t, number, 0, event))
            return
        if isinstance(event, Rename):
            self._rename(event)
            return
        event = self._resolved(number, event)
        self._log[number] = event
        if isinstance(event, Undo):
            again = event.ref in self._dead  # by a second phone: it changes nothing, so that one undo of it is enough
            if event.ref is not None and event.ref in self._log and event.ref != number and not again:
                self._target[number] = event.ref
                self._recount(event.ref)
        elif isinstance(event, Correct):
            self._fixes.setdefault(event.ref, []).append((number, dict(event.fields)))
            if event.ref in self._log and is_news(self._log[event.ref], event):
                self._insert(Entry(event.t, number, 0, event))
            self._refresh(event.ref)
        elif isinstance(event, Override) and event.ref is not None:
            self._marks.setdefault(event.ref, []).append((number, event.what))
            self._refresh(event.ref)
        else:
            self._insert(Entry(event.t, number, 0, event))

    @property
    def last_deed(self) -> int | None:
        """The number of the last thing that somebody did and that counts: what an undo without a number takes back."""
        return next((n for n in reversed(self._log) if n not in self._dead and _is_deed(self._log[n])), None)

    @property
    def last_undo(self) -> tuple[int, int] | None:
        """The last undo that counts and the event it took back, by number; None where something was done since."""
        for number, event in reversed(self._log.items()):
            if _is_deed(event) and number not in self._dead:
                return None
            ref = self._target.get(number)
            if ref is not None and number not in self._dead and not isinstance(self._log[ref], Undo):
                return number, ref
        return None

    # --- edits ------------------------------------------------------------------------------------------------------

    def _rename(self, event: Rename) -> None:
        """Everything that was recorded is told again with the new name; nothing else changes, and nothing vanishes."""
        old = self._names.get(event.player, event.player)
        used = names_of(entry.event for entry in self._entries)
        if old not in used or event.to in used:
            return
        change = {old: event.to}
        self._names = {**{name: change.get(now, now) for name, now in self._names.items()}, **change}
        self._names.pop(event.to, None)  # back to an earlier name
        self._log = {number: renamed(told, change) for number, told in self._log.items()}
        self._fixes = {
            ref: [(by, renamed_fields(fix, change)) for by, fix in fixes] for ref, fixes in self._fixes.items()
        }
        self._entries = [entry._replace(event=renamed(entry.event, change)) for entry in self._entries]
        self._added = {n: entry._replace(event=renamed(entry.event, change)) for n, entry in self._added.items()}
        self._kept = [Kept(0, 0, 0, None)]
        self._again(0)
        self.vanished = ()

    def _resolved(self, number: int, event: Event) -> Event:
        """An undo of "the last event" names it; an answer that changes an earlier event becomes that change."""
        if isinstance(event, Undo) and event.ref is None:
            return Undo(t=event.t, ref=self.last_deed, by=event.by)
        if isinstance(event, Answer):
            return self._answered(number, event)
        if isinstance(event, NameColour | Target) and self.position is not None:
            return self._late_choice(number, event, self.position)
        if isinstance(event, Correct) and "colour" in event.fields and isinstance(self._log.get(event.ref), LANDINGS):
            return self._recoloured(event)
        return event

    def _recoloured(self, event: Correct) -> Event:
        """Another colour was named for that wild: the naming is put right, or goes in where nobody saw or said it."""
        wild, letter = self._log[event.ref], str(event.fields["colour"])
        after = sorted((told.t, n) for n, told in self._log.items()
                       if (told.t, n) > (wild.t, event.ref) and n not in self._dead)  # fmt: skip
        for _, n in after:
            if isinstance(self._log[n], NameColour):
                return replace(event, ref=n)
            if isinstance(self._log[n], LANDINGS):
                break
        alive = event.ref not in self._dead and letter in ("R", "Y", "G", "B")
        return NameColour(t=wild.t, colour=Colour(letter)) if alive else replace(event, fields={})

    def _answered(self, number: int, event: Answer) -> Event:
        kind, _, about = event.question.partition(":")
        position = self.position
        asked = position.asked(event.question) if position is not None else None
        ref = int(about) if about.isdigit() else asked.ref if asked is not None else None
        if ref is None or ref not in self._log or not isinstance(event.value, str | bool):
            return event
        value = event.value
        if kind == "which_card" and (who := self._gap(ref)) is not None:
            return self._told(number, event, ref, who)
        if kind == "which_card" and isinstance(self._log[ref], NameColour) and asked and asked.player is not None:
            return self._told(number, event, ref, asked.player)
        if kind == "which_card" and (first := self._first_of_two(ref)) is not None and value in first.options:
            return Undo(t=event.t, ref=first.ref, by=event.by) if value != first.options[0] else event
        if kind == "which_card" and value == NO_CARD:
            return event
        if kind == "which_card" and isinstance(value, str) and isinstance(self._log[ref], LANDINGS):
            return Correct(t=event.t, ref=ref, fields={"card": value, "sure": True, "named": True}, by=event.by)
        if kind == "which_card" and isinstance(value, str) and isinstance(self._log[ref], Resume | TopSeen):
            return self._meanwhile(number, event, ref, value)
        if kind in ("who_drew", "who_played") and isinstance(value, str):
            if position is not None and kind == "who_played" and position.loose.unplaced is not None:
                return event
            return Correct(t=event.t, ref=ref, fields={"by": value, "side": 1.0, "named": True}, by=event.by)
        if kind == "play_after_hand_over" and value in (True, "yes"):
            return self._went_on(number, event)
        if kind == "reshuffled" and value in (False, "no") and isinstance(self._log[ref], Reshuffle):
            return Undo(t=event.t, ref=ref, by=event.by)
        if kind == "took_back" and value in (True, "yes") and position is not None and position.last is not None:
            return Undo(t=event.t, ref=position.last.ref, by=event.by)
        if kind == "name_colour" and isinstance(value, str) and value.upper() in ("R", "Y", "G", "B"):
            colour = NameColour(t=event.t, colour=Colour(value.upper()), by=None)
            return self._late_choice(number, colour, position) if position is not None else event
        if kind == "target" and isinstance(value, str) and position is not None:
            return self._late_choice(number, Target(t=event.t, target=value, by=None), position)
        return event

    def _gap(self, ref: int) -> str | None:
        """Who is thought to have played unseen before the card with that number."""
        return next((filed.ruling.player for filed in self.rulings
                     if filed.number == ref and filed.ruling.reason is Reason.HIDDEN_CARD), None)  # fmt: skip

    def _first_of_two(self, ref: int) -> Question | None:
        """The question which of two cards laid at once was meant, about the first of them; ref: of the second."""
        position = self.position
        if position is None or position.wrong is None or position.wrong.ref != ref or position.last is None:
            return None
        pair = (str(position.last.card), str(position.wrong.card))
        asked = (q for q in position.open if q.kind == "which_card" and q.ref == ref and q.options == pair)
        return next((question._replace(ref=position.last.ref) for question in asked), None)

    def _told(self, number: int, event: Answer, ref: int, who: str) -> Event:
        """The card that nobody saw goes in before the event that showed it; no card: its player drew one, unseen."""
        t = self._log[ref].t
        fields: dict[str, object] = {}
        try:
            card = Card.parse(str(event.value))
            hidden: Event = Discard(t=self._laid(ref, who), card=card, by=who, extra={WAS_HIDDEN: True})
        except ValueError:
            if event.value not in ("none", "no", False):
                return event
            if isinstance(self._log[ref], NameColour):
                return Undo(t=event.t, ref=ref, by=event.by)  # a colour for which no wild was laid means nothing
            hidden = Draw(t=t, by=who, extra={WAS_HIDDEN: True})
            fields = {NOTHING_HIDDEN: True}
        self._add(number, Entry(hidden.t, ref, -1, hidden))
        return Correct(t=event.t, ref=ref, fields=fields, by=event.by)

    def _laid(self, ref: int, who: str) -> float:
        """When the player laid the card that nobody saw before the event `ref`: with that event, or before the player
        called UNO or was caught since the card before it."""
        place = self._place(ref)
        if place is None:
            return self._log[ref].t
        first = place
        for at in range(place - 1, -1, -1):
            event = self._entries[at].event
            if isinstance(event, LANDINGS):
                break
            if (isinstance(event, Uno) and event.by == who) or (isinstance(event, Catch) and event.on == who):
                first = at
        t = self._entries[first].t
        return t if first == place else (self._entries[first - 1].t + t) / 2

    def _meanwhile(self, number: int, event: Answer, ref: int, value: str) -> Event:
        """RULES 12: the card that was played during the pause goes in after it."""
        try:
            card = Card.parse(value)
        except ValueError:
            return event
        self._add(number, Entry(self._log[ref].t, ref, 1, Discard(t=self._log[ref].t, card=card)))
        return event

    def _went_on(self, number: int, event: Answer) -> Event:
        """The hand was not over: its winner had held a card more, whether the play or somebody's word ended it."""
        ended = [filed for filed in self.rulings if filed.ruling.code is Code.HAND_OVER]
        if not ended or ended[-1].ruling.winner is None or ended[-1].number not in self._log:
            return event
        ref, winner = ended[-1].number, ended[-1].ruling.winner
        said = self._log[ref]
        if isinstance(said, Leave):
            return event  # nobody is left to play on
        if isinstance(said, Points):
            return Undo(t=event.t, ref=ref, by=event.by)
        if isinstance(said, Count):
            return Correct(t=event.t, ref=ref, fields={"n": 1}, by=event.by)
        if isinstance(said, Answer) and said.question.startswith(("how_many", "hand_over")):
            value = 1 if said.question.startswith("how_many") else "no"
            return Correct(t=event.t, ref=ref, fields={"value": value}, by=event.by)
        self._add(number, Entry(self._log[ref].t, ref, -1, Count(t=event.t, player=winner, n=2, by=event.by)))
        return Correct(t=event.t, ref=ref, fields={}, by=event.by)

    def _late_choice(self, number: int, event: NameColour | Target, position: Position) -> Event:
        """A colour or a target said after the next player went on goes in right after the card it is about."""
        kind = "name_colour" if isinstance(event, NameColour) else "target"
        waiting = position.namer_id >= 0 if isinstance(event, NameColour) else position.phase is CHOOSE_TARGET
        asked = [q for q in position.open if q.kind == kind]
        if waiting or not asked or asked[-1].ref not in self._log:
            return event
        ref = asked[-1].ref
        self._add(number, Entry(self._log[ref].t, ref, 1, event))
        return Correct(t=event.t, ref=ref, fields={}, by=event.by)

    def _add(self, number: int, entry: Entry) -> None:
        """What the answer with that number puts in among the entries, for as long as it counts."""
        self._added[number] = entry
        self._insert(entry)

    def _recount(self, number: int) -> None:
        """The event counts while no undo that counts is about it; an undone undo gives its event back."""
        event = self._log[number]
        dead = any(ref == number and by not in self._dead for by, ref in self._target.items())
        if dead == (number in self._dead):
            return
        (self._dead.add if dead else self._dead.discard)(number)
        if (added := self._added.get(number)) is not None:
            if not dead:
                self._insert(added)
            elif added in self._entries:
                self._remove_at(self._entries.index(added))
        if isinstance(event, Undo):
            if number in self._target:
                self._recount(self._target[number])
        elif isinstance(event, Correct) or (isinstance(event, Override) and event.ref is not None):
            if event.ref is not None:
                self._refresh(event.ref)
        elif dead:
            self._remove(number)
        else:
            self._insert(Entry(event.t, number, 0, self._corrected(number)))

    def _refresh(self, number: int) -> None:
        """The event changed: judge from there again, once for the removal of the old one and the new one's place."""
        if number not in self._log or number in self._dead:
            return
        event = self._corrected(number)
        entry = Entry(event.t, number, 0, event)
        place = self._place(number)
        if place is None:
            self._insert(entry)
            return
        del self._entries[place]
        self._again(min(place, self._put(entry)))


def _is_deed(event: Event) -> bool:
    """A better look by the eye, which alone tells alternatives, is none."""
    return type(event) not in NO_DEED and not (isinstance(event, Correct) and "alternatives" in event.fields)


def replay(entries: Iterable[tuple[int, Event]]) -> Replay:
    """The game that these numbered events tell, whatever order they come in. Never raises for their content."""
    game = Replay()
    for number, event in sorted(entries, key=lambda entry: entry[0]):
        game.append(number, event)
    return game
