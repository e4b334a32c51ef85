"""Draws a whole card: a face, a blank, a back, or one of another edition."""

from __future__ import annotations

import math
from collections.abc import Iterator

import cv2
import numpy as np
import numpy.typing as npt

from referee.cards import Card, Colour, Rank
from referee.faces import signs, symbols
from referee.faces.canvas import CARD_MM, Canvas, Points, arc, box, turn
from referee.faces.design import BLACK, WHITE, Bgr, Design
from referee.faces.glyphs import Ink, draw_text, draw_word

_ORDER = (Colour.RED, Colour.YELLOW, Colour.GREEN, Colour.BLUE)
_CX, _CY = CARD_MM[0] / 2, CARD_MM[1] / 2
_WORDS = {
    Rank.SKIP: ("SKIP",), Rank.REVERSE: ("REVERSE",), Rank.DRAW_TWO: ("DRAW", "TWO"), Rank.WILD: ("WILD",),
    Rank.WILD_DRAW_FOUR: ("WILD", "DRAW FOUR"), Rank.WILD_SHUFFLE_HANDS: ("SHUFFLE", "HANDS"),
    Rank.WILD_SWAP_HANDS: ("SWAP", "HANDS"), Rank.WILD_CUSTOMIZABLE: (),
}  # fmt: skip

__all__ = ["CARD_MM", "draw_back", "draw_blank", "draw_face", "draw_text_card"]


def draw_face(card: Card, design: Design, height_px: int) -> npt.NDArray[np.uint8]:
    """The face of `card`: uint8 (height_px, width, 4) B, G, R, alpha, 56 x 87 mm, upright. height_px: 24 or more."""
    canvas, tint = _ground(design, height_px, card.colour)
    oval = _oval(design)
    if card.colour is None:
        _draw_wild(canvas, card.rank, design, oval)
    else:
        _draw_oval(canvas, design, oval, tint)
        _draw_coloured(canvas, card, design, tint)
    _logo(canvas, design)
    return canvas.finish(design.edge_radius)


def draw_blank(design: Design, height_px: int, colour: Colour | None = None) -> npt.NDArray[np.uint8]:
    """A card with ground and oval but no symbol: a spare card. Same array as `draw_face`."""
    canvas, tint = _ground(design, height_px, colour)
    _draw_oval(canvas, design, _oval(design), tint)
    return canvas.finish(design.edge_radius)


def draw_text_card(text: str, design: Design, height_px: int, colour: Colour | None = None) -> npt.NDArray[np.uint8]:
    """A card of another edition or game, with `text` in the middle and as index, such as `+1`. text: digits and plus
    signs; a word of capitals, of which the index is the first; or `DISCARD`, many little cards. Without a colour it is
    a wild one. Same array as `draw_face`."""
    canvas, tint = _ground(design, height_px, colour)
    oval = _oval(design)
    if colour is None:
        symbols.quarters(canvas, oval, _CX, _CY, design)
        on_white = sum(design.wild_ground) > 380
        middle = Ink(WHITE, max(0.5, design.outline), BLACK)
        corner = Ink(BLACK if on_white else WHITE, max(0.4, design.outline), WHITE if on_white else BLACK)
    else:
        _draw_oval(canvas, design, oval, tint)
        middle = _ink(design, design.centre_fill, tint, design.outline, design.shadow)
        corner = _ink(design, design.corner_fill, tint, design.corner_outline, design.corner_outline)
    _other_sign(canvas, text, _CX, _CY, design.centre_height * 0.85, middle, design, tint, True)
    for part, x in _corners(canvas, design):
        _other_sign(part, text, x, design.corner_y, design.corner_height * 0.7, corner, design, tint, False)
    _logo(canvas, design)
    return canvas.finish(design.edge_radius)


