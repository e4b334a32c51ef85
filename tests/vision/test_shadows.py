"""Soft shadows with hands in them: what is a shadow stays one, and no hand grows into it."""

from __future__ import annotations

import cv2
import numpy as np
import numpy.typing as npt
import pytest

from referee.frame import Frame, Image
from referee.paths import shipped
from referee.vision.calibration import load_calibration
from referee.vision.drift import landmarks, movement
from referee.vision.ghosts import lifted
from referee.vision.light import brighter, soft_shadows
from referee.vision.scene import Scene

TABLE = load_calibration(shipped("calibration") / "default.json")
SMALL = (180, 320)
HAND = (120, 150, 205)


def cloth(shape: tuple[int, int] = SMALL, grey: float = 150.0) -> Image:
    noise = np.random.default_rng(5).normal(0, 1.5, (*shape, 3))
    picture = np.clip(np.full((*shape, 3), grey) + noise, 0, 255).astype(np.uint8)
    cv2.rectangle(picture, (shape[1] - 40, 10), (shape[1] - 20, 40), (40, 40, 40), -1)  # or it is no picture of a table
    return picture


def shaded(
    picture: npt.NDArray[np.uint8], middle: tuple[int, int], axes: tuple[int, int], soft: float, depth: float = 0.4
) -> Image:
    """The picture under an oval shadow that takes `depth` of the light, with a rim of `soft` pixels."""
    h, w = picture.shape[:2]
    ys, xs = np.mgrid[:h, :w]
    away = np.hypot((xs - middle[0]) / axes[0], (ys - middle[1]) / axes[1])
    left = 1 - depth * np.clip((1 - away) * axes[0] / soft, 0, 1)
    return np.asarray(np.clip(picture * left[..., None], 0, 255), np.uint8)


@pytest.mark.parametrize(("case", "soft", "share"), [("a shadow", 18.0, 1.0), ("cloth", 1.0, 0.0)])
def test_a_hand_that_crosses_a_shadow_does_not_make_cloth_of_it(case: str, soft: float, share: float) -> None:
    table = cloth()
    now = shaded(table, (160, 90), (60, 40), soft)
    cv2.line(now, (190, 179), (120, 20), HAND, 40)
    differs = np.asarray((cv2.absdiff(table, now).max(2) > 10) * 255, np.uint8)
    found = soft_shadows(table, now, differs, 0.5, 14.0)
    inside = np.zeros(SMALL, np.uint8)
    cv2.ellipse(inside, (160, 90), (44, 28), 0, 0, 360, 255, -1)
    inside[np.abs(now.astype(int) - HAND).max(2) < 3] = 0
    assert (found[inside > 0] > 0).mean() == pytest.approx(share, abs=0.15), case


@pytest.mark.parametrize(
    ("case", "depth", "soft", "lifts", "share"),
    [
        ("somebody leans over the table", 0.6, 18.0, False, 1.0),
        ("... and goes again", 0.6, 18.0, True, 1.0),
        ("a dark sleeve", 0.6, 1.0, False, 0.0),
        ("black cloth", 0.85, 18.0, False, 0.0),
    ],
)
def test_a_deep_shadow_is_one_and_a_sleeve_as_dark_is_none(
    case: str, depth: float, soft: float, lifts: bool, share: float
) -> None:
    bare = cloth()
    under = shaded(bare, (160, 90), (60, 40), soft, depth)
    under[..., 0] = np.maximum(under[..., 0], shaded(bare, (160, 90), (60, 40), soft, 0.9 * depth)[..., 0])  # sky
    before, now = (under, bare) if lifts else (bare, under)
    assert _found_in_the_middle(before, now) == pytest.approx(share, abs=0.05), case


def test_a_dark_sleeve_in_the_soft_shadow_that_it_throws_is_no_shadow() -> None:
    bare = cloth()
    under = shaded(shaded(bare, (160, 90), (110, 75), 40.0, 0.35), (160, 90), (50, 34), 1.0, 0.45)
    assert _found_in_the_middle(bare, under) == 0.0


def _found_in_the_middle(before: Image, now: Image) -> float:
    differs = np.asarray((cv2.absdiff(before, now).max(2) > 10) * 255, np.uint8)
    return float((soft_shadows(before, now, differs, 0.5, 14.0)[70:110, 135:185] > 0).mean())


