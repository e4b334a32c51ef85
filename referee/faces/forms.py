"""Signs of action cards and wilds in other drawings than the usual ones, as editions have them: one record."""

from __future__ import annotations

import random
from dataclasses import dataclass

REVERSES = ("", "arrows", "hooks", "arcs", "heads", "loop", "double")
SKIPS = ("", "ring", "disc", "octagon", "x")
DRAWS = ("", "cards", "fan", "side", "split", "digit")
WILDS = ("", "stripes", "box", "star", "discs", "ring", "fan", "pinwheel")


@dataclass(frozen=True, slots=True)
class Forms:
    """How a deck draws its signs; an empty kind leaves what the design says.

    reverse: arrows (two straight ones), hooks (bent ones), arcs (on a circle), heads (without shafts), loop (one arrow
    round a circle), double (one with two heads). skip: a barred ring, disc or octagon, or two crossing bars. draw: two
    cards (one behind, fanned, side by side) in the corner, too, or a number with a small plus or none. wild: the four
    colours as stripes, in a box or star, as discs, a ring, a fan of cards, or a pinwheel.

    Lengths are shares of the sign's height, angles degrees clockwise. tilt: of the whole sign; pen: of its lines; head:
    length of arrow heads, barb: their half width, sweep: how far the barbs hang back; gap: between the axis and either
    arrow; span: of an arc; many: arcs; flat: height by width of rings; over: how far a bar reaches beyond its ring;
    bar: how it lies, counter-clockwise; mirrored: the other way round; open: heads of lines. reverse_icon, skip_icon: a
    font file and the character of it that is the sign instead, to measure on; they need Pillow.
    """

    reverse: str = ""
    skip: str = ""
    draw: str = ""
    wild: str = ""
    tilt: float = 40.0
    pen: float = 0.16
    head: float = 0.3
    barb: float = 0.24
    sweep: float = 0.0
    gap: float = 0.22
    span: float = 130.0
    many: int = 2
    flat: float = 1.0
    over: float = 0.0
    bar: float = 45.0
    mirrored: bool = False
    open: bool = False
    reverse_icon: tuple[str, str] | None = None
    skip_icon: tuple[str, str] | None = None

    def __post_init__(self) -> None:
        for name, value, known in (
            ("reverse", self.reverse, REVERSES), ("skip", self.skip, SKIPS), ("draw", self.draw, DRAWS),
            ("wild", self.wild, WILDS),
        ):  # fmt: skip
            if value not in known:
                raise ValueError(f"a form of {name} is {value!r}: expected one of {', '.join(filter(None, known))}")


def random_forms(rng: random.Random) -> Forms:
    """Signs drawn at random."""
    reverse = rng.choices(REVERSES, (15, 24, 22, 22, 7, 4, 6))[0]
    many = rng.choices((2, 3), (88, 12))[0]
    pen = rng.uniform(0.08, 0.22)
    return Forms(
        reverse=reverse,
        skip=rng.choices(SKIPS, (20, 52, 14, 8, 6))[0],
        draw=rng.choices(DRAWS, (30, 18, 16, 12, 14, 10))[0],
        wild=rng.choices(WILDS, (30, 12, 16, 8, 8, 8, 10, 8))[0],
        tilt=rng.choice((rng.uniform(-60, 60), rng.uniform(20, 50), 0.0, 90.0)),
        pen=pen,
        head=rng.uniform(0.2, 0.42),
        barb=pen / 2 + rng.uniform(0.06, 0.18),
        sweep=rng.choice((0.0, rng.uniform(-0.05, 0.12))),
        gap=pen / 2 + rng.uniform(0.03, 0.2),
        span=rng.uniform(95, 150) if many == 2 else rng.uniform(60, 95),
        many=many,
        flat=rng.choice((1.0, 1.0, rng.uniform(0.65, 1.35))),
        over=rng.choice((0.0, 0.0, rng.uniform(-0.12, 0.16))),
        bar=rng.choice((45.0, -45.0, rng.uniform(30, 60), rng.uniform(-60, -30), 0.0)),
        mirrored=rng.random() < 0.5,
        open=rng.random() < 0.2,
    )