def _other_sign(
    canvas: Canvas, text: str, x: float, y: float, height: float, ink: Ink, design: Design, tint: Bgr, middle: bool
) -> None:
    """What is on a card of another edition. height: mm, of two signs where it is an index: of more it is less."""
    if text == "DISCARD":
        symbols.little_cards(canvas, x, y, height * 1.3, [tint] * 4, ink, design)
    elif text.isalpha() and middle and len(text) > 1:
        draw_word(canvas, text, x, y, height * 0.6, ink, design, width=min(38.0, len(text) * height * 0.6))
    elif text.isalpha():
        draw_word(canvas, text[0], x, y, height, ink, design)
    else:
        draw_text(canvas, text, x, y, height if middle else height * 2 / len(text), ink, design)


def draw_back(design: Design, height_px: int) -> npt.NDArray[np.uint8]:
    """The back of the deck's cards. Same array as `draw_face`."""
    canvas = Canvas(height_px, design.border_colour if design.border else design.back)
    b = design.border
    canvas.polygon(box(b, b, CARD_MM[0] - b, CARD_MM[1] - b, design.inner_radius), design.back)
    oval = _oval(design)
    accent = design.back_accent
    if design.back_kind in (0, 1):
        canvas.polygon(oval, accent)
        if design.back_kind == 1:
            closed = np.vstack([oval, oval[:1]])
            canvas.stroke(closed, 1.5, design.tints[1])
        word = Ink(design.tints[1], 0.7, BLACK, (0.6, 0.8))
        draw_word(canvas, design.logo or "ONE", _CX, _CY, 12, word, design, -62 + design.oval_tilt, width=34)
    elif design.back_kind == 2:
        for i in range(-12, 13):
            canvas.stroke(np.array([[i * 6.0, 0.0], [i * 6.0 + 50, 87.0]]), 1.2, accent)
            canvas.stroke(np.array([[i * 6.0 + 50, 0.0], [i * 6.0, 87.0]]), 1.2, accent)
        _frame(canvas, design)
    elif design.back_kind == 3:
        for r in range(30, 2, -4):
            canvas.disc(_CX, _CY, r, accent if r % 8 else design.back)
    else:
        canvas.polygon(box(b + 4, b + 4, CARD_MM[0] - b - 4, CARD_MM[1] - b - 4, 2), accent)
        canvas.polygon(box(b + 6, b + 6, CARD_MM[0] - b - 6, CARD_MM[1] - b - 6, 2), design.back)
        symbols.blades(canvas, _CX, _CY, 14, design)
    return canvas.finish(design.edge_radius)


def _frame(canvas: Canvas, design: Design) -> None:
    b = design.border / 2
    edge = box(b, b, CARD_MM[0] - b, CARD_MM[1] - b)
    if b:
        canvas.stroke(np.vstack([edge, edge[:1]]), 2 * b, design.border_colour)


def _tint(design: Design, colour: Colour | None) -> Bgr:
    return design.wild_ground if colour is None else design.tints[_ORDER.index(colour)]


def _ground(design: Design, height_px: int, colour: Colour | None) -> tuple[Canvas, Bgr]:
    tint = _tint(design, colour)
    ground = tint
    if colour is not None and design.ground != "colour":
        ground = WHITE if design.ground == "white" else BLACK
    border = design.border_colour
    if design.ground != "colour" and design.border > 4 and colour is not None:
        border = tint
    canvas = Canvas(height_px, border if design.border else ground)
    b = design.border
    canvas.polygon(box(b, b, CARD_MM[0] - b, CARD_MM[1] - b, design.inner_radius), ground)
    if design.gradient and b > 0:
        rows = np.linspace(1 + design.gradient / 2, 1 - design.gradient / 2, canvas.image.shape[0])[:, None, None]
        left = round(b * canvas.scale)
        inner = canvas.image[left:-left, left:-left]
        inner[:] = np.clip(inner * rows[left:-left], 0, 255).astype(np.uint8)
    return canvas, tint


def _oval(design: Design) -> Points:
    return turn(arc(0, 0, design.oval_wide, design.oval_long, 0, 351), design.oval_tilt) + [_CX, _CY]


