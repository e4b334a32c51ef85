"""How a deck looks: everything that differs between printed editions, as one record."""

from __future__ import annotations

import colorsys
import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from referee.faces.forms import Forms

Bgr = tuple[int, int, int]
"""A colour as cv2 takes it: blue, green, red, 0 to 255."""

WHITE: Bgr = (255, 255, 255)
BLACK: Bgr = (20, 20, 20)

OVALS = ("white", "outline", "colour", "sunburst", "none")
GROUNDS = ("colour", "white", "dark")
FONTS = ("stroke", "duplex", "complex", "triplex")
SKIPS = ("slash", "backslash", "cross", "word")
REVERSES = ("diagonal", "upright", "curved", "chevron", "word")
DRAWS = ("cards", "text", "cards_text", "word")
WILDS = ("oval", "wheel", "oval_word", "quarters_word", "word", "blades")
WILD_DRAWS = ("cards", "text", "oval_text", "word", "cards_wide")


@dataclass(frozen=True, slots=True)
class Design:
    """One deck's look. Lengths are millimetres on a card of 56 x 87, angles degrees, shares 0 to 1.

    tints: red, yellow, green, blue as B, G, R. ground: what fills the face inside the border.
    oval: the form behind the middle symbol, with its half axes and its tilt (positive leans right).
    font: digits as our own strokes or one of OpenCV's Hershey faces; typeface: a font file instead, if any; weight is
    the stroke width as a share of the digit's height, bowl the exponent of its curves (2 round, 4 square). centre_fill
    and corner_fill: "tint", "white" or "black". skip, reverse, draw, wild, wild_draw: one of the drawings named in this
    module. corners: how many corners carry the index (0, 2 or 4). shape_marks: circle, star, triangle, square beside
    the index. forms: drawings of signs besides those named here.
    """

    tints: tuple[Bgr, Bgr, Bgr, Bgr] = ((36, 28, 215), (0, 200, 250), (70, 150, 40), (190, 95, 20))
    ground: str = "colour"
    border: float = 3.5
    border_colour: Bgr = WHITE
    edge_radius: float = 4.0
    inner_radius: float = 3.0
    gradient: float = 0.0
    oval: str = "white"
    oval_long: float = 33.0
    oval_wide: float = 19.0
    oval_tilt: float = 28.0
    oval_line: float = 1.2
    rays: int = 48
    font: str = "stroke"
    typeface: str = ""
    weight: float = 0.2
    narrow: float = 0.62
    slant: float = 0.0
    bowl: float = 2.3
    butt: bool = True
    variant: int = 0
    outline: float = 0.0
    shadow: float = 0.0
    shadow_angle: float = 225.0
    centre_height: float = 27.0
    centre_fill: str = "tint"
    corner_fill: str = "white"
    corner_outline: float = 0.0
    corner_height: float = 9.0
    corner_x: float = 8.0
    corner_y: float = 10.5
    corners: int = 2
    underline: str = "both"
    skip: str = "slash"
    reverse: str = "diagonal"
    draw: str = "cards"
    wild: str = "oval"
    wild_draw: str = "cards"
    wild_ground: Bgr = BLACK
    wild_order: tuple[int, int, int, int] = (0, 3, 1, 2)
    shape_marks: bool = False
    logo: str = ""
    back: Bgr = BLACK
    back_accent: Bgr = (30, 30, 210)
    back_kind: int = 0
    forms: Forms = field(default_factory=Forms)

    def __post_init__(self) -> None:
        for name, value, known in (
            ("oval", self.oval, OVALS), ("ground", self.ground, GROUNDS), ("font", self.font, FONTS),
            ("skip", self.skip, SKIPS), ("reverse", self.reverse, REVERSES), ("draw", self.draw, DRAWS),
            ("wild", self.wild, WILDS), ("wild_draw", self.wild_draw, WILD_DRAWS),
            ("centre_fill", self.centre_fill, ("tint", "white", "black")),
            ("corner_fill", self.corner_fill, ("tint", "white", "black")), ("corners", self.corners, (0, 2, 4)),
            ("underline", self.underline, ("both", "centre", "corner", "none")),
        ):  # fmt: skip
            if value not in known:
                raise ValueError(f"a design's {name} is {value!r}: expected one of {', '.join(map(str, known))}")

    @property
    def tells_nine(self) -> bool:
        """Whether a line below its 6 and 9 is drawn anywhere: without one a 9 is a 6 that lies upside down."""
        return self.underline in ("both", "centre") or (self.underline == "corner" and self.corners > 0)


