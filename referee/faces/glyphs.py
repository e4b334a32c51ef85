"""Digits, signs and words as pen strokes in a unit box (x 0..1, y 0..1, y down), drawn on a canvas."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from referee.faces.canvas import Canvas, Points, arc, turn
from referee.faces.design import Bgr, Design

_HERSHEY = {
    "duplex": cv2.FONT_HERSHEY_DUPLEX, "complex": cv2.FONT_HERSHEY_COMPLEX, "triplex": cv2.FONT_HERSHEY_TRIPLEX,
    "stroke": cv2.FONT_HERSHEY_DUPLEX,
}  # fmt: skip


def _line(*points: tuple[float, float]) -> Points:
    return np.array(points, float)


def digit_strokes(sign: str, bowl: float, variant: int) -> list[Points]:
    """Pen strokes of `0`-`9` or `+`. `bowl`: exponent of the curves. `variant`: bits that choose among forms."""
    v = [bool(variant >> i & 1) for i in range(6)]
    if sign == "0":
        return [arc(0.5, 0.5, 0.5, 0.5, 0, 360, bowl)]
    if sign == "1":
        flag = _line((0.16, 0.24), (0.56, 0.02), (0.56, 1)) if not v[0] else _line((0.2, 0.12), (0.56, 0.0), (0.56, 1))
        return [flag, _line((0.16, 1), (0.96, 1))] if v[1] and v[2] else [flag]
    if sign == "2":
        top = arc(0.5, 0.29, 0.47, 0.29, 180 if v[0] else 195, 380, bowl)
        return [np.concatenate([top, _line((0.04, 1.0), (1.0, 1.0))])]
    if sign == "3":
        lower = arc(0.48, 0.725, 0.5, 0.275, -85, 165, bowl)
        if v[3] and v[1]:
            return [np.concatenate([_line((0.06, 0), (0.92, 0), (0.46, 0.42)), lower])]
        return [np.concatenate([arc(0.48, 0.245, 0.43, 0.245, -160, 80, bowl), _line((0.36, 0.475))]), lower]
    if sign == "4":
        if v[4] and v[0]:
            return [_line((0.36, 0), (0.02, 0.66), (1, 0.66)), _line((0.74, 0.34), (0.74, 1))]
        return [_line((0.74, 1), (0.74, 0.0), (0.02, 0.69), (1.0, 0.69))]
    if sign == "5":
        bowl_part = arc(0.47, 0.67, 0.5, 0.33, -135, 155, bowl)
        return [np.concatenate([_line((0.92, 0), (0.17, 0), (0.09, 0.47)), bowl_part])]
    if sign == "6":
        ring = arc(0.5, 0.67, 0.48, 0.33, 0, 360, bowl)
        if v[2] and v[5]:
            return [ring, _line((0.74, 0.0), (0.09, 0.55))]
        stem = arc(0.52, 0.5, 0.5, 0.5, -38, -180, bowl)
        return [ring, np.concatenate([stem, _line((0.02, 0.67))])]
    if sign == "7":
        if v[1]:
            return [_line((0.0, 0), (1, 0), (0.36, 1))]
        return [np.concatenate([_line((0.0, 0), (1, 0.0)), _bend((1, 0.02), (0.5, 0.42), (0.36, 1))])]
    if sign == "8":
        return [arc(0.5, 0.235, 0.43, 0.235, 0, 360, bowl), arc(0.5, 0.73, 0.5, 0.27, 0, 360, bowl)]
    if sign == "9":
        return [1.0 - s for s in digit_strokes("6", bowl, variant)]
    if sign == "+":
        return [_line((0.0, 0.55), (1.0, 0.55)), _line((0.5, 0.2), (0.5, 0.9))]
    raise ValueError(f"no strokes for {sign!r}")


def _bend(a: tuple[float, float], b: tuple[float, float], c: tuple[float, float]) -> Points:
    t = np.linspace(0, 1, 8)[:, None]
    curve: Points = (1 - t) ** 2 * np.array(a) + 2 * t * (1 - t) * np.array(b) + t**2 * np.array(c)
    return curve


@dataclass(frozen=True, slots=True)
class Ink:
    """How a symbol is inked: its colour, an outline round it (mm) and a shadow (offset in mm), both in `line`."""

    fill: Bgr
    outline: float = 0.0
    line: Bgr = (15, 15, 15)
    shadow: tuple[float, float] = (0.0, 0.0)

    def passes(self) -> list[tuple[float, float, float, Bgr]]:
        """(dx, dy, grow, colour) for every time the shape is drawn, back to front."""
        out: list[tuple[float, float, float, Bgr]] = []
        if self.shadow != (0.0, 0.0):
            out += [(self.shadow[0] * f, self.shadow[1] * f, self.outline, self.line) for f in (0.5, 1.0)]
        if self.outline:
            out.append((0.0, 0.0, self.outline, self.line))
        out.append((0.0, 0.0, 0.0, self.fill))
        return out


def draw_text(
    canvas: Canvas, text: str, x: float, y: float, height: float, ink: Ink, design: Design, degrees: float = 0.0,
    underline: bool = False,
) -> None:  # fmt: skip
    """A number such as `7` or `+2` centred on (x, y), `height` mm high, turned clockwise by `degrees`."""
    if design.font != "stroke" or design.typeface:
        draw_word(canvas, text, x, y, height, ink, design, degrees, underline=underline)
        return
    pen = design.weight * height
    inner_h = height - pen
    advance: list[tuple[float, float, str]] = []
    cursor = 0.0
    for sign in text:
        w = height * design.narrow * (0.8 if sign == "+" else 0.55 if sign == "1" and design.narrow < 0.6 else 1.0)
        advance.append((cursor, w, sign))
        cursor += w + 0.08 * height
    total = cursor - 0.08 * height
    lines: list[Points] = []
    for left, w, sign in advance:
        for stroke in digit_strokes(sign, design.bowl, design.variant):
            px = left - total / 2 + pen / 2 + stroke[:, 0] * max(0.1, w - pen)
            py = -height / 2 + pen / 2 + stroke[:, 1] * inner_h
            lines.append(np.stack([px - design.slant * py, py], 1))
    if underline:
        half = total * 0.45
        lines.append(np.array([[-half, height * 0.68], [half, height * 0.68]]) - [design.slant * height * 0.68, 0])
    lines = [turn(line, degrees) for line in lines]
    bar = len(lines) - 1 if underline else len(lines)
    for dx, dy, grow, colour in ink.passes():
        for i, line in enumerate(lines):
            width = pen if i != bar else max(0.7, pen * 0.55)
            canvas.stroke(line + [x + dx, y + dy], width, colour, design.butt, grow)


def draw_word(
    canvas: Canvas, text: str, x: float, y: float, height: float, ink: Ink, design: Design, degrees: float = 0.0,
    width: float | None = None, underline: bool = False,
) -> None:  # fmt: skip
    """Any text in the deck's typeface or a Hershey face, centred on (x, y); with `width` it is stretched or squeezed to
    that many mm."""
    mask, (left, top, w, h) = _typeset(text, design, underline)
    sy = height / h
    sx = sy * design.narrow / 0.6 if width is None else width / w
    cx, cy = left + w / 2, top + h / 2
    s = canvas.scale
    c, n = np.cos(np.radians(degrees)), np.sin(np.radians(degrees))
    local = np.array([[sx, -design.slant * sy], [0.0, sy]])
    linear = np.array([[c, -n], [n, c]]) @ local * s
    for dx, dy, grow, colour in ink.passes():
        source: npt.NDArray[np.uint8] = mask
        if grow:
            k = 2 * max(1, round(grow / sy)) + 1
            source = np.asarray(cv2.dilate(mask, cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (k, k))), np.uint8)
        offset = np.array([(x + dx) * s, (y + dy) * s]) - linear @ [cx, cy]
        matrix = np.column_stack([linear, offset])
        size = (canvas.image.shape[1], canvas.image.shape[0])
        inked = cv2.warpAffine(source, matrix, size, flags=cv2.INTER_AREA)
        column, row, across, down = cv2.boundingRect(inked)
        alpha = inked[row : row + down, column : column + across, None].astype(np.uint16)
        below = canvas.image[row : row + down, column : column + across]
        below[:] = ((below * (255 - alpha) + np.array(colour, np.uint16) * alpha) // 255).astype(np.uint8)


def _typeset(
    text: str, design: Design, underline: bool
) -> tuple[npt.NDArray[np.uint8], tuple[int, int, int, int]]:
    """The text as a mask, and the left, top, width and height of what is centred; a line may lie below."""
    thick = max(1, round(1 + design.weight * 14))
    if design.typeface:
        from referee.faces.typefaces import sign_mask  # Pillow, which only those who train have

        mask, (left, top, w, h) = sign_mask(design.typeface, text)
        below = top + h + round(0.16 * h) + thick // 2
        mask = mask.copy() if underline else mask
    else:
        font = _HERSHEY[design.font]
        (w, h), base = cv2.getTextSize(text, font, 2.0, thick)
        left = top = 12 + thick
        mask = np.zeros((h + base + 2 * top, w + 2 * left), np.uint8)
        cv2.putText(mask, text, (left, top + h), font, 2.0, 255, thick, cv2.LINE_AA)
        below = top + h + base // 2 + thick
    if underline:
        cv2.line(mask, (left, below), (left + w, below), 255, thick)
    return mask, (left, top, w, h)