def _draw_oval(canvas: Canvas, design: Design, oval: Points, tint: Bgr) -> None:
    closed = np.vstack([oval, oval[:1]])
    if design.oval == "outline":
        line = WHITE if design.ground == "colour" and tint != WHITE else tint
        canvas.stroke(closed, design.oval_line, line)
    elif design.oval == "colour":
        shade = tuple(int(c * 0.72) for c in tint)
        canvas.polygon(oval, (shade[0], shade[1], shade[2]))
    elif design.oval in ("white", "sunburst"):
        canvas.polygon(oval, WHITE)
        if design.oval == "sunburst":
            for i in range(design.rays):
                a = 2 * math.pi * i / design.rays
                ray = np.array([[0.55 * math.cos(a), 0.55 * math.sin(a)], [math.cos(a), math.sin(a)]])
                canvas.stroke(ray * design.oval_wide + [_CX, _CY], 0.35, (205, 205, 205), True)


def _fill(kind: str, tint: Bgr) -> Bgr:
    return {"tint": tint, "white": WHITE, "black": BLACK}[kind]


def _ink(design: Design, kind: str, tint: Bgr, outline: float, shadow: float) -> Ink:
    a = math.radians(design.shadow_angle)
    line = BLACK if kind != "black" else WHITE
    offset = (shadow * math.cos(a), -shadow * math.sin(a)) if kind != "black" else (0.0, 0.0)
    return Ink(_fill(kind, tint), outline, line, offset)


def _draw_coloured(canvas: Canvas, card: Card, design: Design, tint: Bgr) -> None:
    centre = _ink(design, design.centre_fill, tint, design.outline, design.shadow)
    _symbol(canvas, card.rank, _CX, _CY, design.centre_height, centre, design, tint, middle=True)
    corner_kind = design.corner_fill
    corner = _ink(design, corner_kind, tint, design.corner_outline, design.corner_outline)
    for part, x in _corners(canvas, design):
        _symbol(part, card.rank, x, design.corner_y, design.corner_height, corner, design, tint, middle=False)
        if design.shape_marks and card.colour is not None:
            size = design.corner_height * 0.62
            below = design.corner_y + design.corner_height * 0.72 + size * 0.6
            symbols.mark(part, card.colour, x, below, size, Ink(corner.fill, 0.25, corner.line))


def _corners(canvas: Canvas, design: Design) -> Iterator[tuple[Canvas, float]]:
    """For each corner that carries the index the card, turned so that it is upright there, and how far from the left
    the index is, mm. What is drawn on it until the next one is asked for is drawn on the card."""
    for half in (False, True) if design.corners else ():
        for mirror in (False, True) if design.corners == 4 else (False,):
            part = Canvas(canvas.height, WHITE)
            part.image = canvas.image if not half else np.ascontiguousarray(canvas.image[::-1, ::-1])
            yield part, CARD_MM[0] - design.corner_x if mirror else design.corner_x
            if half:
                canvas.image[:] = part.image[::-1, ::-1]


