"""Enrolling a deck: which looks are taken, what is learned from them, and what the file promises."""

from __future__ import annotations

import json
import random
from dataclasses import dataclass, replace

import cv2
import numpy as np
import pytest
from click.testing import CliRunner

from referee.cards import FACES, Card
from referee.commands.enrol import command
from referee.deck_fitting import other_decks
from referee.faces import STYLES, Design, draw_face, random_design
from referee.vision.deck import Deck, DeckError, load_deck, load_with_deck, save_deck, stand_on_white, with_deck
from referee.vision.enrolment import Enrolment, Fault
from referee.vision.hand_shown import HandSurvey, hand_survey
from referee.vision.head import DeckIndexEye, DeckReader, Head, Heads
from referee.vision.head_fit import fit_indices, fit_reader
from referee.vision.nets import Found, load_models
from referee.vision.survey import models_for, shared_models
from referee.vision.warp import CROP_PX, unit_quad

PASTEL = ((150, 130, 240), (120, 225, 250), (150, 205, 160), (225, 190, 160))
ODD = Design(
    tints=PASTEL, oval="none", font="triplex", skip="word", reverse="word", draw="word", wild="word", wild_draw="word",
    border=6, centre_fill="black", corner_fill="black", underline="none",
)  # fmt: skip
"""Pale colours, and words for symbols."""

HARDLY_PRINTED = replace(ODD, corners=0, centre_height=14)
"""The same with a small word in the middle alone: no face is told for sure, and a blue Skip is read as a Reverse."""

ENROLLED = [Card.parse(word) for word in ["RS", "RR", "R+2", "YS", "GR", "B+2", "W", "W+4"]]
QUAD = unit_quad() * CROP_PX
CARD = QUAD.astype(np.float32)


@pytest.fixture(scope="module")
def models():
    return load_models()


def crop_of(card, design):
    """The card as the reader's crop, on grey."""
    crop = np.full((CROP_PX[1], CROP_PX[0], 3), 110, np.uint8)
    w, h = round(0.84 * CROP_PX[0]), round(0.84 * CROP_PX[1])
    face = cv2.resize(draw_face(card, design, 300), (w, h), interpolation=cv2.INTER_AREA).astype(float)
    x, y = (CROP_PX[0] - w) // 2, (CROP_PX[1] - h) // 2
    alpha = face[..., 3:] / 255
    crop[y : y + h, x : x + w] = (face[..., :3] * alpha + 110 * (1 - alpha)).astype(np.uint8)
    return crop


def photo_of(card, design, size=(360, 300), height=150):
    """A picture with one upright card in the middle of a green table."""
    face = draw_face(card, design, height).astype(float)
    photo = np.full((size[1], size[0], 3), (60, 90, 40), np.uint8)
    h, w = face.shape[:2]
    y, x = (size[1] - h) // 2, (size[0] - w) // 2
    alpha = face[..., 3:] / 255
    photo[y : y + h, x : x + w] = (face[..., :3] * alpha + photo[y : y + h, x : x + w] * (1 - alpha)).astype(np.uint8)
    return photo


def right(models, cards, design):
    """How many are said with certainty and right."""
    reads = [models.reader.read(crop_of(card, design), [QUAD])[0].reading for card in cards]
    return sum(models.is_sure(r) and r.card == card for r, card in zip(reads, cards, strict=True))


@pytest.fixture(scope="module")
def enrolled(models):
    """The hardly printed deck's eight faces, fitted beside one drawn deck."""
    looks, others = [(card, crop_of(card, HARDLY_PRINTED)) for card in ENROLLED], other_decks(1)[:64]
    reader = fit_reader(DeckReader(models.reader).headed, looks, others, 0)
    indices = fit_indices(DeckIndexEye(models.indices).headed, looks, others, 0)
    return Deck("odd", dict(looks), Heads(reader, indices), models.readers)


@pytest.mark.parametrize("part", ["reader", "indices"])
def test_what_is_told_of_the_progress_grows_evenly_to_the_end(models, part):
    shares = [0.0]
    looks = [(card, crop_of(card, ODD)) for card in ENROLLED]
    if part == "reader":
        fit_reader(DeckReader(models.reader).headed, looks, other_decks(1)[:64], 0, shares.append)
    else:
        fit_indices(DeckIndexEye(models.indices).headed, looks, other_decks(1)[:64], 0, shares.append)
    steps = np.diff(shares)
    assert (steps >= 0).all()
    assert steps.max() < 0.15
    assert shares[-1] == pytest.approx(1)