@pytest.mark.parametrize("lifts", [False, True])
def test_a_hand_of_the_tables_colour_that_crosses_a_shadow_is_told_from_it(lifts: bool) -> None:
    bare = cloth()
    under = shaded(bare, (160, 120), (70, 45), 18.0)
    before, now = (under, bare.copy()) if lifts else (bare, under)
    hand = np.zeros(SMALL, np.uint8)
    for x in (120, 160, 200):
        cv2.line(hand, (x, 0), (x, 90), 255, 16)
    now[hand > 0] = np.asarray(before[hand > 0] * (0.7 if lifts else 1.3), np.uint8)
    differs = np.asarray((cv2.absdiff(before, now).max(2) > 10) * 255, np.uint8)
    found = soft_shadows(before, now, differs, 0.5, 14.0)
    shadow = np.zeros(SMALL, np.uint8)
    cv2.ellipse(shadow, (160, 120), (50, 30), 0, 0, 360, 255, -1)
    shadow[cv2.dilate(hand, np.ones((7, 7), np.uint8)) > 0] = 0
    assert (found[shadow > 0] > 0).mean() > 0.95
    assert (found[hand > 0] > 0).mean() < 0.1


@pytest.mark.parametrize(("fingers", "share"), [(True, 0.0), (False, 1.0)], ids=["a hand", "a shadow"])
def test_a_hand_as_light_as_the_table_is_no_shadow_with_the_one_round_it(fingers: bool, share: float) -> None:
    """Skin on wood: the hand's own border is hidden in its shadow, whose border is soft."""
    table = cloth()
    now = shaded(table, (160, 90), (120, 60), 60.0, 0.45)
    if fingers:
        for x in range(90, 236, 10):
            cv2.line(now, (x, 60), (x, 120), (132, 132, 132), 4, cv2.LINE_AA)
    for x in (60, 260):  # the sleeve, and the card that it holds
        cv2.line(now, (x - 40, -20), (x + 40, 200), HAND, 100)
    differs = np.asarray((cv2.absdiff(table, now).max(2) > 10) * 255, np.uint8)
    found = soft_shadows(table, now, differs, 0.5, 14.0)
    assert (found[65:115, 130:190] > 0).mean() == pytest.approx(share, abs=0.2)


@pytest.mark.parametrize(("noise", "gone"), [(0.0, True), (10.0, False)], ids=["the table", "a hand"])
def test_skin_that_stands_out_from_the_wood_is_no_wood_in_more_light(noise: float, gone: bool) -> None:
    rng = np.random.default_rng(3)
    wood = np.asarray(100 + rng.normal(0, 4, (*SMALL, 1)).repeat(3, 2), np.float32)
    arm = np.zeros(SMALL, np.uint8)
    cv2.line(arm, (160, 0), (160, 110), 255, 30)
    lighter = wood * 1.25 + rng.normal(0, 1, (*SMALL, 1)) * noise
    now = np.where(arm[..., None] > 0, lighter, wood).astype(np.uint8)
    found = lifted(arm, arm, arm, np.full(SMALL, 255, np.uint8), wood.astype(np.uint8), now)
    assert (found is not None) == gone


def test_the_edge_of_a_paper_under_a_hand_does_not_make_it_the_table() -> None:
    rng = np.random.default_rng(3)
    wood = np.asarray(60 + rng.normal(0, 4, (*SMALL, 1)).repeat(3, 2), np.float32)
    arm = np.zeros(SMALL, np.uint8)
    cv2.line(arm, (160, 0), (160, 110), 255, 30)
    skin = np.clip(80 + rng.normal(0, 3, (*SMALL, 1)).repeat(3, 2), 0, 255)
    now = np.where(arm[..., None] > 0, skin, wood)
    for picture in (wood, now):
        picture[20:80, 170:] = 220
    found = lifted(arm, arm, arm, np.full(SMALL, 255, np.uint8), wood.astype(np.uint8), now.astype(np.uint8))
    assert found is None