def _symbol(
    canvas: Canvas, rank: Rank, x: float, y: float, height: float, ink: Ink, design: Design, tint: Bgr, middle: bool
) -> None:
    if rank.is_number:
        line = design.underline in ("both", "centre" if middle else "corner") and rank in (Rank.SIX, Rank.NINE)
        draw_text(canvas, rank.value, x, y, height, ink, design, underline=line)
        return
    kind = {Rank.SKIP: design.skip, Rank.REVERSE: design.reverse, Rank.DRAW_TWO: design.draw}[rank]
    forms = design.forms
    if rank is Rank.SKIP and (forms.skip or forms.skip_icon):
        signs.skip(canvas, x, y, height, ink, design, WHITE if ink.fill == tint else tint)
    elif rank is Rank.REVERSE and (forms.reverse or forms.reverse_icon):
        signs.reverse(canvas, x, y, height, ink, design)
    elif rank is Rank.DRAW_TWO and forms.draw:
        fill = WHITE if design.centre_fill == "white" else tint
        signs.draw_two(canvas, x, y, height, ink, design, fill, middle)
    elif kind == "word":
        _words(canvas, _WORDS[rank], x, y, height, ink, design, middle)
    elif rank is Rank.SKIP:
        symbols.skip(canvas, x, y, height, ink, design)
    elif rank is Rank.REVERSE:
        symbols.reverse(canvas, x, y, height, ink, design)
    elif middle and kind != "text":
        fill = WHITE if design.centre_fill == "white" else tint
        symbols.little_cards(canvas, x, y, height * 1.15, [fill, fill], ink, design)
        if kind == "cards_text":
            draw_text(canvas, "+2", x, y, height * 0.4, Ink(BLACK, 0.5, WHITE), design)
    else:
        draw_text(canvas, "+2", x, y, height * (0.85 if middle else 0.8), ink, design)


def _words(
    canvas: Canvas, words: tuple[str, ...], x: float, y: float, height: float, ink: Ink, design: Design, middle: bool
) -> None:
    if not middle:
        draw_word(canvas, words[0][0], x, y, height * 0.8, ink, design)
        return
    tilt = -55 + (design.variant % 4) * 12 if design.variant & 1 else 0
    for i, word in enumerate(words):
        offset = turn(np.array([[0.0, (i - (len(words) - 1) / 2) * height * 0.5]]), tilt)[0]
        width = min(60.0 if tilt < -30 else 40.0, len(word) * height * 0.34)
        draw_word(canvas, word, x + offset[0], y + offset[1], height * 0.36, ink, design, tilt, width=width)


def _draw_wild(canvas: Canvas, rank: Rank, design: Design, oval: Points) -> None:
    on_white = sum(design.wild_ground) > 380
    text = Ink(BLACK if on_white else WHITE, max(0.4, design.outline), WHITE if on_white else BLACK)
    pop = Ink(WHITE, max(0.5, design.outline), BLACK, _ink(design, "white", WHITE, 0, design.shadow).shadow)
    height = design.centre_height
    if rank is Rank.WILD:
        _wild_centre(canvas, design, oval, pop)
    elif rank is Rank.WILD_DRAW_FOUR:
        _wild_draw_centre(canvas, design, oval, pop)
    elif rank is Rank.WILD_CUSTOMIZABLE:
        canvas.polygon(oval, WHITE)
        if design.variant & 2:
            for i in range(3):
                canvas.stroke(
                    np.array([[_CX - 12, _CY - 6.0 + 6 * i], [_CX + 12, _CY - 6.0 + 6 * i]]), 0.5, (150, 150, 150)
                )
    else:
        if design.variant & 1:
            symbols.quarters(canvas, oval, _CX, _CY, design)
        else:
            canvas.polygon(oval, WHITE)
        ink = pop if design.variant & 1 else Ink(BLACK)
        symbols.swap(canvas, _CX, _CY, height * 1.1, ink, rank is Rank.WILD_SHUFFLE_HANDS)
        if design.variant & 4:
            _words(canvas, _WORDS[rank], _CX, _CY, height * 0.8, pop, design, True)
    for part, x in _corners(canvas, design):
        _wild_corner(part, rank, x, design.corner_y, design.corner_height, text, design)


