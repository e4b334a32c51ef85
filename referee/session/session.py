"""The session: the single writer. An event is durable, then applied, then heard of; a restart is a replay.

Order of effect is `(t, number)`: a card that was recognised late is inserted at the time it first touched the pile, and
everything after it is computed again (RULES 7.1).
"""

from __future__ import annotations

import logging
import threading
from bisect import insort
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

from referee.board import Eye, make_board, rulings_json, seats
from referee.clock import Clock, SystemClock
from referee.events import (
    Correct,
    Discard,
    Draw,
    Event,
    GameStarted,
    HandDealt,
    Lift,
    Override,
    Pause,
    Rename,
    Resume,
    Seen,
    TurnUp,
    Undo,
)
from referee.health import Pace, Trouble
from referee.observations import CardLanded, CardRead, Quality, Sighting, ViewChanged
from referee.rules import Position, Replay, names_of, replay, start
from referee.session.announcements import Announcer
from referee.session.sightings import Lying, Meanwhile, Missed, better_look, to_events
from referee.storage import Entry, Evidence, Journal, JournalError

RESTART_GAP_S = 10.0
"""Seconds of table time that a restart takes, whatever the clock on the wall says. Too small: what happened before and
after seem to be within one window (a catch, two cards at once); too large: nothing breaks."""

EYE = "eye"
"""Author of what the camera saw."""

Board = dict[str, Any]
_log = logging.getLogger(__name__)


