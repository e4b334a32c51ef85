"""People who hold their cards at the edge of the picture and fidget with them while others play."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from random import Random

import cv2
import numpy as np
import numpy.typing as npt
from things import Sprite, pasted

from referee.cards import Deck
from referee.faces import Design, draw_back, draw_face
from referee.frame import Frame
from referee.virtual_table.hands import Person, Pose, draw_arm
from referee.vision.calibration import Calibration

CARD_PX = 126
"""Height of a held card, pixels of a 1280x720 picture."""

FAN_PX, SIDE_PX = 414, 630
"""Sides of the pictures of a fan, and of a hand with it."""

Point = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Sway:
    """To and fro: by so many pixels or degrees, in so many seconds."""

    much: float
    period_s: float
    phase: float

    def at(self, t: float) -> float:
        return self.much * math.sin(2 * math.pi * t / self.period_s + self.phase)


@dataclass(frozen=True)
class Holder:
    """Somebody's hand with cards. edge: where its arm crosses the edge of the picture, pixels; out: the way out there,
    a unit vector; in_px: how far in the cards are held; sways: along, aside (pixels) and round (degrees), two each;
    calm: how these wax and wane, between 0 and 1."""

    sprite: Sprite
    edge: Point
    out: Point
    in_px: float
    sways: tuple[Sway, ...]
    calm: Sway

    def on(self, image: npt.NDArray[np.uint8], t: float) -> npt.NDArray[np.uint8]:
        """The picture with the hand, at `t` seconds."""
        much = 0.15 + 0.85 * (0.5 + 0.5 * math.tanh(3 * self.calm.at(t)))
        along, aside, turn = (much * (self.sways[k].at(t) + 0.5 * self.sways[k + 1].at(t)) for k in (0, 2, 4))
        x, y = self.edge - self.out * (self.in_px + along) + np.array([-self.out[1], self.out[0]]) * aside
        side = self.sprite.shape[0]
        upright = math.degrees(math.atan2(-self.out[0], self.out[1]))
        move = cv2.getRotationMatrix2D((side / 2, side / 2), turn - upright, 1.0)
        turned = np.asarray(cv2.warpAffine(self.sprite, move, (side, side)), np.uint8)
        return pasted(image, turned, float(x), float(y))


def with_fidgets(seed: int, calibration: Calibration, frames: Iterable[Frame], design: Design) -> Iterator[Frame]:
    """Frames of 1280x720 of a table at which two or three people fidget with cards of that design, by the seed."""
    rng = Random(f"fidget {seed}")
    seats = list(calibration.seats)
    rng.shuffle(seats)
    holders = [_holder(rng, calibration, seat.at_mm, design) for seat in seats[: rng.randint(2, 3)]]
    for frame in frames:
        image = frame.image
        for holder in holders:
            image = holder.on(image, frame.t)
        yield Frame(image, frame.seq, frame.t)


def _holder(rng: Random, calibration: Calibration, seat_mm: tuple[float, float], design: Design) -> Holder:
    x, y, w, h = calibration.discard_zone_mm
    middle, seat = calibration.to_image([(x + w / 2, y + h / 2), seat_mm])
    out = (seat - middle) / np.linalg.norm(seat - middle)
    size = calibration.image_size
    ways = [((size[k] if out[k] > 0 else 0.0) - middle[k]) / out[k] for k in (0, 1) if out[k]]
    sways = tuple(Sway(rng.uniform(4, 22), rng.uniform(0.6, 5), rng.uniform(0, 6.3)) for _ in range(6))
    calm = Sway(1.0, rng.uniform(8, 18), rng.uniform(0, 6.3))
    return Holder(_hand(rng, design), middle + out * min(ways), out, rng.uniform(-25, 10), sways, calm)


def _fan(rng: Random, design: Design) -> Sprite:
    """Three to seven cards, held upright and seen from above, which shortens them; half of the fans show faces."""
    count, step, faces = rng.randint(3, 7), rng.uniform(6, 14), rng.random() < 0.5
    pack, fan = list(Deck.CLASSIC_108.copies), np.zeros((FAN_PX, FAN_PX, 4), np.uint8)
    for k in range(count):
        card = draw_face(rng.choice(pack), design, CARD_PX) if faces else draw_back(design, CARD_PX)
        h, w = card.shape[:2]
        move = cv2.getRotationMatrix2D((w / 2, 1.5 * h), ((count - 1) / 2 - k) * step, 1.0)
        move[:, 2] += [(FAN_PX - w) / 2, FAN_PX / 2 - 0.7 * h]
        turned = cv2.warpAffine(card, move, (FAN_PX, FAN_PX))
        fan = np.where(turned[..., 3:] > 127, turned, fan).astype(np.uint8)
    shorter = rng.uniform(0.35, 0.8)
    squeeze = np.array([[1, 0, 0], [0, shorter, FAN_PX * (1 - shorter) / 2]])
    return np.asarray(cv2.warpAffine(fan, squeeze, (FAN_PX, FAN_PX)), np.uint8)


def _hand(rng: Random, design: Design) -> Sprite:
    """A fan with the fingers that hold it, the arm below."""
    sprite = np.zeros((SIDE_PX, SIDE_PX, 4), np.uint8)
    off = (SIDE_PX - FAN_PX) // 2
    sprite[off : off + FAN_PX, off : off + FAN_PX] = _fan(rng, design)
    arm = draw_arm(Person.draw(rng), Pose.PINCH, rng.randrange(999))
    tip = np.linalg.inv(arm.to_mm)[:, 2]
    move = np.array([[1, 0, SIDE_PX / 2 - tip[0] / tip[2]], [0, 1, SIDE_PX / 2 + 18 - tip[1] / tip[2]]])
    fingers = cv2.warpAffine(arm.over, move, (SIDE_PX, SIDE_PX)).astype(np.float32)
    under = sprite.astype(np.float32)
    under[..., :3] = under[..., :3] * (1 - fingers[..., 3:] / 255) + fingers[..., :3]
    under[..., 3] = np.maximum(under[..., 3], fingers[..., 3])
    return np.asarray(under.clip(0, 255).round(), np.uint8)
