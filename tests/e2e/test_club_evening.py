"""Eight phones and a television at a rendered table, watched by the real eye: a wild, a correction, an appeal, and a
challenge that is settled by a hand shown to the camera. The whole game: `python tests/e2e/club_evening.py`."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import club_evening
import pytest

from referee.rules import Tier

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
ACTS = club_evening.ACTS[: club_evening.ACTS.index(club_evening.a_challenge) + 1]

pytestmark = [
    pytest.mark.browser, pytest.mark.slow,
    pytest.mark.skipif(CHROMIUM is None, reason="Chromium is not installed"),
]  # fmt: skip


def test_eight_phones_and_a_television_at_a_rendered_table(browser: Any, tmp_path: Path) -> None:
    table = club_evening.Table(tmp_path)
    try:
        phones = club_evening.Phones(browser, table)
        for act in ACTS:
            act(table, phones, lambda name, page: None)
        phones.lose("Ben")
        phones.join("Ben")
        phones.close()
        board, game = table.session.board(), table.session.replayed()
    finally:
        table.close()
    assert phones.troubles == []
    assert (board["phase"], board["turn"], board["top"], board["colour"]) == ("turn", "Finn", "W+4", "R")
    assert {player["name"]: player["best"] for player in board["players"]}["Eli"] == club_evening.HAND_SIZE - 1 + 4
    standing = [filed.ruling for filed in game.rulings if not filed.overruled]
    called = [ruling.code.value for ruling in standing if ruling.tier is Tier.CALL]
    assert "illegal_card" not in called
    assert "guilty" in called
