"""A table that plays a canned board: it keeps what was recorded and shows the simplest answer to it."""

from __future__ import annotations

import copy
import threading
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from referee.events import Answer, Catch, Event, GameStarted, HandDealt, NameColour, Pause, Resume, Uno
from referee.storage import Entry

Board = dict[str, Any]

EMPTY: Board = {
    "seq": 0, "lang": "en", "t": 0.0, "phase": None, "paused": False, "game": 0, "hand": 0, "deal": 0,
    "preset": None, "target": None, "scoring": None,
    "players": [], "turn": None, "direction": 1, "top": None, "colour": None,
    "pending": 0, "winner": None, "game_winner": None, "wd4": None, "takeback": None, "draw_pile": None,
    "question": None, "wilds": ["W", "W+4"], "tournament": None, "elsewhere": [], "rulings": [], "plays": [],
    "undo": None, "redo": None, "actions": {}, "room": False, "eye": {"state": "lost", "since": 0.0, "detail": ""},
}  # fmt: skip

JPEG = b"\xff\xd8\xff\xe0 not really a picture \xff\xd9"


def player(name: str, seat: int, count: int | tuple[int, int] = 7, **more: Any) -> Board:
    lo, hi = (count, count) if isinstance(count, int) else count
    return {"name": name, "seat": seat, "team": None, "count": [lo, hi], "best": lo, "score": 0, "due": [],
            "exposed": False, "dealer": False, "points": None, **more}  # fmt: skip


def play(ref: int, card: str, by: str, **more: Any) -> Board:
    return {"ref": ref, "t": float(ref), "card": card, "by": by, "confidence": 0.99, "sure": True,
            "alternatives": [], "photo": None, "standing": "legal", **more}  # fmt: skip


def ruling(ref: int, code: str, text: str, **more: Any) -> Board:
    return {"id": f"{ref}.0", "ref": ref, "t": float(ref), "code": code, "player": None, "cards": [], "n": 0,
            "reason": None, "section": "6.7", "tier": "note", "text": text, "photo": None, "overruled": False,
            "hand": 2, **more}  # fmt: skip


def running() -> Board:
    """Four players in the middle of a hand: Ben is in turn on a blue 3, Cleo is exposed, Dana owes two."""
    every = ["uno", "catch:Cleo", "drew", "pass", "suggestion"]
    return {
        **copy.deepcopy(EMPTY), "seq": 40, "phase": "turn", "game": 1, "hand": 2, "deal": 30,
        "turn": "Ben", "top": "B3", "colour": "B",
        "players": [
            player("Ana", 1, 5, score=120, dealer=True), player("Ben", 2, (3, 4), score=85),
            player("Cleo", 3, 1, exposed=True, score=40),
            player("Dana", 4, 9, due=[{"n": 2, "reason": "draw_two"}], score=0),
        ],
        "plays": [
            play(40, "B3", "Ana", confidence=0.97, alternatives=[["B8", 0.02], ["G3", 0.01]], photo="p40"),
            play(39, "G7", "Ben", photo="p39", standing="taken_back"), play(36, "B+2", "Cleo"), play(31, "Y+2", "Ben"),
        ],
        "rulings": [
            ruling(39, "illegal_card", "Ben: green 7 does not match blue. Take it back.", tier="call", player="Ben",
                   cards=["G7"], photo="p39"),
            ruling(36, "forced_draw", "Dana draws two.", player="Dana", n=2),
        ],
        "actions": dict.fromkeys(("Ana", "Ben", "Cleo", "Dana"), every),
        "room": True,
        "undo": {"ref": 40, "event": "discard", "by": "Ana", "card": "B3", "n": None, "colour": None},
        "preset": "official_108", "target": 500, "scoring": "winner_takes", "draw_pile": 61,
        "eye": {"state": "clear", "since": 3.0, "detail": ""},
    }  # fmt: skip


def asking() -> dict[str, Any]:
    """A question on every screen."""
    board = running()
    board["question"] = {"id": "who_played:40", "kind": "who_played", "ref": 40, "player": None, "after": 0.0,
                         "options": ["Ana", "Ben"], "text": "Who played the blue 3?"}  # fmt: skip
    return board


def doubting() -> dict[str, Any]:
    """Ben has laid a green 9 on a blue 3, and the referee asks whether that goes."""
    board = running()
    ask = ruling(41, "illegal_card", "Does green 9 go here, Ben?", tier="ask", player="Ben", cards=["G9"])
    board.update(phase="takeback", takeback={"player": "Ben", "card": "G9"}, rulings=[ask, *board["rulings"]])
    board["plays"] = [play(41, "G9", "Ben", confidence=1.0, standing="illegal"), *board["plays"]]
    return board


def paused() -> dict[str, Any]:
    """Somebody has paused play."""
    return {**running(), "paused": True}


def starting() -> dict[str, Any]:
    """No game yet, and no picture either."""
    return {**copy.deepcopy(EMPTY), "eye": {"state": "lost", "since": 0.0, "detail": "camera_starting"}}


def naming() -> dict[str, Any]:
    """Ben names a colour."""
    board = running()
    board.update(phase="name_colour", top="W", colour=None, actions={"Ben": ["uno", "colour"]})
    return board