class Session:
    """One table's game. Safe to call from any thread. Resumes the journal's last game."""

    def __init__(
        self, journal: Journal, evidence: Evidence, clock: Clock | None = None, *, language: str = "en"
    ) -> None:
        """Takes the journal over: `close` closes it. Raises JournalError when it cannot be read."""
        self._journal = journal
        self._evidence = evidence
        self._clock = clock or SystemClock()
        self._language = language
        self._guard = threading.Lock()
        self._writing = False
        self._telling = threading.RLock()
        self._callbacks: list[Callable[[Board], None]] = []
        self._told = -1
        self._eye = Eye()
        self._boards: dict[str, Board] = {}
        self._meanwhile = Meanwhile()
        self._lying = Lying()
        self._missed: Missed | None = None
        self._not_kept = None if journal.unwritable is None else _not_kept(journal.unwritable)
        if journal.unwritable is not None:
            _log.error("%s", journal.unwritable)
        games = journal.games()
        self._take_up(games[-1].number if games else None, gap_s=RESTART_GAP_S)
        self._seq = max((entry.number for entry in self._entries), default=0)

    # --- what happens at the table ----------------------------------------------------------------------------------

    def start_game(
        self, players: Sequence[str], preset: str, dealer: str, options: Mapping[str, Any], author: str, table: int = 1
    ) -> int:
        """Begins a new game at time 0, players clockwise from seat 1; the one before stays in the journal.

        table: which table of a tournament this is, from 1. Returns the game's number. Raises ValueError for players, a
        preset or options that are not possible.
        """
        event = GameStarted(players=tuple(players), preset=preset, dealer=dealer, options=dict(options), table=table)
        return self.record(event, author)

    def record(self, event: Event, author: str) -> int:
        """Stores the event durably, applies it, tells subscribers, and returns its number.

        t 0 means now. Raises ValueError when no game has begun or `ref` names no event of this game that can be
        edited, and JournalError when it could not be stored; then nothing happened, and the board says so.
        """
        with self._changing():
            return self._start(event, author) if isinstance(event, GameStarted) else self._record(event, author)

    def sighted(self, sighting: Sighting, photo: bytes | None = None) -> int | None:
        """Takes in what the eye saw; returns the number of the event it became, None for none.

        The sighting's times are seconds on the session's clock. photo: JPEG, kept as evidence. While play is paused
        sightings do not count, except how well the pile can be seen, which is never written down. Raises JournalError
        when it could not be stored: the board says so, and once it can, the table is asked what lies there.
        """
        if isinstance(sighting, ViewChanged):
            self.set_eye(sighting.state)
            return None
        photo_id = None if photo is None else self._keep(photo)
        with self._changing():
            self._lying = self._lying.after(sighting)
            if self._game is None:
                return None
            t = self._table_time(sighting.t if sighting.since is None else sighting.since)
            try:
                self._catch_up()
                return self._sighted(sighting, t, photo_id)
            except JournalError:
                self._missed = (self._missed or Missed(t, t, Meanwhile())).after(sighting, t)
                raise

    def insert(self, event: Event, after: int, author: str) -> int:
        """Records what the referee missed: the event takes effect right after the event `after`, or after others of
        that very time. Returns its number; raises as `record` does."""
        with self._changing():
            at = self._index(after)
            t = self._entries[at].event.t
            if at + 1 < len(self._entries):
                t = (t + self._entries[at + 1].event.t) / 2
            return self._record(replace(event, t=t), author)

    def set_eye(self, state: Quality, detail: str = "") -> None:
        """Says how well the pile can be seen; detail: why, as in `Eye`."""
        with self._guard:
            if (state, detail) == (self._eye.state, self._eye.detail):
                return
            self._eye = replace(self._eye, state=state, since=self._now(), detail=detail)
            self._change()
        self._tell()

    def set_pace(self, pace: Pace | None) -> None:
        """Says how well the eye keeps up; None: it is not known."""
        self._set_eye(pace=pace)

    def set_troubles(self, troubles: tuple[Trouble, ...]) -> None:
        """Says all that is wrong with camera, buttons or lamp now; empty: nothing."""
        self._set_eye(troubles=troubles)

    def _set_eye(self, **changes: Any) -> None:
        with self._guard:
            eye = replace(self._eye, **changes)
            if eye == self._eye:
                return
            self._eye = eye
            self._change()
        self._tell()

    # --- what the screens ask ---------------------------------------------------------------------------------------

    def board(self, language: str | None = None) -> Board:
        """The newest board (docs/architecture.md). Shared by all who ask: not to be changed.

        language: of its sentences, None for the table's. A slow card keeps nobody waiting who saw one before.
        """
        if self._writing and (as_before := self._boards.get(language or self._language)) is not None:
            return as_before  # nothing has changed until it is on the disk
        with self._guard:
            return self._make_board(language)

    def subscribe(self, callback: Callable[[Board], None]) -> Callable[[], None]:
        """Calls `callback(board)` after changes, in order, from the thread that made one; it has to be quick.

        Several changes may come as one. Returns what ends it.
        """
        with self._telling:
            self._callbacks.append(callback)

        def unsubscribe() -> None:
            with self._telling:
                if callback in self._callbacks:
                    self._callbacks.remove(callback)

        return unsubscribe

    def announcements(self, since: int, language: str | None = None) -> list[dict[str, Any]]:
        """Rulings that are new since the board `since`, oldest first, as on the board plus `seq` and `withdrawn`.

        language: of the texts, None for the table's.

        After a correction only what it changed is new; a ruling that fell away comes once more, withdrawn.
        """
        with self._guard:
            news = self._announcer.since(since)
            texts = rulings_json(self._replay, [made.filed for made in news], language or self._language)
            return [
                {**text, "seq": made.seq, "withdrawn": made.withdrawn} for text, made in zip(texts, news, strict=True)
            ]

    def photo(self, photo_id: str) -> bytes | None:
        """The evidence photograph, None when it is not there (any more)."""
        return self._evidence.get(photo_id)

    def games(self) -> list[Entry]:
        """What started each game of the journal, oldest first."""
        return self._journal.games()

    def entries(self, game: int | None = None) -> list[Entry]:
        """A game's entries in the order of effect: the current game's, or those of the game with that number."""
        if self._writing and game in (None, self._game):
            return list(self._entries)  # as `board`
        with self._guard:
            if game is None or game == self._game:
                return list(self._entries)
        return self._journal.entries(game)

    def replayed(self) -> Replay:
        """The current game told again from its entries, for whoever wants to look closer."""
        return replay((entry.number, entry.event) for entry in self.entries())

    def position(self) -> Position | None:
        """Where the game stands, None before the first one."""
        with self._guard:
            return self._replay.position

    def now(self) -> float:
        """Seconds on the table's clock."""
        with self._guard:
            return self._now()

    def table_time(self, monotonic: float) -> float:
        """Seconds on the table's clock at which the session's clock showed `monotonic`."""
        with self._guard:
            return self._table_time(monotonic)

    def close(self) -> None:
        """Closes the journal. May be called twice."""
        self._journal.close()

    @contextmanager
    def _changing(self) -> Iterator[None]:
        """Under the guard; then those who subscribed are told, also that nothing could be written down."""
        try:
            with self._guard:
                yield
        finally:
            self._tell()

    # --- inside, all under the guard --------------------------------------------------------------------------------

    def _take_up(self, game: int | None, *, gap_s: float) -> None:
        self._game = game
        self._entries = self._journal.entries(game) if game is not None else []
        self._replay: Replay = replay((entry.number, entry.event) for entry in self._entries)
        self._announcer = Announcer(self._replay.rulings)
        self._landings: dict[float, int] = {}
        self._missed = None
        self._floor = max((entry.event.t for entry in self._entries), default=0.0) + gap_s
        self._origin = self._clock.monotonic() - self._floor

    def _start(self, event: GameStarted, author: str) -> int:
        start(event)  # refuses what the rules do not know, before anything is written
        number = self._append(replace(event, t=0.0), None, author, self._clock.wall())
        self._take_up(number, gap_s=0.0)
        self._change()
        first = self._lying.as_first(self._now())
        if first is not None:
            self._record(first, EYE)
        return number

    def _now(self) -> float:
        return self._table_time(self._clock.monotonic())

    def _table_time(self, monotonic: float) -> float:
        return max(self._floor, monotonic - self._origin)

    def _record(self, event: Event, author: str) -> int:
        if self._game is None:
            raise ValueError("no game has begun: start one first")
        self._catch_up()
        if isinstance(event, (Correct, Undo, Override)) and event.ref is not None:
            self._index(event.ref)
            if event.ref == self._game:
                raise ValueError("the start of a game cannot be changed: start another one")
        if isinstance(event, Rename):
            self._check_name(event)
        if event.t == 0:
            event = replace(event, t=self._now())
        if isinstance(event, Draw | Lift):
            event = self._as_told(event)
        elif isinstance(event, Pause):
            position = self._replay.position
            if position is None or not position.paused:  # else the pause goes on, and so does what changes in it
                self._meanwhile = Meanwhile()
        elif isinstance(event, Resume) and event.top is None:
            event = replace(event, top=self._meanwhile.top, changed=event.changed or self._meanwhile.changed)
        wall = self._clock.wall()
        number = self._append(event, self._game, author, wall)
        insort(self._entries, Entry(number, self._game, event, author, wall), key=_effect)
        self._replay.append(number, event)
        self._change()
        if isinstance(event, Rename):
            self._announcer.reword(self._replay.rulings)
        else:
            self._announcer.update(self._replay.rulings, self._seq)
        return number

    def _as_told(self, event: Draw | Lift) -> Draw | Lift:
        """The event with what the referee had said before: should that turn out wrong, people did as they were told."""
        position = self._position_at(event.t)
        if position is None:
            return event
        if isinstance(event, Lift):
            return replace(event, told=position.takeback is not None)
        owed = sum(due.n for due in position.dues if due.player == event.by)
        pending = position.pending if position.turn == event.by else 0
        return replace(event, owed=owed or pending)

    def _append(self, event: Event, game: int | None, author: str, wall: float) -> int:
        self._writing = True
        try:
            number = self._journal.append(event, game=game, author=author, wall=wall)
        except JournalError as error:
            trouble = _not_kept(str(error))
            if trouble != self._not_kept:
                _log.error("%s", error)
                self._not_kept = trouble
                self._change()
            raise
        finally:
            self._writing = False
        self._not_kept = None
        return number

    def _catch_up(self) -> None:
        """Tells the game of what could not be written down when it was seen."""
        if (missed := self._missed) is None:
            return
        self._missed = None
        try:
            for event in missed.as_events():
                self._record(event, EYE)
        except JournalError:
            self._missed = missed
            raise

    def _check_name(self, event: Rename) -> None:
        names = names_of(told for _, told in self._replay.events)
        if event.player not in names:
            raise ValueError(f"{event.player!r} does not play")
        if event.to in names:
            raise ValueError(f"{event.to!r} plays already, or did in this game")

    def _index(self, ref: int) -> int:
        for at, entry in enumerate(self._entries):
            if entry.number == ref:
                return at
        raise ValueError(f"{ref} is no event of this game")

    def _change(self) -> None:
        self._seq += 1
        self._boards.clear()

    def _make_board(self, language: str | None = None) -> Board:
        lang = language or self._language
        if lang not in self._boards:
            troubles = self._eye.troubles if self._not_kept is None else (self._not_kept, *self._eye.troubles)
            eye = replace(self._eye, troubles=troubles)
            self._boards[lang] = make_board(self._replay, eye, seq=self._seq, now=self._now(), lang=lang)
        return self._boards[lang]

    def _tell(self) -> None:
        with self._telling:
            if not self._callbacks or (board := self.board())["seq"] <= self._told:
                return
            self._told = board["seq"]
            for callback in list(self._callbacks):
                try:
                    callback(board)
                except Exception:
                    _log.exception("a subscriber of the session failed")

    def _sighted(self, sighting: Sighting, t: float, photo: str | None) -> int | None:
        position = self._position_at(t)
        if position is None:
            return None
        if position.paused:
            self._meanwhile = self._meanwhile.after(sighting)
            return None
        if isinstance(sighting, CardRead):
            return self._read_again(sighting, photo)
        number = None
        last = position.last.ref if position.last is not None else None
        landed = next((at for at, ref in reversed(self._landings.items()) if ref == last), None)
        for event in to_events(sighting, position, self._at_seat(sighting.seat, position), t, photo, landed):
            number = self._record(event, EYE)
        if isinstance(sighting, CardLanded) and number is not None:
            self._landings[sighting.t] = number
        return number

    def _read_again(self, sighting: CardRead, photo: str | None) -> int | None:
        ref = self._landings.get(sighting.t)
        said = (entry.event for entry in self._entries if entry.author != EYE)
        if ref is None or any(isinstance(event, (Correct, Undo)) and event.ref == ref for event in said):
            return None  # a person has spoken about this landing, and people overrule the eye
        landing = dict(self._replay.events).get(ref)
        if not isinstance(landing, (Discard, TurnUp)):
            return None
        correction = better_look(sighting, landing, ref, photo)
        return None if correction is None else self._record(correction, EYE)

    def _position_at(self, t: float) -> Position | None:
        if not self._entries or self._entries[-1].event.t <= t:
            return self._replay.position
        return self._replay.position_at(t)

    def _at_seat(self, seat: int | None, position: Position) -> str | None:
        return next((name for name, number in seats(position).items() if number == seat), None)

    def _keep(self, photo: bytes) -> str | None:
        with self._guard:
            if self._game is None:
                return None
            keep = photos_of_the_hand(self._entries)
        try:
            return self._evidence.put(photo, keep)
        except OSError as error:  # a ruling without its photograph is better than no ruling
            _log.warning("%s: a photograph was not kept (%s)", self._evidence.folder, error.strerror)
            return None


def photos_of_the_hand(entries: Sequence[Entry]) -> set[str]:
    """Ids of the photographs that the last hand names: the last that the quota takes."""
    found: set[str] = set()
    for entry in reversed(entries):
        if isinstance(entry.event, (HandDealt, GameStarted)):
            break
        named = entry.event.fields.get("photo") if isinstance(entry.event, Correct) else None
        if isinstance(entry.event, Seen):
            named = entry.event.photo
        if isinstance(named, str):
            found.add(named)
    return found


def _effect(entry: Entry) -> tuple[float, int]:
    return entry.event.t, entry.number


def _not_kept(why: str) -> Trouble:
    return Trouble("not_kept", why, "Run `referee doctor`; see that there is room on the disk")