_WHITE_OVAL = Design(slant=0.18, outline=0.5, shadow=1.1, centre_height=28)
_COLOUR_OVAL = Design(
    oval="outline", oval_long=38, oval_wide=20, oval_tilt=27, oval_line=1.5, centre_fill="white", outline=0.5,
    shadow=1.2, weight=0.21, corner_height=10, corner_outline=0.4, draw="cards",
)  # fmt: skip
_PLAIN = Design(
    oval="none", centre_fill="white", centre_height=34, weight=0.19, bowl=2.8, border=0.0, corner_height=8,
    draw="text", wild="wheel", wild_draw="text", skip="slash", reverse="upright", underline="both",
)  # fmt: skip

STYLES: Mapping[str, Design] = {
    "white_oval": _WHITE_OVAL,
    "colour_oval": _COLOUR_OVAL,
    "plain": _PLAIN,
    "white_oval_shapes": replace(_WHITE_OVAL, shape_marks=True),
    "colour_oval_shapes": replace(_COLOUR_OVAL, shape_marks=True),
    "plain_shapes": replace(_PLAIN, shape_marks=True),
}
"""Fixed looks for the demo, with and without the shapes for players who cannot tell the colours apart."""


def _tint(
    rng: random.Random, hue: tuple[float, float], saturation: tuple[float, float], value: tuple[float, float]
) -> Bgr:
    r, g, b = colorsys.hsv_to_rgb(rng.uniform(*hue) % 360 / 360, rng.uniform(*saturation), rng.uniform(*value))
    return round(b * 255), round(g * 255), round(r * 255)


def _tints(rng: random.Random) -> tuple[Bgr, Bgr, Bgr, Bgr]:
    red = _tint(rng, (347, 372), (0.72, 1.0), (0.66, 1.0))
    yellow = _tint(rng, (40, 58), (0.75, 1.0), (0.82, 1.0))
    green = _tint(rng, (82, 165), (0.5, 1.0), (0.34, 0.78))
    blue = _tint(rng, (198, 236), (0.55, 1.0), (0.48, 0.98))
    return red, yellow, green, blue


TYPESET = 0.6
"""Share of random decks in a real typeface, where some are given."""

FORMED = 0.6
"""Share of random decks with signs in other drawings, where there are some."""


def random_design(
    rng: random.Random, *, unmarked: bool = False, typefaces: Sequence[str] = (),
    forms: Callable[[random.Random], Forms] | None = None,
) -> Design:  # fmt: skip
    """A deck design drawn at random: near the printed families most of the time, any mixture otherwise.

    unmarked: one in six has no line below its 6 and 9, so that nobody can tell them apart. Such decks teach a reader to
    doubt; nobody can play with them. typefaces: font files, of which a part of the decks has one. forms: draws the
    signs of a part of the decks.
    """
    design = _mixed(rng)
    if typefaces and rng.random() < TYPESET:
        design = replace(design, typeface=rng.choice(typefaces))
    if forms is not None and rng.random() < FORMED:
        design = replace(design, forms=forms(rng))
    return design if unmarked or design.tells_nine else replace(design, underline="both")