def challenged() -> dict[str, Any]:
    """Ben's Wild Draw Four is challenged by Cleo."""
    board = running()
    board.update(phase="challenge", wd4={"offender": "Ben", "victim": "Cleo"}, actions={"Cleo": ["challenge_result"]})
    return board


def over() -> dict[str, Any]:
    """Ana has won; two hands are to be counted, Ben's is known."""
    board = running()
    players = [player("Ana", 1, 0), player("Ben", 2, 4, points=21), player("Cleo", 3, 2)]
    board.update(phase="hand_over", winner="Ana", players=players, actions={})
    return board


def other_table() -> dict[str, Any]:
    """In a tournament the points of the other table are asked for."""
    board = running()
    board["question"] = {"id": "other_table:40", "kind": "other_table", "ref": 40, "player": None, "after": 0.0,
                         "options": ["done"], "text": "What did the other table score in this round?"}  # fmt: skip
    board["elsewhere"] = [{"name": name, "score": 0, "points": None} for name in ("Gia", "Hugo")]
    return board


def partners() -> dict[str, Any]:
    """Ana and Cleo play against Ben and Dana."""
    board = running()
    for i, one in enumerate(board["players"]):
        one.update(team=i % 2 + 1, score=(120, 85)[i % 2])
    return {**board, "scoring": "winner_takes"}


def partners_over() -> dict[str, Any]:
    """Ana is out, so that Ana and Cleo have won the hand; Ben's cards are counted."""
    board = partners()
    board.update(phase="hand_over", winner="Ana", actions={})
    board["players"][1]["points"] = 21
    return board


def tournament() -> dict[str, Any]:
    """The second hand of the third round, at the first of two tables."""
    board = partners()
    for one, score in zip(board["players"], (120, 85, 240, 60), strict=True):
        one["score"] = score
    others = (("Eli", 130), ("Bartholomäus", 95), ("Gia", 10), ("Hugo", 300))
    board["tournament"] = {"round": 3, "rounds": 7, "hand": 2, "hands": 4, "table": 1}
    board["elsewhere"] = [{"name": name, "score": score, "points": None} for name, score in others]
    return board


class FakeTable:
    """Implements `referee.dashboard.Table`."""

    def __init__(self, board: Board | None = None, journal: Sequence[Entry] = ()) -> None:
        self._board = copy.deepcopy(board or EMPTY)
        self._lock = threading.Lock()
        self._heard: list[Callable[[Board], None]] = []
        self.events: list[tuple[Event, str]] = []
        self.inserted: list[tuple[Event, int]] = []
        self.started: list[Entry] = []
        self.journal = list(journal)
        self.refuse: Exception | None = None
        self.photos = {"p39": JPEG, "p40": JPEG}

    def board(self, language: str | None = None) -> Board:
        with self._lock:
            return {**copy.deepcopy(self._board), **({"lang": language} if language else {})}

    def photo(self, photo_id: str) -> bytes | None:
        return self.photos.get(photo_id)

    def subscribe(self, callback: Callable[[Board], None]) -> Callable[[], None]:
        self._heard.append(callback)
        return lambda: self._heard.remove(callback)

    def games(self) -> list[Entry]:
        return list(self.started)

    def entries(self, game: int | None = None) -> list[Entry]:
        return list(self.journal)

    def change(self, **fields: Any) -> None:
        """Puts something else on the board and tells everybody."""
        with self._lock:
            self._board.update(fields)
            self._board["seq"] += 1
            board = copy.deepcopy(self._board)
        for callback in list(self._heard):
            callback(board)

    def start_game(
        self, players: Sequence[str], preset: str, dealer: str, options: Mapping[str, Any], author: str, table: int = 1
    ) -> int:
        if self.refuse:
            raise self.refuse
        seats = [player(name, i + 1, dealer=name == dealer) for i, name in enumerate(players)]
        number = self.board()["seq"] + 1
        event = GameStarted(players=tuple(players), dealer=dealer, preset=preset, options=options, table=table)
        self.started.append(Entry(number, number, event, author, 0.0))
        self.change(players=seats, preset=preset, phase="opening", turn=players[0], game=number, hand=1, deal=number)
        return number

    def insert(self, event: Event, after: int, author: str) -> int:
        if all(item["ref"] != after for item in self.board()["plays"]):
            raise ValueError(f"{after} is no event of this game")
        self.inserted.append((event, after))
        return self.record(event, author)

    def record(self, event: Event, author: str) -> int:
        if self.refuse:
            raise self.refuse
        self.events.append((event, author))
        board = self.board()
        match event:
            case NameColour(colour=colour):
                may = {name: [one for one in can if one != "colour"] for name, can in board["actions"].items()}
                self.change(colour=colour.value, phase="turn", question=None, actions=may)
            case Uno(by=by):
                note = ruling(board["seq"] + 1, "uno_ok", f"{by} calls UNO.", player=by)
                self.change(rulings=[note, *board["rulings"]][:20])
            case Catch(on=on):
                note = ruling(board["seq"] + 1, "catch_ok", f"{on} did not call UNO: draws two.", tier="call")
                self.change(rulings=[note, *board["rulings"]][:20])
            case Pause() | Resume():
                self.change(paused=isinstance(event, Pause))
            case Answer():
                self.change(question=None)
            case HandDealt():
                self.change(phase="opening", hand=board["hand"] + 1, deal=board["seq"] + 1)
            case _:
                self.change()
        return self.board()["seq"]
