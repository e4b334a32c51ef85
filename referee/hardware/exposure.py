"""When a camera's exposure and colour have settled, which values to hold them at, and when to let go of them. Pure."""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping
from typing import Any

from referee.frame import Image

Metadata = Mapping[str, Any]
"""libcamera's metadata of one frame. ExposureTime: microseconds; AnalogueGain: factor; ColourGains: (red, blue)."""

STEADY_FRAMES = 8
"""Frames whose brightness and colour must agree. Too small: a pause in the middle of the search counts as settled;
too large: in light that drifts, nothing is ever settled."""

STEADY_RATIO = 0.03
"""Largest relative difference between those frames. Too small: sensor steps look like search; too large: the last
part of the search is locked in, and the picture stays too dark or too bright."""

VERIFY_RATIO = 0.05
"""Largest relative difference between what was asked and what a frame reports. Too small: the sensor's own rounding
of gain to steps looks like refusal; too large: a refusal goes unnoticed."""

VERIFY_US = 60
"""Difference of exposure that always passes, microseconds: sensors count in lines of some tens. Extremes as above."""


def flicker_period_us(mains_hz: int) -> int:
    """Microseconds between two maxima of a lamp on this mains: 10000 at 50 Hz, 8333 at 60 Hz."""
    return round(1_000_000 / (2 * mains_hz))


MAX_GAIN = 16.0
"""Most the sensor's signal is amplified. Too small: the picture of a dim room gets darker as it is locked; too large:
more than sensors can do, so that the lock never shows."""


def lock_controls(metadata: Metadata, mains_hz: int, frame_us: int) -> dict[str, Any]:
    """The controls that hold the exposure and colour of `metadata`, at a time that lamps do not make flicker.

    The exposure time becomes the nearest whole number of flicker periods that fits into a frame of `frame_us`
    microseconds and needs a gain of at least 1; the gain makes up for the change. In bright light, where not even one
    period fits, the time stays as it is.
    """
    exposure, gain = float(metadata["ExposureTime"]), float(metadata["AnalogueGain"])
    period = flicker_period_us(mains_hz)
    periods = min(round(exposure / period), frame_us // period, int(exposure * gain / period))
    if periods >= 1:
        gain = min(exposure * gain / (periods * period), MAX_GAIN)
        exposure = periods * period
    red, blue = metadata["ColourGains"]
    return {
        "AeEnable": False,
        "AwbEnable": False,
        "ExposureTime": int(exposure),
        "AnalogueGain": gain,
        "ColourGains": (float(red), float(blue)),
    }


def is_locked(metadata: Metadata, wanted: Metadata) -> bool:
    """Whether a frame was taken with the wanted exposure, gain and colour (picamera2 issues 1269, 1278)."""
    try:
        exposure = metadata["ExposureTime"], wanted["ExposureTime"]
        gains = [(metadata["AnalogueGain"], wanted["AnalogueGain"])]
        gains += list(zip(metadata["ColourGains"], wanted["ColourGains"], strict=True))
    except KeyError:
        return False
    if abs(exposure[0] - exposure[1]) > VERIFY_US:
        gains.append(exposure)
    return all(_close(a, b, VERIFY_RATIO) for a, b in gains)


def _close(a: float, b: float, ratio: float) -> bool:
    return abs(a - b) <= ratio * max(abs(a), abs(b))


RELIGHT_RATIO = 0.25
"""Relative change of brightness after which the light is another one. Too small: a cloud makes the camera settle anew;
too large: dusk makes every card dark before anything is done."""

RECOLOUR_RATIO = 0.15
"""The same of red or blue against green. Too small: a pile of red cards counts as another lamp; too large: a warm lamp
after daylight makes yellow cards orange."""

RELIGHT_S = 4.0
"""Seconds for which the other light must last with nothing but the table in view. Too small: somebody who leans over
the table counts as dusk; too large: the first cards under a new lamp are judged by the old one's colours."""


class LightWatch:
    """Notices that the light is not the one for which exposure and colour were locked."""

    def __init__(self) -> None:
        self._held: tuple[float, float, float] | None = None
        self._since: float | None = None

    def locked(self) -> None:
        """Exposure and colour were locked just now: the next free picture is the measure."""
        self._held = self._since = None

    def changed(self, mean: tuple[float, float, float], t: float, free: bool) -> bool:
        """Whether to settle anew. mean: of blue, green and red over the picture, 0 to 255; t: seconds of the frame;
        free: nothing but the table is in view."""
        if not free:
            self._since = None
            return False
        if self._held is None:
            self._held = mean
        if not self._differs(self._held, mean):
            self._since = None
            return False
        self._since = t if self._since is None else self._since
        return t - self._since >= RELIGHT_S

    @staticmethod
    def _differs(held: tuple[float, float, float], now: tuple[float, float, float]) -> bool:
        (blue, green, red), (held_blue, held_green, held_red) = (tuple(max(1.0, x) for x in m) for m in (now, held))
        pairs = ((blue / green, held_blue / held_green), (red / green, held_red / held_green))
        light = _close(sum(now), sum(held), RELIGHT_RATIO)
        return not (light and all(_close(a, b, RECOLOUR_RATIO) for a, b in pairs))


def mean_colour(image: Image) -> tuple[float, float, float]:
    """Mean blue, green and red of a picture, by every sixteenth pixel each way."""
    blue, green, red = image[::16, ::16].reshape(-1, 3).mean(axis=0)
    return float(blue), float(green), float(red)


class Steady:
    """Notices that what is measured of each frame stands still."""

    def __init__(self) -> None:
        self._recent: deque[tuple[float, ...]] = deque(maxlen=STEADY_FRAMES)

    def add(self, values: tuple[float, ...]) -> bool:
        """Takes the next frame's values; True once those of the last `STEADY_FRAMES` agree."""
        self._recent.append(values)
        if len(self._recent) < STEADY_FRAMES:
            return False
        return all(_close(min(each), max(each), STEADY_RATIO) for each in zip(*self._recent, strict=True))


class Convergence:
    """Watches metadata until exposure and colour stand still. Works alike for every version of libcamera, whose own
    flags were renamed (`AeLocked`, then `AeState`)."""

    def __init__(self) -> None:
        self._steady = Steady()

    def settled(self, metadata: Metadata) -> bool:
        """Takes the next frame's metadata; True once the last `STEADY_FRAMES` agree."""
        try:
            red, blue = metadata["ColourGains"]
            light = float(metadata["ExposureTime"]) * float(metadata["AnalogueGain"])
        except KeyError:
            return False
        return self._steady.add((light, float(red), float(blue)))
