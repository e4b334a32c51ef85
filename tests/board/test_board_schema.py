"""`web/board.schema.json`, which `GET /api` hands out, is what the board is, whatever happened at the table."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from typing import Any

import fastjsonschema
import pytest

from referee.bench.rules import evening
from referee.board import Eye, make_board
from referee.events import GameStarted
from referee.health import Pace, Trouble
from referee.observations import Quality
from referee.paths import shipped
from referee.rules import Code, Phase, Reason, replay
from referee.rules.options import PRESETS
from referee.rules.rulings import Tier

SCHEMA = json.loads((shipped("web") / "board.schema.json").read_text(encoding="utf-8"))
BESIDE_THE_GAME = {"people": ["Ann"], "people_changes": 1, "claims": [], "unclaimed": False, "deck_hint": None,
                   "appeal": None, "rested": False, "upheld": {}}
"""What the dashboard adds; tests/dashboard/test_api.py holds those of a running one."""


@pytest.fixture(scope="module")
def check() -> Callable[[Any], Any]:
    made: Callable[[Any], Any] = fastjsonschema.compile(SCHEMA)
    return made


@pytest.mark.parametrize("preset", sorted(PRESETS))
def test_boards_of_a_disordered_game_are_as_described(preset: str, check: Callable[[Any], Any]) -> None:
    rng = random.Random(preset)
    _, *events = evening(rng, 120)
    start = GameStarted(players=("Ann", "Bob", "Cid", "Dee"), dealer="Dee", preset=preset)
    for count in range(0, 120, 8):
        part = events[:count]
        if count % 16:
            rng.shuffle(part)
        game = replay([(1, start), *((n, event) for n, (_, event) in enumerate(part, start=2))])
        eye = Eye(Quality.GLARE, 1.5, "a line", Pace(14, 2), (Trouble("a", "b", "c", {"pin": 17}),))
        board = make_board(game, eye, seq=count, now=9.5, lang="de")
        check(json.loads(json.dumps(board | BESIDE_THE_GAME)))


def test_the_board_before_any_game_is_as_described(check: Callable[[Any], Any]) -> None:
    check(make_board(replay([]), Eye(), seq=0, now=0.0) | BESIDE_THE_GAME)


@pytest.mark.parametrize(
    "spoil",
    [
        lambda board: board.pop("turn"),
        lambda board: board.update(colour="purple"),
        lambda board: board.update(more=1),
        lambda board: board["players"][0].update(best="seven"),
    ],
    ids=["a field less", "no such colour", "a field more", "no number"],
)
def test_another_board_is_refused(spoil: Callable[[dict[str, Any]], Any], check: Callable[[Any], Any]) -> None:
    board = make_board(replay([(1, GameStarted(players=("Ann", "Bob"), dealer="Bob"))]), Eye(), seq=0, now=0.0)
    board |= BESIDE_THE_GAME
    check(board)
    spoil(board)
    with pytest.raises(fastjsonschema.JsonSchemaException):
        check(board)


def test_the_schema_lists_what_the_rules_know() -> None:
    fields = SCHEMA["properties"]
    rulings = fields["rulings"]["items"]["properties"]
    listed = fields["phase"], rulings["code"], rulings["reason"], rulings["tier"], fields["eye"]["properties"]["state"]
    for schema, known in zip(listed, (Phase, Code, Reason, Tier, Quality), strict=True):
        assert {value for value in schema["enum"] if value is not None} == {one.value for one in known}
