"""The eye on frames: a drawn table without networks, and the shared recordings with them."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt
import pytest
from drawn_table import FPS, TABLE, Knower, Laid, Table

from referee.cards import Card
from referee.frame import Frame, Image
from referee.observations import (
    CardLanded,
    CardRead,
    CardReading,
    CardRemoved,
    PileSeen,
    PileTaken,
    Quality,
    ViewChanged,
)
from referee.vision.calibration import CalibrationError, load_calibration
from referee.vision.eye import Eye
from referee.vision.from_above import FromAbove
from referee.vision.in_parts import finished
from referee.vision.nets import Found, Read, load_models
from referee.vision.pile import PileEye
from referee.vision.scene import Scene
from referee.vision.warp import GREY, upright


def test_cards_land_one_on_the_other() -> None:
    table = Table().run(0.5).reach(Laid("R7", 290, 210)).reach(Laid("G2", 300, 222, 30))
    assert table.said() == ["landed R7", "landed G2"]
    assert [s.seat for s in table.out if isinstance(s, CardLanded)] == [1, 1]


class Doubtful(Knower):
    """Takes the 9 that lies there for a 6 nearly as much."""

    def read(
        self, image: Image, quads: Sequence[npt.NDArray[np.float32]], quick: bool = False, refined: bool = False
    ) -> list[Read]:
        doubt = CardReading(Card.parse("B9"), 0.55, ((Card.parse("B6"), 0.42),))
        return [replace(read, reading=doubt) for read in super().read(image, quads, quick, refined)]


@pytest.mark.parametrize("index", ["", "B9"])
def test_a_card_of_which_the_picture_leaves_a_doubt_lands_for_sure_where_its_indices_tell(index: str) -> None:
    table = Table(Doubtful(finds_top=True, index=index)).run(0.5).reach(Laid("B9", 290, 210))
    (landed,) = (s for s in table.out if isinstance(s, CardLanded))
    assert (landed.reading.notation, landed.sure) == ("B9", index == "B9")


@pytest.mark.parametrize(("index", "lower"), [("R7", "R7"), ("", "?")])
def test_of_two_cards_laid_together_the_half_hidden_one_lands_first_and_is_unsure_at_worst(
    index: str, lower: str
) -> None:
    table = Table(Knower(finds_top=True, index=index)).run(0.5).reach(Laid("B9", 290, 210, 10))
    table.reach(Laid("R7", 275, 225, -10), Laid("G2", 297, 235, 0))
    assert table.said() == ["landed B9", f"landed {lower}", "landed G2"]
    below, above = (s for s in table.out[-2:] if isinstance(s, CardLanded))
    assert below.sure == (lower != "?")
    assert above.sure


def test_a_card_placed_by_the_outline_of_the_change_has_the_size_of_a_card() -> None:
    table, above = Table(Knower(swells=1.15)), FromAbove(TABLE)
    eye, bare = PileEye(above, table.knower.models()), above.patch(table.frame().image)
    table.knower.laid = [Laid("R7", 290, 210, 10)]
    image = table.frame().image
    finding = eye.find(eye.change(image, bare, None))
    (card,) = eye.tell(image, 0.0, finding, finished(eye.read(image, finding))).look.cards
    assert card.fitted
    sides = np.hypot(*(np.roll(card.quad, -1, 0) - np.array(card.quad)).T)
    assert sorted(sides) == pytest.approx(sorted(TABLE.card_mm * 2), rel=0.03)


class Spread(Knower):
    """Finds cards too wide, and reads them with doubt there."""

    def find(self, image: Image, card_px: float | None = None, part: tuple[slice, slice] | None = None) -> list[Found]:
        wide = []
        for found in super().find(image, card_px, part):
            quad = upright(found.quad)
            wide.append(replace(found, quad=(quad + (quad - np.roll(quad[::-1], 2, 0)) * np.float32(0.2))))
        return wide

    def read(
        self, image: Image, quads: Sequence[npt.NDArray[np.float32]], quick: bool = False, refined: bool = False
    ) -> list[Read]:
        sides = [np.hypot(*(np.roll(quad, -1, 0) - quad).T) for quad in quads]
        sure = [0.99 if min(s) < 0.72 * max(s) else 0.6 for s in sides]
        seen = super().read(image, quads, quick, refined)
        return [replace(read, reading=replace(read.reading, confidence=c)) for read, c in zip(seen, sure, strict=True)]


@pytest.mark.parametrize(("face", "sure"), [("R7", True), ("B9", False)])
def test_a_pushed_card_that_was_found_too_wide_is_read_near_where_it_lay(
    monkeypatch: pytest.MonkeyPatch, face: str, sure: bool
) -> None:
    """It seems to be the old top card, if that showed this face: of what changed there is only a rim."""
    table, above = Table(Spread(finds=True)), FromAbove(TABLE)
    eye, lay = PileEye(above, table.knower.models()), Laid("R7", 290, 210)
    monkeypatch.setattr(eye, "_put_right", lambda _patch, quad, _found: quad)  # there is no edge to be seen
    table.knower.laid = [lay]
    before = above.patch(table.frame().image)
    table.knower.laid = [Laid("R7", 293, 211, 2)]
    image, top = table.frame().image, above.table(lay.corners())
    finding = eye.find(eye.change(image, before, top, Card.parse(face)))
    ((card, _),) = finished(eye.read(image, finding))
    assert (card.reading.notation, card.reading.confidence > 0.9) == ("R7", sure)
    sides = np.hypot(*(np.roll(card.quad, -1, 0) - np.array(card.quad)).T)
    assert (sorted(sides) == pytest.approx(sorted(TABLE.card_mm * 2), rel=0.03)) is sure


def test_a_card_that_was_found_too_wide_is_read_where_the_change_puts_a_card() -> None:
    table = Table(Spread(finds=True)).run(0.5).reach(Laid("R7", 290, 210)).reach(Laid("G2", 320, 222, 40))
    landed = [s for s in table.out if isinstance(s, CardLanded)]
    assert [(s.reading.notation, s.sure) for s in landed] == [("R7", True), ("G2", True)]


class Brittle(Knower):
    """Is sure of a card only where its corners are sought."""

    def read(
        self, image: Image, quads: Sequence[npt.NDArray[np.float32]], quick: bool = False, refined: bool = False
    ) -> list[Read]:
        confidence = 0.5 if refined else 0.99
        seen = super().read(image, quads, quick, refined)
        return [replace(read, reading=replace(read.reading, confidence=confidence)) for read in seen]


def test_the_corners_of_a_card_are_sought_again_where_it_is_not_read_for_sure_at_those_of_the_look_before() -> None:
    table = Table(Brittle(finds=True)).run(0.5).reach(Laid("R7", 290, 210))
    landed = [s for s in table.out if isinstance(s, CardLanded)]
    assert [(s.reading.notation, s.sure) for s in landed] == [("R7", True)]


@dataclass
class Turning(Knower):
    """Keeps how it was shown the card at the corners of the look before."""

    shown: list[npt.NDArray[np.float32]] = field(default_factory=list)

    def read(
        self, image: Image, quads: Sequence[npt.NDArray[np.float32]], quick: bool = False, refined: bool = False
    ) -> list[Read]:
        if refined:
            self.shown.extend(quads)
        return super().read(image, quads, quick, refined)


def test_looks_at_a_card_that_landed_see_it_by_turns_either_way_up() -> None:
    knower = Turning(finds=True)
    Table(knower).run(0.5).reach(Laid("R7", 290, 210))
    one, other = knower.shown
    assert np.array_equal(one, np.roll(other, 2, 0))


class Foreign(Knower):
    """Has read a face on what looks a little like another edition's card."""

    def read(
        self, image: Image, quads: Sequence[npt.NDArray[np.float32]], quick: bool = False, refined: bool = False
    ) -> list[Read]:
        return [replace(read, strange=0.0) for read in super().read(image, quads, quick, refined)]


