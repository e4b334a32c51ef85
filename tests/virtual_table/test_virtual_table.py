"""Pictures of the simulated table: the same every time, true to the script, and where the calibration says."""

from __future__ import annotations

import pickle
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

from referee.cards import Card, Colour
from referee.virtual_table import Level, Look, Script, VirtualCamera, VirtualTable, play
from referee.virtual_table.clutter import strew
from referee.virtual_table.geometry import Layout, project
from referee.virtual_table.light import gain_at
from referee.virtual_table.script import Lay, Light, Nudge, PutStack, Reach, Rest, Shade, Spot, TakeBack, Toss


def quiet(*actions: Reach | Light | Shade, level: Level = Level.EASY, until: float = 10.0) -> Script:
    """A script with only these actions."""
    return Script(
        seed=1, level=level, players=("Ana", "Ben", "Cleo", "Dev"), dealer="Ana", preset="official_108", stack=79,
        actions=actions, inputs=(), truth={}, duration_s=until,
    )  # fmt: skip


def lay(card: str, at: float = 1.0, seat: int = 1, spot: Spot = Spot(0, 0, 10)) -> Lay:
    return Lay(
        seat=seat, begin=at, contact=at + 0.5, release=at + 0.7, end=at + 1.1, cards=(Card.parse(card),), spots=(spot,)
    )


def table(*actions: Reach | Light | Shade, seed: int = 1, level: Level = Level.EASY, top: str = "wood") -> VirtualTable:
    return VirtualTable(quiet(*actions, level=level), Look.draw(seed, level, top, "white_oval"))


def colours(pixels: np.ndarray) -> dict[Colour, int]:
    """How many strongly coloured pixels are of each card colour."""
    b, g, r = (pixels[..., k].astype(int).ravel() for k in range(3))
    strong = (np.maximum(np.maximum(b, g), r) - np.minimum(np.minimum(b, g), r)) > 70
    return {
        Colour.RED: int((strong & (r > 1.8 * g) & (r > 1.8 * b)).sum()),
        Colour.YELLOW: int((strong & (r > 1.5 * b) & (g > 1.5 * b) & (abs(r - g) < 0.4 * r)).sum()),
        Colour.GREEN: int((strong & (g > 1.2 * r) & (g > 1.2 * b)).sum()),
        Colour.BLUE: int((strong & (b > 1.2 * g) & (b > 1.5 * r)).sum()),
    }


@pytest.mark.parametrize("level", Level)
def test_the_same_seed_draws_the_same_bytes_in_any_order(level: Level) -> None:
    script = play(5, level=level, seconds=15)
    look = Look.draw(5, level)
    first, second = VirtualTable(script, look), VirtualTable(script, look)
    times = (0.5, 3.4, 7.0, 9.2)
    forwards = [first.frame_at(t).image for t in times]
    backwards = [second.frame_at(t).image for t in reversed(times)]
    assert all(np.array_equal(a, b) for a, b in zip(forwards, reversed(backwards), strict=True))


def test_frames_are_the_pictures_of_their_times() -> None:
    scene = table(lay("R7"))
    frames = [frame for frame, _ in zip(scene.frames(10), range(20), strict=False)]
    assert [(f.seq, f.t) for f in frames[:3]] == [(0, 0.0), (1, 0.1), (2, 0.2)]
    assert np.array_equal(frames[17].image, scene.frame_at(1.7).image)


def test_frames_without_action_differ_only_by_noise() -> None:
    scene = table(lay("R7"), level=Level.NORMAL)
    a, b = (scene.frame_at(t).image.astype(int) for t in (4.0, 4.5))
    assert 0 < abs(a - b).mean() < 4
    assert abs(a - b).max() < 40
    assert abs((a - b).mean()) < 0.05


@pytest.mark.parametrize("card", ["R7", "Y3", "G+2", "BS"])
@pytest.mark.parametrize("level", Level)
def test_a_card_that_landed_shows_its_colour_where_the_calibration_says(card: str, level: Level) -> None:
    scene = table(lay(card), level=level, top="white")
    calibration = scene.calibration()
    x, y, w, h = calibration["discard_zone_mm"]
    (px, py), *_ = project(np.array(calibration["table_to_image"]), [(x + w / 2, y + h / 2)])
    image = scene.frame_at(3.0).image
    seen = colours(image[int(py) - 55 : int(py) + 55, int(px) - 35 : int(px) + 35])
    assert max(seen, key=lambda c: seen[c]) is Card.parse(card).colour


