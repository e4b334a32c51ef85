"""People whose cards reach into the picture and never lie still."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from test_trembling import FPS, TABLE, X, Y, table

from referee.frame import Frame
from referee.vision.scene import Scene

MIDDLE = tuple(float(v) for v in TABLE.to_image([(X + 80.0, Y + 90.0)])[0])


@pytest.mark.parametrize(
    ("case", "at", "reach_px", "starts"),
    [
        ("nobody is there", None, 0.0, True),
        ("somebody fidgets with cards at the edge", (200.0, -20.0), 80.0, True),
        ("... and holds still", (200.0, -20.0), 0.0, True),
        ("somebody is at the discard pile", MIDDLE, 80.0, False),
    ],
)
def test_watching_begins_where_people_fidget_at_the_edge(
    case: str, at: tuple[float, float] | None, reach_px: float, starts: bool
) -> None:
    """It did so once the whole picture was at rest: until then nothing was seen of the game."""
    scene, bare = Scene(TABLE), table(striped=False)
    for number in range(FPS):
        picture = bare.copy()
        if at is not None:
            angle = 2 * np.pi * number / 12
            x, y = at[0] + reach_px * np.cos(angle), at[1] + reach_px * np.sin(angle)
            box = cv2.boxPoints(((float(x), float(y)), (260.0, 200.0), 20.0))
            cv2.fillConvexPoly(picture, np.rint(box).astype(np.int32), (40, 40, 230))
        look = scene.look(Frame(picture, number, number / FPS))
    assert (look.discard_moving < 0.5) is starts, case
