"""Stories of a table: what people do, what the eye sees, and what the screens are told."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playing import correction

from referee.cards import Card, Colour
from referee.clock import ManualClock
from referee.events import (
    Correct,
    Discard,
    Draw,
    GameStarted,
    HandDealt,
    NameColour,
    Override,
    Pause,
    Points,
    Resume,
    TurnUp,
    Undo,
    Uno,
)
from referee.observations import (
    CardLanded,
    CardRead,
    CardReading,
    CardRemoved,
    CardsDrawn,
    PileTaken,
    Quality,
    ViewChanged,
)
from referee.rules import replay
from referee.session import Session
from referee.session.session import RESTART_GAP_S
from referee.storage import Evidence, Journal, JournalError

PLAYERS = ("Ana", "Ben", "Cy")
JPEG = b"\xff\xd8 not really \xff\xd9"


class Table:
    """A session with a clock that is set by hand, and short words for what happens."""

    def __init__(self, folder: Path, at: float = 100.0) -> None:
        self.folder = folder
        self.clock = ManualClock(at)
        self.session = Session(Journal(folder / "journal.db"), Evidence(folder / "evidence"), self.clock)

    def start(self, **options: Any) -> None:
        """Cy deals, Ana is first; the game begins at 100 s of the clock."""
        self.session.start_game(PLAYERS, "official_108", "Cy", options, "host")

    def lands(
        self, card: str, seat: int | None = None, at: float | None = None, since: float | None = None, sure: bool = True
    ) -> int | None:
        """A card lands; the clock goes to `at` (a second later unless given)."""
        self.clock.t = self.clock.t + 1.0 if at is None else max(self.clock.t, at)
        reading = CardReading(None if card == "?" else Card.parse(card), 0.99 if sure else 0.6)
        t = self.clock.t if at is None else at
        return self.session.sighted(
            CardLanded(t=t, since=since, reading=reading, sure=sure, seat=seat, seat_confidence=0.9), JPEG
        )

    @property
    def board(self) -> dict[str, Any]:
        return self.session.board()

    @property
    def top(self) -> tuple[str | None, str | None]:
        return self.board["top"], self.board["turn"]

    def codes(self) -> list[str]:
        """Codes of the rulings that stand, oldest first."""
        return [ruling["code"] for ruling in reversed(self.board["rulings"]) if not ruling["overruled"]]


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Table]:
    made = Table(tmp_path)
    yield made
    made.session.close()


def test_before_a_game_the_board_is_empty(table: Table) -> None:
    assert table.board["players"] == []
    assert table.board["phase"] is None
    assert table.session.sighted(CardLanded(t=1.0, reading=CardReading(None, 0.0), sure=False), JPEG) is None
    with pytest.raises(ValueError, match="no game has begun: start one first"):
        table.session.record(Uno(by="Ana"), "Ana")


def test_cards_land_and_turns_pass(table: Table) -> None:
    table.start()
    table.lands("R5")
    assert table.top == ("R5", "Ana")
    table.lands("R7", seat=1)
    table.lands("B7", seat=2)
    assert table.top == ("B7", "Cy")
    assert [player["best"] for player in table.board["players"]] == [6, 6, 7]
    assert table.codes() == []


def test_an_illegal_card_is_called_with_its_photo(table: Table) -> None:
    table.start()
    table.lands("R5")
    number = table.lands("B7", seat=1)
    ruling = table.board["rulings"][0]
    assert (ruling["code"], ruling["player"], ruling["ref"], ruling["tier"]) == ("illegal_card", "Ana", number, "call")
    assert table.session.photo(ruling["photo"]) == JPEG
    assert table.board["phase"] == "takeback"
    table.clock.t += 2
    table.session.sighted(CardRemoved(t=table.clock.t, card=Card.parse("B7"), top=Card.parse("R5"), seat=1))
    assert (table.board["phase"], *table.top) == ("turn", "R5", "Ana")


@pytest.mark.parametrize(("rested", "turn"), [(1.9, "Ana"), (2.1, "Ben")])
def test_a_slow_hand_may_drop_a_card_and_pick_it_up_again(table: Table, rested: float, turn: str) -> None:
    table.start()
    table.lands("R5")
    came = table.clock.t + 5.0
    card = CardReading(Card.parse("R7"), 0.99)
    table.session.sighted(CardLanded(t=came + 1.5, since=came, seat=1, seat_confidence=0.98, reading=card, sure=True))
    back = came + 1.5 + rested
    table.clock.t = back + 1.0
    gone = CardRemoved(t=back + 0.8, since=back, card=Card.parse("R7"), top=Card.parse("R5"), seat=1)
    table.session.sighted(gone)
    assert table.board["turn"] == turn


def test_a_correction_takes_the_ruling_back_and_only_that_is_announced(table: Table) -> None:
    table.start()
    table.lands("R5")
    number = table.lands("B7", seat=1)
    assert number is not None
    before = table.board["seq"]
    table.session.record(correction(number, Card.parse("R7"), "Ana"), "Ana")
    assert table.top == ("R7", "Ben")
    assert "illegal_card" not in table.codes()
    news = [(said["code"], said["withdrawn"]) for said in table.session.announcements(before)]
    assert ("illegal_card", True) in news
    assert not [code for code, withdrawn in news if not withdrawn and code != "corrected"]
    table.lands("R1", seat=2)
    assert table.top == ("R1", "Cy")


def test_undo_takes_back_a_ghost(table: Table) -> None:
    table.start()
    table.lands("R5")
    ghost = table.lands("R7", seat=1)
    table.session.record(Undo(ref=ghost, by="Ben"), "Ben")
    assert table.top == ("R5", "Ana")
    assert [play["card"] for play in table.board["plays"]] == ["R5"]


def test_a_missed_card_is_put_where_it_belongs(table: Table) -> None:
    table.start()
    table.lands("R5")
    first = table.lands("R7", seat=1)
    table.lands("B2", seat=3)
    assert first is not None
    table.session.insert(Discard(card=Card.parse("R2"), by="Ben"), first, "Ben")
    assert table.top == ("B2", "Ana")
    assert [play["card"] for play in table.board["plays"]] == ["B2", "R2", "R7", "R5"]
    assert table.codes() == []


def test_the_table_overrules(table: Table) -> None:
    table.start()
    table.lands("R5")
    number = table.lands("B7", seat=1)
    table.session.record(Override(what="legal", ref=number), "host")
    assert table.top == ("B7", "Ben")
    assert table.board["rulings"][-1]["overruled"]


def test_a_card_recognised_late_takes_effect_when_it_touched_the_pile(table: Table) -> None:
    """The button went down after the card touched and before the eye had read it: the call is valid."""
    table.start()
    table.lands("R5")
    for card, seat in (("R7", 1), ("R8", 2), ("R9", 3)) * 2:
        table.lands(card, seat=seat)
    before = len(table.session.entries())
    table.clock.t = 120.0
    table.session.record(Uno(t=table.session.table_time(119.5), by="Ana"), "button")
    table.lands("R2", seat=1, at=120.0, since=119.0)
    entries = table.session.entries()
    assert [entry.event.ev for entry in entries[before:]] == ["discard", "uno"]
    assert entries[before].number > entries[before + 1].number
    assert table.board["rulings"][0]["t"] == 19.5


def test_a_late_event_gives_the_same_board_as_one_in_time(tmp_path: Path) -> None:
    boards = []
    for name, order in (("in time", (3.0, 4.0, 5.0)), ("late", (3.0, 5.0, 4.0))):
        table = Table(tmp_path / name)
        table.start()
        table.lands("R5", at=101.0)
        cards = {3.0: ("R7", "Ana"), 4.0: ("R8", "Ben"), 5.0: ("R9", "Cy")}
        for t in order:
            card, by = cards[t]
            table.session.record(Discard(t=t, card=Card.parse(card), by=by), "eye")
        board = table.board
        boards.append((board["top"], board["turn"], board["players"], [play["card"] for play in board["plays"]]))
        table.session.close()
    assert boards[0] == boards[1]


def test_a_better_look_puts_an_unread_card_right(table: Table) -> None:
    table.start()
    table.lands("R5")
    table.lands("?", seat=1, sure=False)
    better = CardRead(t=table.clock.t, reading=CardReading(Card.parse("R7"), 0.99), sure=True)
    assert table.session.sighted(better) is not None
    assert table.top == ("R7", "Ben")


def test_a_better_look_does_not_overrule_a_person(table: Table) -> None:
    table.start()
    table.lands("R5")
    number = table.lands("R1", seat=1, sure=False)
    assert number is not None
    table.session.record(correction(number, Card.parse("R7"), "Ana"), "Ana")
    look = CardRead(t=table.clock.t, reading=CardReading(Card.parse("R1"), 0.99), sure=True)
    assert table.session.sighted(look) is None
    assert table.board["top"] == "R7"


def test_while_paused_the_camera_does_not_count(table: Table) -> None:
    table.start()
    table.lands("R5")
    table.clock.t += 1
    table.session.record(Pause(by="Ana"), "Ana")
    assert table.board["paused"]
    assert table.lands("B9", seat=1) is None
    table.session.record(Resume(by="Ana"), "Ana")
    assert table.top == ("R5", "Ana")
    table.lands("R9", seat=1)
    assert table.top == ("R9", "Ben")


def test_what_changes_in_a_pause_is_asked_about_also_where_two_phones_paused(table: Table) -> None:
    table.start()
    table.lands("R5")
    for by, card in (("Ana", "B9"), ("Ben", None)):
        table.clock.t += 1
        table.session.record(Pause(by=by), by)
        if card is not None:
            table.lands(card, seat=1)
    table.session.record(Resume(by="Ana"), "Ana")
    assert table.board["question"]["kind"] == "which_card"


def test_who_did_as_the_referee_said_is_not_called_out_once_the_card_is_put_right(table: Table) -> None:
    table.start(illegal_play_penalty=2)
    table.lands("R5")
    misread = table.lands("G3", seat=1)
    table.clock.t += 4
    table.session.sighted(CardsDrawn(t=table.clock.t, count=2, seat=1, seat_confidence=0.9))
    table.clock.t += 4
    table.session.sighted(CardRemoved(t=table.clock.t, card=Card.parse("G3"), top=Card.parse("R5"), seat=1))
    table.lands("R9", seat=1)
    assert misread is not None
    table.session.record(correction(misread, Card.parse("R3"), "Ben"), "Ben")
    assert table.top == ("R9", "Ben")
    assert [ruling["code"] for ruling in table.board["rulings"]] == ["corrected"]
    assert table.board["question"] is None
    assert table.board["players"][0]["count"] == [6, 8]


def test_draws_and_dealing(table: Table) -> None:
    table.start()
    table.clock.t += 1
    assert table.session.sighted(CardsDrawn(t=table.clock.t, count=7, seat=1)) is None  # dealing is no drawing
    table.lands("R5")
    table.clock.t += 1
    table.session.sighted(CardsDrawn(t=table.clock.t, count=1, seat=1, seat_confidence=0.9))
    assert table.board["players"][0]["best"] == 8
    table.clock.t += 1
    assert table.session.sighted(PileTaken(t=table.clock.t)) is not None
    assert table.board["top"] == "R5"


def test_a_whole_hand_to_the_score_and_on_to_the_next(table: Table) -> None:
    table.start()
    table.lands("R5")
    for n in range(7):
        for seat in (1, 2, 3):
            if (n, seat) <= (6, 1):
                table.lands(f"R{n + 1}", seat=seat)
    assert (table.board["phase"], table.board["winner"]) == ("hand_over", "Ana")
    assert table.session.sighted(PileTaken(t=table.clock.t)) is None
    table.session.record(Points(player="Ben", n=30), "Ben")
    table.session.record(Points(player="Cy", n=12), "Cy")
    assert [player["score"] for player in table.board["players"]] == [42, 0, 0]
    table.lands("Y1")  # nobody tapped "next hand": the next card turned up says it
    assert (table.board["hand"], table.board["phase"], table.board["top"]) == (2, "turn", "Y1")
    assert [type(entry.event) for entry in table.session.entries()[-2:]] == [HandDealt, TurnUp]


def test_who_taps_next_hand_while_its_first_card_lands_throws_nothing_away(table: Table) -> None:
    table.start()
    table.lands("R5")
    for n in range(19):
        table.lands(f"R{n // 3 + 1}", seat=n % 3 + 1)
    for name in ("Ben", "Cy"):
        table.session.record(Points(player=name, n=12), name)
    table.clock.t += 5
    landed = table.clock.t
    table.clock.t += 1
    table.session.record(HandDealt(ends=table.board["deal"]), "Ben")
    table.clock.t += 1  # the eye has been making its mind up
    table.lands("Y1", at=landed)
    assert (table.board["hand"], table.board["phase"], table.board["top"]) == (2, "turn", "Y1")


def test_the_eye_is_shown_and_not_written_down(table: Table) -> None:
    table.start()
    table.clock.t = 103.0
    table.session.sighted(ViewChanged(t=103.0, state=Quality.CLEAR))
    assert table.board["eye"] == {"state": "clear", "since": 3.0, "detail": ""}
    before = table.board["seq"]
    table.session.set_eye(Quality.LOST, "camera_stopped")
    assert table.board["eye"]["detail"] == "camera_stopped"
    assert table.board["seq"] > before
    assert len(table.session.entries()) == 1


def test_time_goes_on_after_a_restart_whatever_the_clocks_say(tmp_path: Path) -> None:
    first = Table(tmp_path, at=5000.0)
    first.start()
    first.lands("R5", at=5030.0)
    first.session.close()
    second = Table(tmp_path, at=3.0)
    assert second.session.now() == 30.0 + RESTART_GAP_S
    second.lands("R7", seat=1, at=4.0)
    assert second.session.entries()[-1].event.t == 31.0 + RESTART_GAP_S
    assert second.session.table_time(0.0) == 30.0 + RESTART_GAP_S  # nothing lands before the restart
    second.session.close()


def test_a_new_game_leaves_the_old_one_in_the_journal(table: Table) -> None:
    table.start()
    for card in ("R5", "R7"):
        table.lands(card)
    table.start()
    assert table.board["top"] is None
    assert len(table.session.entries()) == 1
    table.session.close()
    with Journal(table.folder / "journal.db", read_only=True) as journal:
        assert [len(journal.entries(game.number)) for game in journal.games()] == [3, 1]


@pytest.mark.parametrize(
    ("players", "preset", "options", "text"),
    [
        (("Ana",), "official_108", {}, "2 to 10"),
        (PLAYERS, "no_such", {}, "no_such"),
        (PLAYERS, "official_108", {"uno_penalty": 99}, "uno_penalty"),
        (PLAYERS, "official_108", {"colour": 1}, "colour"),
        (tuple("ABCDEFGHIJ"), "official_108", {"hand_size": 11}, "hand_size is 11: .* at most 10 each of the 108"),
    ],
)
def test_an_impossible_game_is_refused_before_it_is_written(
    table: Table, players: tuple[str, ...], preset: str, options: dict[str, Any], text: str
) -> None:
    with pytest.raises(ValueError, match=text):
        table.session.start_game(players, preset, players[0], options, "host")
    assert table.session.entries() == []


@pytest.mark.parametrize(
    ("event", "text"),
    [
        (Correct(ref=99, fields={}), "99 is no event of this game"),
        (Undo(ref=99), "99 is no event of this game"),
        (Undo(ref=1), "the start of a game cannot be changed"),
        (Correct(ref=1, fields={"players": ["Zoe"]}), "the start of a game cannot be changed"),
    ],
)
def test_an_edit_of_what_cannot_be_edited_is_refused(table: Table, event: Correct | Undo, text: str) -> None:
    table.start()
    with pytest.raises(ValueError, match=text):
        table.session.record(event, "Ana")
    assert len(table.session.entries()) == 1


def test_what_could_not_be_stored_did_not_happen(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    table.start()
    table.lands("R5")

    def full(*_: object, **__: object) -> int:
        raise JournalError("the disk is full")

    monkeypatch.setattr(Journal, "append", full)
    with pytest.raises(JournalError, match="the disk is full"):
        table.session.record(Discard(card=Card.parse("R7"), by="Ana"), "Ana")
    assert table.top == ("R5", "Ana")


def test_a_photograph_that_cannot_be_kept_stops_nothing(
    table: Table, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    table.start()

    def full(*_: object) -> str:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Evidence, "put", full)
    table.lands("R5")
    assert table.board["top"] == "R5"
    assert table.board["plays"][0]["photo"] is None
    assert "a photograph was not kept (No space left on device)" in caplog.text


def test_subscribers_hear_after_it_is_durable_and_in_order(table: Table) -> None:
    table.start()
    heard: list[tuple[int, int]] = []

    def listen(board: dict[str, Any]) -> None:
        with Journal(table.folder / "journal.db", read_only=True) as journal:
            heard.append((board["seq"], len(journal.entries(1))))

    unsubscribe = table.session.subscribe(listen)
    table.lands("R5")
    table.lands("R7", seat=1)
    unsubscribe()
    unsubscribe()
    table.lands("R8", seat=2)
    assert [stored for _, stored in heard] == [2, 3]
    assert heard == sorted(heard)


def test_a_subscriber_that_fails_harms_nobody(table: Table, caplog: pytest.LogCaptureFixture) -> None:
    heard: list[int] = []

    def fail(board: dict[str, Any]) -> None:
        raise RuntimeError("the lamp fell off")

    table.session.subscribe(fail)
    table.session.subscribe(lambda board: heard.append(board["seq"]))
    table.start()
    assert len(heard) == 1
    assert "the lamp fell off" in caplog.text


def test_a_subscriber_may_record(table: Table) -> None:
    """For example a lamp that answers a press: no deadlock, and both are heard."""
    table.start()
    seen: list[int] = []

    def answer(board: dict[str, Any]) -> None:
        seen.append(board["seq"])
        if board["phase"] == "name_colour":
            table.session.record(NameColour(colour=Colour.RED), "robot")

    table.session.subscribe(answer)
    table.lands("W")
    assert (table.board["phase"], table.board["colour"]) == ("turn", "R")
    assert seen == sorted(seen)


def test_ten_phones_at_once(table: Table) -> None:
    """Events from many threads: each is stored once, and the game is the replay of what was stored."""
    table.start()
    table.lands("R5")
    numbers: list[int] = []

    def phone(name: str) -> None:
        for n in range(8):
            numbers.append(table.session.record(Draw(t=2.0 + n, by=name), name))  # noqa: PERF401

    threads = [threading.Thread(target=phone, args=(PLAYERS[n % 3],)) for n in range(10)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    entries = table.session.entries()
    assert len(set(numbers)) == 80
    assert len(entries) == 82
    assert table.session.position() == replay((entry.number, entry.event) for entry in entries).position


def test_an_unknown_seat_plays_for_the_player_in_turn(table: Table) -> None:
    table.start()
    table.lands("R5")
    table.lands("R7", seat=9)
    assert table.board["plays"][0]["by"] == "Ana"


def test_a_started_game_may_carry_scores_over(table: Table) -> None:
    table.session.record(GameStarted(players=PLAYERS, dealer="Cy", scores={"Ben": 120}), "host")
    assert [player["score"] for player in table.board["players"]] == [0, 120, 0]