def test_before_the_first_card_the_discard_zone_is_empty_and_after_a_take_back_again() -> None:
    back = TakeBack(seat=1, begin=3.0, contact=3.4, release=3.7, end=4.1)
    scene = table(lay("R7"), back)
    before, lying, after = (scene.frame_at(t).image.astype(int) for t in (0.5, 2.5, 5.0))
    assert abs(before - after).mean() < 2
    assert (abs(before - lying) > 60).any(axis=2).sum() > 5000


@pytest.mark.parametrize("seat", [1, 3])
def test_a_thrown_card_slides_on_without_the_hand(seat: int) -> None:
    """From seats on the long sides: the hand stays away from the pile, and the card comes to rest on it."""
    toss = Toss(seat=seat, begin=1.0, contact=1.5, release=1.5, rests=2.0, end=2.1, card=Card.parse("R7"),
                spot=Spot(5, -8, 10), short_mm=200.0, spin=90.0)  # fmt: skip
    scene = table(toss, top="white")
    calibration = scene.calibration()
    x, y, w, h = calibration["discard_zone_mm"]
    spot = project(np.array(calibration["table_to_image"]), [(x + w / 2 + 5, y + h / 2 - 8)])[0]
    empty = scene.frame_at(0.5).image.astype(int)
    apart = []
    for t in (1.5, 1.6, 1.7, 1.8, 1.9, 2.5):
        image = scene.frame_at(t).image.astype(int)
        b, g, r = (image[..., k] for k in range(3))
        ys, xs = np.nonzero((r > 2.2 * g) & (r > 2.2 * b) & (abs(image - empty).max(axis=2) > 60))
        apart.append(float(np.hypot(xs.mean() - spot[0], ys.mean() - spot[1])))
    assert all(before > after for before, after in pairwise(apart))
    assert apart[0] > 150 > 6 > apart[-1]


def test_a_card_that_is_lifted_shows_the_one_below_and_lies_there_again() -> None:
    peek = Nudge(seat=1, begin=5.0, contact=5.4, release=6.4, end=6.8, by=Spot(0, 0, 0), depth=1, lift=60.0)
    scene = table(lay("B7"), lay("R7", at=3.0), peek, top="white")
    before, during, after = (colours(scene.frame_at(t).image) for t in (4.8, 5.9, 7.5))
    assert during[Colour.BLUE] > before[Colour.BLUE] + 1000
    assert abs(after[Colour.BLUE] - before[Colour.BLUE]) < 200


@pytest.mark.parametrize("seat", [1, 2, 3, 4])
def test_arms_come_from_their_seats(seat: int) -> None:
    scene = table(lay("R7", seat=seat), top="white")
    still, busy = scene.frame_at(0.5).image.astype(int), scene.frame_at(1.6).image.astype(int)
    changed = (abs(still - busy) > 60).any(axis=2)
    ys, xs = np.nonzero(changed)
    sides = {1: ys.max() >= 718, 2: xs.min() <= 1, 3: ys.min() <= 1, 4: xs.max() >= 1278}
    assert [s for s, touches in sides.items() if touches] == [seat]


def test_the_hand_is_out_of_the_picture_when_the_truth_says_so() -> None:
    for seat in (1, 2, 3, 4):
        scene = table(lay("R7", seat=seat, at=1.0), level=Level.HARD)
        a, b = scene.frame_at(2.1).image.astype(int), scene.frame_at(2.6).image.astype(int)
        assert (abs(a - b).max(axis=2) > 45).sum() < 20


def test_a_resting_arm_stays_clear_of_the_piles() -> None:
    for seat in (1, 2, 3, 4):
        rest = Rest(seat=seat, begin=1.0, contact=1.5, release=5.0, end=5.5)
        scene = table(rest, level=Level.HARD, top="white")
        calibration = scene.calibration()
        difference = abs(scene.frame_at(0.5).image.astype(int) - scene.frame_at(3.0).image.astype(int)).max(axis=2)
        assert (difference > 45).sum() > 1000
        for zone in ("discard_zone_mm", "draw_zone_mm"):
            x, y, w, h = calibration[zone]
            corners = project(np.array(calibration["table_to_image"]), [(x, y), (x + w, y + h)]).astype(int)
            (x0, y0), (x1, y1) = corners
            assert (difference[y0:y1, x0:x1] > 60).sum() < 50


def test_light_changes_the_picture_and_not_the_scene() -> None:
    dim = Light(begin=1.0, lasts=1.0, gain=(0.5, 0.5, 0.5))
    scene = table(dim, top="white")
    assert gain_at(scene.script, 1.5) == pytest.approx((0.75, 0.75, 0.75))
    bright, dark = scene.frame_at(0.5).image.mean(), scene.frame_at(3.0).image.mean()
    assert dark == pytest.approx(bright / 2, rel=0.05)


