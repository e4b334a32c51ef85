"""Signs in the drawings of `Forms`, each centred on a point: what editions print besides the usual ones."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np

from referee.faces.canvas import Canvas, Points, arc, box, turn
from referee.faces.design import BLACK, WHITE, Bgr, Design
from referee.faces.forms import Forms
from referee.faces.glyphs import Ink, draw_text, draw_word
from referee.faces.symbols import Shape, quarters


def reverse(canvas: Canvas, x: float, y: float, height: float, ink: Ink, design: Design) -> None:
    """Arrows against each other."""
    forms = design.forms
    if forms.reverse_icon:
        _icon(canvas, x, y, height, ink, design, forms.reverse_icon, forms.tilt)
        return
    outlines: list[Points] = []
    lines: list[Points] = []
    for path, headed in _paths(forms):
        _arrow(path, forms, headed, outlines, lines)
    flip = np.array([-1.0 if forms.mirrored else 1.0, 1.0])
    shape = Shape(
        [turn(part * flip, forms.tilt) * height for part in outlines],
        [turn(part * flip, forms.tilt) * height for part in lines],
        forms.pen * height,
    )
    shape.draw(canvas, x, y, ink, design.butt)


def _paths(forms: Forms) -> list[tuple[Points, bool]]:
    """The shafts of the arrows from tail to tip, in a box of height 1, and whether the tail has a head, too."""
    g = forms.gap
    if forms.reverse == "double":
        return [(np.array([[0.0, 0.5], [0.0, -0.5]]), True)]
    if forms.reverse == "loop":
        r = 0.42
        return [(arc(0, 0, r, r * forms.flat, -80, 200), False)]
    if forms.reverse == "arcs":
        r = 0.4
        turns = [i * 360 / forms.many for i in range(forms.many)]
        return [(turn(arc(0, 0, r, r * forms.flat, -forms.span / 2, forms.span / 2), a), False) for a in turns]
    if forms.reverse == "heads":
        up = np.array([[-g, 0.1], [-g, -0.2]])
    elif forms.reverse == "hooks":
        t = np.linspace(0, 1, 9)[:, None]
        tail, corner, rise = np.array([-g - 0.3, 0.42]), np.array([-g, 0.42]), np.array([-g, 0.05])
        bend = (1 - t) ** 2 * tail + 2 * t * (1 - t) * corner + t**2 * rise
        up = np.vstack([bend, [[-g, -0.42]]])
    else:
        up = np.array([[-g, 0.4], [-g, -0.45]])
    return [(up, False), (-up, False)]


def _arrow(path: Points, forms: Forms, both: bool, outlines: list[Points], lines: list[Points]) -> None:
    """Adds the shaft along `path` and its head, or both its heads."""
    shaft = path
    for end in (1, 0) if both else (1,):
        tip, before = (path[-1], path[-2]) if end else (path[0], path[1])
        along = (tip - before) / max(1e-6, float(np.hypot(*(tip - before))))
        side = np.array([-along[1], along[0]])
        base = tip - along * forms.head
        back = base - along * forms.sweep
        if forms.open and forms.reverse != "heads":
            lines.append(np.array([back + side * forms.barb, tip, back - side * forms.barb]))
        else:
            outlines.append(np.array([tip, back + side * forms.barb, base, back - side * forms.barb]))
            far = float(np.hypot(*(tip - path[0 if end else -1]))) - forms.head * 0.9
            near = np.hypot(*(shaft - tip).T) >= min(forms.head * 0.9, far)
            shaft = np.vstack([shaft[near], [base]]) if end else np.vstack([[base], shaft[near]])
    if forms.reverse != "heads" and len(shaft) > 1:
        lines.append(shaft)


def skip(canvas: Canvas, x: float, y: float, height: float, ink: Ink, design: Design, ground: Bgr) -> None:
    """A bar across a ring, a disc or an octagon. ground: the colour below, of the bar of a disc."""
    forms = design.forms
    if forms.skip_icon:
        _icon(canvas, x, y, height, ink, design, forms.skip_icon, 0.0)
        return
    pen = height * forms.pen * 0.9
    r = height / 2 - pen / 2
    rx, ry = r * min(1.0, 1 / forms.flat), r * min(1.0, forms.flat)
    reach = (r if forms.skip != "x" else r * 1.1) + forms.over * height
    bar = turn(np.array([[-reach, 0.0], [reach, 0.0]]), -forms.bar)
    if forms.skip == "disc":
        Shape([arc(0, 0, rx + pen / 2, ry + pen / 2, 0, 351)], [], pen).draw(canvas, x, y, ink, True)
        canvas.stroke(bar * 0.8 + [x, y], pen * 1.2, ground, design.butt)
        return
    if forms.skip == "x":
        lines = [bar, turn(bar, 90)]
    elif forms.skip == "octagon":
        corners = turn(arc(0, 0, r, r, 0, 360)[::5], 22.5)
        lines = [np.vstack([corners, corners[:2]]), bar * 0.95]
    else:
        lines = [arc(0, 0, rx, ry, 0, 360), bar]
    Shape([], lines, pen).draw(canvas, x, y, ink, design.butt)


def _icon(
    canvas: Canvas, x: float, y: float, height: float, ink: Ink, design: Design, icon: tuple[str, str], tilt: float
) -> None:
    path, character = icon
    draw_word(canvas, character, x, y, height, ink, replace(design, typeface=path, narrow=0.6, slant=0.0), tilt)


def draw_two(
    canvas: Canvas, x: float, y: float, height: float, ink: Ink, design: Design, fill: Bgr, middle: bool
) -> None:
    """Two cards, or a number. fill: of the cards in the middle."""
    kind = design.forms.draw
    if kind == "split":
        draw_text(canvas, "2", x + height * 0.2, y, height * 0.85, ink, design)
        draw_text(canvas, "+", x - height * 0.42, y - height * 0.1, height * 0.42, ink, design)
    elif kind == "digit" and not middle:
        draw_text(canvas, "+2", x, y, height * 0.8, ink, design)
    else:
        cards(canvas, x, y, height * (1.1 if middle else 0.95), [fill if middle else ink.fill] * 2, ink, design)
        if middle and design.variant & 2:
            draw_text(canvas, "+2", x, y, height * 0.4, Ink(BLACK, 0.5, WHITE), design)
        elif middle and kind == "digit":
            draw_text(canvas, "2", x, y, height * 0.4, Ink(WHITE, 0.5, BLACK), design)


def cards(canvas: Canvas, x: float, y: float, height: float, fills: list[Bgr], ink: Ink, design: Design) -> None:
    """Small cards, as `Forms.draw` lays them: fanned, side by side, or one behind the other."""
    forms, many = design.forms, len(fills)
    h = height * (0.74 if forms.draw != "side" else 0.62)
    w = h * (0.5 + 0.2 * (design.variant % 3) / 2)
    card = box(-w / 2, -h / 2, w / 2, h / 2, h * 0.07)
    line = max(h * 0.025, ink.outline * 0.7)
    sign = -1 if forms.mirrored else 1
    for i, fill in enumerate(fills):
        at = i - (many - 1) / 2
        if forms.draw == "fan":
            placed = turn(card - [0, h * 0.4], at * sign * (52 / many + 8)) + [0, h * 0.34]
        elif forms.draw == "side":
            placed = turn(card, 0 if forms.bar == 0 else 14) + [at * w * (1.12 if many == 2 else 0.8), 0]
        else:
            spread = 0.42 if many == 2 else 0.3
            placed = card + [at * sign * w * spread * 1.5, at * h * spread]
        ring = np.vstack([placed, placed[:1]]) + [x, y]
        canvas.stroke(ring, 1.2 + 2 * line, ink.line)
        canvas.stroke(ring, h * 0.07, WHITE)
        canvas.polygon(placed + [x, y], fill)


def wild(canvas: Canvas, x: float, y: float, height: float, ink: Ink, design: Design) -> None:
    """The four colours together."""
    forms = design.forms
    fills = [design.tints[i] for i in design.wild_order]
    r = height / 2
    if forms.wild == "fan":
        cards(canvas, x, y, height, fills, ink, design)
        return
    if forms.wild == "discs":
        for i, fill in enumerate(fills):
            disc = turn(arc(r * 0.52, 0, r * 0.42, r * 0.42, 0, 351), 45 + 90 * i + (45 if forms.mirrored else 0))
            Shape([disc], [], 0.0).draw(canvas, x, y, Ink(fill, ink.outline, ink.line), True)
        return
    rim_pen = r * 0.12 + 2 * ink.outline
    if forms.wild in ("stripes", "pinwheel"):
        parts = [turn(part, forms.tilt) * r + [x, y] for part in _parts(forms, design.variant)]
        for part in parts:
            canvas.stroke(np.vstack([part, part[:1]]), rim_pen, ink.fill)
        for part, fill in zip(parts, fills, strict=True):
            canvas.polygon(part, fill)
        return
    rim = turn(_rim(forms, design.variant), forms.tilt) * r + [x, y]
    canvas.stroke(np.vstack([rim, rim[:1]]), rim_pen, ink.fill)
    quarters(canvas, rim, x, y, design, forms.tilt)
    if forms.wild == "ring":
        canvas.disc(x, y, r * 0.45, ink.fill if design.variant & 4 else BLACK)


def _parts(forms: Forms, variant: int) -> list[Points]:
    """Four outlines in a circle of radius 1, beside each other or round its middle."""
    if forms.wild == "pinwheel":
        blade = np.array([[0.0, 0.0], [0.0, -1.0], [0.75, -0.75]])
        return [turn(blade, 90 * i) for i in range(4)]
    edges = np.linspace(-0.8, 0.8, 5)
    lean = 0.3 if variant & 1 else 0.0
    return [
        np.array([[a + lean, -0.8], [b + lean, -0.8], [b - lean, 0.8], [a - lean, 0.8]])
        for a, b in zip(edges[:-1], edges[1:], strict=True)
    ]


def _rim(forms: Forms, variant: int) -> Points:
    """The outline of a star, a box or a circle, in a circle of radius 1."""
    if forms.wild == "star":
        points = 4 * (1 + variant % 3)
        reach = [(i * math.pi / points, 1.0 if i % 2 == 0 else 0.55) for i in range(2 * points)]
        return np.array([[math.sin(angle) * far, -math.cos(angle) * far] for angle, far in reach])
    if forms.wild == "box":
        high = 0.75 * min(forms.flat, 1.0)
        return box(-0.75, -high, 0.75, high, 0.2 * (variant & 1))
    return arc(0, 0, 1, 1, 0, 351)
