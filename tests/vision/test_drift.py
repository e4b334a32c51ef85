"""How the picture has moved: knocks of the camera, and what is none."""

from __future__ import annotations

from functools import cache
from random import Random

import cv2
import numpy as np
import numpy.typing as npt
import pytest

from referee.cards import Card
from referee.frame import Image
from referee.virtual_table import Level, Look, VirtualTable
from referee.virtual_table.habits import HABITS
from referee.virtual_table.script import Nudge, Script, Spot
from referee.virtual_table.timeline import Timeline
from referee.vision.calibration import Zone, parse_calibration
from referee.vision.drift import landmarks, movement
from referee.vision.light import Mask

SIZE = (320, 180)
FULL = (1280, 720)
TO_SMALL = np.array([[0.25, 0, -0.375], [0, 0.25, -0.375], [0, 0, 1.0]])
"""From pixels of the frame to those of the small picture."""
Floats = npt.NDArray[np.float64]
TOPS = ("felt", "white", "checks", "stripes")
NOWHERE: Mask = np.zeros(SIZE[::-1], np.uint8)


@cache
def evening() -> tuple[Script, dict[str, float]]:
    """Three cards are laid; then the pile is pushed aside; then one more comes. And when each of these rests."""
    line = Timeline(Random(3), HABITS[Level.NORMAL])
    for seat, card in enumerate(("R3", "G7", "B1"), 1):
        line.lay(seat, Card.parse(card))
    at = {"rests": line.now + 0.2}
    t = round(line.now + 1.0, 3)
    push = Spot(28.0, -18.0, 14.0)
    line.actions.append(Nudge(seat=3, begin=t, contact=t + 0.5, release=t + 1.2, end=t + 1.7, by=push, depth=3))
    line.now = t + 1.7
    at["the pile is pushed"] = line.now + 0.2
    reach = line.lay(2, Card.parse("Y4"))
    at |= {"an arm comes": (reach.begin + reach.contact) / 2, "an arm lays a card": reach.release}
    at["a card has come"] = line.now + 0.2
    script = Script(
        seed=1, level=Level.NORMAL, players=("Ann", "Ben", "Cleo", "Dan"), dealer="Ann", preset="official_108",
        stack=60, actions=tuple(line.actions), inputs=(), truth={}, duration_s=line.now + 1.0,
    )  # fmt: skip
    return script, at


@cache
def seen(top: str, when: str, seed: int = 0) -> tuple[Image, Mask, Mask]:
    """A frame of that evening, with a camera's noise, and where cards are laid and drawn in the small picture."""
    script, at = evening()
    table = VirtualTable(script, Look.draw(5, Level.NORMAL, table=top, style="white_oval"))
    calibration = parse_calibration(table.calibration())

    def where(zone: Zone) -> Mask:
        x, y, w, h = zone
        mask = np.zeros(SIZE[::-1], np.uint8)
        corners = calibration.to_image([(x, y), (x + w, y), (x + w, y + h), (x, y + h)])
        cv2.fillConvexPoly(mask, np.rint(corners / 4).astype(np.int32), 255)
        return mask

    noise = np.random.default_rng(seed).normal(0, 3, (FULL[1], FULL[0], 3))
    image = np.clip(table.frame_at(at[when]).image + noise, 0, 255).astype(np.uint8)
    return image, where(calibration.discard_zone_mm), where(calibration.draw_zone_mm)


def small(frame: Image, knocked: Floats | None = None) -> Image:
    if knocked is not None:
        frame = np.asarray(cv2.warpPerspective(frame, knocked, FULL, borderMode=cv2.BORDER_REFLECT), np.uint8)
    return np.asarray(cv2.resize(frame, SIZE), np.uint8)


def knocked(
    turn_deg: float = 0.0, shift: tuple[float, float] = (0, 0), tilt_deg: float = 0.0, zoom: float = 1.0
) -> Floats:
    """What a camera with a lens of 38 degrees makes of a knock: frame pixels to frame pixels."""
    lens = np.array([[1856.0, 0, 640], [0, 1856.0, 360], [0, 0, 1]])
    tilted = lens @ cv2.Rodrigues(np.radians([tilt_deg, 0.0, 0.0]))[0] @ np.linalg.inv(lens)
    turned = np.vstack([cv2.getRotationMatrix2D((640, 360), turn_deg, zoom), [0, 0, 1]])
    turned[:2, 2] += shift
    return np.asarray(turned @ tilted, np.float64)


