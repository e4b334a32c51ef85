"""Afterwards: what a game's journal tells about it, hand by hand, player by player, and about the referee itself.

Pure: `read(events)` replays a game, step by step; `statistics` counts what it found, and `game_json`, `hand_json` and
the others tell it.
"""

from referee.chronicle.reading import SILENT, Chronicle, Hand, Record, Step, read
from referee.chronicle.statistics import PlayerRecord, add_up, statistics
from referee.chronicle.telling import (
    game_json,
    hand_json,
    scores_csv,
    statistics_csv,
    statistics_json,
)

__all__ = [
    "SILENT",
    "Chronicle",
    "Hand",
    "PlayerRecord",
    "Record",
    "Step",
    "add_up",
    "game_json",
    "hand_json",
    "read",
    "scores_csv",
    "statistics",
    "statistics_csv",
    "statistics_json",
]