def test_of_a_card_that_looks_like_another_editions_no_face_is_said() -> None:
    table = Table(Foreign(finds=True)).run(0.5).reach(Laid("R7", 290, 210))
    landed = [s for s in table.out if isinstance(s, CardLanded)]
    assert [(s.reading.notation, s.sure) for s in landed] == [("R7", False)]
    assert not any(isinstance(s, CardRead) for s in table.out)


def test_the_only_card_is_taken_back() -> None:
    table = Table().run(0.5).reach(Laid("R7", 290, 210)).reach(take=True)
    assert table.said() == ["landed R7", "removed"]


@pytest.mark.parametrize(("fps", "together"), [(15, True), (30, False)])
def test_a_fast_camera_has_the_pile_found_on_one_frame_and_read_on_the_next(fps: int, together: bool) -> None:
    table = Table(Knower(finds=True), fps=fps).run(0.5).reach(Laid("R7", 290, 210))
    table.knower.laid.append(Laid("G2", 320, 222, 40))
    begun = len(table.out)
    frames = []
    while len(table.out) == begun:
        table.knower.asked = []
        table.run(1 / fps)
        frames.append([what for what, _ in table.knower.asked])
    assert any({"find", "read"} <= set(frame) for frame in frames) is together
    assert sum("find" in frame for frame in frames) == 1