KNOCKS = {
    "a little aside": knocked(shift=(9.0, -7.0)), "far aside": knocked(shift=(-150.0, 60.0)),
    "turned": knocked(turn_deg=9.0, shift=(14.0, -10.0)), "turned far": knocked(turn_deg=-32.0),
    "tilted": knocked(tilt_deg=2.5), "nearer": knocked(zoom=1.12, shift=(20.0, 0.0)),
}  # fmt: skip


@pytest.mark.parametrize("top", TOPS)
@pytest.mark.parametrize("now", ["rests", "an arm comes", "a card has come"])
@pytest.mark.parametrize("knock", KNOCKS)
def test_however_a_camera_is_knocked_it_is_known_where_things_are_now(top: str, knock: str, now: str) -> None:
    """Also while an arm is there, and when the pile has changed meanwhile."""
    frame, discard, draw = seen(top, "rests" if now == "rests" else "the pile is pushed")
    found = movement(landmarks(small(frame)), landmarks(small(seen(top, now, 1)[0], KNOCKS[knock])), discard, draw)
    assert found is not None
    true = TO_SMALL @ KNOCKS[knock] @ np.linalg.inv(TO_SMALL)
    down, across = np.nonzero(discard)
    corners = np.array([[[x, y]] for x in (across.min(), across.max()) for y in (down.min(), down.max())], np.float64)
    off = cv2.perspectiveTransform(corners, found) - cv2.perspectiveTransform(corners, true)
    assert np.linalg.norm(off, axis=2).max() < 2.0


@pytest.mark.parametrize("top", TOPS)
@pytest.mark.parametrize(
    "now", ["rests", "the pile is pushed", "an arm comes", "an arm lays a card", "a card has come"]
)
def test_what_hands_do_at_the_pile_is_no_knock(top: str, now: str) -> None:
    frame, discard, draw = seen(top, "rests")
    found = movement(landmarks(small(frame)), landmarks(small(seen(top, now, 1)[0])), discard, draw)
    assert found is None or abs(found - np.eye(3)).max() < 0.5


@pytest.mark.parametrize("top", TOPS)
@pytest.mark.parametrize("by_px", [(0, 12), (9, -6)])
def test_a_draw_pile_that_is_pushed_is_no_knock(top: str, by_px: tuple[int, int]) -> None:
    frame, discard, draw = seen(top, "rests")
    before, now = small(frame), small(seen(top, "rests", 1)[0])
    pile = np.roll(now, by_px, (0, 1))
    where = np.roll(draw, by_px, (0, 1)) > 0
    now[draw > 0] = np.median(now[(draw | discard) == 0], axis=0)
    now[where] = pile[where]
    found = movement(landmarks(before), landmarks(now), discard, draw)
    assert found is None or abs(found - np.eye(3)).max() < 0.5


@pytest.mark.parametrize("top", ["felt", "white"])
@pytest.mark.parametrize("knocked_px", [0, 5])
def test_the_shadows_of_leaves_that_sway_are_no_knock_where_the_piles_stay(top: str, knocked_px: int) -> None:
    rng = np.random.default_rng(4)
    gaps = cv2.GaussianBlur((rng.random((20, 34)) > 0.5).astype(np.float32), (0, 0), 0.4)
    leaves = 0.45 + 0.55 * cv2.GaussianBlur(cv2.resize(gaps, (340, 200), interpolation=cv2.INTER_NEAREST), (0, 0), 2)

    def picture(sway_px: int, number: int) -> Image:
        frame = small(seen(top, "rests", number)[0], knocked(shift=(4.0 * number * knocked_px, 0)))
        light = leaves[10 : 10 + SIZE[1], 10 + sway_px : 10 + sway_px + SIZE[0]]
        return np.clip(frame * light[..., None], 0, 255).astype(np.uint8)

    _, discard, draw = seen(top, "rests")
    found = movement(landmarks(picture(0, 0)), landmarks(picture(-knocked_px or 5, 1)), discard, draw)
    assert (found is not None) is bool(knocked_px)


