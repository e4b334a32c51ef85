"""How one simulated table looks: its top, its deck, and the seed of everything that chance decides."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random

from referee.faces import STYLES, Design, random_design
from referee.virtual_table.script import Level
from referee.virtual_table.surfaces import TABLES

ANY_STYLE = "any"
"""The style that stands for a deck design drawn at random."""


@dataclass(frozen=True, slots=True)
class Look:
    """table: one of `surfaces.TABLES`. style: a name in `faces.STYLES`, or "any". design: the deck it stands for."""

    seed: int
    level: Level
    table: str
    style: str
    design: Design

    @classmethod
    def draw(cls, seed: int, level: Level, table: str | None = None, style: str | None = None) -> Look:
        """A look; what is not given is drawn at random by the seed. Raises ValueError for an unknown name."""
        rng = Random(f"look {seed}")
        kinds = ("wood", "felt", "white") if level is Level.EASY else TABLES
        drawn_table, drawn_style = rng.choice(kinds), rng.choice(list(STYLES))
        table, style = table or drawn_table, style or drawn_style
        if table not in TABLES:
            raise ValueError(f"table is {table!r}: expected one of {', '.join(TABLES)}")
        if style != ANY_STYLE and style not in STYLES:
            raise ValueError(f"style is {style!r}: expected {ANY_STYLE} or one of {', '.join(STYLES)}")
        return cls(seed, level, table, style, random_design(rng) if style == ANY_STYLE else STYLES[style])
