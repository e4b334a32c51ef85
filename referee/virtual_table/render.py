"""Draws a scene as the camera sees it. Only what moves is drawn anew for a frame; what lies still is kept."""

from __future__ import annotations

from collections import OrderedDict
from functools import lru_cache
from random import Random

import cv2
import numpy as np

from referee.cards import Card
from referee.faces import Design, draw_back, draw_face
from referee.frame import Image
from referee.virtual_table import light
from referee.virtual_table.clutter import strew
from referee.virtual_table.geometry import CARD_MM, CARD_THICKNESS_MM, IMAGE_SIZE, SCALE, Layout, Matrix, project
from referee.virtual_table.hands import Person, Pose, Sprite, draw_arm
from referee.virtual_table.look import Look
from referee.virtual_table.scene import Arm, Carried, Motion, Scene, Still
from referee.virtual_table.script import Script
from referee.virtual_table.surfaces import table_top

FACE_PX = 170
"""Height of a drawn card, pixels; its height in the picture is about 144. Larger aliases, smaller blurs."""
EDGE_PX = 2
"""Clear pixels round a card's picture, so that its edge is smooth after warping."""
KEPT_STATES = 6
"""How many states of the discard pile are kept as pictures, for cards that are taken back."""
TOP_MARGIN_MM = 140.0
"""The table top is drawn this much larger than the part that shows, mm."""
STACK_STEP = 8
"""One card in so many of the draw pile is drawn."""

Box = tuple[int, int, int, int]
Smear = tuple[int, int]
"""How far something moves while a frame's light is gathered, pixels."""
STEADY: Smear = (0, 0)

_QUARTER = np.diag([4.0, 4.0, 1.0])
"""Pixels of a quarter-size picture to those of the whole."""
_CARD_CORNERS = np.array([[CARD_MM[0], 0.0, -CARD_MM[0] / 2], [0.0, CARD_MM[1], -CARD_MM[1] / 2], [0.0, 0.0, 1.0]])
"""The unit square to a card's millimetres from its middle."""


@lru_cache(maxsize=160)
def _card_picture(card: Card | None, design: Design) -> Image:
    """A face, or the back for None: uint8 (h, w, 4), colours times alpha, with a clear edge."""
    big = draw_back(design, FACE_PX * 2) if card is None else draw_face(card, design, FACE_PX * 2)
    width = round(FACE_PX * CARD_MM[0] / CARD_MM[1])
    alpha = big[..., 3:].astype(np.float32) / 255
    flat = np.dstack([big[..., :3] * alpha, big[..., 3]]).astype(np.float32)
    small = cv2.resize(flat, (width, FACE_PX), interpolation=cv2.INTER_AREA)
    edged = cv2.copyMakeBorder(small, EDGE_PX, EDGE_PX, EDGE_PX, EDGE_PX, cv2.BORDER_CONSTANT, value=0)
    return np.asarray(np.clip(np.rint(edged), 0, 255), dtype=np.uint8)


@lru_cache(maxsize=8)
def _card_shadow(soft_px: int) -> Image:
    """A card's softened silhouette, uint8, a quarter of the picture's scale, with a wide clear edge."""
    height, width = round(CARD_MM[1] * SCALE), round(CARD_MM[0] * SCALE)
    edge = 3 * soft_px
    mask = np.zeros((height + 2 * edge, width + 2 * edge), np.uint8)
    mask[edge:-edge, edge:-edge] = 255
    return np.asarray(cv2.GaussianBlur(mask, (0, 0), soft_px), dtype=np.uint8)


@lru_cache(maxsize=64)
def _arm_sprite(person: Person, pose: Pose, seed: int) -> Sprite:
    return draw_arm(person, pose, seed)


def _picture_to_mm(shape: tuple[int, ...], size_mm: tuple[float, float], edge_px: float) -> Matrix:
    """Pixels of a card's picture to millimetres from the card's middle."""
    h, w = shape[:2]
    sx, sy = size_mm[0] / (w - 2 * edge_px), size_mm[1] / (h - 2 * edge_px)
    return np.array([[sx, 0.0, -sx * (w - 1) / 2], [0.0, sy, -sy * (h - 1) / 2], [0.0, 0.0, 1.0]])


