"""An appeal: a player doubts a ruling, play pauses, and the phones or the host decide (RULES 12, "dispute").

The votes live here. That there is an appeal says the pause in the journal, so that after a restart people vote again;
what they decide is an override by the one who appealed, or that the ruling is upheld.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from flask import Blueprint, jsonify
from flask.typing import ResponseReturnValue

from referee.dashboard.actions import CARD_RULINGS
from referee.dashboard.guard import Guard, Who, body
from referee.dashboard.refused import Refused
from referee.dashboard.table import Table
from referee.events import Override, Pause, Rename, Resume, Upheld
from referee.storage import JournalError

LEAST_VOTES = 2
"""Phones that must agree: an override wants the assent of somebody else (RULES 11)."""


@dataclass(frozen=True, slots=True)
class Appeal:
    """An open appeal. votes: by player, True to overrule; paused: play was stopped for it, and not before."""

    ruling: str
    ref: int
    code: str
    by: str
    votes: Mapping[str, bool]
    paused: bool


class Appeals:
    """At most one open appeal. A ruling that was upheld is not appealed by the same player again, who could stop the
    game with it for ever. Safe for several threads."""

    def __init__(self, table: Table, here: Callable[[], Collection[str]]) -> None:
        """here(): the players whose phone is here (`People.here`)."""
        self._table, self._here = table, here
        self._lock = threading.RLock()
        self._open = _begun(table)
        self._upheld = _upheld(table)

    def shown(self, board: Mapping[str, Any]) -> dict[str, Any] | None:
        """What the screens show: who appeals, the ruling, the votes and how many decide. None without an appeal."""
        with self._lock:
            appeal = self._open
        if appeal is None or _ruling(board, appeal.ruling) is None:
            return None
        return {
            "ruling": appeal.ruling, "by": appeal.by, "votes": dict(appeal.votes),
            "needed": self._needed(board, appeal), "voters": sorted(self._voters(board, appeal)),
        }  # fmt: skip

    def upheld(self, board: Mapping[str, Any]) -> dict[str, list[str]]:
        """By the id of a ruling on the board: who appealed in vain, and does not stop the game for it again."""
        with self._lock:
            upheld = sorted(self._upheld)
        codes = {ruling["id"]: ruling["code"] for ruling in board["rulings"]}
        found: dict[str, list[str]] = {}
        for ruling, code, by in upheld:
            if codes.get(ruling) == code:
                found.setdefault(ruling, []).append(by)
        return found

    def open(self, ruling_id: object, who: Who) -> None:
        """`who` doubts the ruling; the vote of the one who appeals counts. Raises Refused, JournalError."""
        if not who.plays or who.name is None:
            raise Refused("join_first", 403, "choose your name first")
        with self._lock:
            self.settle()
            board = self._table.board()  # play goes on when an appeal was ended just now
            ruling = _ruling(board, ruling_id)
            if ruling is None or ruling["overruled"]:
                raise Refused("no_ruling", 409, f"ruling: {ruling_id!r} is no ruling that stands")
            if self._open is not None:
                raise Refused("appeal_open", 409, "another appeal is being decided")
            if (ruling["id"], ruling["code"], who.name) in self._upheld:
                raise Refused("appeal_decided", 409, "the table has decided about your appeal: the ruling stands")
            paused = not board["paused"]
            self._table.record(Pause(by=who.name, appeal=ruling["id"]), who.author)
            self._open = Appeal(ruling["id"], ruling["ref"], ruling["code"], who.name, {who.name: True}, paused)

    def vote(self, overrule: object, who: Who) -> None:
        """One vote, which may be changed until it is decided; a host's decides. Raises Refused, JournalError."""
        if not isinstance(overrule, bool):
            raise Refused("bad_field", 400, "overrule: expected true or false")
        if not (who.plays or who.host):
            raise Refused("join_first", 403, "choose your name first")
        with self._lock:
            appeal = self._standing()
            if who.host:
                self._decide(appeal, overrule, who.author)
                return
            assert who.name is not None
            appeal = self._open = replace(appeal, votes={**appeal.votes, who.name: overrule})
            board = self._table.board()
            voters, needed = self._voters(board, appeal), self._needed(board, appeal)
            yes = sum(vote for name, vote in appeal.votes.items() if name in voters)
            no = sum(not vote for name, vote in appeal.votes.items() if name in voters)
            if yes >= needed:
                self._decide(appeal, True, appeal.by)
            elif no > 0 and no > len(voters) - needed:  # too few are left to overrule
                self._decide(appeal, False, appeal.by)

    def drop(self, who: Who) -> None:
        """The one who appealed, or a host, lets it go. Raises Refused, JournalError."""
        with self._lock:
            appeal = self._standing()
            if who.name == appeal.by:
                self._end(appeal, who.author)
            elif who.host:
                self._decide(appeal, False, who.author)
            else:
                raise Refused("not_your_seat", 403, "only the one who appealed may let it go")

    def rename(self, name: str, to: str) -> None:
        """The player `name` is called `to` from now on."""
        with self._lock:
            if self._open is not None:
                votes = {to if voter == name else voter: vote for voter, vote in self._open.votes.items()}
                by = to if self._open.by == name else self._open.by
                self._open = replace(self._open, by=by, votes=votes)
            self._upheld = {(ruling, code, to if by == name else by) for ruling, code, by in self._upheld}

    def settle(self) -> None:
        """Ends an appeal whose ruling is gone or overruled, because the record was put right meanwhile, and one at
        which somebody let play go on."""
        with self._lock:
            if self._open is not None:
                board = self._table.board()
                ruling = _ruling(board, self._open.ruling)
                if ruling is None or ruling["overruled"] or not board["paused"]:
                    self._end(self._open, self._open.by)

    def _standing(self) -> Appeal:
        self.settle()
        if self._open is None:
            raise Refused("no_appeal", 409, "there is no appeal to decide")
        return self._open

    def _decide(self, appeal: Appeal, overrule: bool, author: str) -> None:
        if overrule:
            what = "legal" if appeal.code in CARD_RULINGS else "void"
            self._table.record(Override(what=what, ref=appeal.ref, by=appeal.by), author)
        else:
            self._upheld.add((appeal.ruling, appeal.code, appeal.by))
            self._table.record(Upheld(ruling=appeal.ruling, code=appeal.code, by=appeal.by), author)
        self._end(appeal, author)

    def _end(self, appeal: Appeal, author: str) -> None:
        self._open = None
        if self._table.board()["paused"]:
            self._table.record(Resume(by=appeal.by) if appeal.paused else Pause(by=appeal.by), author)

    def _voters(self, board: Mapping[str, Any], appeal: Appeal) -> set[str]:
        """Players whose phone is here, and those who have voted."""
        return {player["name"] for player in board["players"]} & {*self._here(), *appeal.votes}

    def _needed(self, board: Mapping[str, Any], appeal: Appeal) -> int:
        return max(LEAST_VOTES, len(self._voters(board, appeal)) // 2 + 1)


def _begun(table: Table) -> Appeal | None:
    """The appeal that play was paused for before this start of the service, with the vote of the one who appealed."""
    board, pause, paused = table.board(), None, True
    for entry in sorted(table.entries(), key=lambda entry: entry.number):
        match entry.event:
            case Pause() | Resume() as last:
                pause, paused = last, not isinstance(pause, Pause)
            case Rename(player=player, to=to) if isinstance(pause, Pause) and pause.by == player:
                pause = replace(pause, by=to)
    if not board["paused"] or not isinstance(pause, Pause) or pause.by is None:
        return None
    ruling = _ruling(board, pause.appeal)
    if ruling is None:
        return None
    return Appeal(ruling["id"], ruling["ref"], ruling["code"], pause.by, {pause.by: True}, paused)


def _upheld(table: Table) -> set[tuple[str, str, str]]:
    """Who appealed in vain before this start of the service: the ruling's id and code, and the name of today."""
    found: set[tuple[str, str, str]] = set()
    for entry in sorted(table.entries(), key=lambda entry: entry.number):
        match entry.event:
            case Upheld(ruling=ruling, code=code, by=by):
                found.add((ruling, code, by))
            case Rename(player=player, to=to):
                found = {(ruling, code, to if by == player else by) for ruling, code, by in found}
    return found


def _ruling(board: Mapping[str, Any], ruling_id: object) -> Mapping[str, Any] | None:
    rulings: Iterable[Mapping[str, Any]] = board["rulings"]
    return next((ruling for ruling in rulings if ruling["id"] == ruling_id), None)


def make_appeals(table: Table, appeals: Appeals, guard: Guard, poke: Callable[[], None]) -> Blueprint:
    """Routes of appeals. poke: tells the screens that there is something new."""
    routes = Blueprint("appeals", __name__)

    def done() -> ResponseReturnValue:
        poke()
        return jsonify({"appeal": appeals.shown(table.board())})

    @routes.post("/api/appeal")
    def appeal() -> ResponseReturnValue:
        appeals.open(body("ruling").get("ruling"), guard.who(table.board()))
        return done()

    @routes.post("/api/appeal/vote")
    def vote() -> ResponseReturnValue:
        appeals.vote(body("overrule").get("overrule"), guard.who(table.board()))
        return done()

    @routes.post("/api/appeal/drop")
    def drop() -> ResponseReturnValue:
        body()
        appeals.drop(guard.who(table.board()))
        return done()

    @routes.errorhandler(JournalError)
    def not_kept(error: JournalError) -> ResponseReturnValue:
        return jsonify({"error": "not_kept", "message": str(error)}), 503

    return routes
