"""The run of a game: entries are judged in order, and again from wherever something changed (RULES 9, "Recompute").

Whatever changes, everything after it is judged again, from the nearest of the positions kept every few entries. An
unsure card is told better by what follows it (`unsure`); that is part of the run, so that the same entries always give
the same position, whatever the order in which they came.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence

from referee.events import Correct, Discard, Draw, Event, GameStarted, Lift, NameColour, TurnUp
from referee.rules import doubles, ended, owners, unsure, wrong
from referee.rules.draft import Draft, look, rule, seat, thaw
from referee.rules.game import start, step
from referee.rules.hand import CERTAIN
from referee.rules.position import HAND_OVER, LastPlay, Position
from referee.rules.record import Entry, Filed, Kept, Play, Told, corrected
from referee.rules.rulings import Code, Ruling, Tier

KEEP_EVERY = 16
"""Events between kept positions. Too small: memory and time go into copies; too large: a correction judges more events
again than it changes."""
LANDINGS = (Discard, TurnUp)


class Run:
    """A game's entries, judged. rulings, plays: what they led to; vanished: what does not hold any more because of the
    last change. `log.Replay` is what changes it."""

    def __init__(self) -> None:
        self.rulings: list[Filed] = []
        self.plays: list[Play] = []
        self.vanished: tuple[Filed, ...] = ()
        self._log: dict[int, Event] = {}
        self._dead: set[int] = set()
        self._fixes: dict[int, list[tuple[int, dict[str, object]]]] = {}
        self._marks: dict[int, list[tuple[int, str]]] = {}
        self._entries: list[Entry] = []
        self._kept: list[Kept] = [Kept(0, 0, 0, None)]
        self._unsure = -unsure.WATCHED  # the place of the last card that was not surely read
        self._tellings: dict[int, list[Told]] = {}  # cards that a later entry told better, by the place of that entry
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
        return self._after(bisect_right(self._entries, t, key=lambda entry: entry.t))

    def _after(self, done: int) -> Position | None:
        """The position after so many entries."""
        kept = self._kept[bisect_right(self._kept, done, key=lambda kept: kept.entries) - 1]
        past = Run()
        past._log, past._marks, past._dead, past._tellings = self._log, self._marks, self._dead, self._tellings
        past._draft = thaw(kept.position) if kept.position is not None else None
        for place in range(kept.entries, done):
            past._step(self._entries[place], place + 1)
        return past.position

    @property
    def events(self) -> tuple[tuple[int, Event], ...]:
        """The events that count, as corrected, in order, with their numbers."""
        return tuple((entry.number, entry.event) for entry in self._entries)

    def event(self, number: int) -> Event | None:
        """The event with that number as it was recorded."""
        return self._log.get(number)

    def _corrected(self, number: int) -> Event:
        """The event with every living correction in it."""
        event = self._log[number]
        for by, fix in self._fixes.get(number, ()):
            if by not in self._dead:
                event = corrected(event, fix)
        return event

    def _insert(self, entry: Entry) -> None:
        entries = self._entries
        last = entries[-1] if entries else None
        if last is None or entry.t > last.t or entry[:3] > last[:3]:
            entries.append(entry)
            place = len(entries) - 1
            over = self._draft is not None and self._draft.phase is HAND_OVER
            if place > self._unsure + unsure.WATCHED and not over:
                self._step(entry, place + 1)  # what `_go` comes to where no card may be told better
                return
            said, had = self.rulings, len(self.rulings)
            self._go(place)
            if self.rulings is not said:  # a card was told better: all was judged again from there
                self._withdraw(said[:had])
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
            self._remove_at(place)

    def _remove_at(self, place: int) -> None:
        del self._entries[place]
        self._again(place)

    def _again(self, place: int) -> None:
        """Judge every entry from that place on again. Unsure cards that it told better, or one after it, are as they
        were read."""
        said = self.rulings
        while late := [at for at in self._tellings if at >= place]:
            for told in (told for at in late for told in self._tellings.pop(at)):
                number = told.read.number
                if (landed := self._place(number)) is not None:
                    self._entries[landed] = self._entries[landed]._replace(event=self._corrected(number))
                    place = min(place, landed)
        for done in range(self._back(place), place):
            self._step(self._entries[done], done + 1)  # what these tell of cards before them is known
        for done in range(place, len(self._entries)):
            self._go(done)
        self._withdraw(said)

    def _back(self, place: int) -> int:
        """Back to the last position kept before that place. Returns how many entries it had."""
        while self._kept[-1].entries > place:
            self._kept.pop()
        kept = self._kept[-1]
        self.rulings, self.plays = self.rulings[: kept.rulings], self.plays[: kept.plays]
        self._draft = thaw(kept.position) if kept.position is not None else None
        self._frozen = kept.position
        return kept.entries

    def _withdraw(self, said: Sequence[Filed]) -> None:
        """What was said before and is not said any more vanishes."""
        both = enumerate(zip(said, self.rulings, strict=False))
        since = next((k for k, (old, new) in both if old is not new), min(len(said), len(self.rulings)))
        now = {(filed.number, filed.ruling) for filed in self.rulings[since:]}
        self.vanished += tuple(filed for filed in said[since:] if (filed.number, filed.ruling) not in now)

    def _go(self, place: int) -> None:
        """Judge the next entry; an unsure card before it may be told better by it."""
        had, watched = len(self.rulings), place <= self._unsure + unsure.WATCHED
        self._step(self._entries[place], place + 1)
        if watched and self._draft is not None:
            rulings = [filed.ruling for filed in self.rulings[had:]]
            odd = unsure.odd(self._draft, rulings, self._entries[place].number) > 0
            stands = any(ruling.code is Code.PLAY_STANDS for ruling in rulings)
            if (odd or stands) and self._doubled(place):
                odd = False
            if odd:
                self._retell(place, unsure.goes_on_nothing(rulings, self.rulings[:had]))
            if isinstance(event := self._entries[place].event, NameColour):
                self._owned(place, event, rulings)
        over = self._draft is not None and self._draft.phase is HAND_OVER
        if over and isinstance(self._entries[place].event, ended.TELLING):
            self._reopen(place)

    def _reopen(self, place: int) -> None:
        """The hand is over: does the entry at that place show that it is not?"""
        since = self._entries[max(0, place - ended.WITHIN) : place]
        lately = {entry.number: place - back for back, entry in enumerate(reversed(since), 1) if not entry.late}
        said = reversed(self.rulings[-2 * ended.WITHIN :])
        end = next((filed for filed in said if filed.ruling.code is Code.HAND_OVER), None)
        if end is None or end.ruling.winner is None or end.number in self._marks or end.number not in lately:
            return
        landed = lately[end.number]
        told = ended.ended_by(self._entries[landed].event, end.ruling.winner)
        if told is None:
            return
        entry, before = self._entries[landed], self._after(landed)
        lasting = (entry._replace(event=told), *self._entries[landed + 1 : place + 1])
        if before is not None and ended.goes_on(before, lasting, end.ruling.winner):
            self._tell(landed, place, told)

    def _tell(self, landed: int, place: int, told: Discard | TurnUp | Draw) -> None:
        """The entry at `place` has told what the one at `landed` was: judge again from there."""
        entry = self._entries[landed]
        self._tellings.setdefault(place, []).append(Told(entry, told))
        self._entries[landed] = entry._replace(event=told)
        for done in range(self._back(landed), place + 1):
            self._step(self._entries[done], done + 1)

    def _retell(self, place: int, illegal: bool) -> None:
        """The entry at that place is odd: does another reading of an unsure card explain it, or of a sure one? illegal:
        cards do not go on each other."""
        found = unsure.candidates(self._entries[max(0, place - unsure.WATCHED) : place + 1], illegal)
        for landed in (place - back for back in found):
            entry = self._entries[landed]
            if entry.late or entry.number in self._marks:
                continue
            before = self._after(landed)
            told = None if before is None else unsure.retold(before, self._entries[landed : place + 1], illegal)
            if told is not None:
                self._tell(landed, place, told)
                return

    def _doubled(self, place: int) -> bool:
        """The entry at that place is odd: was it another's card that lately landed upon its like? True if it was."""
        since = max(0, place - unsure.WATCHED)
        found = doubles.lately(self._entries[since : place + 1])
        if found is None:
            return False
        landed = since + found
        entry = self._entries[landed]
        before = None if entry.late or entry.number in self._marks else self._after(landed)
        told = None if before is None else doubles.retold(before, self._entries[landed : place + 1])
        if told is not None:
            self._tell(landed, place, told)
        return told is not None

    def _owned(self, place: int, named: NameColour, rulings: Sequence[Ruling]) -> None:
        """The colour was named at that place, by somebody who laid no wild: was it a wild that an arm gave another?"""
        d = self._draft
        landed = next((at for at in range(place - 1, -1, -1) if isinstance(self._entries[at].event, LANDINGS)), None)
        if d is None or landed is None:
            return
        entry = self._entries[landed]
        aside = d.wrong is not None and d.wrong.ref == entry.number
        if entry.number in self._marks or not (aside or any(said.code is Code.NOT_ENTITLED for said in rulings)):
            return
        before = self._after(landed)
        told = None if before is None else owners.laid_by(before, entry.event, named)
        if told is not None:
            self._tell(landed, place, told)

    def _step(self, entry: Entry, done: int) -> None:
        """Judge one entry. done: how many there are then."""
        _, number, _, event = entry
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
        if self._tellings:
            for told in self._tellings.get(done - 1, ()):
                (ended if ended.is_about(told) else owners if owners.is_about(told) else unsure).tell(d, told)
        if isinstance(event, LANDINGS):
            if not event.sure or event.confidence < CERTAIN:
                self._unsure = done - 1
            self._file_play(d, event, number)
        overruled = self._overruled(d, number) if number in self._marks else False
        if wrong is not None and (d.wrong is None or d.wrong.ref != wrong.ref):
            stands = any(ruling.code is Code.PLAY_STANDS for ruling in d.out)
            self._restand(wrong.ref, "stands" if stands else "taken_back" if overruled is False else "legal")
        elif d.last is None and last is not None and isinstance(event, Lift):
            self._restand(last.ref, "taken_back")
        elif last is None and d.last is not None and d.last.ref != number and isinstance(event, Discard):
            self._restand(d.last.ref, _standing(d.last, event.sure))  # it was taken up, and lies there again
        if d.out:
            self.rulings += [Filed(number, k, ruling, overruled, d.tally.hand) for k, ruling in enumerate(d.out)]
            d.out = ()
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
            self.rulings += [Filed(number, before + k, ruling, False, d.tally.hand) for k, ruling in enumerate(effects)]
        d.owed = tuple(owed for owed in d.owed if owed.ref != number or "void" not in alive)
        return True

    def _file_play(self, d: Draft, event: Discard | TurnUp, number: int) -> None:
        by, last = event.by if isinstance(event, Discard) else None, d.last
        if d.wrong is not None and d.wrong.ref == number:
            standing, by = "illegal", d.setup.names[d.wrong.who]
        elif last is not None and last.ref == number:
            standing, by = _standing(last, event.sure), d.setup.names[last.who]
        elif d.loose.echo == number:
            standing = "taken_back"
        elif last is None and d.laid <= 1:
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


def _standing(last: LastPlay, sure: bool) -> str:
    """How a play stands that counts. sure: its card was surely read."""
    known = sure and last.card is not None and last.was_top is not None and not last.was_doubt
    return "legal" if known else "unverified"
