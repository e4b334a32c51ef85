"""An evening whose referee is restarted again and again is the evening that it would have been without."""

from __future__ import annotations

from pathlib import Path

import pytest
import restarting

EVENINGS = (9, 38, 57, 73, 130)
"""Evenings in which the plug is pulled in every phase but the first, in a pause, an appeal and a challenge, with cards
owed, after an appeal in vain, and while each kind of question is open."""


@pytest.mark.parametrize("seed", EVENINGS)
def test_restarts_change_nothing(tmp_path: Path, seed: int) -> None:
    assert restarting.differences(seed, tmp_path) == []