def test_an_enrolled_deck_is_read(models, enrolled):
    assert right(models, ENROLLED, HARDLY_PRINTED) < len(ENROLLED) - 1
    assert right(with_deck(models, enrolled), ENROLLED, HARDLY_PRINTED) >= len(ENROLLED) - 1


LETTERED = [Card.parse(word) for word in ["RS", "RR", "R+2", "YS", "YR", "Y+2", "GS", "GR", "G+2"]]
"""Their indices are letters in the odd deck."""


def told_by_corners(models, cards, design):
    """How many of these cards' two indices are read with certainty and right."""
    reads = [(card, models.indices.read_placed(crop_of(card, design), [CARD, CARD[[2, 3, 0, 1]]])) for card in cards]
    return sum(index.reading.card == card and index.reading.confidence >= 0.97 for card, two in reads for index in two)


def test_the_indices_of_an_enrolled_deck_are_read(models):
    looks, others = [(card, crop_of(card, ODD)) for card in LETTERED], other_decks(1)[:64]
    eye = DeckIndexEye(models.indices)
    learned = replace(models, indices=DeckIndexEye(models.indices, fit_indices(eye.headed, looks, others, 0)))
    assert told_by_corners(models, LETTERED, ODD) < 12
    assert told_by_corners(learned, LETTERED, ODD) > 14
    usual = STYLES["white_oval"]
    before = told_by_corners(models, FACES[::4], usual)
    assert told_by_corners(learned, FACES[::4], usual) >= before - 1 > 20


@pytest.mark.parametrize(
    ("design", "white"),
    [
        (STYLES["white_oval"], False), (ODD, False),
        (replace(STYLES["white_oval"], ground="white", oval="none", corner_fill="tint"), True),
    ],
    ids=["on colour", "black on colour", "on white"],
)  # fmt: skip
def test_what_a_decks_indices_stand_on_is_known_by_its_looks(design, white):
    looks = {card: crop_of(card, design) for card in FACES}
    assert stand_on_white(looks) == white


def test_other_decks_are_read_as_before(models, enrolled):
    cards = FACES[::4]
    for design in (STYLES["white_oval"], random_design(random.Random(3))):
        before = right(models, cards, design)
        assert right(with_deck(models, enrolled), cards, design) >= before - 1


def test_the_shipped_head_answers_as_the_network_does(models):
    crop = crop_of(Card.parse("B6"), STYLES["white_oval"])
    assert np.allclose(
        DeckReader(models.reader).logits(crop, QUAD), models.reader.logits(crop, QUAD), atol=1e-3
    )  # fmt: skip


def test_a_deck_comes_back_from_its_file(models, enrolled, tmp_path):
    path = tmp_path / "deck.zip"
    save_deck(enrolled, path)
    back = load_deck(path, models.readers)
    assert (back.name, list(back.looks), len(back.missing)) == ("odd", ENROLLED, 46)
    loaded, made = load_with_deck(path, models), with_deck(models, enrolled)
    assert right(loaded, ENROLLED, HARDLY_PRINTED) == right(made, ENROLLED, HARDLY_PRINTED)
    assert path.stat().st_size < 1_000_000
    assert list(tmp_path.iterdir()) == [path]


def test_a_head_for_other_networks_is_left_out_and_said_so(models, enrolled, tmp_path):
    path = tmp_path / "deck.zip"
    save_deck(replace(enrolled, readers="0" * 16), path)
    assert load_deck(path, models.readers).heads is None
    with pytest.raises(DeckError, match=r"deck\.zip: cannot be used .*referee enrol"):
        load_with_deck(path, models)


def test_heads_of_another_shape_are_refused_by_name(models, enrolled, tmp_path):
    path, heads = tmp_path / "deck.zip", enrolled.heads
    save_deck(replace(enrolled, heads=Heads(heads.indices, heads.reader)), path)
    with pytest.raises(DeckError, match=r"deck\.zip.*made for another reader.*referee enrol"):
        load_with_deck(path, models)
    flat = np.zeros(3, np.float32)
    with pytest.raises(ValueError, match="do not fit"):
        Head(flat, flat, flat, flat)