def test_a_passing_shadow_goes_away_again() -> None:
    scene = table(Shade(seat=2, begin=1.0, end=2.0, depth=0.4), top="white")
    before, under, after = (scene.frame_at(t).image.mean() for t in (0.5, 1.5, 2.5))
    assert under < before - 3
    assert after == pytest.approx(before, abs=0.2)


def test_a_new_draw_pile_appears() -> None:
    script = quiet(PutStack(seat=1, begin=1.0, contact=1.5, release=1.8, end=2.2, n=60))
    empty = VirtualTable(Script(**{**{f: getattr(script, f) for f in script.__slots__}, "stack": 0}),
                         Look.draw(1, Level.EASY, "white", "plain"))  # fmt: skip
    before, after = empty.frame_at(0.5).image.astype(int), empty.frame_at(3.0).image.astype(int)
    assert (abs(before - after) > 60).any(axis=2).sum() > 5000


def test_the_camera_gives_every_frame_in_turn_and_then_ends() -> None:
    with VirtualCamera(VirtualTable(quiet(until=0.2), Look.draw(1, Level.EASY)), fps=10, realtime=False) as camera:
        frames = [camera.read(1.0) for _ in range(3)]
        assert [f.seq for f in frames if f is not None] == [0, 1, 2]
        assert camera.ended
        assert camera.read(1.0) is None


def test_a_live_camera_drops_frames_nobody_fetched() -> None:
    import time

    start = time.monotonic() - 100.0
    camera = VirtualCamera(VirtualTable(quiet(until=200.0), Look.draw(1, Level.EASY)), fps=10, start_monotonic=start)
    frame = camera.read(1.0)
    assert frame is not None
    assert frame.seq >= 1000
    assert frame.t == pytest.approx(start + frame.seq / 10)


def test_a_live_camera_shows_a_table_at_rest_until_its_cue(tmp_path: Path) -> None:
    import time

    cue, game = tmp_path / "cue", table(lay("G4"))
    camera = VirtualCamera(game, fps=10, cue=cue)
    rest = game.frame_at(0.0).image
    for _ in range(2):
        frame = camera.read(1.0)
        assert frame is not None
        assert np.array_equal(frame.image, rest)
    start = time.monotonic() - game.duration_s
    cue.write_text(str(start))
    frame = camera.read(1.0)
    assert frame is not None
    assert frame.t == pytest.approx(start + frame.seq / 10)
    assert not np.array_equal(frame.image, rest)


def test_a_camera_travels_to_another_process() -> None:
    camera = VirtualCamera(table(lay("G4")), fps=10, realtime=False)
    copy = pickle.loads(pickle.dumps(camera))
    a, b = camera.read(1.0), copy.read(1.0)
    assert a is not None
    assert b is not None
    assert np.array_equal(a.image, b.image)


def test_calibration_has_a_seat_for_each_player_clockwise() -> None:
    seats = table().calibration()["seats"]
    assert [s["seat"] for s in seats] == [1, 2, 3, 4]
    (bottom, left, top, right) = [s["at_mm"] for s in seats]
    assert bottom[1] > 430
    assert left[0] < 0
    assert top[1] < 0
    assert right[0] > 760


@pytest.mark.parametrize(("kind", "style"), [("grass", None), (None, "retro")])
def test_unknown_looks_are_refused(kind: str | None, style: str | None) -> None:
    with pytest.raises(ValueError, match="expected"):
        Look.draw(1, Level.EASY, kind, style)


@pytest.mark.parametrize("seed", range(12))
def test_things_on_the_table_keep_clear_of_the_zones(seed: int) -> None:
    layout = Layout.arrange(seed, Level.HARD, 4)
    top = np.full((430, 760, 3), 200, np.uint8)
    strew(top, 1.0, 0.0, Level.HARD, seed, (layout.discard, layout.draw), (0.5, 0.5))
    calibration = layout.calibration()
    for zone in ("discard_zone_mm", "draw_zone_mm"):
        x, y, w, h = (round(v) for v in calibration[zone])
        assert (top[y : y + h, x : x + w] == 200).all()


def test_hard_tables_are_never_bare() -> None:
    for seed in range(12):
        top = np.full((470, 800, 3), 200, np.uint8)
        strew(top, 1.0, 20.0, Level.HARD, seed, ((300, 215), (450, 215)), (0.0, 0.0))
        assert (top != 200).any()
