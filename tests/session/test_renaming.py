"""A player who gets another name in the middle of a game: as if that had been the name from the start."""

from __future__ import annotations

from pathlib import Path
from random import Random

import playing
import pytest
from test_edits import anything

from referee.event_json import encode
from referee.events import Rename, Undo, Uno
from referee.rules import replay
from referee.rules.renaming import renamed

OLD, NEW = playing.PLAYERS[1], "Benjamin"


@pytest.mark.parametrize("seed", range(3))
def test_a_renamed_player_had_that_name_from_the_start(tmp_path: Path, seed: int) -> None:
    rng = Random(seed)
    session = playing.open_session(tmp_path)
    playing.begin(session)
    for step in range(60):
        if step == 30:
            session.record(Rename(player=OLD, to=NEW), "host")
        session.record(anything(session, rng), "table")
    told, position = session.replayed(), session.position()
    log = [(entry.number, entry.event) for entry in session.entries() if not isinstance(entry.event, Rename)]
    session.close()
    from_the_start = replay((number, renamed(event, {OLD: NEW})) for number, event in log)
    assert position == told.position == from_the_start.position
    assert told.rulings == from_the_start.rulings
    assert told.plays == from_the_start.plays


def test_a_phone_that_still_says_the_old_name_is_understood(tmp_path: Path) -> None:
    session = playing.open_session(tmp_path)
    playing.begin(session)
    session.record(Rename(player=OLD, to=NEW), "host")
    session.record(Uno(by=OLD), OLD)
    event = session.replayed().events[-1][1]
    session.close()
    assert encode(event)["by"] == NEW


def test_a_name_may_come_back_and_an_undo_passes_over_it(tmp_path: Path) -> None:
    session = playing.open_session(tmp_path)
    playing.begin(session)
    before = session.board()["players"]
    session.record(Rename(player=OLD, to=NEW), "host")
    session.record(Rename(player=NEW, to=OLD), "host")
    session.record(Rename(player=OLD, to=NEW), "host")
    assert [player["name"] for player in session.board()["players"]] == [
        NEW if player["name"] == OLD else player["name"] for player in before
    ]
    session.record(Undo(), "host")
    names = {player["name"] for player in session.board()["players"]}
    session.close()
    assert NEW in names


def test_nothing_is_announced_again_under_the_new_name(tmp_path: Path) -> None:
    session = playing.open_session(tmp_path)
    playing.begin(session)
    rng = Random(4)
    for _ in range(40):
        session.record(anything(session, rng), "table")
    seq = session.board()["seq"]
    session.record(Rename(player=OLD, to=NEW), "host")
    news = session.announcements(seq)
    session.close()
    assert news == []


@pytest.mark.parametrize(("player", "to"), [(OLD, playing.PLAYERS[0]), ("Nobody", NEW), (OLD, OLD)])
def test_a_name_that_is_taken_is_refused(tmp_path: Path, player: str, to: str) -> None:
    session = playing.open_session(tmp_path)
    playing.begin(session)
    with pytest.raises(ValueError, match="play"):
        session.record(Rename(player=player, to=to), "host")
    assert len(session.entries()) == 1
    session.close()