@pytest.mark.parametrize("harm", ["cut short", "one byte", "no archive", "gone"])
def test_a_damaged_file_is_refused_by_name(models, enrolled, tmp_path, harm):
    path = tmp_path / "deck.zip"
    save_deck(enrolled, path)
    data = bytearray(path.read_bytes())
    if harm == "one byte":
        data[len(data) // 2] ^= 0xFF
    path.write_bytes({"cut short": data[:5000], "no archive": b"hello"}.get(harm, bytes(data)))
    if harm == "gone":
        path.unlink()
    with pytest.raises(DeckError, match=r"deck\.zip.*referee enrol"):
        load_deck(path, models.readers)


# --- looks ----------------------------------------------------------------------------------------------------------


@dataclass
class Sees:
    """A finder that finds what it is told."""

    found: list[Found]

    def find(self, image, card_px=None):
        return self.found


def found_at(x=180.0, y=150.0, height=150.0, width=96.6, visible=1.0, score=0.9):
    corners = np.array([[-width, -height], [width, -height], [width, height], [-width, height]], np.float32) / 2
    return Found(corners + np.array([x, y], np.float32), score, visible, 1.0)


@pytest.mark.parametrize(
    ("found", "spoil", "fault"),
    [
        ([], None, Fault.NO_CARD),
        ([found_at(), found_at(x=60, height=140)], None, Fault.SEVERAL),
        ([found_at(), found_at(height=50, width=32)], None, None),
        ([found_at(height=40, width=26)], None, Fault.SMALL),
        ([found_at(x=20)], None, Fault.CUT_OFF),
        ([found_at(visible=0.5)], None, Fault.COVERED),
        ([found_at()], "dark", Fault.DARK),
        ([found_at()], "blue bulb", Fault.DARK),
        ([found_at()], "glare", Fault.GLARE),
        ([found_at()], "blurred", Fault.BLURRED),
        ([found_at()], None, None),
    ],
)
def test_a_bad_look_is_not_taken(models, found, spoil, fault):
    photo = photo_of(FACES[0], STYLES["white_oval"])
    if spoil == "dark":
        photo = (photo // 10).astype(np.uint8)
    elif spoil == "blue bulb":
        photo = (photo * [1.0, 0.35, 0.25]).astype(np.uint8)
    elif spoil == "glare":
        photo = np.clip(photo.astype(int) // 4 + 240, 0, 255).astype(np.uint8)
    elif spoil == "blurred":
        photo = cv2.GaussianBlur(photo, (0, 0), 14)
    enrolment = Enrolment(replace(models, finder=Sees(found)), Deck("new"), moving=False)
    step = enrolment.look(photo)
    assert step.fault is fault
    assert (FACES[0] in enrolment.deck.looks) == (fault is None)


@pytest.mark.parametrize(
    ("what", "change", "fault"),
    [
        ("from straight above", np.zeros((4, 2)), None),
        ("a little to the side", [[0, 8], [0, 8], [0, 0], [0, 0]], None),
        ("its far end much smaller", [[9, 0], [-9, 0], [0, 0], [0, 0]], Fault.SLANTED),
        ("from a corner", [[16, 0], [16, 0], [-16, 0], [-16, 0]], Fault.SLANTED),
        ("from an end", [[0, 16], [0, 16], [0, -16], [0, -16]], Fault.SLANTED),
        ("from a side", [[11, 0], [-11, 0], [-11, 0], [11, 0]], Fault.SLANTED),
    ],
)
def test_a_card_that_is_not_held_flat_is_not_learned(models, what, change, fault):
    flat = found_at().quad
    seen = (flat + np.array(change)).astype(np.float32)
    matrix = cv2.getPerspectiveTransform(flat, seen)
    photo = cv2.warpPerspective(photo_of(FACES[0], STYLES["white_oval"]), matrix, (360, 300), borderValue=(60, 90, 40))
    enrolment = Enrolment(replace(models, finder=Sees([replace(found_at(), quad=seen)])), Deck("new"), moving=False)
    assert enrolment.look(photo).fault is fault


def test_a_card_whose_long_side_looks_short_is_not_learned_lying_on_its_side(models):
    photo = photo_of(Card.parse("R7"), STYLES["white_oval"])
    squeezed = np.full_like(photo, (60, 90, 40))
    squeezed[90:210] = cv2.resize(photo, (360, 120), interpolation=cv2.INTER_AREA)
    lying = found_at(y=150, height=60.0, width=96.6)
    quad = np.roll(lying.quad, -1, 0)
    enrolment = Enrolment(replace(models, finder=Sees([replace(lying, quad=quad)])), Deck("new"), moving=False)
    assert enrolment.look(squeezed, Card.parse("R7")).fault is Fault.SLANTED


@pytest.mark.parametrize(
    ("offset", "turned", "fault"),
    [(0.0, 0.0, None), (0.3, 0.3, Fault.SLANTED), (0.3, -0.3, Fault.SLANTED)],
    ids=["settled", "to be moved", "told one way only"],
)
def test_a_card_whose_corners_cannot_be_told_is_not_learned(models, monkeypatch, offset, turned, fault):
    enrolment = Enrolment(replace(models, finder=Sees([found_at()])), Deck("new"), moving=False)
    offsets = np.zeros((2, 4, 2), np.float32)
    offsets[0, 0], offsets[1, 2] = offset / 10, -turned / 10
    monkeypatch.setattr(enrolment._reader, "_forward", lambda crops: (None, offsets))
    monkeypatch.setattr(enrolment._reader, "refined", lambda image, quad: quad)
    assert enrolment.look(photo_of(FACES[0], STYLES["white_oval"])).fault is fault


def test_a_live_card_must_rest_and_be_changed(models):
    live = Enrolment(replace(models, finder=Sees([found_at()])), Deck("new"))
    first, second = (photo_of(card, STYLES["white_oval"]) for card in FACES[:2])
    steps = [live.look(photo) for photo in (first, first, first, second)]
    assert [step.fault for step in steps] == [Fault.MOVING, None, Fault.SAME, None]
    assert list(live.deck.looks) == list(FACES[:2])


def shaded(photo):
    """The picture with a shadow that ends across the card."""
    light = np.where(np.add.outer(np.arange(photo.shape[0]), np.arange(photo.shape[1])) < 330, 1.0, 0.55)
    return (photo * cv2.GaussianBlur(light, (0, 0), 3)[..., None]).astype(np.uint8)


@pytest.mark.parametrize(
    ("design", "card", "next_card", "change", "fault"),
    [
        (HARDLY_PRINTED, "BS", "BR", None, None),
        (HARDLY_PRINTED, "BS", "BS", None, Fault.SAME),
        (ODD, "GS", "GS", None, Fault.SAME),
        (ODD, "GS", "GS", shaded, Fault.SAME),
        (ODD, "GR", "GR", shaded, Fault.SAME),
        (ODD, "RS", "RS", shaded, Fault.SAME),
        (ODD, "R7", "R7", shaded, Fault.SAME),
    ],
)
def test_a_card_slipped_over_its_like_is_told_from_a_shadow_on_the_same(
    models, design, card, next_card, change, fault
):
    cards = [Card.parse(word) for word in (card, next_card)]
    photos = first, second = [photo_of(each, design) for each in cards]
    if card != next_card:
        reads = [models.reader.read(photo, [found_at().quad])[0].reading.card for photo in photos]
        assert reads[0] == reads[1]  # only what is printed tells them apart
    live = Enrolment(replace(models, finder=Sees([found_at()])), Deck("new"))
    live.trust()
    assert [live.look(first, cards[0]).fault for _ in range(2)] == [Fault.MOVING, None]
    live.trust()
    wanted = Card.parse("BR" if design is HARDLY_PRINTED else "GR")
    assert live.look(change(second) if change else second, wanted).fault is fault


def test_a_face_that_looks_like_another_is_asked_about(models):
    enrolment = Enrolment(replace(models, finder=Sees([found_at()])), Deck("new"), moving=False)
    photo = photo_of(Card.parse("B8"), STYLES["white_oval"])
    step = enrolment.look(photo)
    assert (step.fault, step.wanted, step.seen) == (Fault.OTHER, FACES[0], Card.parse("B8"))
    enrolment.trust()
    assert enrolment.look(photo).fault is None


# --- the command ----------------------------------------------------------------------------------------------------


def test_the_command_keeps_what_it_saw_and_goes_on(tmp_path):
    folder, deck = tmp_path / "faces", tmp_path / "deck.zip"
    folder.mkdir()
    cv2.imwrite(str(folder / "R0.png"), photo_of(Card.parse("R0"), STYLES["plain"]))
    args = [str(folder), "--deck", str(deck)]
    first = CliRunner().invoke(command, args)
    assert first.exit_code == 2
    assert "53 faces were not seen, R1 first" in first.stderr
    cv2.imwrite(str(folder / "W+4.png"), photo_of(Card.parse("W+4"), STYLES["plain"]))
    second = CliRunner().invoke(command, args)
    assert "52 faces were not seen, R1 first" in second.stderr
    assert "R0 taken" not in second.stderr


def test_the_command_leaves_a_deck_in_use_as_it_is_until_another_is_learned(models, enrolled, tmp_path):
    folder, file = tmp_path / "faces", tmp_path / "deck.zip"
    folder.mkdir()
    save_deck(enrolled, file)
    before = file.read_bytes()
    cv2.imwrite(str(folder / "R0.png"), photo_of(Card.parse("R0"), STYLES["plain"]))
    args = [str(folder), "--deck", str(file)]
    assert CliRunner().invoke(command, [*args, "--restart"]).exit_code == 2
    assert file.read_bytes() == before
    assert list(load_deck(tmp_path / "deck-new.zip", models.readers).looks) == [Card.parse("R0")]


@pytest.mark.slow
def test_a_deck_in_use_is_learned_again_without_what_was_begun(models, enrolled, tmp_path):
    file, begun = tmp_path / "deck.zip", tmp_path / "deck-new.zip"
    save_deck(enrolled, file)
    save_deck(Deck("begun", dict([next(iter(enrolled.looks.items()))])), begun)
    args = ["--deck", str(file), "--json"]
    again = CliRunner().invoke(command, args)
    assert json.loads(again.stdout)["faces"] == len(enrolled.looks), again.stderr
    assert begun.exists()
    done = CliRunner().invoke(command, [*args, "--finish"])
    assert json.loads(done.stdout)["faces"] == 1, done.stderr
    assert not begun.exists()


@pytest.mark.slow
def test_the_command_finishes_a_deck(tmp_path):
    folder, deck = tmp_path / "faces", tmp_path / "deck.zip"
    folder.mkdir()
    for card in ENROLLED:
        cv2.imwrite(str(folder / f"{card}.png"), photo_of(card, HARDLY_PRINTED))
    done = CliRunner().invoke(command, [str(folder), "--deck", str(deck), "--finish", "--json"])
    assert done.exit_code == 0, done.stderr
    facts = json.loads(done.stdout)
    assert facts["faces"] == len(ENROLLED)
    assert facts["read_before"] < facts["read_now"] >= len(ENROLLED) - 1


@pytest.mark.parametrize(
    ("args", "line"),
    [
        (["/nowhere"], "no camera, file or folder"),
        (["--face", "R12"], "R12"),
        ([], "no face has been seen yet"),
    ],
)
def test_wrong_use_is_one_line(tmp_path, args, line):
    result = CliRunner().invoke(command, [*args, "--deck", str(tmp_path / "deck.zip")])
    assert result.exit_code == 2
    assert line in result.stderr
    assert len(result.stderr.strip().splitlines()) == 1


@pytest.mark.parametrize("file", ["none", "unfinished", "damaged"])
def test_a_deck_that_cannot_be_used_does_not_keep_hands_from_being_read(tmp_path, file):
    path = tmp_path / "deck.zip"
    if file == "unfinished":
        save_deck(Deck("half", {FACES[0]: crop_of(FACES[0], ODD)}), path)
    elif file == "damaged":
        path.write_bytes(b"hello")
    assert models_for(path) is shared_models()
    assert isinstance(hand_survey(path, {}), HandSurvey)
