"""Eight phones and a television referee a hand: a wild, a correction, an appeal, a challenge, a catch, an undo."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import club_evening
import pytest

from referee.rules import Tier

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")

pytestmark = [
    pytest.mark.browser, pytest.mark.slow,
    pytest.mark.skipif(CHROMIUM is None, reason="Chromium is not installed"),
]  # fmt: skip


def test_eight_phones_and_a_television_play_a_hand(browser: Any, tmp_path: Path) -> None:
    table = club_evening.Table(tmp_path)
    phones = club_evening.play(browser, table, lambda name, page: None)
    phones.close()
    board, game = table.session.board(), table.session.replayed()
    table.close()
    assert phones.troubles == []
    assert (board["phase"], board["hand"]) == ("opening", 2)
    assert {player["name"]: player["score"] for player in board["players"]}["Ben"] == sum(range(1, 9)) - 2
    standing = [filed.ruling for filed in game.rulings if not filed.overruled]
    called = [ruling.code.value for ruling in standing if ruling.tier is Tier.CALL]
    assert "illegal_card" not in called
    assert {"catch_ok", "guilty", "hand_over"} <= set(called)