@pytest.mark.parametrize(("fps", "at_once"), [(15, True), (30, False)])
def test_a_fast_camera_looks_at_the_pile_on_frames_of_which_the_rest_is_known(
    fps: int, at_once: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = Table(Knower(finds=True), fps=fps).run(0.5).reach(Laid("R7", 290, 210))
    table.knower.laid.append(Laid("G2", 320, 222, 40))
    looks, begun, frames = list[bool](), len(table.out), []
    look = Scene.look
    monkeypatch.setattr(Scene, "look", lambda *args: looks.append((seen := look(*args)).as_before) or seen)
    while len(table.out) == begun:
        table.run(1 / fps)
        frames.append((table.eye.looked, looks[-1]))
    (first, *rest) = (as_before for looked, as_before in frames if looked)
    assert first is not at_once
    assert (False in rest) is at_once


def test_a_fast_camera_waits_for_such_a_frame_but_once_where_none_comes(monkeypatch: pytest.MonkeyPatch) -> None:
    table = Table(Knower(finds=True), fps=30).run(0.5).reach(Laid("R7", 290, 210))
    monkeypatch.setattr(Scene, "_as_last", lambda *_: None)  # as under a ceiling fan
    table.knower.laid.append(Laid("G2", 320, 222, 40))
    begun, looked = len(table.out), list[bool]()
    while len(table.out) == begun:
        table.run(1 / table.fps)
        looked.append(table.eye.looked)
    first = looked.index(True)
    assert first > 0
    assert looked[first:] == [True] * len(looked[first:])


def test_a_hurried_frame_takes_over_what_the_last_one_showed_until_something_moves_at_the_piles() -> None:
    table, scene = Table(fps=30), Scene(TABLE)

    def looks(*arms: float | None, hurried: bool = True) -> list[bool]:
        return [scene.look(table.frame(), True, hurried).as_before for table.arm_mm in arms]

    looks(*[None] * 20, hurried=False)
    table.knower.laid.append(Laid("R7", 290, 210))
    assert looks(*[None] * 3, hurried=False) == [False] * 3
    assert looks(*[None] * 20) == [True] * 20
    assert looks(None, hurried=False) == [False]
    assert looks(*[380.0 - 2 * k for k in range(6)]) == [True] * 3 + [False] + [True] * 2
    assert looks(240.0, 240.0) == [False, True]


def test_a_camera_on_its_side_is_watched_at_no_greater_cost() -> None:
    (width, height), looked_at = TABLE.image_size, list[int]()
    turn = np.array([[0.0, -1, height - 1], [1, 0, 0], [0, 0, 1]])
    on_its_side = replace(TABLE, image_size=(height, width), table_to_image=turn @ TABLE.table_to_image)
    for calibration, shape in ((TABLE, (height, width, 3)), (on_its_side, (width, height, 3))):
        scene = Scene(calibration)
        scene.look(Frame(np.full(shape, 90, np.uint8), 0, 0.0))
        looked_at.append(len(scene.zone_pixels()))
    assert looked_at[1] == pytest.approx(looked_at[0], rel=0.05)


def test_a_card_that_is_plainly_new_is_read_and_the_one_beneath_it_is_not() -> None:
    table = Table(Knower(finds=True)).run(0.5).reach(Laid("R7", 290, 210))
    table.knower.asked = []
    table.reach(Laid("G2", 320, 222, 40))
    assert table.said() == ["landed R7", "landed G2"]
    assert table.knower.asked == [("find", 1), *[("read", 1)] * 3]


@pytest.mark.parametrize("gain", [0.6, 0.8, 1.25])
def test_a_lamp_is_no_card(gain: float) -> None:
    table = Table().run(0.5).reach(Laid("R7", 290, 210))
    table.gain = gain
    assert table.run(3.0).said() == ["landed R7"]


def test_a_lamp_during_a_visit_changes_nothing() -> None:
    table = Table().run(0.5).reach(Laid("R7", 290, 210))
    table.arm_mm = 260
    table.run(0.4)
    table.gain = 0.75
    table.run(0.4)
    table.arm_mm = None
    assert table.run(1.5).said() == ["landed R7"]


def test_a_resting_sleeve_is_said_and_nothing_else() -> None:
    table = Table().run(0.5).reach(Laid("R7", 290, 210))
    table.arm_mm = 230
    table.run(4.0)
    assert table.said() == ["landed R7"]
    assert [s.state for s in table.out if isinstance(s, ViewChanged)][-1] is Quality.HAND


def test_a_dark_arm_over_a_dark_cloth_is_still_an_arm() -> None:
    table = Table(cloth=0.2, arm_ink=(22, 30, 46)).run(0.5).reach(Laid("R7", 290, 210))
    assert table.said() == ["landed R7"]
    assert [s.seat for s in table.out if isinstance(s, CardLanded)] == [1]


def test_a_hand_that_hides_the_pile_when_watching_begins_blinds_the_eye_only_until_it_goes() -> None:
    table = Table()
    table.knower.laid = [Laid("R7", 290, 210)]
    table.arm_mm = 190.0
    table.run(1.5)
    for at in (260.0, 330.0, 400.0):
        table.arm_mm = at
        table.run(1 / FPS)
    table.arm_mm = None
    table.run(2.0)
    assert table.said() == []
    assert table.reach(Laid("G2", 300, 222, 30)).said() == ["landed G2"]


def test_what_lies_on_a_wide_discard_zone_when_watching_begins_is_seen_and_did_not_land() -> None:
    table = Table(Knower(finds=True, laid=[Laid("G2", 230, 180, 20), Laid("R7", 235, 185)])).run(3.0)
    assert table.said() == ["pile_seen"]
    assert [str(s.reading.card) for s in table.out if isinstance(s, PileSeen)] == ["R7"]
    assert table.reach(Laid("B9", 290, 210)).said() == ["pile_seen", "landed B9"]


def test_a_card_that_is_shown_and_withdrawn_is_no_card() -> None:
    table = Table().run(0.5).reach(Laid("R7", 290, 210))
    table.arm_mm = 240.0
    table.run(0.3)
    table.knower.laid.append(Laid("G2", 300, 222, 30))
    table.run(0.4)
    table.knower.laid.pop()
    table.run(0.2)
    table.arm_mm = None
    assert table.run(1.0).said() == ["landed R7"]


@pytest.mark.parametrize("by", [(7.0, 3.0, 0.0), (0.0, 0.0, 8.0), (-6.0, 6.0, -5.0)])
def test_a_nudge_moves_the_pile_and_lays_nothing(by: tuple[float, float, float]) -> None:
    table = Table().run(0.5).reach(Laid("R7", 290, 210)).reach(Laid("G2", 300, 222, 30))
    top = table.knower.laid.pop()
    assert table.reach(Laid("G2", top.x + by[0], top.y + by[1], top.angle + by[2])).said()[2:] == ["pile_moved"]


def test_the_top_card_is_taken_back_to_the_one_below() -> None:
    table = Table(Knower(finds=True)).run(0.5).reach(Laid("R7", 290, 210)).reach(Laid("G2", 300, 222, 30))
    assert table.reach(take=True).said() == ["landed R7", "landed G2", "removed"]
    assert [str(s.top) for s in table.out if isinstance(s, CardRemoved)] == ["R7"]


def test_what_the_top_card_hides_is_known_still_after_a_push() -> None:
    table = Table(Knower(finds_top=True)).run(0.5).reach(Laid("B9", 290, 210, 50)).reach(Laid("R7", 292, 212))
    table.knower.laid.pop()
    assert table.reach(Laid("R7", 287, 217)).reach(Laid("R7", 282, 213)).said()[2:] == ["pile_moved", "landed R7"]


def test_what_the_top_card_hides_is_not_known_after_a_push_of_those_beneath() -> None:
    table = Table(Knower(finds_top=True)).run(0.5).reach(Laid("B9", 290, 210, 50)).reach(Laid("R7", 292, 212))
    table.knower.laid.clear()
    table.reach(Laid("B9", 284, 214, 55), Laid("R7", 287, 217))
    assert table.reach(Laid("R7", 282, 213)).said()[2:] == ["pile_moved", "pile_moved"]


@pytest.mark.parametrize(("leave", "top"), [(0, None), (1, "G2")])
@pytest.mark.parametrize("at", [(300.0, 222.0), (294.0, 214.0)])
def test_the_discards_are_taken_with_or_without_the_top_card(
    leave: int, top: str | None, at: tuple[float, float]
) -> None:
    table = Table(Knower(finds=True)).run(0.5).reach(Laid("R7", 290, 210)).reach(Laid("G2", *at, 30))
    (taken,) = table.reach(leave=leave).out[-1:]
    assert isinstance(taken, PileTaken)
    assert (None if taken.top is None else str(taken.top)) == top
    assert table.reach(Laid("B9", 290, 210)).said()[2:] == ["pile_taken", "landed B9"]


def test_the_discards_are_not_taken_where_they_are_squared_under_the_top_card_or_one_is_drawn_out() -> None:
    table = Table(Knower(finds=True)).run(0.5)
    table.reach(Laid("R7", 280, 210)).reach(Laid("B9", 300, 215, 20)).reach(Laid("G2", 290, 212))
    table.knower.laid.pop(1)
    assert table.reach().said()[3:] == ["pile_moved"]


def test_the_discards_are_not_taken_where_they_are_pushed_under_the_top_card_as_it_lies() -> None:
    table = Table(Knower(finds=True)).run(0.5).reach(Laid("R7", 280, 210)).reach(Laid("G2", 290, 222, 30))
    table.knower.laid[0] = Laid("R7", 290, 222, 30)
    assert table.reach().said() == ["landed R7", "landed G2", "pile_moved"]


@pytest.mark.parametrize(("taken", "said"), [(True, "pile_taken"), (False, "pile_moved")])
def test_discards_of_which_hardly_an_edge_shows_are_taken_where_hands_go_with_them(taken: bool, said: str) -> None:
    table = Table(Knower(finds=True)).run(0.5).reach(Laid("R7", 285, 210, 6)).reach(Laid("G2", 290, 210))
    if not taken:
        table.knower.laid[0] = Laid("R7", 290, 210)
    assert table.reach(leave=1 if taken else None).said()[2:] == [said]


def test_a_card_is_taken_back_whatever_is_read_of_the_one_below() -> None:
    table = Table(Knower(finds=True)).run(0.5).reach(Laid("R7", 290, 210)).reach(Laid("G2", 312, 212, 90))
    table.knower.says = "B9"
    assert table.reach(take=True).said()[2:] == ["removed"]
    assert [str(s.top) for s in table.out if isinstance(s, CardRemoved)] == ["R7"]


def test_the_same_face_lands_on_its_twin() -> None:
    table = Table().run(0.5).reach(Laid("R7", 290, 210)).reach(Laid("R7", 310, 222, 30))
    assert table.said() == ["landed R7", "landed R7"]


@pytest.mark.parametrize(
    ("shown", "said"), [(True, ["landed R7", "landed R1"]), (False, ["landed R7"])], ids=["seen", "not seen"]
)
def test_a_card_laid_exactly_on_one_of_its_colour_lands_where_a_hand_is_seen_to_bring_it(
    shown: bool, said: list[str]
) -> None:
    """Of both only the dot on one tells which it is, and of that less than where no hand comes with a card is told."""
    table = Table(Knower(finds=True)).run(1.0).reach(Laid("R7", 290, 200)).reach(Laid("R1", 290, 200), shown=shown)
    assert table.said() == said


@pytest.mark.parametrize(("pushed", "said"), [(False, ["landed R7"]), (True, ["pile_moved"])])
@pytest.mark.parametrize("by", [(5.0, -4.0), (-5.0, 4.0), (6.0, 5.0), (-4.0, -6.0)])
def test_a_twin_that_leaves_nothing_but_a_white_border_open_lands_where_another_card_would_show(
    by: tuple[float, float], pushed: bool, said: list[str]
) -> None:
    table = Table(Knower(finds_top=True)).run(0.5).reach(Laid("B9", 290, 210, 50)).reach(Laid("R7", 292, 212))
    top = table.knower.laid.pop() if pushed else table.knower.laid[-1]
    assert table.reach(Laid("R7", top.x + by[0], top.y + by[1])).said()[2:] == said


@pytest.mark.parametrize(("pushed", "said"), [(False, ["landed R7"]), (True, ["pile_moved"])])
@pytest.mark.parametrize("by", [(3.0, -2.5), (-3.5, 3.0), (-1.0, 4.0)])
def test_a_twin_within_millimetres_lands_where_the_edge_of_the_one_below_is_still_to_be_seen(
    by: tuple[float, float], pushed: bool, said: list[str]
) -> None:
    table = Table(Knower(finds_top=True), cloth=1.6).run(0.5).reach(Laid("R7", 290, 210))
    top = table.knower.laid.pop() if pushed else table.knower.laid[-1]
    assert table.reach(Laid("R7", top.x + by[0], top.y + by[1])).said()[1:] == said


@pytest.mark.parametrize(("taken", "said"), [(False, ["landed R7"]), (True, ["removed"])])
def test_the_twin_of_the_card_below_lands_where_the_top_card_is_still_to_be_seen(taken: bool, said: list[str]) -> None:
    table = Table(Knower(finds_top=True)).run(0.5).reach(Laid("B9", 290, 210, 40)).reach(Laid("R7", 290, 210))
    table.reach(Laid("G2", 294, 213))
    if taken:
        table.knower.laid = table.knower.laid[:1]
    assert table.reach(Laid("R7", 291, 209)).said()[3:] == said


def test_the_shadow_of_somebody_who_leaves_with_a_hand_over_it_hides_nothing() -> None:
    table = Table(shadow=0.3).run(1.0).reach(Laid("R7", 290, 210))
    table.arm_mm = 240.0
    table.run(0.2)
    table.shadow = 0.0
    table.run(1.5)
    table.knower.laid.append(Laid("G2", 300, 222, 30))
    table.arm_mm = None
    assert table.run(1.0).said() == ["landed R7", "landed G2"]


def test_a_sharp_shadow_that_was_settled_and_leaves_with_a_hand_blinds_the_eye_for_a_moment_only() -> None:
    table = Table(shadow=0.3, shade_rim_px=10.0).run(1.0).reach(Laid("R7", 290, 210))
    table.arm_mm = 240.0
    table.run(0.2)
    table.arm_mm, table.shadow = None, 0.0
    table.run(2.0).reach(Laid("G2", 300, 222, 30))
    assert table.said() == ["landed R7", "landed G2"]


@pytest.mark.parametrize(("rim", "shadow", "rests_mm"), [(4.0, 0.3, 370.0), (40.0, 0.45, None)])
def test_a_shadow_that_lifts_as_cards_are_laid_leaves_no_arm_over_them(
    rim: float, shadow: float, rests_mm: float | None
) -> None:
    table, scene = Table(shadow=shadow, shade_rim_px=rim, shade_at=(290.0, 500.0)), Scene(TABLE)
    table.knower.laid = [Laid("R7", 290, 210)]
    for table.arm_mm in (*[None] * 20, 380.0, 300.0, 240.0):
        scene.look(table.frame(), True)
    table.knower.laid += [Laid("G2", 300, 222, 30), Laid("B9", 280, 200, 70)]
    table.shadow = 0.0
    for table.arm_mm in (240.0, 300.0, 380.0, *[rests_mm] * 5):
        look = scene.look(table.frame(), True)
    assert [arm.in_discard for arm in look.arms if arm.in_discard > 0] == []


@pytest.mark.parametrize(("at", "shadow"), [((290.0, 330.0), 0.35), ((290.0, 380.0), 0.5), ((150.0, 300.0), 0.35)])
def test_the_shadow_in_which_the_pile_was_settled_leaves_no_edge_behind(at: tuple[float, float], shadow: float) -> None:
    table, scene = Table(shade_at=at), Scene(TABLE)
    for table.shadow in (*[0.0] * 10, *[shadow] * 4):
        scene.look(table.frame())
        table.arm_mm = 380.0 if table.t > 0.6 else None  # an elbow on the edge
    scene.settle_discard()
    table.shadow = 0.0
    for _ in range(3):
        look = scene.look(table.frame())
        assert (look.discard_changed, [arm.in_zones for arm in look.arms]) == (0.0, [False])


def test_a_camera_as_noisy_as_a_webcam_at_night_still_sees() -> None:
    cv2.setRNGSeed(3)
    table = Table(grain=26.0).run(1.0).reach(Laid("R7", 290, 210)).reach(Laid("G2", 300, 222, 30))
    assert table.said() == ["landed R7", "landed G2"]


def test_a_cloud_is_no_card() -> None:
    table = Table().run(0.5).reach(Laid("R7", 290, 210))
    for step in range(40):
        table.gain = 1.0 - 0.008 * step
        table.run(2 / FPS)
    assert table.reach(Laid("G2", 300, 222, 30)).said() == ["landed R7", "landed G2"]


def test_frames_that_change_their_size_are_refused() -> None:
    eye = Eye(TABLE, Knower().models())
    width, height = TABLE.image_size
    eye.process(Frame(np.full((height, width, 3), 90, np.uint8), 0, 0.0))
    with pytest.raises(CalibrationError, match=f"frame 1 is {width // 2}x{height // 2}, the first was"):
        eye.process(Frame(np.full((height // 2, width // 2, 3), 90, np.uint8), 1, 0.1))


def test_the_same_frames_give_the_same_sightings() -> None:
    stories = [Table().run(0.5).reach(Laid("R7", 290, 210)).reach(Laid("G2", 300, 222, 30)) for _ in range(2)]
    assert stories[0].out == stories[1].out


@pytest.mark.parametrize(
    ("trouble", "state"),
    [
        ({"gain": 3.0}, Quality.GLARE),
        ({"gain": 0.0}, Quality.LOST),
        ({"blur": 7.0}, Quality.BLURRED),
    ],
)
def test_what_spoils_the_picture_is_said_and_so_is_its_end(trouble: dict[str, float], state: Quality) -> None:
    table = Table().run(0.5).reach(Laid("R7", 290, 210))
    for name, value in trouble.items():
        setattr(table, name, value)
    assert table.run(2.5).states()[-1] is state
    table.gain, table.blur = 1.0, 0.0
    assert table.run(2.5).states()[-1] is Quality.CLEAR
    assert table.said() == ["landed R7"]


def test_the_shadows_of_a_ceiling_fan_do_not_move_anything() -> None:
    """Nothing was seen to rest: watching never began."""
    table = Table(fan=0.2).run(1.5).reach(Laid("R7", 290, 210)).reach(Laid("G2", 300, 222, 30))
    assert table.said() == ["landed R7", "landed G2"]
    assert table.states() == [Quality.CLEAR]


def test_a_card_laid_out_of_focus_is_unsure_and_is_read_when_the_picture_is_sharp_again() -> None:
    table = Table().run(0.5).reach(Laid("R7", 290, 210))
    table.blur = 7.0
    table.run(2.0).reach(Laid("G2", 300, 222, 30))
    landed = [s for s in table.out if isinstance(s, CardLanded)][-1]
    assert (landed.reading.notation, landed.sure) == ("G2", False)
    table.blur = 0.0
    (better,) = (s for s in table.run(6.0).out if isinstance(s, CardRead))
    assert (better.t, better.reading.notation) == (landed.t, "G2")


def test_a_sleeve_at_the_edge_is_no_reason_to_ask_for_a_bump_with_every_card(monkeypatch: pytest.MonkeyPatch) -> None:
    table = Table().run(0.5).reach(Laid("R7", 290, 210))
    asked: list[float] = []
    monkeypatch.setattr("referee.vision.scene.Scene.movement_px", lambda scene: asked.append(table.t))
    table.arm_mm = 300.0
    table.run(2 / FPS)
    table.knower.laid.append(Laid("G2", 300, 222, 30))
    table.arm_mm = 380.0
    assert table.run(0.4).said() == ["landed R7", "landed G2"]
    assert asked == []


def test_an_elbow_on_the_table_is_asked_for_a_bump_more_and_more_seldom(monkeypatch: pytest.MonkeyPatch) -> None:
    table = Table().run(0.5).reach(Laid("R7", 290, 210))
    asked: list[float] = []
    monkeypatch.setattr("referee.vision.scene.Scene.movement_px", lambda scene: asked.append(table.t))
    table.arm_mm = 300.0
    table.run(4.0)
    assert np.diff(asked) == pytest.approx([1.0, 2.0], abs=2 / FPS)


@pytest.mark.parametrize(
    ("shift", "turn_deg", "zoom"), [((14.0, -9.0), 0.0, 1.0), ((5.0, 3.0), 1.5, 1.0), ((0.0, 8.0), -1.0, 1.02)]
)
def test_a_bumped_camera_is_said_and_the_pile_is_not_laid_again(
    shift: tuple[float, float], turn_deg: float, zoom: float
) -> None:
    table = Table().run(0.5).reach(Laid("R7", 290, 210))
    table.shift, table.turn_deg, table.zoom = shift, turn_deg, zoom
    assert table.run(3.0).states()[-1] is Quality.MOVED
    assert [said for said in table.said() if said != "pile_moved"] == ["landed R7"]
    table.knower.laid = [Laid("R7", 290, 210)]
    assert "landed R7" not in table.run(1.0).said()[1:]


def test_a_bump_that_enlarges_a_picture_of_few_pixels_does_not_end_the_watch(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("referee.vision.from_above.PATCH_PX_PER_MM", 9.0)  # more than any camera has here
    table = Table().run(0.5).reach(Laid("R7", 290, 210))
    table.zoom, table.shift = 1.03, (0.0, 8.0)
    assert table.run(3.0).states()[-1] is Quality.MOVED
    assert [said for said in table.said() if said != "pile_moved"] == ["landed R7"]


def test_a_bump_that_a_close_look_finds_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("referee.vision.eye.QUALITY_S", 0.0)  # always due, also on the very frame that finds the bump
    table = Table().run(0.5).reach(Laid("R7", 290, 210))
    bumps = [np.array([[1, 0, 14.0], [0, 1, -9.0], [0, 0, 1]])]
    monkeypatch.setattr("referee.vision.scene.Scene.stirred", True)
    monkeypatch.setattr("referee.vision.scene.Scene.movement_px", lambda scene: bumps.pop() if bumps else None)
    assert table.reach(Laid("R7", 290, 210), Laid("G2", 300, 230)).run(1.0).states()[-1] is Quality.MOVED


def _frames(path: Path) -> Iterator[Frame]:
    capture = cv2.VideoCapture(str(path))
    try:
        fps, number = capture.get(cv2.CAP_PROP_FPS), 0
        while True:
            ok, image = capture.read()
            if not ok:
                return
            yield Frame(np.asarray(image, np.uint8), number, number / fps)
            number += 1
    finally:
        capture.release()


@pytest.mark.photos
@pytest.mark.slow
@pytest.mark.parametrize("name", ["normal-500", "hard-601"])
def test_a_shared_recording_is_seen_as_it_happened(shared: Path, name: str) -> None:
    video = shared / "data" / "videos" / f"{name}.mp4"
    truth = json.loads(video.with_name(f"{name}.truth.json").read_text())["events"]
    eye = Eye(load_calibration(video.with_name(f"{name}.calibration.json")), load_models())
    out = [sighting for frame in _frames(video) for sighting in eye.process(frame)]
    landed = [s for s in out if isinstance(s, CardLanded)]
    expected = [e for e in truth if e["event"] == "landed"]
    assert len(landed) == len(expected)
    assert all(abs(s.t - e["t"]) < 0.7 for s, e in zip(landed, expected, strict=True))
    assert [s.seat for s in landed] == [e["seat"] for e in expected]
    pairs = [(s.reading.notation, e["card"]) for s, e in zip(landed, expected, strict=True) if s.sure]
    assert [pair for pair in pairs if pair[0] != pair[1]] == []
    assert sum(s.event == "card_removed" for s in out) == sum(e["event"] == "removed" for e in truth)
    assert sum(s.event == "cards_drawn" for s in out) == sum(e["event"] == "drew" for e in truth)


def test_a_later_look_sees_the_cards_and_nothing_of_those_it_looked_at_before(monkeypatch: pytest.MonkeyPatch) -> None:
    table = Table(Knower(finds=True)).run(1.0)
    seen: list[Image] = []

    def read(
        image: Image, quads: Sequence[npt.NDArray[np.float32]], quick: bool = False, refined: bool = False
    ) -> list[Read]:
        if refined:
            seen.append(image.copy())
        return Knower.read(table.knower, image, quads, quick, refined)

    monkeypatch.setattr(table.knower, "read", read)
    places = []
    for card in (Laid("R7", 240, 150), Laid("B9", 330, 240)):
        table.reach(card)
        places.append(np.rint(card.corners().mean(0)).astype(int))
    first, last = seen[0], seen[-1]
    assert [bool((first[y, x] == GREY).all()) for x, y in places] == [False, True]
    assert not (last[places[1][1], places[1][0]] == GREY).all()
    assert (last == GREY).all(2).mean() > 0.5, "most of the picture is not copied"
    assert (last[: places[0][1], : places[0][0]] == GREY).all(), "where the first card lay is grey again"
