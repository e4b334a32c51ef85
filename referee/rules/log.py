"""A whole game as a log: events in order of (t, number), and events about events resolved (RULES 9, "Recompute").

A late sighting goes in at its time; `Correct`, `Undo`, `Override` with a `ref` and some answers edit an earlier event.
Whatever changes, everything after it is judged again, from the nearest of the positions kept every few events.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable

from referee.cards import Card, Colour
from referee.events import (
    Answer,
    Begin,
    Correct,
    Count,
    Discard,
    Draw,
    Event,
    GameStarted,
    Join,
    Lift,
    NameColour,
    Override,
    Rename,
    Resume,
    Target,
    TopSeen,
    TouchDiscard,
    TurnUp,
    Undo,
)
from referee.rules import wrong
from referee.rules.draft import Draft, look, rule, seat, thaw
from referee.rules.game import start, step
from referee.rules.position import CHOOSE_TARGET, HAND_OVER, Position
from referee.rules.record import Entry, Filed, Kept, Play, corrected, is_news
from referee.rules.renaming import names_of, renamed, renamed_fields
from referee.rules.rulings import Code, Reason, Tier

KEEP_EVERY = 16
"""Events between kept positions. Too small: memory and time go into copies; too large: a correction judges more events
again than it changes."""
LANDINGS = (Discard, TurnUp)
EDITS = frozenset({Undo, Correct, Override, Answer, NameColour, Target, Rename})
"""Events that may be about earlier ones."""
NO_DEED = frozenset({Undo, GameStarted, TopSeen, Begin, TouchDiscard})
"""Events that nobody means by "the last thing": an undo without a number passes over what only the eye noticed."""


class Replay:
    """A game that is being followed. Only one thread may append; positions it hands out are immutable."""

    def __init__(self) -> None:
        self.rulings: list[Filed] = []
        self.plays: list[Play] = []
        self.vanished: tuple[Filed, ...] = ()
        self._log: dict[int, Event] = {}
        self._dead: set[int] = set()
        self._target: dict[int, int] = {}
        self._fixes: dict[int, list[tuple[int, dict[str, object]]]] = {}
        self._marks: dict[int, list[tuple[int, str]]] = {}
        self._names: dict[str, str] = {}
        self._entries: list[Entry] = []
        self._kept: list[Kept] = [Kept(0, 0, 0, None)]
        self._draft: Draft | None = None
        self._frozen: Position | None = None

    @property
    def position(self) -> Position | None:
        """The position after every event so far; None before the first GameStarted."""
        if self._frozen is None and self._draft is not None:
            self._frozen = look(self._draft)
        return self._frozen

    def position_at(self, t: float) -> Position | None:
        """The position after every event up to that time, judged from the nearest position kept before it."""
        done = bisect_right(self._entries, t, key=lambda entry: entry.t)
        kept = self._kept[bisect_right(self._kept, done, key=lambda kept: kept.entries) - 1]
        past = Replay()
        past._log, past._marks, past._dead = self._log, self._marks, self._dead
        past._draft = thaw(kept.position) if kept.position is not None else None
        for entry in self._entries[kept.entries : done]:
            past._step(entry, 1)  # 1: none of these is kept
        return past.position

    @property
    def events(self) -> tuple[tuple[int, Event], ...]:
        """The events that count, as corrected, in order, with their numbers."""
        return tuple((entry.number, entry.event) for entry in self._entries)

    def event(self, number: int) -> Event | None:
        """The event with that number as it was recorded."""
        return self._log.get(number)

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
            if event.ref is not None and event.ref in self._log and event.ref != number:
                self._target[number] = event.ref
                self._kill(event.ref, True)
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
        self._kept = [Kept(0, 0, 0, None)]
        self._again(0)
        self.vanished = ()

    def _resolved(self, number: int, event: Event) -> Event:
        """An undo of "the last event" names it; an answer that changes an earlier event becomes that change."""
        if isinstance(event, Undo) and event.ref is None:
            alive = (n for n, old in self._log.items() if n not in self._dead and type(old) not in NO_DEED)
            return Undo(t=event.t, ref=max(alive, default=None), by=event.by)
        if isinstance(event, Answer):
            return self._answered(event)
        if isinstance(event, NameColour | Target) and self.position is not None:
            return self._late_choice(event, self.position)
        return event

    def _answered(self, event: Answer) -> Event:
        kind, _, about = event.question.partition(":")
        position = self.position
        asked = [q for q in position.open if q.kind == kind] if position is not None else []
        ref = int(about) if about.isdigit() else asked[-1].ref if asked else None
        if ref is None or ref not in self._log or not isinstance(event.value, str | bool):
            return event
        value = event.value
        if kind == "which_card" and (who := self._gap(ref)) is not None:
            return self._told(event, ref, who)
        if kind == "which_card" and isinstance(self._log[ref], NameColour) and asked and asked[-1].player is not None:
            return self._told(event, ref, asked[-1].player)
        if kind == "which_card" and isinstance(value, str) and isinstance(self._log[ref], LANDINGS):
            return Correct(t=event.t, ref=ref, fields={"card": value, "sure": True, "named": True}, by=event.by)
        if kind == "which_card" and isinstance(value, str) and isinstance(self._log[ref], Resume | TopSeen):
            return self._meanwhile(event, ref, value)
        if kind in ("who_drew", "who_played") and isinstance(value, str):
            if position is not None and kind == "who_played" and position.loose.unplaced is not None:
                return event
            return Correct(t=event.t, ref=ref, fields={"by": value, "side": 1.0, "named": True}, by=event.by)
        if kind == "play_after_hand_over" and value in (True, "yes"):
            return self._went_on(event)
        if kind == "took_back" and value in (True, "yes") and position is not None and position.last is not None:
            return Undo(t=event.t, ref=position.last.ref, by=event.by)
        if kind == "name_colour" and isinstance(value, str) and value.upper() in ("R", "Y", "G", "B"):
            colour = NameColour(t=event.t, colour=Colour(value.upper()), by=None)
            return self._late_choice(colour, position) if position is not None else event
        if kind == "target" and isinstance(value, str) and position is not None:
            return self._late_choice(Target(t=event.t, target=value, by=None), position)
        return event

    def _gap(self, ref: int) -> str | None:
        """Who is thought to have played unseen before the card with that number."""
        return next((filed.ruling.player for filed in self.rulings
                     if filed.number == ref and filed.ruling.reason is Reason.HIDDEN_CARD), None)  # fmt: skip

    def _told(self, event: Answer, ref: int, who: str) -> Event:
        """The card that nobody saw goes in before the event that showed it; no card: its player drew one, unseen."""
        t = self._log[ref].t
        try:
            hidden: Event = Discard(t=t, card=Card.parse(str(event.value)), by=who)
        except ValueError:
            if event.value not in ("none", "no", False) or isinstance(self._log[ref], NameColour):
                return event
            hidden = Draw(t=t, by=who)
        self._insert(Entry(t, ref, -1, hidden))
        return Correct(t=event.t, ref=ref, fields={}, by=event.by)

    def _meanwhile(self, event: Answer, ref: int, value: str) -> Event:
        """RULES 12: the card that was played during the pause goes in after it."""
        try:
            card = Card.parse(value)
        except ValueError:
            return event
        self._insert(Entry(self._log[ref].t, ref, 1, Discard(t=self._log[ref].t, card=card)))
        return event

    def _went_on(self, event: Answer) -> Event:
        """The hand was not over: its winner had held a card more."""
        ended = [filed for filed in self.rulings if filed.ruling.code is Code.HAND_OVER]
        if not ended or ended[-1].ruling.winner is None or ended[-1].number not in self._log:
            return event
        number, winner = ended[-1].number, ended[-1].ruling.winner
        self._insert(Entry(self._log[number].t, number, -1, Count(t=event.t, player=winner, n=2, by=event.by)))
        return Correct(t=event.t, ref=number, fields={}, by=event.by)

    def _late_choice(self, event: NameColour | Target, position: Position) -> Event:
        """A colour or a target said after the next player went on goes in right after the card it is about."""
        kind = "name_colour" if isinstance(event, NameColour) else "target"
        waiting = position.namer_id >= 0 if isinstance(event, NameColour) else position.phase is CHOOSE_TARGET
        asked = [q for q in position.open if q.kind == kind]
        if waiting or not asked or asked[-1].ref not in self._log:
            return event
        ref = asked[-1].ref
        self._insert(Entry(self._log[ref].t, ref, 1, event))
        return Correct(t=event.t, ref=ref, fields={}, by=event.by)

    def _kill(self, number: int, dead: bool) -> None:
        """The event does not count any more, or counts again; an undone undo gives its event back."""
        event = self._log[number]
        (self._dead.add if dead else self._dead.discard)(number)
        if isinstance(event, Undo):
            if number in self._target:
                self._kill(self._target[number], not dead)
        elif isinstance(event, Correct) or (isinstance(event, Override) and event.ref is not None):
            if event.ref is not None:
                self._refresh(event.ref)
        elif dead:
            self._remove(number)
        else:
            self._insert(Entry(event.t, number, 0, self._corrected(number)))

    def _corrected(self, number: int) -> Event:
        """The event with every living correction in it."""
        event = self._log[number]
        for by, fix in self._fixes.get(number, ()):
            if by not in self._dead:
                event = corrected(event, fix)
        return event

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

    # --- the run ----------------------------------------------------------------------------------------------------

    def _insert(self, entry: Entry) -> None:
        entries = self._entries
        last = entries[-1] if entries else None
        if last is None or entry.t > last.t or entry[:3] > last[:3]:
            entries.append(entry)
            self._step(entry)
            return
        self._again(self._put(entry))

    def _put(self, entry: Entry) -> int:
        """Among the others, in order. Returns its place."""
        place = bisect_right(self._entries, entry[:3], key=lambda old: old[:3])
        self._entries.insert(place, entry)
        return place

    def _place(self, number: int) -> int | None:
        """Where the event with that number is among those that count."""
        return next((place for place, old in enumerate(self._entries) if old.number == number and not old.late), None)

    def _remove(self, number: int) -> None:
        place = self._place(number)
        if place is not None:
            del self._entries[place]
            self._again(place)

    def _again(self, place: int) -> None:
        """Judge every entry from that place on again."""
        before = self.rulings
        while self._kept[-1].entries > place:
            self._kept.pop()
        kept = self._kept[-1]
        self.rulings, self.plays = before[: kept.rulings], self.plays[: kept.plays]
        self._draft = thaw(kept.position) if kept.position is not None else None
        self._frozen = kept.position
        for done in range(kept.entries, len(self._entries)):
            self._step(self._entries[done], done + 1)
        now = {(filed.number, filed.ruling) for filed in self.rulings[kept.rulings :]}
        gone = [filed for filed in before[kept.rulings :] if (filed.number, filed.ruling) not in now]
        self.vanished = (*self.vanished, *gone)

    def _step(self, entry: Entry, done: int = 0) -> None:
        event, number = entry.event, entry.number
        d = self._draft
        self._frozen = None
        if d is None:
            if isinstance(event, GameStarted):
                try:
                    self._draft = thaw(start(event, number))
                except ValueError:
                    return
            return
        wrong, last = d.wrong, d.last
        step(d, event, number)
        if isinstance(event, Correct):
            about = self._log.get(event.ref)
            named = getattr(about, "player", None) or getattr(about, "by", None)
            rule(d, Code.CORRECTED, seat(d, named), tier=Tier.NOTE)
        if isinstance(event, LANDINGS):
            self._file_play(d, event, number)
        overruled = self._overruled(d, number) if number in self._marks else False
        if wrong is not None and (d.wrong is None or d.wrong.ref != wrong.ref):
            stands = any(ruling.code is Code.PLAY_STANDS for ruling in d.out)
            self._restand(wrong.ref, "stands" if stands else "taken_back" if overruled is False else "legal")
        elif last is not None and isinstance(event, Lift) and d.last is not last:
            self._restand(last.ref, "taken_back")
        if d.out:
            self.rulings += [Filed(number, k, ruling, overruled) for k, ruling in enumerate(d.out)]
            d.out = ()
        done = done or len(self._entries)
        if done % KEEP_EVERY == 0:
            self._kept.append(Kept(done, len(self.rulings), len(self.plays), self.position))

    def _overruled(self, d: Draft, number: int) -> bool:
        """The table overruled what was ruled on this event: it is judged, then put right."""
        alive = [what for by, what in self._marks[number] if by not in self._dead]
        if not any(what in ("legal", "void") for what in alive):
            return False
        if d.wrong is not None and d.wrong.ref == number:
            before = len(d.out)
            wrong.stand(d, drop_penalty=True)
            self._restand(number, "legal")
            effects, d.out = d.out[before:], d.out[:before]
            self.rulings += [Filed(number, before + k, ruling) for k, ruling in enumerate(effects)]
        d.owed = tuple(owed for owed in d.owed if owed.ref != number or "void" not in alive)
        return True

    def _file_play(self, d: Draft, event: Discard | TurnUp, number: int) -> None:
        by = event.by if isinstance(event, Discard) else None
        if d.wrong is not None and d.wrong.ref == number:
            standing, by = "illegal", d.setup.names[d.wrong.who]
        elif d.last is not None and d.last.ref == number:
            known = event.card is not None and event.sure and d.last.was_top is not None and not d.last.was_doubt
            standing, by = "legal" if known else "unverified", d.setup.names[d.last.who]
        elif d.last is None and d.laid <= 1:
            standing = "opening"
        elif d.loose.unplaced is event:
            standing = "unverified"
        elif d.phase is HAND_OVER and d.tally.winner >= 0 and not d.open:
            standing = "legal"
        else:
            return
        self.plays.append(Play(number, event.t, event.card, by, standing, event))

    def _restand(self, number: int, standing: str) -> None:
        for place in range(len(self.plays) - 1, max(-1, len(self.plays) - 12), -1):
            if self.plays[place].number == number:
                self.plays[place] = self.plays[place]._replace(standing=standing)
                return


def replay(entries: Iterable[tuple[int, Event]]) -> Replay:
    """The game that these numbered events tell, whatever order they come in. Never raises for their content."""
    game = Replay()
    for number, event in sorted(entries, key=lambda entry: entry[0]):
        game.append(number, event)
    return game
