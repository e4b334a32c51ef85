"""The table mat as a PDF of one page, written by hand: rectangles, lines and one built-in font are all it needs."""

from __future__ import annotations

from collections.abc import Mapping

import cv2

from referee.vision.mat import CARD_MM, MARKER_MM, RULER_MM, Paper, Xy, discard_mm, draw_mm, markers

POINTS_PER_MM = 72 / 25.4
BITS = 6
"""Cells along a marker's side: four bits and a black cell on either side."""
CORNER_MM = 14.0
"""Length of the strokes that mark the corners of a pile. Longer: the outline looks like a card to the eye; shorter:
to people it looks like nothing."""


def mat_pdf(paper: Paper, words: Mapping[str, str]) -> bytes:
    """The sheet. words: `title`, `discard`, `draw`, `ruler`, `steps` (lines), in letters of Western Europe."""
    page = _Page(paper)
    for marker in markers(paper):
        bits = cv2.aruco.generateImageMarker(_dictionary(), marker.number, BITS)
        cell = MARKER_MM / BITS
        for row in range(BITS):
            for column in range(BITS):
                if bits[row, column] == 0:
                    page.box((marker.at_mm[0] + column * cell, marker.at_mm[1] + row * cell), cell)
    middle = paper.size_mm[0] / 2
    for place, word in ((discard_mm(paper), words["discard"]), (draw_mm(paper), words["draw"])):
        _outline(page, place)
        page.text((place[0], place[1] + CARD_MM[1] / 2 + 8), word, 11, grey=0.35)
    page.text((middle, discard_mm(paper)[1] - 34), words["title"], 14)
    for number, line in enumerate(words["steps"].split("\n")):
        page.text((middle, discard_mm(paper)[1] - 22 + 6.5 * number), line, 9, grey=0.35)
    _ruler(page, (middle - RULER_MM / 2, discard_mm(paper)[1] + 50), words["ruler"])
    return page.file()


def _dictionary() -> cv2.aruco.Dictionary:
    return cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50)


def _outline(page: _Page, middle: Xy) -> None:
    """The four corners of a card that lies there."""
    for sx in (-1, 1):
        for sy in (-1, 1):
            x, y = middle[0] + sx * CARD_MM[0] / 2, middle[1] + sy * CARD_MM[1] / 2
            page.line((x, y), (x - sx * CORNER_MM, y), 0.5, grey=0.6)
            page.line((x, y), (x, y - sy * CORNER_MM), 0.5, grey=0.6)


def _ruler(page: _Page, start: Xy, word: str) -> None:
    x, y = start
    page.line((x, y), (x + RULER_MM, y), 0.3)
    for tick in range(0, int(RULER_MM) + 1, 10):
        page.line((x + tick, y - (3 if tick % 50 == 0 else 1.8)), (x + tick, y), 0.3)
    page.text((x + RULER_MM / 2, y + 5), word, 9)


class _Page:
    """Collects drawing operators; millimetres from the upper left corner."""

    def __init__(self, paper: Paper) -> None:
        self._width, self._height = paper.size_mm
        self._drawn = [f"{POINTS_PER_MM:.6f} 0 0 {POINTS_PER_MM:.6f} 0 0 cm"]

    def box(self, corner: Xy, side: float) -> None:
        # A hair of overlap, because viewers leave white lines between boxes that only touch.
        x, y = corner[0] - 0.01, self._height - corner[1] - side - 0.01
        self._drawn.append(f"0 g {x:.3f} {y:.3f} {side + 0.02:.3f} {side + 0.02:.3f} re f")

    def line(self, start: Xy, end: Xy, width: float, grey: float = 0.0) -> None:
        (x0, y0), (x1, y1) = ((x, self._height - y) for x, y in (start, end))
        self._drawn.append(f"{grey:g} G {width:g} w {x0:.3f} {y0:.3f} m {x1:.3f} {y1:.3f} l S")

    def text(self, middle: Xy, line: str, size_pt: float, grey: float = 0.0) -> None:
        """One line about a middle."""
        size = size_pt / POINTS_PER_MM
        x, y = middle[0] - _width(line) * size / 2, self._height - middle[1]
        said = line.encode("cp1252", "replace").replace(b"\\", b"\\\\").replace(b"(", b"\\(").replace(b")", b"\\)")
        self._drawn.append(f"BT {grey:g} g /F1 {size:.3f} Tf {x:.3f} {y:.3f} Td ({said.decode('latin-1')}) Tj ET")

    def file(self) -> bytes:
        drawn = "\n".join(self._drawn).encode("latin-1")
        size = f"{self._width * POINTS_PER_MM:.2f} {self._height * POINTS_PER_MM:.2f}"
        objects = [
            b"<< /Type /Catalog /Pages 2 0 R /ViewerPreferences << /PrintScaling /None >> >>",
            b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
            f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 {size}] /Contents 4 0 R "
            "/Resources << /Font << /F1 5 0 R >> >> >>".encode(),
            b"<< /Length %d >>\nstream\n%s\nendstream" % (len(drawn), drawn),
            b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>",
        ]
        out, places = b"%PDF-1.4\n%\xe2\xe3\xcf\xd3\n", []
        for number, content in enumerate(objects, 1):
            places.append(len(out))
            out += b"%d 0 obj\n%s\nendobj\n" % (number, content)
        table = b"".join(b"%010d 00000 n \n" % place for place in places)
        count = len(objects) + 1
        end = b"trailer\n<< /Size %d /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF\n" % (count, len(out))
        return out + b"xref\n0 %d\n0000000000 65535 f \n" % count + table + end


_NARROW, _WIDE = frozenset("fijlrt.,:;!'|()[] /1-"), frozenset("mwMW%@—")


def _width(line: str) -> float:
    """About how wide Helvetica sets the line, in font sizes: good enough to centre it."""
    return sum(0.3 if c in _NARROW else 0.85 if c in _WIDE else 0.67 if c.isupper() else 0.54 for c in line)
