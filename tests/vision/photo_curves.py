"""How far the eye's confidence can be trusted: reads photographs of sources that took no part in training, and draws.

    python tests/vision/photo_curves.py ../shared/data --out docs     # docs/eye-risk.svg, docs/eye-reliability.svg

Prints the points of both curves as Markdown tables. Not collected by pytest. Every photograph of one card counts once:
its answer is the reading with the highest confidence, and none where no face was read. Labels in `WRONG_LABELS` were
found not to fit their photographs, and are left out.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path

import cv2
import numpy as np

from referee.training.split import Photo, held_out_photos
from referee.vision.nets import Models, load_models
from referee.vision.reading import read_photo

WRONG_LABELS = ("sol_0039", "rad_0070")
"""Photographs whose label names another card than they show (models/MODEL_CARD.md)."""

BINS = (0.0, 0.5, 0.7, 0.8, 0.9, 0.95, 0.98, 0.99, 0.995, 1.0)
UNSURE = (0.0, 0.005, 0.01, 0.02, 0.03, 0.05, 0.1, 0.2)

Answer = tuple[float, bool]


def answer(photo: Photo, models: Models) -> Answer:
    """(confidence, right) of the surest reading; (0, False) where no face was read."""
    image = cv2.imread(str(photo.path), cv2.IMREAD_COLOR)
    if image is None:
        raise SystemExit(f"{photo.path} cannot be read")
    readings = [c.reading for c in read_photo(np.asarray(image, np.uint8), models) if c.reading.card is not None]
    best = max(readings, key=lambda r: r.confidence, default=None)
    return (0.0, False) if best is None else (best.confidence, best.card == photo.card)


def risk(answers: Sequence[Answer], unsure: float) -> tuple[float, int]:
    """(share of the others that are wrong, how many) when this share, the least sure, is left unsaid."""
    ranked = sorted(answers, key=lambda a: -a[0])
    kept = ranked[: round(len(ranked) * (1 - unsure))]
    wrong = sum(not right for _, right in kept)
    return wrong / max(1, len(kept)), wrong


def reliability(answers: Sequence[Answer]) -> list[tuple[float, float, float, float, int]]:
    """(from, to, mean confidence, share right, how many) for every range of confidence that holds answers."""
    rows = []
    for low, high in zip(BINS, BINS[1:], strict=False):
        inside = [a for a in answers if low <= a[0] < high or (high == 1.0 and a[0] == 1.0)]
        if inside:
            mean = sum(c for c, _ in inside) / len(inside)
            rows.append((low, high, mean, sum(r for _, r in inside) / len(inside), len(inside)))
    return rows


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path)
    parser.add_argument("--out", type=Path, help="folder for the two drawings")
    parser.add_argument("--models", type=Path)
    args = parser.parse_args()
    models = load_models(args.models)
    photos = [p for p in held_out_photos(args.data) if p.card is not None and p.path.stem not in WRONG_LABELS]
    answers = [answer(photo, models) for photo in photos]
    print(f"{len(answers)} photographs of one card, {len({p.source for p in photos})} sources\n")
    print("| left unsure | wrong among the others |\n|---|---|")
    curve = [(share, *risk(answers, share)) for share in UNSURE]
    for share, wrong, count in curve:
        print(f"| {share:.1%} | {wrong:.2%} ({count}) |")
    print("\n| confidence | photographs | mean confidence | right |\n|---|---|---|---|")
    rows = reliability(answers)
    for low, high, mean, right, count in rows:
        print(f"| {low:g} to {high:g} | {count} | {mean:.2%} | {right:.2%} |")
    if args.out is not None:
        args.out.mkdir(parents=True, exist_ok=True)
        shares = np.linspace(0, 0.2, 81)
        points = [(float(s), risk(answers, float(s))[0]) for s in shares]
        plot(args.out / "eye-risk.svg", points, 0.2, 0.05, "share left unsure", "wrong among the others", line=True)
        dots = [(mean, right) for _, _, mean, right, _ in rows]
        plot(args.out / "eye-reliability.svg", dots, 1.0, 1.0, "confidence", "share right", diagonal=True)


def plot(
    path: Path, points: Sequence[tuple[float, float]], wide: float, high: float, across: str, up: str,
    line: bool = False, diagonal: bool = False,
) -> None:  # fmt: skip
    """A drawing of points or a line, axes from 0 to `wide` and `high`."""
    left, top, width, height = 60, 15, 400, 260

    def at(x: float, y: float) -> tuple[float, float]:
        return left + width * x / wide, top + height * (1 - min(y, high) / high)

    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {left + width + 20} {top + height + 45}" '
        'font-family="sans-serif" font-size="12">',
        '<rect width="100%" height="100%" fill="white"/>',
    ]
    for i in range(6):
        (x, _), (_, y) = at(wide * i / 5, 0), at(0, high * i / 5)
        parts += [
            f'<path d="M{left} {y:.1f}h{width}M{x:.1f} {top}v{height}" stroke="#ddd"/>',
            f'<text x="{x:.1f}" y="{top + height + 16}" text-anchor="middle">{wide * i / 5:.0%}</text>',
            f'<text x="{left - 6}" y="{y + 4:.1f}" text-anchor="end">{high * i / 5:.0%}</text>',
        ]
    if diagonal:
        (a, b), (c, d) = at(0, 0), at(wide, high)
        parts.append(f'<path d="M{a} {b}L{c} {d}" stroke="#999" stroke-dasharray="4"/>')
    if line:
        path_of = "L".join(f"{x:.1f} {y:.1f}" for x, y in (at(*p) for p in points))
        parts.append(f'<path d="M{path_of}" fill="none" stroke="#1f5fbf" stroke-width="2"/>')
    else:
        parts += [f'<circle cx="{x:.1f}" cy="{y:.1f}" r="5" fill="#1f5fbf"/>' for x, y in (at(*p) for p in points)]
    parts += [
        f'<text x="{left + width / 2}" y="{top + height + 36}" text-anchor="middle">{across}</text>',
        f'<text transform="translate(14 {top + height / 2}) rotate(-90)" text-anchor="middle">{up}</text>',
        "</svg>",
    ]
    path.write_text("\n".join(parts) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
