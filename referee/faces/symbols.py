"""The signs of action cards and wilds, in the drawings that printed decks use, each centred on a point."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from referee.cards import Colour
from referee.faces.canvas import Canvas, Points, arc, box, turn
from referee.faces.design import WHITE, Bgr, Design
from referee.faces.glyphs import Ink


@dataclass(frozen=True, slots=True)
class Shape:
    """Filled outlines and lines of a pen, about (0, 0), in mm."""

    outlines: list[Points]
    lines: list[Points]
    pen: float

    def draw(self, canvas: Canvas, x: float, y: float, ink: Ink, butt: bool) -> None:
        """Inks the shape about (x, y)."""
        for dx, dy, grow, colour in ink.passes():
            for outline in self.outlines:
                moved = outline + [x + dx, y + dy]
                canvas.polygon(moved, colour)
                if grow:
                    canvas.stroke(np.vstack([moved, moved[:1]]), grow * 2, colour)
            canvas.strokes([line + [x + dx, y + dy] for line in self.lines], self.pen, colour, butt, grow)


def skip(canvas: Canvas, x: float, y: float, height: float, ink: Ink, design: Design) -> None:
    """A ring with a bar."""
    pen = height * (0.10 + 0.4 * design.weight)
    r = height / 2 - pen / 2
    ring = arc(x, y, r, r, 0, 360)
    angle = 45 if design.skip == "backslash" else -45
    lines = [ring] + [
        turn(np.array([[x - r, y], [x + r, y]]), a, x, y)
        for a in ([angle, angle + 90] if design.skip == "cross" else [angle])
    ]
    for dx, dy, grow, colour in ink.passes():
        canvas.strokes([line + [dx, dy] for line in lines], pen, colour, False, grow)


def _arrow(length: float, width: float, head: float) -> Points:
    """An arrow pointing up from (0, length/2) to (0, -length/2)."""
    h, w, tip = length / 2, width / 2, width * 1.05
    return np.array([[-w, h], [-w, -h + head], [-tip, -h + head], [0, -h], [tip, -h + head], [w, -h + head], [w, h]])


def reverse(canvas: Canvas, x: float, y: float, height: float, ink: Ink, design: Design) -> None:
    """Two arrows against each other."""
    outlines: list[Points] = []
    lines: list[Points] = []
    pen = height * (0.1 + 0.35 * design.weight)
    if design.reverse in ("diagonal", "upright"):
        a = _arrow(height * 0.86, height * (0.14 + 0.4 * design.weight), height * 0.32)
        gap = height * (0.15 + 0.4 * design.weight)
        pair = [a + [-gap, -height * 0.05], -(a + [-gap, -height * 0.05])]
        tilt = 38 if design.reverse == "diagonal" else 0
        outlines = [turn(p, tilt) for p in pair]
    elif design.reverse == "chevron":
        for side in (-1, 1):
            v = np.array([[-0.3, 0.16], [0.0, -0.16], [0.3, 0.16]]) * height
            lines.append(turn(v + [0, -0.22 * height], 90 * side))
    else:
        for side in (0, 180):
            r = height * 0.36
            lines.append(turn(arc(0, 0, r, r, 200, 330), side))
            tip = turn(np.array([[r, 0.0]]), 335)[0]
            head = np.array([[-0.02, 0.22], [-0.24, -0.02], [0.24, -0.1]]) * height * 0.9
            outlines.append(turn(head + tip, side))
    Shape(outlines, lines, pen).draw(canvas, x, y, ink, design.butt)


def little_cards(
    canvas: Canvas, x: float, y: float, height: float, fills: list[Bgr], ink: Ink, design: Design, wide: bool = False
) -> None:
    """Two or four small cards, leaning, overlapping; the sign of Draw Two and Wild Draw Four."""
    many = len(fills) > 2
    h = height * (0.52 if many else 0.66)
    w = h * 0.62
    lean = 0.0 if design.variant & 8 else 0.28
    card = box(-w / 2, -h / 2, w / 2, h / 2, h * 0.08)
    card[:, 0] -= lean * card[:, 1]
    step = np.array([w * 0.42, -h * 0.3])
    if many and wide:
        places = [np.array([(i - 1.5) * w * 0.72, 0.0]) for i in range(4)]
    elif many:
        places = [np.array(p) * [w, h] for p in ((0.18, -0.46), (-0.6, -0.02), (0.1, 0.42), (0.62, 0.08))]
    else:
        places = [-step * 0.6, step * 0.6]
    line = max(0.35, ink.outline)
    for place, fill in zip(places, fills, strict=True):
        p = card + place + [x, y]
        ring = np.vstack([p, p[:1]])
        dx, dy = ink.shadow
        if dx or dy:
            canvas.polygon(p + [dx, dy], ink.line)
        canvas.stroke(ring, 1.6 + 2 * line, ink.line if design.outline or design.centre_fill == "tint" else WHITE)
        canvas.stroke(ring, 1.6, WHITE)
        canvas.polygon(p, fill)


def quarters(canvas: Canvas, outline: Points, x: float, y: float, design: Design, degrees: float = 0.0) -> None:
    """A closed outline filled with the four colours, cut by two lines through (x, y) turned by `degrees`."""
    fine = _dense(outline)
    angles = (np.degrees(np.arctan2(fine[:, 1] - y, fine[:, 0] - x)) - degrees) % 360
    for quarter in range(4):
        chosen = fine[(angles >= quarter * 90 - 1.5) & (angles <= quarter * 90 + 91.5)]
        order = np.argsort(
            (np.degrees(np.arctan2(chosen[:, 1] - y, chosen[:, 0] - x)) - degrees - quarter * 90 + 45) % 360
        )
        canvas.polygon(np.vstack([[x, y], chosen[order]]), design.tints[design.wild_order[quarter]])


def _dense(outline: Points) -> Points:
    closed = np.vstack([outline, outline[:1]])
    steps = np.linspace(0, 1, 12, endpoint=False)[:, None]
    return np.concatenate([a + steps * (b - a) for a, b in zip(closed[:-1], closed[1:], strict=True)])


def blades(canvas: Canvas, x: float, y: float, radius: float, design: Design) -> None:
    """Four petals round a point: another drawing of Wild."""
    for i in range(4):
        petal = arc(0, -radius * 0.52, radius * 0.36, radius * 0.5, 0, 351)
        canvas.polygon(turn(petal, 45 + i * 90) + [x, y], design.tints[design.wild_order[i]])


def mark(canvas: Canvas, colour: Colour, x: float, y: float, size: float, ink: Ink) -> None:
    """The colour's shape: red circle, yellow star, green triangle, blue square."""
    r = size / 2
    if colour is Colour.RED:
        shape = arc(0, 0, r, r, 0, 351)
    elif colour is Colour.YELLOW:
        points = [(i * math.pi / 5, r * (1.15 if i % 2 == 0 else 0.5)) for i in range(10)]
        shape = np.array([[math.sin(angle) * reach, -math.cos(angle) * reach] for angle, reach in points])
    elif colour is Colour.GREEN:
        shape = np.array([[0, -r * 1.1], [r * 1.1, r * 0.8], [-r * 1.1, r * 0.8]])
    else:
        shape = box(-r * 0.9, -r * 0.9, r * 0.9, r * 0.9)
    if ink.outline:
        closed = np.vstack([shape, shape[:1]]) + [x, y]
        canvas.stroke(closed, 2 * ink.outline, ink.line)
    canvas.polygon(shape + [x, y], ink.fill)


def swap(canvas: Canvas, x: float, y: float, height: float, ink: Ink, crossed: bool) -> None:
    """Two bent arrows (swap hands), or two crossing ones (shuffle hands)."""
    pen = height * 0.11
    for side in (0, 180):
        if crossed:
            t = np.linspace(0, 1, 12)[:, None]
            line = np.hstack([(t - 0.5) * height, np.tanh((t - 0.5) * 5) * height * 0.26])
            line = line if side == 0 else line * [1, -1]
            tip, facing = line[-1], 90
        else:
            r = height * 0.38
            line = turn(arc(0, 0, r, r, 195, 345), side)
            tip, facing = line[-1], 165 + side
        head = turn(np.array([[0, -0.2], [0.17, 0.09], [-0.17, 0.09]]) * height, facing) + tip
        for dx, dy, grow, colour in ink.passes():
            canvas.stroke(line + [x + dx, y + dy], pen, colour, True, grow)
            canvas.polygon(head + [x + dx, y + dy], colour)