@pytest.mark.parametrize("pile_known", [False, True])
def test_where_a_hand_was_settled_there_is_none_once_it_has_gone(pile_known: bool) -> None:
    """Else it would lie over the pile all evening, and no card would land."""
    width, height = TABLE.image_size
    table, scene = cloth((height, width)), Scene(TABLE)
    x, y, w, h = TABLE.discard_zone_mm
    u, v = (round(c) for c in TABLE.to_image([(x + w / 2, y + h / 2)])[0])
    for number in range(60):
        now = table.copy()
        if number < 30:
            cv2.line(now, (u, height), (u, v), HAND, 60)
        look = scene.look(Frame(now, number, number / 15), pile_known)
        if number == 20:
            scene.settle()
        if number == 32:
            assert look.arms
    assert look.arms == ()


@pytest.mark.parametrize(("case", "sleeve", "there"), [("goes", False, 0), ("a hand rests there", True, 1)])
def test_a_card_laid_as_a_wide_shadow_lifts_from_a_plain_table_is_no_arm(case: str, sleeve: bool, there: int) -> None:
    """The place of the hand that laid it lies in the same new light as all the table about it."""
    width, height = TABLE.image_size
    table, scene = np.full((height, width, 3), (122, 123, 148), np.uint8), Scene(TABLE)
    table[20:80, 20:140] = 60
    x, y, w, h = TABLE.discard_zone_mm
    u, v = (round(c) for c in TABLE.to_image([(x + w / 2, y + h / 2)])[0])
    shade = shaded(table, (u - 200, height), (500, 460), 160.0, 0.2)
    cv2.rectangle(table, (u - 60, v - 90), (u + 60, v + 90), (60, 60, 210), -1)
    for number in range(50):
        now = shade.copy() if number < 38 else table.copy()
        if 32 <= number < 42 or (sleeve and number >= 32):
            cv2.line(now, (u - 20, height), (u - 20, v + 30), HAND, 70)
        look = scene.look(Frame(now, number, number / 15), True)
    assert sum(arm.in_discard > 0 for arm in look.arms) == there, case


@pytest.mark.parametrize("depth", [0.3, 0.4])
def test_the_light_where_a_hand_was_as_a_shadow_lifted_has_no_hem_on_striped_cloth(depth: float) -> None:
    """All that the shadow left is settled with that place: else its border would be a hand's hem all evening."""
    width, height = TABLE.image_size
    table, scene = np.full((height, width, 3), (150, 152, 158), np.uint8), Scene(TABLE)
    for left in range(0, width, 24):
        table[:, left : left + 10] = (150, 90, 60)
    table[20:80, 20:140] = 60
    x, y, w, h = TABLE.discard_zone_mm
    u, v = (round(c) for c in TABLE.to_image([(x + w / 2, y + h / 2)])[0])
    shade = shaded(table, (u + 60, height), (420, 360), 60.0, depth)
    cv2.rectangle(table, (u - 45, v - 70), (u + 45, v + 70), (60, 210, 230), -1)
    for number in range(80):
        now = shade.copy() if number < 36 else table.copy()
        if 32 <= number < 46:
            cv2.line(now, (u - 20, height), (u - 20, v + 30), (40, 50, 70), 70)
        look = scene.look(Frame(now, number, number / 15), True)
        if number == 40:
            assert look.arms
    assert look.arms == ()


def test_an_arm_that_rests_does_not_grow_into_the_shadow_beside_it() -> None:
    width, height = TABLE.image_size
    table, scene, areas = cloth((height, width)), Scene(TABLE), []
    for number in range(60):
        now = table.copy()
        if number >= 25:
            now = shaded(now, (360, 400), (300, 250), 90.0, 0.35 * min(1.0, (number - 24) / 6))
        if number >= 15:
            cv2.line(now, (0, 300), (330, 330), HAND, 60)
        areas.append(sum(arm.area for arm in scene.look(Frame(now, number, number / 30)).arms))
    assert areas[20] > 5000.0
    assert max(areas[25:]) < 1.3 * areas[20]


