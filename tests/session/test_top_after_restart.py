"""After a power cut the eye tells what lies on top, and the session compares it with what it remembers (RULES 12)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import playing
import pytest

from referee.cards import Card
from referee.clock import ManualClock
from referee.events import Answer, Correct, Discard, Event, TopSeen, TurnUp, Undo
from referee.observations import CardLanded, CardReading, PileSeen, Quality, Sighting
from referee.session import Session
from referee.storage import Evidence, Journal
from referee.tracker import Activity, CardLook, PileLook, TableGeometry, Tracker, Want

TABLE = TableGeometry((200.0, 120.0, 170.0, 190.0), (400.0, 160.0, 70.0, 110.0), (56.0, 87.0), ((1, (300.0, 590.0)),))
FPS = 15


def session_in(folder: Path, at: float) -> Session:
    return Session(Journal(folder / "journal.db"), Evidence(folder / "evidence"), ManualClock(at))


def watch(session: Session, top: CardLook, begins: float) -> None:
    """A tracker that has just been started watches a resting pile for 5 s."""
    tracker, look = Tracker(TABLE, 0.9), PileLook(0.0, 1.0, 0.5, (top,))
    for t in (begins + frame / FPS for frame in range(5 * FPS)):
        sightings = tracker.activity(Activity(t))
        if tracker.want is not Want.NOTHING:
            sightings += tracker.look(replace(look, t=t))
        for sighting in [*sightings, *tracker.view(t, Quality.CLEAR)]:
            session.sighted(sighting)


@pytest.fixture
def restarted(tmp_path: Path) -> Iterator[Session]:
    """Red 5 was turned up, Ana laid red 7, and the power went."""
    before = session_in(tmp_path, 100.0)
    before.start_game(("Ana", "Ben", "Cy"), "official_108", "Cy", {}, "host")
    for t, seat, card in ((101.0, None, "R5"), (103.0, 1, "R7")):
        reading = CardReading(Card.parse(card), 0.99)
        before.sighted(CardLanded(t=t, reading=reading, sure=True, seat=seat, seat_confidence=0.9))
    before.close()
    after = session_in(tmp_path, 10.0)
    yield after
    after.close()


@pytest.mark.parametrize(
    ("lies", "confidence", "told", "asked"),
    [("R7", 0.99, ["top_seen"], None), ("B9", 0.99, ["top_seen"], "which_card"), ("B9", 0.6, [], None)],
)
def test_another_top_card_is_a_question_and_never_a_play(
    restarted: Session, lies: str, confidence: float, told: list[str], asked: str | None
) -> None:
    board, known = restarted.board(), len(restarted.entries())
    quad = ((250.0, 180.0), (306.0, 180.0), (306.0, 267.0), (250.0, 267.0))
    watch(restarted, CardLook(CardReading(Card.parse(lies), confidence), quad, 0.98, 0.9), begins=10.0)
    now = restarted.board()
    assert [entry.event.ev for entry in restarted.entries()[known:]] == told
    assert (now["question"] or {"kind": None})["kind"] == asked
    assert [play["card"] for play in now["plays"]] == [play["card"] for play in board["plays"]] == ["R7", "R5"]
    assert (now["turn"], now["phase"], now["players"]) == (board["turn"], board["phase"], board["players"])
    assert [ruling for ruling in now["rulings"] if ruling["tier"] == "call"] == []


@pytest.mark.parametrize(
    "noticed",
    [
        TopSeen(card=Card.parse("R7")),
        Correct(ref=3, fields={"card": "R7", "confidence": 0.99, "sure": True, "alternatives": [], "photo": None}),
    ],
    ids=["the top card", "a better look"],
)
def test_an_undo_passes_over_what_only_the_eye_noticed(tmp_path: Path, noticed: Event) -> None:
    session = playing.open_session(tmp_path)
    playing.begin(session)
    session.record(TurnUp(card=Card.parse("R5")), "eye")
    session.record(Discard(card=Card.parse("R7"), by="Ana"), "eye")
    session.record(noticed, "eye")
    session.record(Undo(), "Ana")
    board = session.board()
    session.close()
    assert (board["top"], board["turn"]) == ("R5", "Ana")


R5 = CardReading(Card.parse("R5"), 0.99)


def begun_after(folder: Path, sighting: Sighting) -> Session:
    """The card lay there before the host pressed the button."""
    session = playing.open_session(folder)
    session.sighted(sighting)
    playing.begin(session)
    return session


def test_a_card_turned_up_before_the_game_began_is_the_first_card(tmp_path: Path) -> None:
    session = begun_after(tmp_path, CardLanded(t=1.0, reading=R5, sure=True))
    board = session.board()
    session.close()
    assert (board["phase"], board["turn"], board["top"]) == ("turn", "Ana", "R5")


@pytest.mark.parametrize(
    ("answer", "phase", "top"), [("R5", "turn", "R5"), ("none", "opening", None), (None, "opening", None)]
)
def test_the_table_is_asked_whether_a_card_that_lay_there_from_the_start_is_the_first(
    tmp_path: Path, answer: str | None, phase: str, top: str | None
) -> None:
    session = begun_after(tmp_path, PileSeen(t=1.0, reading=R5, sure=True))
    question = session.board()["question"]
    assert question is not None
    assert (question["kind"], question["options"]) == ("which_card", ["R5", "none"])
    if answer is not None:
        session.record(Answer(question=question["id"], value=answer, by="Ana"), "Ana")
    board = session.board()
    assert (board["phase"], board["top"]) == (phase, top)
    session.sighted(CardLanded(t=9.0, reading=CardReading(Card.parse("R9"), 0.99), sure=True, seat=1))
    board = session.board()
    session.close()
    assert (board["top"], board["question"]) == ("R9", None)
