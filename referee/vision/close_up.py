"""Which part of the camera's view is enough to watch a table: the less lies round the piles, the larger the cards."""

from __future__ import annotations

from referee.frame import WHOLE, Part
from referee.vision.calibration import Calibration

AROUND_MM = 115.0
"""How much of the table is shown round the two piles' zones: as much as above and below them on the simulated table,
on which the eye and the tracker of arms were measured. Smaller: arms are in view too briefly for their seat to be told,
and a bumped camera loses a zone; larger: smaller cards."""

LEAST_GAIN = 1.15
"""How much larger cards must become for it to be worth it. Smaller: the view narrows for a few pixels; larger: cards
stay small that need not."""


def close_up(calibration: Calibration) -> Part:
    """The smallest part of the view, in the picture's proportions, that shows both zones and `AROUND_MM` about them as
    far as the whole view does. calibration: of the whole view. `WHOLE` where cards would hardly become larger."""
    x0, y0, x1, y1 = _about_zones(calibration)
    corners = calibration.to_image([(x0, y0), (x1, y0), (x1, y1), (x0, y1)])
    shares = (corners + 0.5) / calibration.image_size
    low, high = shares.min(0).clip(0.0, 1.0), shares.max(0).clip(0.0, 1.0)
    side = float((high - low).max())
    if not 0.0 < side * LEAST_GAIN <= 1.0:
        return WHOLE
    x, y = (float(min(max(0.0, middle - side / 2), 1.0 - side)) for middle in (low + high) / 2)
    return x, y, side, side


def _about_zones(calibration: Calibration) -> tuple[float, float, float, float]:
    """Left, top, right and bottom of what must be seen, table millimetres."""
    zones = calibration.discard_zone_mm, calibration.draw_zone_mm
    return (
        min(x for x, _, _, _ in zones) - AROUND_MM,
        min(y for _, y, _, _ in zones) - AROUND_MM,
        max(x + w for x, _, w, _ in zones) + AROUND_MM,
        max(y + h for _, y, _, h in zones) + AROUND_MM,
    )
