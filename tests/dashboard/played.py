"""An evening that was played: a dashboard over a real journal with two games in it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from referee.cards import Card
from referee.clock import ManualClock
from referee.dashboard import DashboardSettings, create_app, open_keys
from referee.events import Correct, Discard, Points, TurnUp
from referee.rules import PRESETS
from referee.session import Session
from referee.storage import Evidence, Journal
from referee.storage.journal import FILE_NAME


class Evening:
    """Two games: a finished hand won by Ana after a wrong card that was put right, and one that has just begun."""

    def __init__(self, folder: Path) -> None:
        self.clock = ManualClock()
        self.session = Session(Journal(folder / FILE_NAME), Evidence(folder / "evidence"), self.clock)
        self.table = self.session
        keys, self.pin = open_keys(folder)
        settings = DashboardSettings(address="http://192.168.1.20:8080", presets=tuple(PRESETS))
        self.app = create_app(self.session, settings, keys, folder)
        self.viewer, self.host = self.app.test_client(), self.app.test_client()
        self.host.post("/api/host", json={"pin": self.pin})
        self.first = self.start()
        self.say(TurnUp(card=Card.parse("R5")))
        wrong = self.say(Discard(card=Card.parse("B9"), by="Ana"))
        self.say(Correct(ref=wrong, fields={"card": "R9", "sure": True}), "Ben")
        for n in range(13):
            self.say(Discard(card=Card.parse(f"R{n % 8 + 1}"), by=("Ben", "Ana")[n % 2]))
        self.say(Points(player=str(self.session.board()["players"][1]["name"]), n=33), "Ana")
        self.second = self.start()

    def start(self) -> int:
        return self.session.start_game(("Ana", "Ben"), "official_108", "Ben", {}, "host")

    def say(self, event: Any, author: str = "eye") -> int:
        self.clock.t += 4.0
        return self.session.record(event, author)

    def get(self, path: str) -> Any:
        answer = self.viewer.get(path)
        assert answer.status_code == 200, path
        return answer.json

    def close(self) -> None:
        self.app.extensions["live"].close()
        self.session.close()
