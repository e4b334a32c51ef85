"""The faces of a deck shown to the camera one after the other, while the service runs.

The camera process looks and says what it sees (`DeckSurvey`); the service keeps what was taken (`referee.enrolling`),
so that a camera process that is started again has lost nothing.
"""

from __future__ import annotations

import base64
from collections.abc import Sequence
from typing import Any

import cv2
import numpy as np

from referee.cards import Card
from referee.frame import Frame, Image
from referee.vision.deck import Deck
from referee.vision.enrolment import Enrolment, Patience, Step, Taken
from referee.vision.nets import Models
from referee.vision.survey import shared_models

LOOK_S = 0.1
"""Seconds of rest between two looks. Shorter: no picture comes sooner, and the processor gets hot; longer: two looks,
which a card that lies still takes, keep people waiting fifty-four times."""


class DeckSurvey:
    """Looks for faces in the camera process: a `referee.hardware.camera_loop.Brisk` surveyor.

    faces: those that are wanted, the next one first. order: comes back with all that is said, so that an answer to an
    earlier order is known for one. taken: the last look, whose card may lie there still.
    """

    every_s = LOOK_S

    def __init__(self, models: Models, faces: Sequence[Card], order: int, taken: Taken | None = None) -> None:
        self._enrolment = Enrolment(models, Deck(""))
        self._enrolment.go_on(taken)
        self._faces, self._order = list(faces), order
        self._patience = Patience()

    def survey(self, frame: Frame) -> dict[str, Any]:
        """What came of this frame: `{"deck": {"order", "size": [w, h], "asked", "wanted", "fault", "seen", "quad",
        "took"}}`.

        asked: the face that was wanted before it, wanted: the one that is after it, each null when there is none. took:
        null, or the look that was taken as `{"look": PNG in base64, "read": the face that was read on it or null}`.
        """
        height, width = frame.image.shape[:2]
        asked = self._faces[0] if self._faces else None
        step = None if asked is None else self._look(frame, asked)
        return {
            "deck": {
                "order": self._order,
                "size": [width, height],
                "asked": None if asked is None else str(asked),
                "wanted": str(self._faces[0]) if self._faces else None,
                "fault": None if step is None or step.fault is None else step.fault.value,
                "seen": None if step is None or step.seen is None else str(step.seen),
                "quad": None if step is None or step.quad is None else np.round(step.quad, 1).tolist(),
                "took": None if step is None or step.fault is not None else _taken(self._enrolment.taken),
            }
        }

    def _look(self, frame: Frame, asked: Card) -> Step:
        step = self._enrolment.look(frame.image, asked)
        if self._patience.over(frame.t, step):
            self._enrolment.trust()
        if step.fault is None:
            del self._faces[0]
        return step


def _taken(taken: Taken | None) -> dict[str, Any] | None:
    if taken is None:
        return None
    crop, read = taken
    _, png = cv2.imencode(".png", crop)
    return {"look": base64.b64encode(png.tobytes()).decode("ascii"), "read": None if read is None else str(read)}


def look_of(took: dict[str, Any]) -> Taken:
    """The look that a survey told of. Raises ValueError when it is none."""
    crop = cv2.imdecode(np.frombuffer(base64.b64decode(took["look"]), np.uint8), cv2.IMREAD_COLOR)
    if crop is None:
        raise ValueError("a look at a card is no picture")
    image: Image = np.asarray(crop, np.uint8)
    return image, None if took["read"] is None else Card.parse(took["read"])


def deck_survey(faces: tuple[Card, ...], order: int, taken: Taken | None) -> DeckSurvey:
    """A survey for these faces, as of `DeckSurvey`. Travels into the camera process as a `functools.partial`.

    Raises ModelError.
    """
    return DeckSurvey(shared_models(), faces, order, taken)
