"""A session's exported log, judged again by `referee judge`, gives the same rulings and the same position."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random

import playing
import pytest

from referee.cards import FACES
from referee.events import Answer, Override, Undo
from referee.rules import PRESETS
from referee.rules.cases import judge_log, state, verdicts
from referee.session import Session
from referee.storage.export import export_log, log_text


def act(session: Session, t: float, rng: Random) -> None:
    """What happens next: mostly play, now and then what people tap when the referee was wrong, or asks."""
    position, entries = session.position(), session.entries()
    assert position is not None
    late = rng.choice(entries[1:]).number if entries[1:] else entries[0].number
    kind = rng.random()
    if kind < 0.70 or len(entries) < 3:
        session.record(playing.next_event(position, t, rng), "eye")
    elif kind < 0.76:
        session.record(Undo(ref=rng.choice([late, None]), by="Ana"), "Ana")
    elif kind < 0.84:
        card, player = rng.choice(FACES), rng.choice([None, *position.players])
        session.record(playing.correction(late, card, "Ben", player), "Ben")
    elif kind < 0.88:
        session.insert(playing.next_event(position, t, rng), late, "Cy")
    elif kind < 0.93:
        what, ref = rng.choice(["legal", "illegal", "void"]), rng.choice([late, None])
        session.record(Override(what=what, ref=ref, by="Ana"), "Ana")
    elif position.questions:
        question = position.questions[0]
        words = (*question.options, "yes", "no", "R7", "Ben")
        session.record(Answer(t=t, question=question.id, value=rng.choice(words)), "Ben")


@pytest.mark.parametrize("seed", range(8))
def test_an_exported_evening_is_judged_as_it_was(tmp_path: Path, seed: int) -> None:
    rng = Random(seed)
    session = playing.open_session(tmp_path)
    preset = rng.choice(list(PRESETS))
    session.start_game(playing.PLAYERS, preset, "Cy", {"enforcement": rng.choice(["strict", "advisory"])}, "host")
    for step in range(90):
        act(session, 2.0 + 1.5 * step, rng)
    told, position = session.replayed(), session.position()
    log = json.loads(log_text(export_log(session.entries())))
    session.close()
    assert position is not None
    answer = judge_log(log["events"])
    assert answer["verdicts"] == verdicts(told)
    assert {key: answer[key] for key in state(position)} == state(position)
