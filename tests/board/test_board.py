"""The board holds what docs/architecture.md promises, whatever happened at the table."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from referee.board import SHOWN, Eye, make_board
from referee.cards import Card
from referee.events import (
    Correct,
    Count,
    Discard,
    Event,
    GameStarted,
    HandDealt,
    Join,
    NameColour,
    Points,
    TurnUp,
    Undo,
    Uno,
)
from referee.observations import Quality
from referee.rules import Replay, replay

START = GameStarted(players=("Ana", "Ben", "Cy"), dealer="Cy")


def story(*events: Event) -> Replay:
    """A game of Ana, Ben and Cy with these events, a second apart."""
    return replay([(1, START), *((n, event) for n, event in enumerate(events, start=2))])


def turn_up(t: float, card: str) -> TurnUp:
    return TurnUp(t=t, card=Card.parse(card), photo="first")


def play(t: float, by: str, card: str, **more: Any) -> Discard:
    return Discard(t=t, by=by, card=Card.parse(card), **more)


def board(game: Replay, lang: str = "en") -> dict[str, Any]:
    return make_board(game, Eye(Quality.CLEAR, 3.14159), seq=7, now=9.0, lang=lang)


def documented() -> dict[str, Any]:
    """The example in docs/architecture.md."""
    text = (Path(__file__).parents[2] / "docs" / "architecture.md").read_text(encoding="utf-8")
    block = re.search(r'\n    (\{"seq".*?\}\})\n\n', text, re.DOTALL)
    assert block is not None
    example: dict[str, Any] = json.loads(block[1])
    return example


def same_shape(example: Any, made: Any, path: str = "board") -> list[str]:
    """Where the keys of two objects differ; None and empty lists say nothing."""
    if isinstance(example, dict) and isinstance(made, dict):
        if path == "board.actions":
            return []
        wrong = [f"{path}: {key}" for key in example.keys() ^ made.keys()]
        return wrong + [
            e for key in example.keys() & made.keys() for e in same_shape(example[key], made[key], path + "." + key)
        ]
    if isinstance(example, list) and isinstance(made, list) and example and made:
        return same_shape(example[0], made[0], path + "[0]")
    return []


@pytest.mark.parametrize(
    "game",
    [
        Replay(),
        story(),
        story(turn_up(1.0, "R5"), play(2.0, "Ana", "B7", photo="b7")),
        story(turn_up(1.0, "R5"), play(2.0, "Ana", "W")),
        story(turn_up(1.0, "R5"), play(2.0, "Ana", "W+4"), NameColour(t=3.0, by="Ana", colour=Card.parse("R1").colour)),
        story(turn_up(1.0, "R5"), play(2.0, "Ana", "R+2")),
    ],
    ids=["no game", "opening", "illegal card", "wild", "draw four", "draw two"],
)
def test_the_board_has_the_documented_shape_and_is_json(game: Replay) -> None:
    made = board(game)
    assert same_shape(documented(), made) == []
    assert json.loads(json.dumps(made)) == made


def test_teams_tournament_and_the_wilds_of_the_deck() -> None:
    plain = board(story())
    assert (plain["tournament"], plain["wilds"], plain["players"][0]["team"]) == (None, ["W", "W+4"], None)
    names = ("Ana", "Ben", "Cy", "Dee")
    options = {"teams": "partners", "deck": "modern_112_swap"}
    made = board(replay([(1, GameStarted(players=names, dealer="Dee", options=options))]))
    assert [one["team"] for one in made["players"]] == [1, 2, 1, 2]
    assert made["wilds"] == ["W", "W+4", "WS", "WC"]
    options = {"tournament": "four_player_12_hands"}
    made = board(replay([(1, GameStarted(players=names, dealer="Dee", options=options))]))
    assert made["tournament"] == {"round": 1, "rounds": 3, "hand": 1, "hands": 4, "table": 1}
    assert [(one["name"], one["team"]) for one in made["players"]] == [("Ana", 1), ("Cy", 2), ("Ben", 1), ("Dee", 2)]


def test_an_illegal_card() -> None:
    made = board(story(turn_up(1.0, "R5"), play(2.0, "Ana", "B7", photo="b7", confidence=0.98765)))
    ruling = made["rulings"][0]
    assert (ruling["id"], ruling["code"], ruling["cards"], ruling["photo"]) == ("3.0", "illegal_card", ["B7"], "b7")
    assert made["takeback"] == {"player": "Ana", "card": "B7"}
    assert [(one["card"], one["standing"]) for one in made["plays"]] == [("B7", "illegal"), ("R5", "opening")]
    assert made["plays"][0]["confidence"] == 0.9877
    assert "Ana" in ruling["text"]


def test_what_an_undo_takes_back_is_said_and_so_is_what_it_took() -> None:
    told = (turn_up(1.0, "R5"), play(2.0, "Ana", "R7"), Count(t=3.0, player="Cy", n=5, by="Ben"))
    made = board(story(*told))
    count = {"event": "count", "by": "Cy", "card": None, "n": 5, "colour": None}
    seven = {"event": "discard", "by": "Ana", "card": "R7", "n": None, "colour": None}
    assert (made["undo"], made["redo"]) == ({"ref": 4, **count}, None)
    made = board(story(*told, Undo(t=4.0)))
    assert (made["undo"], made["redo"]) == ({"ref": 3, **seven}, {"ref": 5, **count})
    made = board(story(*told, Undo(t=4.0), Undo(t=5.0, ref=5)))
    assert (made["undo"], made["redo"]) == ({"ref": 4, **count}, None)
    made = board(story(*told, Undo(t=4.0), play(5.0, "Ben", "R8")))
    assert (made["undo"]["ref"], made["redo"]) == (6, None)


def test_several_undos_come_back_one_by_one() -> None:
    told = (turn_up(1.0, "R5"), play(2.0, "Ana", "R7"), play(3.0, "Ben", "R8"), Undo(t=4.0), Undo(t=5.0))
    assert board(story(*told))["redo"]["ref"] == 6
    made = board(story(*told, Undo(t=6.0, ref=6)))
    assert (made["top"], made["redo"]["ref"]) == ("R7", 5)
    assert board(story(*told, Undo(t=6.0, ref=6), Undo(t=7.0, ref=5)))["top"] == "R8"


def test_what_two_phones_undo_is_undone_once() -> None:
    twice = (turn_up(1.0, "R5"), play(2.0, "Ana", "R7"), Undo(t=3.0, ref=3), Undo(t=3.1, ref=3))
    made = board(story(*twice))
    assert (made["top"], made["redo"]["ref"]) == ("R5", 4)
    assert board(story(*twice, Undo(t=4.0, ref=4)))["top"] == "R7"


def test_each_ruling_is_of_its_hand() -> None:
    first = [turn_up(1.0, "R5"), play(2.0, "Ana", "B7"), HandDealt(t=3.0)]  # abandoned
    win = [turn_up(4.0, "R5"), *(play(5.0 + n, ("Ana", "Ben", "Cy")[n % 3], f"R{n % 9 + 1}") for n in range(19))]
    told = board(story(*first, *win, Points(t=50.0, player="Ben", n=5), Points(t=51.0, player="Cy", n=5)))
    assert {one["hand"] for one in told["rulings"]} == {1}
    events = (*first, *win, Points(t=50.0, player="Ben", n=5), Points(t=51.0, player="Cy", n=5), HandDealt(t=52.0))
    told = board(story(*events, turn_up(53.0, "R5"), play(54.0, "Ana", "B7"), play(56.0, "Ana", "R7")))
    assert [told["rulings"][0]["hand"], told["rulings"][-1]["hand"], told["hand"]] == [2, 1, 2]


def test_a_hand_that_two_phones_deal_at_once_is_dealt_once() -> None:
    hand = [turn_up(1.0, "R5"), *(play(2.0 + n, ("Ana", "Ben", "Cy")[n % 3], f"R{n % 9 + 1}") for n in range(19))]
    over = (*hand, Points(t=50.0, player="Ben", n=5), Points(t=51.0, player="Cy", n=5))
    made = board(story(*over))
    assert (made["game"], made["deal"], made["phase"]) == (1, 1, "scored")
    dealt = (*over, HandDealt(t=52.0, ends=made["deal"]), turn_up(53.0, "G5"))
    twice = board(story(*dealt, HandDealt(t=54.0, ends=made["deal"])))
    assert (twice["hand"], twice["top"]) == (2, "G5")
    assert twice["deal"] == board(story(*dealt))["deal"] > made["deal"]
    assert board(story(*dealt, HandDealt(t=54.0, ends=twice["deal"])))["top"] is None  # this one is thrown away


@pytest.mark.parametrize(("players", "size", "room"), [(9, 7, True), (10, 7, False), (6, 15, True), (7, 15, False)])
def test_whether_one_more_may_join(players: int, size: int, room: bool) -> None:
    names = tuple(f"P{n}" for n in range(players))
    start = GameStarted(players=names, dealer="P0", options={"hand_size": size})
    made, after = (board(replay([(1, start), *more])) for more in ((), ((2, Join(t=2.0, player="Eli")),)))
    assert (made["room"], len(after["players"])) == (room, players + room)


def test_nobody_joins_a_tournament() -> None:
    names = ("Ana", "Ben", "Cy", "Dee")
    start = GameStarted(players=names, dealer="Dee", options={"tournament": "four_player_12_hands"})
    made = board(replay([(1, start), (2, Join(t=2.0, player="Eli"))]))
    assert (made["room"], len(made["players"])) == (False, 4)


def test_a_tap_is_shown_with_what_lay_on_the_table_then() -> None:
    made = board(story(turn_up(1.0, "R5"), Uno(t=2.0, by="Ana"), play(3.0, "Ana", "R7", photo="r7")))
    assert made["rulings"][-1]["code"] == "uno_void"
    assert made["rulings"][-1]["photo"] == "first"


def test_a_question_with_its_options() -> None:
    made = board(story(turn_up(1.0, "R5"), play(2.0, "Ana", "W")))
    assert made["question"]["id"] == "name_colour:3"
    assert made["question"]["options"] == ["R", "Y", "G", "B"]
    assert made["question"]["after"] > 2.0
    assert "colour" in made["actions"]["Ana"]


def test_a_correction_shows_in_the_play() -> None:
    wrong = play(2.0, "Ana", "B7", confidence=0.6, sure=False, alternatives=(("R7", 0.3),))
    made = board(story(turn_up(1.0, "R5"), wrong, Correct(t=3.0, ref=3, fields={"card": "R7", "sure": True}, by="Ana")))
    assert (made["plays"][0]["card"], made["plays"][0]["sure"]) == ("R7", True)
    assert (made["top"], made["colour"], made["turn"]) == ("R7", "R", "Ben")


def test_newest_first_and_no_more_than_fit() -> None:
    events: list[Event] = [turn_up(1.0, "R5")]
    for n in range(SHOWN + 10):
        events.append(play(2.0 + n, START.players[n % 3], f"R{n % 9 + 1}"))
        events += [Uno(t=2.5 + n, by="Ana"), Uno(t=2.7 + n, by="Ben")]
    made = board(story(*events))
    assert len(made["plays"]) <= SHOWN
    assert len(made["rulings"]) == SHOWN
    times = [ruling["t"] for ruling in made["rulings"]]
    assert times == sorted(times, reverse=True)
    assert len(json.dumps(made)) < 16_000


def test_who_joins_gets_a_seat_of_their_own() -> None:
    made = board(story(Join(t=1.0, player="Dora", after="Ana")))
    assert {player["name"]: player["seat"] for player in made["players"]} == {"Ana": 1, "Ben": 2, "Cy": 3, "Dora": 4}


@pytest.mark.parametrize("lang", ["en", "de", "es"])
def test_the_board_speaks_the_tables_language(lang: str) -> None:
    made = board(story(turn_up(1.0, "R5"), play(2.0, "Ana", "B7")), lang)
    texts = {ruling["text"] for ruling in made["rulings"]}
    others = {
        ruling["text"]
        for other in {"en", "de", "es"} - {lang}
        for ruling in board(story(turn_up(1.0, "R5"), play(2.0, "Ana", "B7")), other)["rulings"]
    }
    assert texts
    assert not texts & others
