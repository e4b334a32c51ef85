"""When a Pi camera's picture has settled, and what it is held at."""

from __future__ import annotations

import numpy as np
import pytest

from referee.hardware.exposure import (
    RELIGHT_S,
    STEADY_FRAMES,
    Convergence,
    LightWatch,
    flicker_period_us,
    is_locked,
    lock_controls,
    mean_colour,
)

FRAME_US = 66_667  # 15 frames/s


def metadata(exposure: float, gain: float, red: float = 2.0, blue: float = 1.5) -> dict[str, object]:
    return {"ExposureTime": exposure, "AnalogueGain": gain, "ColourGains": (red, blue)}


@pytest.mark.parametrize(("hz", "us"), [(50, 10_000), (60, 8_333)])
def test_the_time_between_two_flashes_of_a_lamp(hz: int, us: int) -> None:
    assert flicker_period_us(hz) == us


@pytest.mark.parametrize(
    ("exposure", "gain", "hz", "locked_exposure", "locked_gain"),
    [
        (20_000, 2.0, 50, 20_000, 2.0),  # already a multiple
        (18_000, 2.0, 50, 20_000, 1.8),  # longer, with less gain
        (24_000, 2.0, 50, 20_000, 2.4),  # shorter, with more gain
        (18_000, 1.0, 50, 10_000, 1.8),  # a longer time would need a gain below 1
        (9_000, 1.0, 50, 9_000, 1.0),  # bright: not even one period
        (2_000, 1.0, 50, 2_000, 1.0),  # daylight
        (16_000, 2.0, 60, 16_666, 1.92),
        (66_000, 8.0, 50, 60_000, 8.8),  # seven periods do not fit into a frame
        (40_000, 15.9, 60, 41_665, 15.26),
    ],
)
def test_the_lock_keeps_the_brightness_at_a_time_that_does_not_flicker(
    exposure: float, gain: float, hz: int, locked_exposure: int, locked_gain: float
) -> None:
    controls = lock_controls(metadata(exposure, gain), hz, FRAME_US)
    assert (controls["ExposureTime"], round(controls["AnalogueGain"], 2)) == (locked_exposure, locked_gain)
    assert (controls["AeEnable"], controls["AwbEnable"], controls["ColourGains"]) == (False, False, (2.0, 1.5))


@pytest.mark.parametrize(
    ("reported", "locked"),
    [
        (metadata(20_000, 2.0), True),
        (metadata(19_900, 2.01), True),  # the sensor counts in lines and steps
        (metadata(33_000, 2.0), False),  # exposure goes its own way
        (metadata(20_000, 2.0, red=3.0), False),  # colour goes its own way
        ({"ExposureTime": 20_000}, False),
    ],
)
def test_a_lock_counts_once_the_frames_show_it(reported: dict[str, object], locked: bool) -> None:
    assert is_locked(reported, lock_controls(metadata(20_000, 2.0), 50, FRAME_US)) is locked


def settled_at(frames: list[dict[str, object]]) -> int | None:
    convergence = Convergence()
    return next((i for i, frame in enumerate(frames) if convergence.settled(frame)), None)


@pytest.mark.parametrize(
    ("frames", "at"),
    [
        ([metadata(20_000, 2.0)] * 20, STEADY_FRAMES - 1),
        ([metadata(1_000 * 2**i, 1.0) for i in range(5)] + [metadata(16_000, 1.0)] * 20, 4 + STEADY_FRAMES - 1),
        ([metadata(20_000, 2.0, red=1 + i / 10) for i in range(20)], None),  # colour still searches
        ([metadata(20_000 * (1 + i % 2), 2.0) for i in range(20)], None),  # flicker
        ([{}] * 20, None),  # a camera that reports nothing
    ],
    ids=["steady", "after a search", "colour moves", "flickers", "silent"],
)
def test_settled_means_that_several_frames_agree(frames: list[dict[str, object]], at: int | None) -> None:
    assert settled_at(frames) == at


TABLE = (60.0, 80.0, 90.0)


@pytest.mark.parametrize(
    ("now", "changed"),
    [
        ((60.0, 80.0, 90.0), False),
        ((66.0, 88.0, 99.0), False),  # a cloud
        ((30.0, 40.0, 45.0), True),  # dusk
        ((120.0, 160.0, 180.0), True),  # a lamp
        ((48.0, 80.0, 102.0), True),  # warm light after daylight, as bright as before
        ((61.0, 79.0, 96.0), False),  # a pile of red cards
        ((0.0, 0.0, 0.0), True),  # out
    ],
)
def test_which_light_is_another_one(now: tuple[float, float, float], changed: bool) -> None:
    watch = LightWatch()
    watch.locked()
    assert not watch.changed(TABLE, 0.0, free=True)
    assert not watch.changed(now, 1.0, free=True)
    assert watch.changed(now, 1.0 + RELIGHT_S, free=True) == changed


def test_a_hand_in_view_starts_the_wait_again() -> None:
    dark = (30.0, 40.0, 45.0)
    watch = LightWatch()
    said = [
        watch.changed(mean, t, free)
        for mean, t, free in [
            (dark, 0.0, False),  # no measure is taken with a hand in view
            (TABLE, 1.0, True), (dark, 2.0, True), (dark, 4.0, False), (dark, 5.0, True), (dark, 8.0, True),
            (dark, 9.0, True),
        ]
    ]  # fmt: skip
    assert said == [False] * 6 + [True]


def test_light_that_comes_back_was_a_shadow() -> None:
    dark = (30.0, 40.0, 45.0)
    watch = LightWatch()
    assert not any(
        watch.changed(mean, float(t), free=True)
        for t, mean in enumerate([TABLE, dark, dark, dark, TABLE, dark, dark, dark])
    )


def test_the_mean_colour_of_a_picture() -> None:
    image = np.zeros((64, 64, 3), np.uint8)
    image[:, :32] = (10, 20, 200)
    assert mean_colour(image) == (5.0, 10.0, 100.0)