def _wild_centre(canvas: Canvas, design: Design, oval: Points, pop: Ink) -> None:
    if design.forms.wild:
        if design.variant & 16 and design.oval != "none":
            canvas.polygon(oval, WHITE)
        signs.wild(canvas, _CX, _CY, design.centre_height * 1.5, pop, design)
    elif design.wild == "quarters_word":
        b = max(2.0, design.border)
        symbols.quarters(canvas, box(b, b, CARD_MM[0] - b, CARD_MM[1] - b), _CX, _CY, design)
    elif design.wild == "wheel":
        r = min(24.0, design.oval_wide)
        canvas.disc(_CX, _CY, r + design.oval_line, WHITE)
        symbols.quarters(canvas, arc(_CX, _CY, r, r, 0, 351), _CX, _CY, design, 45 if design.variant & 16 else 0)
    elif design.wild == "blades":
        symbols.blades(canvas, _CX, _CY, 24, design)
    elif design.wild in ("oval", "oval_word"):
        if design.variant & 4:
            canvas.stroke(np.vstack([oval, oval[:1]]), design.oval_line * 2, WHITE)
        lean = (design.variant >> 3) % 3 * 14.0
        symbols.quarters(canvas, oval, _CX, _CY, design, lean)
    if design.wild in ("quarters_word", "word", "oval_word"):
        _words(canvas, ("WILD",), _CX, _CY, design.centre_height * 1.5, pop, design, True)


def _wild_draw_centre(canvas: Canvas, design: Design, oval: Points, pop: Ink) -> None:
    fills = [design.tints[i] for i in design.wild_order]
    kind = design.wild_draw
    if design.forms.draw in ("cards", "fan", "side"):
        if design.oval != "none" and not design.variant & 32:
            canvas.polygon(oval, WHITE)
        signs.cards(canvas, _CX, _CY, 38, fills, Ink(WHITE, 0.4, BLACK), design)
        if design.variant & 1:
            draw_text(canvas, "+4", _CX, _CY, design.centre_height * 0.6, pop, design)
    elif kind in ("cards", "cards_wide"):
        if design.oval != "none" and not design.variant & 32:
            canvas.polygon(oval, WHITE)
        symbols.little_cards(canvas, _CX, _CY, 34, fills, Ink(WHITE, 0.4, BLACK), design, kind == "cards_wide")
    elif kind == "word":
        symbols.quarters(canvas, oval, _CX, _CY, design)
        _words(canvas, _WORDS[Rank.WILD_DRAW_FOUR], _CX, _CY, design.centre_height * 1.2, pop, design, True)
    else:
        if kind == "oval_text":
            symbols.quarters(canvas, oval, _CX, _CY, design)
        else:
            for i, fill in enumerate(fills):
                canvas.disc(_CX + (i - 1.5) * 10, _CY + design.centre_height * 0.8, 4, fill)
        draw_text(canvas, "+4", _CX, _CY, design.centre_height, pop, design)


def _wild_corner(canvas: Canvas, rank: Rank, x: float, y: float, height: float, text: Ink, design: Design) -> None:
    if rank is Rank.WILD_DRAW_FOUR and design.wild_draw != "word":
        draw_text(canvas, "+4", x, y, height * 0.8, text, design)
    elif design.wild in ("word", "quarters_word") or design.wild_draw == "word":
        draw_word(canvas, "W", x, y, height * 0.75, text, design)
    elif rank is Rank.WILD and design.forms.wild:
        signs.wild(canvas, x, y, height * 1.1, Ink(WHITE, 0.2, BLACK), design)
    elif rank in (Rank.WILD_SWAP_HANDS, Rank.WILD_SHUFFLE_HANDS):
        symbols.swap(canvas, x, y, height * 0.9, Ink(text.fill), rank is Rank.WILD_SHUFFLE_HANDS)
    else:
        small = height / 2
        shape = turn(arc(0, 0, small * 0.75, small, 0, 351), design.oval_tilt) + [x, y]
        canvas.stroke(np.vstack([shape, shape[:1]]), 0.8, WHITE)
        symbols.quarters(canvas, shape, x, y, design)


def _logo(canvas: Canvas, design: Design) -> None:
    if not design.logo or design.corners == 4:
        return
    ink = Ink(WHITE, 0.3, BLACK)
    for _ in range(2):
        draw_word(canvas, design.logo, CARD_MM[0] - design.border - 6, design.border + 5, 3.5, ink, design, width=8)
        cv2.flip(canvas.image, -1, canvas.image)