def test_a_burnt_out_table_is_no_arm_once_the_exposure_falls() -> None:
    width, height = TABLE.image_size
    table = cloth((height, width)).astype(float)
    table[:, : width // 4] = (212, 242, 252)
    scene = Scene(TABLE)
    for number in range(40):
        gain = 1.15 if number < 20 else 1.0
        now = np.clip(table * gain, 0, 255).astype(np.uint8)
        look = scene.look(Frame(now, number, number / 15))
    assert look.arms == ()


@pytest.mark.parametrize("bumped", [False, True])
def test_a_shadow_that_moves_over_a_plain_table_is_no_bump(bumped: bool) -> None:
    """The table's own pattern tells: with the camera it moves."""
    table = cloth()
    table[10:40, 280:300] = table[60:90, 280:300]  # nothing but its pattern
    before, now = (shaded(table, (x, 90), (60, 40), 6.0) for x in (160, 153))
    if bumped:
        now = np.roll(before, -7, 1)
    found = movement(landmarks(before), landmarks(now), *np.zeros((2, *SMALL), np.uint8))
    assert (None if found is None else round(float(found[0, 2]))) == (-7 if bumped else None)


@pytest.mark.parametrize(
    ("before", "now", "settled"),
    [(0.35, 0.0, True), (0.6, 0.0, True), (0.0, 0.35, False), (0.0, 0.6, False)],
    ids=["lifts", "a deep one lifts", "falls", "a deep one falls"],
)
def test_where_a_shadow_has_lifted_the_table_is_settled_beside_the_pile_too(
    before: float, now: float, settled: bool
) -> None:
    """Else the next hand there makes an arm of all of that, which does not go. One that falls will lift again."""
    width, height = TABLE.image_size
    table, scene = np.full((height, width, 3), (150, 140, 130), np.uint8), Scene(TABLE)
    table[20:80, 20:140] = 200
    x, y, w, h = TABLE.discard_zone_mm
    beside = ((x + w + 20, y), (x + w + 76, y), (x + w + 76, y + h), (x + w + 20, y + h))
    (left, top), (right, bottom) = TABLE.to_image(beside).min(0), TABLE.to_image(beside).max(0)
    middle = (round((left + right) / 2), round((top + bottom) / 2))
    for number in range(41):
        depth = before if number < 40 else now
        shade = shaded(table, middle, (width // 7, height // 3), 90.0, depth)
        scene.look(Frame(shade, number, number / 15))
    scene.settle_discard()
    off = np.abs(scene.card_pixels(beside, settled=True).astype(int) - scene.card_pixels(beside))
    assert (float(off.mean()) < 3.0) == settled


def test_where_a_shadow_has_lifted_noise_leaves_no_specks_of_it_on_the_settled_table() -> None:
    """Together they pass for an arm, whose tip flickers into the zones."""
    width, height = TABLE.image_size
    rng = np.random.default_rng(3)
    table, scene = np.full((height, width, 3), (150, 140, 130), np.uint8), Scene(TABLE)
    table[20:80, 20:140] = 200
    x, y, w, h = TABLE.discard_zone_mm
    beside = ((x + w + 20, y), (x + w + 76, y), (x + w + 76, y + h), (x + w + 20, y + h))
    u, v = (round(c) for c in TABLE.to_image([(x + w + 48, y + h / 2)])[0])
    shade = shaded(table, (u, v), (width // 7, height // 3), 90.0, 0.3)
    for number in range(41):
        noise = np.kron(rng.normal(0, 7, (height // 4, width // 4, 3)), np.ones((4, 4, 1)))
        now = np.clip((shade if number < 40 else table) + noise, 0, 255).astype(np.uint8)
        scene.look(Frame(now, number, number / 15))
    scene.settle_discard()
    off = np.abs(scene.card_pixels(beside, settled=True).astype(int) - scene.card_pixels(beside))
    assert float((off.max(1) > 12).mean()) < 0.02


@pytest.mark.parametrize(("case", "skin", "share"), [("the table in more light", False, 1.0), ("a hand", True, 0.0)])
def test_a_dark_table_is_known_in_more_light_through_the_noise(case: str, skin: bool, share: float) -> None:
    """Somebody's shadow was there when watching began, and passed for their arm all evening once they had gone."""
    rng = np.random.default_rng(3)
    before = np.full((60, 60, 3), 16.0)
    now = np.full((60, 60, 3), HAND if skin else 28.0) * (0.4 if skin else 1.0)
    was, seen = (np.clip(p + rng.normal(0, 2.5, p.shape), 0, 255).astype(np.uint8) for p in (before, now))
    lit = brighter(was, seen, np.full((60, 60), 255, np.uint8), 0.5, 14.0)
    assert (lit > 0).mean() == pytest.approx(share, abs=0.1), case