def _box(
    matrix: Matrix, shape: tuple[int, ...], smear: Smear = STEADY, size: tuple[int, int] = IMAGE_SIZE
) -> Box | None:
    """The part of a picture of `size` that a warped image covers: x0, y0, x1, y1; None when it is outside."""
    h, w = shape[:2]
    corners = project(matrix, [(0, 0), (w, 0), (w, h), (0, h)])
    low, high = np.floor(corners.min(axis=0)).astype(int) - 1, np.ceil(corners.max(axis=0)).astype(int) + 2
    x0, y0 = max(0, int(low[0]) - abs(smear[0])), max(0, int(low[1]) - abs(smear[1]))
    x1, y1 = min(size[0], int(high[0]) + abs(smear[0])), min(size[1], int(high[1]) + abs(smear[1]))
    return (x0, y0, x1, y1) if x0 < x1 and y0 < y1 else None


def _warp(picture: Image, matrix: Matrix, box: Box, shrink: int = 1) -> Image:
    """The picture through the homography, cut to the box, at 1 / shrink of its size."""
    x0, y0, x1, y1 = box
    w, h = -(-(x1 - x0) // shrink), -(-(y1 - y0) // shrink)
    move = np.array([[1 / shrink, 0.0, -x0 / shrink], [0.0, 1 / shrink, -y0 / shrink], [0.0, 0.0, 1.0]])
    return np.asarray(cv2.warpPerspective(picture, move @ matrix, (w, h), flags=cv2.INTER_LINEAR), dtype=np.uint8)


def _smeared(patch: Image, smear: Smear) -> Image:
    """The mean of the patch along its way: up to 32 places, by halving the way again and again."""
    for part in (2, 4, 8, 16, 32):
        dx, dy = round(smear[0] / part), round(smear[1] / part)
        if dx or dy:
            move = np.array([[1.0, 0.0, -dx], [0.0, 1.0, -dy]])
            moved = cv2.warpAffine(patch, move, (patch.shape[1], patch.shape[0]), flags=cv2.INTER_NEAREST)
            patch = np.asarray(cv2.addWeighted(patch, 0.5, moved, 0.5, 0), dtype=np.uint8)
    return patch


class Renderer:
    """Draws the frames of one script with one look. The same script, look and time give the same bytes."""

    def __init__(self, script: Script, look: Look, layout: Layout) -> None:
        self._script, self._look, self._layout = script, look, layout
        self._camera = layout.camera
        self._scene = Scene(script, layout, look.seed)
        self._light = light.set_up(look.seed, look.level, layout)
        self._noise = light.Noise(look.seed, self._light.noise)
        self._people = [Person.draw(Random(f"person {look.seed} {seat}")) for seat in range(1, len(script.players) + 1)]
        self._bare = self._table_top()
        self._piles: OrderedDict[tuple[object, ...], Image] = OrderedDict()
        self._stack: tuple[int, Image, Box] | None = None
        self._still: tuple[Still, Image] | None = None

    def follow(self, script: Script) -> None:
        """Draws a script that goes on where the present one ends."""
        self._script, self._scene = script, Scene(script, self._layout, self._look.seed)

    def picture(self, t: float) -> Image:
        """The frame at t: uint8 (720, 1280, 3)."""
        image = self._at_rest(self._scene.still(t)).copy()
        for motion in self._scene.moving(t):
            self._draw_motion(image, motion, self._smear(motion, t))
        return self._developed(image, t)

    # --- what lies still --------------------------------------------------------------------------------------------

    def _table_top(self) -> Image:
        scale, edge = SCALE * 1.1, TOP_MARGIN_MM
        w, h = round((760 + 2 * edge) * scale), round((430 + 2 * edge) * scale)
        top = table_top(self._look.table, self._look.seed, w, h)
        piles = (self._layout.discard, self._layout.draw)
        strew(top, scale, edge, self._look.level, self._look.seed, piles, self._light.slope)
        to_mm = np.array([[1 / scale, 0.0, -edge], [0.0, 1 / scale, -edge], [0.0, 0.0, 1.0]])
        matrix = self._camera.plane() @ to_mm
        flat = cv2.warpPerspective(top, matrix, IMAGE_SIZE, flags=cv2.INTER_AREA, borderMode=cv2.BORDER_REFLECT)
        return np.asarray(cv2.multiply(flat, self._light.lamp, scale=1 / light.UNIT), dtype=np.uint8)

    def _at_rest(self, still: Still) -> Image:
        if self._still is not None and self._still[0] == still:
            return self._still[1]
        image = self._pile(still)
        if still.stack:
            _, picture, (x0, y0, x1, y1) = self._draw_pile(still.stack)
            image = image.copy()
            image[y0:y1, x0:x1] = picture[y0:y1, x0:x1]
        if self._light.glare is not None:
            image = np.asarray(cv2.add(image, self._light.glare), dtype=np.uint8)
        self._still = (still, image)
        return image

    def _pile(self, still: Still) -> Image:
        """The table with the discard pile, drawn on top of the longest beginning that is kept."""
        pile = still.pile
        start, image = 0, self._bare
        for length in range(len(pile), 0, -1):
            if pile[:length] in self._piles:
                start, image = length, self._piles[pile[:length]]
                self._piles.move_to_end(pile[:length])
                break
        if start == len(pile):
            return image
        image = image.copy()
        for placed in pile[start:]:
            lying = Carried(placed.card, placed.x, placed.y, placed.angle, placed.height)
            self._draw_shadow_of_card(image, lying, 1.6)
            self._draw_card(image, lying)
        self._piles[pile] = image
        while len(self._piles) > KEPT_STATES:
            self._piles.popitem(last=False)
        return image

    def _draw_pile(self, n: int) -> tuple[int, Image, Box]:
        """A picture with the draw pile, and the part of it that counts."""
        if self._stack is not None and self._stack[0] == n:
            return self._stack
        image = self._bare.copy()
        x, y = self._layout.draw
        levels = [*range(1, n, STACK_STEP), n]
        self._draw_shadow_of_card(image, Carried(None, x, y, self._scene.stack_angle, 0.0), n * CARD_THICKNESS_MM)
        for level in levels:
            rng = Random(f"stack {self._look.seed} {level}")
            card = Carried(None, x + rng.gauss(0, 0.5), y + rng.gauss(0, 0.5),
                           self._scene.stack_angle + rng.gauss(0, 0.7), level * CARD_THICKNESS_MM)  # fmt: skip
            self._draw_shadow_of_card(image, card, 1.2)
            self._draw_card(image, card)
        picture = _card_picture(None, self._look.design)
        wide = (CARD_MM[0] * 1.9, CARD_MM[1] * 1.5)
        matrix = self._camera.pose(x, y, 0.0, 0.0) @ _picture_to_mm(picture.shape, wide, 0)
        box = _box(matrix, picture.shape)
        assert box is not None
        self._stack = (n, image, box)
        return self._stack

    # --- things -----------------------------------------------------------------------------------------------------

    def _draw_card(self, image: Image, card: Carried, smear: Smear = STEADY) -> None:
        picture = _card_picture(card.face, self._look.design)
        matrix = self._camera.pose(card.x, card.y, card.height, card.angle, card.pitch, card.roll)
        self._paste(image, picture, matrix @ _picture_to_mm(picture.shape, CARD_MM, EDGE_PX), smear)

    def _draw_shadow_of_card(self, image: Image, card: Carried, height: float) -> None:
        """The shadow of a card that is `height` above what it falls on."""
        soft = 2 if height < 3 else 4 if height < 12 else 9 if height < 35 else 14
        picture = _card_shadow(soft)
        slope = self._light.slope
        x, y = card.x + slope[0] * height, card.y + slope[1] * height
        below = max(0.0, card.height - height)
        matrix = self._camera.pose(x, y, below, card.angle) @ _picture_to_mm(picture.shape, CARD_MM, 3 * soft)
        self._darken(image, picture, matrix, 1 if soft < 9 else 3)

    def _draw_motion(self, image: Image, motion: Motion, smear: Smear) -> None:
        for arm in motion.arms:
            self._draw_shadow_of_arm(image, arm)
        for card in motion.cards[-1:]:
            self._draw_shadow_of_card(image, card, max(1.6, card.height))
        sprites = [self._sprite(arm) for arm in motion.arms]
        for sprite, matrix in sprites:
            if sprite.under is not None:
                self._paste(image, sprite.under, matrix, smear)
        for card in motion.cards:
            if len(motion.cards) > 1:
                self._draw_shadow_of_card(image, card, 1.2)
            self._draw_card(image, card, smear if motion.held or not motion.arms else STEADY)
        if motion.held:
            for arm in motion.arms:
                self._shade_card(image, arm, motion.cards[-1])
        for sprite, matrix in sprites:
            self._paste(image, sprite.over, matrix, smear)

    def _smear(self, now: Motion, t: float) -> Smear:
        """How far a motion's picture moves during the exposure, pixels."""
        before = [m for m in self._scene.moving(t - self._light.exposure_s) if m.number == now.number]
        if not before:
            return STEADY
        things = [(m.arms or m.cards)[0] for m in (before[0], now)]
        ends = [project(self._camera.plane(thing.height), [(thing.x, thing.y)])[0] for thing in things]
        dx, dy = np.rint(ends[1] - ends[0]).astype(int)
        return int(dx), int(dy)

    def _shade_card(self, image: Image, arm: Arm, card: Carried) -> None:
        """The shadow of the fingers on the card they hold."""
        corners = _box(self._camera.pose(card.x, card.y, card.height, card.angle) @ _CARD_CORNERS, (1, 1))
        if corners is not None:
            x0, y0, x1, y1 = corners
            sprite, _ = self._sprite(arm)
            x, y = arm.x + self._light.slope[0] * 9, arm.y + self._light.slope[1] * 9
            matrix = self._camera.pose(x, y, card.height, arm.angle) @ self._to_mm(sprite, arm) @ _QUARTER
            shift = np.array([[1.0, 0.0, -x0], [0.0, 1.0, -y0], [0.0, 0.0, 1.0]])
            self._darken(image[y0:y1, x0:x1], sprite.shadow, shift @ matrix, 2)

    def _sprite(self, arm: Arm) -> tuple[Sprite, Matrix]:
        person = self._people[arm.seat - 1]
        sprite = _arm_sprite(person, arm.pose, self._look.seed * 31 + arm.seat)
        return sprite, self._camera.pose(arm.x, arm.y, arm.height, arm.angle) @ self._to_mm(sprite, arm)

    def _to_mm(self, sprite: Sprite, arm: Arm) -> Matrix:
        return np.diag([-1.0, 1.0, 1.0]) @ sprite.to_mm if arm.other_hand else sprite.to_mm

    def _draw_shadow_of_arm(self, image: Image, arm: Arm) -> None:
        sprite, _ = self._sprite(arm)
        height = arm.height + 14.0
        x, y = arm.x + self._light.slope[0] * height, arm.y + self._light.slope[1] * height
        matrix = self._camera.pose(x, y, 0.0, arm.angle) @ self._to_mm(sprite, arm) @ _QUARTER
        self._darken(image, sprite.shadow, matrix, 4)

    def _paste(self, image: Image, picture: Image, matrix: Matrix, smear: Smear = STEADY) -> None:
        """A picture with alpha, in the lamp's light, over the image."""
        box = _box(matrix, picture.shape, smear)
        if box is None:
            return
        x0, y0, x1, y1 = box
        patch = _smeared(_warp(picture, matrix, box), smear)
        there = image[y0:y1, x0:x1]
        clear = cv2.cvtColor(cv2.bitwise_not(patch[..., 3]), cv2.COLOR_GRAY2BGR)
        lamp = self._light.lamp[y0:y1, x0:x1]
        lit = cv2.multiply(cv2.cvtColor(patch, cv2.COLOR_BGRA2BGR), lamp, scale=1 / light.UNIT)
        cv2.add(cv2.multiply(there, clear, scale=1 / 255), lit, dst=there)

    def _darken(self, image: Image, silhouette: Image, matrix: Matrix, shrink: int) -> None:
        """A shadow on the image."""
        box = _box(matrix, silhouette.shape, size=(image.shape[1], image.shape[0]))
        if box is None:
            return
        x0, y0, x1, y1 = box
        patch = _warp(silhouette, matrix, box, shrink)
        left = cv2.convertScaleAbs(patch, alpha=-self._light.shadow, beta=255)
        if shrink > 1:
            left = cv2.resize(left, (x1 - x0, y1 - y0), interpolation=cv2.INTER_LINEAR)
        there = image[y0:y1, x0:x1]
        cv2.multiply(there, cv2.cvtColor(left, cv2.COLOR_GRAY2BGR), scale=1 / 255, dst=there)

    # --- the camera -------------------------------------------------------------------------------------------------

    def _developed(self, image: Image, t: float) -> Image:
        """Changes of light, the lens and the sensor."""
        shade = light.shade_at(self._script, self._layout, t)
        if shade is not None:
            big = cv2.cvtColor(cv2.resize(shade, IMAGE_SIZE, interpolation=cv2.INTER_LINEAR), cv2.COLOR_GRAY2BGR)
            cv2.multiply(image, big, scale=1 / 255, dst=image)
        gain = light.gain_at(self._script, t)
        if gain != (1.0, 1.0, 1.0):
            levels = np.arange(256)[None, :, None] * np.array(gain)
            image = np.asarray(cv2.LUT(image, np.clip(levels, 0, 255).astype(np.uint8)), dtype=np.uint8)
        if self._light.blur > 0.35:
            image = np.asarray(cv2.GaussianBlur(image, (3, 3), self._light.blur), dtype=np.uint8)
        return self._noise.add(image, t)