@pytest.mark.parametrize("by_px", [3, 6])
def test_an_arm_that_moves_at_the_edge_of_plain_wood_is_no_knock(by_px: int) -> None:
    rng = np.random.default_rng(3)
    grain = cv2.GaussianBlur(rng.normal(0, 1, (180, 320)), (0, 0), 2)
    wood = 110 + 8 * grain / grain.std()

    def picture(arm_px: int) -> Image:
        seen = wood.copy()
        cv2.ellipse(seen, (arm_px, 70), (46, 20), 0, 0, 360, 235, -1)
        cv2.ellipse(seen, (arm_px - 60, 70), (40, 26), 0, 0, 360, 30, -1)
        seen += rng.normal(0, 1.5, seen.shape)
        return np.repeat(np.clip(seen, 0, 255).astype(np.uint8)[..., None], 3, 2)

    assert movement(landmarks(picture(40)), landmarks(picture(40 + by_px)), NOWHERE, NOWHERE) is None


@pytest.mark.parametrize(("along", "down", "is_knock"), [(0.95, 0.95, True), (0.93, 1.0, False)])
def test_a_picture_that_is_bent_is_not_taken_for_a_knock(along: float, down: float, is_knock: bool) -> None:
    cloth = cv2.GaussianBlur(np.random.default_rng(5).integers(0, 255, (180, 320, 3), np.uint8), (0, 0), 3)
    cloth = np.clip((cloth - 128.0) * 8 + 128, 0, 255).astype(np.uint8)
    told = np.array([[along, 0, 160 * (1 - along)], [0, down, 90 * (1 - down)]])
    now = np.asarray(cv2.warpAffine(cloth, told, SIZE), np.uint8)
    found = movement(landmarks(cloth), landmarks(now), NOWHERE, NOWHERE)
    assert (found is not None and bool(abs(found[0, 0] - along) < 0.01)) is is_knock


def striped(along_px: float = 0.0, across_px: float = 0.0, bent_px: float = 0.0, fanned: float = 0.0) -> Image:
    """A tablecloth with nearly level stripes and two piles on it, moved by so much. bent_px: further down at both
    sides; fanned: how the stripes spread from left to right, as they do for a camera that hangs askew."""
    y, x = np.mgrid[0:180, 0:320].astype(np.float64)
    x -= along_px
    y -= across_px + bent_px * ((x - 160) / 160) ** 2
    down = y + 0.02 * x + fanned * (y - 90) * (x - 160) / 160
    seen = np.repeat((150 + 60 * np.clip(4 * np.sin(2 * np.pi * down / 9), -1, 1))[..., None], 3, 2)
    for middle, angle, colour in ((200, 20, (40, 40, 200)), (120, 5, (20, 20, 20))):
        card = cv2.boxPoints(((middle + along_px, 90 + across_px), (26, 40), angle))
        cv2.fillConvexPoly(seen, np.rint(card).astype(np.int32), colour)
    noise = np.random.default_rng(int(10 * (along_px + across_px))).normal(0, 1, seen.shape)
    return np.clip(seen + noise, 0, 255).astype(np.uint8)


@pytest.mark.parametrize(
    ("case", "along_px", "across_px", "bent_px", "fanned"),
    [
        ("it trembles", 0.0, 0.1, 0.2, 0.0),
        ("it trembles more", 0.0, 0.2, 0.3, 0.0),
        ("it is bumped, and the stripes' spread tells where to", 5.0, 3.0, 0.0, 0.04),
        ("it is bumped along the stripes", 5.0, 0.0, 0.0, 0.04),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_only_a_camera_that_moves_along_stripes_is_believed_to(
    case: str, along_px: float, across_px: float, bent_px: float, fanned: float
) -> None:
    """Where the cloth hardly tells, the piles do."""
    discard = np.zeros((180, 320), np.uint8)
    discard[55:125, 160:230] = 255
    now = striped(along_px, across_px, bent_px, fanned)
    found = movement(landmarks(striped(fanned=fanned)), landmarks(now), discard, NOWHERE)
    moved = (np.eye(3) if found is None else found)[:2] @ (160, 90, 1) - (160, 90)
    assert moved == pytest.approx((along_px, across_px), abs=0.5)
