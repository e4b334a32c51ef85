"""A position as one line of text, and back."""

from __future__ import annotations

import pytest
from hypothesis import given
from tables_of_events import adversarial_logs
from test_invariants import rules, run

from referee.cards import FACES
from referee.events import Event
from referee.rules import Options, Phase, can_play
from referee.rules.notation import read, write

LINES = [
    "hand 1 Ana:7 Ben:7 Cy:7* | opening - + - - | score 0 0 0 | pile 87 | laid 0",
    "hand 2 Ana:1! Ben:2-4~3 Cy:7* | turn Ben + R8 R | due Ben=2uno | score 40 0 12 | pile 61 | laid 9",
    "hand 1 Ana:5 Ben:5* | wd4 Ben + W+4 B | four Ana Ben R8 R 0 - | due Ben=4wd4 | score 0 0 | laid 2",
    "hand 1 Ana:4 Ben:5* | takeback Ana + R8 R | wrong Ana B3 illegal_card turn 1 | score 0 0 | laid 1",
]


@pytest.mark.parametrize("line", LINES)
def test_a_line_round_trips(line: str) -> None:
    assert write(read(line, Options())) == line


@rules
@given(adversarial_logs(longest=20))
def test_every_position_round_trips_and_plays_the_same(log: list[tuple[int, Event]]) -> None:
    for position in run(log)[0][-3:]:
        line = write(position)
        back = read(line, position.options)
        assert write(back) == line
        free = position.last is None and position.loose == back.loose and not position.begun
        if free and position.phase is Phase.TURN:
            assert [can_play(back, card) for card in FACES] == [can_play(position, card) for card in FACES]


@pytest.mark.parametrize(
    ("line", "complaint"),
    [
        ("", "begin with"),
        ("hand 1 Ana:7 Ben:x | turn Ana + R8 R", "begin with"),
        ("hand 1 Ana:7 Ben:7 | walking Ana + R8 R", "expected a phase"),
        ("hand 1 Ana:7 Ben:7 | turn Zoe + R8 R", "'Zoe' is not a player"),
        ("hand 1 Ana:7 Ben:7 | turn Ana + Q8 R", "is not a card"),
    ],
)
def test_what_cannot_be_read_is_named(line: str, complaint: str) -> None:
    with pytest.raises(ValueError, match=complaint):
        read(line, Options())
