"""The pictures that go with sightings."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from referee.cards import Card
from referee.frame import Frame
from referee.hardware.evidence import MAX_SIDE, Evidence, shrink
from referee.observations import CardLanded, CardReading, CardRemoved, CardsDrawn, Quality, Sighting, ViewChanged

R7 = CardReading(Card.parse("R7"), 0.99)


def frame(t: float, shade: int) -> Frame:
    return Frame(np.full((100, 200, 3), shade, np.uint8), round(t * 10), t)


def halves(jpeg: bytes | None, width: int = 200) -> list[int]:
    """The shades of the pictures side by side, to the nearest ten."""
    image = cv2.imdecode(np.frombuffer(jpeg or b"", np.uint8), cv2.IMREAD_GRAYSCALE)
    assert image is not None
    places = [width // 2] if image.shape[1] == width else [width // 2, image.shape[1] - width // 2]
    return [round(int(image[50, x]), -1) for x in places]


def watched(until: float) -> Evidence:
    """Evidence of a pile that gets 10 brighter every second."""
    evidence = Evidence()
    for i in range(int(until * 10)):
        evidence.keep(frame(i / 10, min(250, 10 * (i // 10))))
    return evidence


@pytest.mark.parametrize(
    ("t", "since", "shades"),
    [
        (5.5, 4.5, [40, 60]),  # just before the first contact
        (5.5, 3.1, [20, 60]),  # a slow hand
        (5.5, None, [40, 60]),  # first contact not known: a second before
        (0.9, 0.1, [60]),  # nothing was kept before
    ],
)
def test_a_landing_shows_the_pile_before_the_first_contact_and_after(
    t: float, since: float | None, shades: list[int]
) -> None:
    landed = CardLanded(t=t, since=since, reading=R7, sure=True)
    assert halves(watched(5.5).photo(landed, frame(6.0, 60))) == shades


def test_old_pictures_are_given_up() -> None:
    landed = CardLanded(t=30.0, since=3.0, reading=R7, sure=True)
    assert halves(watched(30.0).photo(landed, frame(30.0, 60))) == [60]


@pytest.mark.parametrize(
    ("sighting", "pictured"),
    [
        (CardRemoved(t=1.0, card=None), True),
        (CardsDrawn(t=1.0), False),
        (ViewChanged(t=1.0, state=Quality.DARK), False),
    ],
)
def test_only_what_a_ruling_may_rest_on_is_pictured(sighting: Sighting, pictured: bool) -> None:
    assert (watched(1.0).photo(sighting, frame(1.0, 0)) is not None) is pictured


@pytest.mark.parametrize(
    ("crop", "size"), [((10, 20, 60, 40), (40, 60)), ((150, 50, 100, 100), (50, 50)), ((900, 900, 10, 10), (100, 200))]
)
def test_the_crop_is_cut_to_the_frame(crop: tuple[int, int, int, int], size: tuple[int, int]) -> None:
    jpeg = Evidence(crop).photo(CardRemoved(t=1.0, card=None), frame(1.0, 50))
    image = cv2.imdecode(np.frombuffer(jpeg or b"", np.uint8), cv2.IMREAD_GRAYSCALE)
    assert image.shape == size


@pytest.mark.parametrize("crop", [(-1, 0, 5, 5), (0, 0, 0, 5)])
def test_a_crop_that_is_none(crop: tuple[int, int, int, int]) -> None:
    with pytest.raises(ValueError, match="crop"):
        Evidence(crop)


@pytest.mark.parametrize(("size", "small"), [((720, 1280), (360, 640)), ((100, 50), (100, 50)), ((2000, 1), (640, 1))])
def test_a_large_picture_is_shrunk(size: tuple[int, int], small: tuple[int, int]) -> None:
    assert shrink(np.zeros((*size, 3), np.uint8), MAX_SIDE).shape[:2] == small
