"""However a log is edited, what the session holds is what its journal tells."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random

import playing
import pytest

from referee.events import Correct, Event, Override, Undo
from referee.session import Session

NONSENSE = ({"card": "R7"}, {"by": "Ben"}, {"n": 2}, {"card": 7}, {"sure": False}, {"no_such_field": 1}, {})


def anything(session: Session, rng: Random) -> Event:
    """The next event of a hand, or an edit of an earlier one, or one that comes late."""
    position, entries = session.position(), session.entries()
    assert position is not None
    t = entries[-1].event.t + 1.0
    ref = rng.choice(entries[1:] or entries).number
    if len(entries) < 3 or (chance := rng.random()) < 0.7:
        return playing.next_event(position, t, rng)
    if chance < 0.8:
        return Correct(t=t, ref=ref, fields=rng.choice(NONSENSE))
    if chance < 0.88:
        return Undo(t=t, ref=rng.choice([ref, None]))
    if chance < 0.92:
        return Override(t=t, what=rng.choice(["legal", "void", "no such thing"]), ref=rng.choice([ref, None]))
    return playing.next_event(position, max(0.5, t - 12 * rng.random()), rng)


@pytest.mark.parametrize("seed", range(4))
def test_the_game_in_memory_is_the_game_on_disk(tmp_path: Path, seed: int) -> None:
    rng = Random(seed)
    session = playing.open_session(tmp_path)
    playing.begin(session)
    for _ in range(70):
        session.record(anything(session, rng), "table")
        json.dumps(session.board())
    live, board = session.position(), session.board()
    session.close()

    resumed = playing.open_session(tmp_path)
    again, told = resumed.position(), resumed.replayed()
    same = {key: resumed.board()[key] for key in ("rulings", "plays", "players", "question", "actions")}
    resumed.close()
    assert live == again == told.position
    assert same == {key: board[key] for key in same}