def _mixed(rng: random.Random) -> Design:
    oval = rng.choices(OVALS, (36, 26, 8, 14, 16))[0]
    ground = rng.choices(GROUNDS, (86, 8, 6))[0]
    if ground != "colour" and oval in ("white", "sunburst"):
        oval = "outline"
    on_white = oval in ("white", "sunburst")
    if on_white:
        fill = rng.choices(("tint", "black"), (93, 7))[0]
    elif ground == "colour":
        fill = rng.choices(("white", "black", "tint"), (88, 12, 0))[0]
    else:
        fill = "tint"
    corner = "tint" if ground != "colour" else rng.choices(("white", "black"), (90, 10))[0]
    long = rng.uniform(26, 40)
    wide = rng.uniform(17, 24)
    tilt = rng.choice((rng.uniform(15, 45), rng.uniform(22, 35), 0.0))
    if oval == "sunburst" or rng.random() < 0.08:
        long = wide = rng.uniform(18, 25)
    outline = rng.choice((0.0, rng.uniform(0.2, 1.0), rng.uniform(0.2, 1.4)))
    words = rng.random() < 0.12
    border = rng.choices((rng.uniform(2, 5), 0.0, rng.uniform(1, 7)), (80, 8, 12))[0]
    dark_border = rng.random() < 0.1
    tint = _tints(rng)
    height = rng.uniform(19, 34)
    wild = "quarters_word" if words and rng.random() < 0.5 else rng.choices(WILDS, (36, 16, 18, 8, 12, 10))[0]
    return Design(
        tints=tint,
        ground=ground,
        border=border,
        border_colour=_grey(rng, 10, 60) if dark_border else _grey(rng, 225, 255),
        edge_radius=rng.uniform(2.0, 6.0),
        inner_radius=rng.choice((0.0, rng.uniform(0.5, 5))),
        gradient=rng.choice((0.0, 0.0, rng.uniform(0.05, 0.4))),
        oval=oval,
        oval_long=long,
        oval_wide=wide,
        oval_tilt=tilt,
        oval_line=rng.uniform(0.6, 2.4),
        rays=rng.choice((24, 36, 48, 72)),
        font=rng.choices(FONTS, (78, 8, 7, 7))[0],
        weight=rng.uniform(0.1, 0.27),
        narrow=rng.uniform(0.45, 0.75),
        slant=rng.choice((0.0, rng.uniform(0.05, 0.35), rng.uniform(-0.08, 0.3))),
        bowl=rng.choice((2.0, rng.uniform(2.0, 2.8), rng.uniform(2.4, 5.0))),
        butt=rng.random() < 0.7,
        variant=rng.randrange(64),
        outline=outline,
        shadow=rng.choice((0.0, rng.uniform(0.4, 1.4), rng.uniform(0.6, 2.2))),
        shadow_angle=rng.choice((225.0, 225.0, 315.0, rng.uniform(180, 360))),
        centre_height=height,
        centre_fill=fill,
        corner_fill=corner,
        corner_outline=rng.choice((0.0, rng.uniform(0.2, 0.6))),
        corner_height=rng.uniform(6.0, 12.5),
        corner_x=border + rng.uniform(4.0, 6.0),
        corner_y=border + rng.uniform(5.5, 8.5),
        corners=rng.choices((2, 4, 0), (90, 6, 4))[0],
        underline=rng.choices(("both", "centre", "corner", "none"), (64, 12, 8, 16))[0],
        skip="word" if words else rng.choices(SKIPS[:3], (80, 10, 10))[0],
        reverse="word" if words else rng.choices(REVERSES[:4], (55, 20, 15, 10))[0],
        draw="word" if words else rng.choices(DRAWS[:3], (58, 27, 15))[0],
        wild=wild,
        wild_draw="word" if words else rng.choices(WILD_DRAWS, (48, 16, 14, 8, 14))[0],
        wild_ground=rng.choices((BLACK, _grey(rng, 10, 70), _grey(rng, 235, 255)), (60, 28, 12))[0],
        wild_order=rng.choice(((0, 3, 1, 2), (3, 0, 2, 1), (2, 1, 3, 0), (0, 1, 3, 2), (1, 0, 2, 3))),
        shape_marks=rng.random() < 0.13,
        logo=rng.choices(("", "UNO", "ONE", "PLAY", "24", "*"), (82, 6, 4, 3, 2, 3))[0],
        back=rng.choice((BLACK, BLACK, tint[0], tint[3], _grey(rng, 20, 250))),
        back_accent=rng.choice((tint[0], tint[1], WHITE, tint[2])),
        back_kind=rng.randrange(5),
    )


def _grey(rng: random.Random, low: int, high: int) -> Bgr:
    value = rng.randint(low, high)
    return value, value, value
