"""The two networks at run time: which files are accepted, what they find and read on drawn cards."""

import json
import shutil

import cv2
import numpy as np
import pytest

from referee.cards import FACES, Card, Colour, Rank
from referee.faces import STYLES, draw_face
from referee.paths import shipped
from referee.vision.classes import ANSWER, COLOURS, RANKS, interpret, strangeness
from referee.vision.nets import FILES, MAX_LOOKS, ModelError, Reader, decode, load_models, same_place
from referee.vision.warp import from_crop, rectify, unit_quad, upright


@pytest.fixture(scope="module")
def models():
    return load_models()


@pytest.fixture
def copy(tmp_path):
    folder = tmp_path / "models"
    shutil.copytree(shipped("models"), folder)
    return folder


def table_with(card, style="white_oval", height=110, at=(160, 120), angle=20.0, size=(320, 240)):
    """A brown table with one drawn card, and the card's corners."""
    face = draw_face(card, STYLES[style], 2 * height)
    h, w = face.shape[:2]
    turn = cv2.getRotationMatrix2D((w / 2, h / 2), angle, 0.5)
    turn[:, 2] += np.array(at) - [w / 2, h / 2]
    paste = cv2.warpAffine(face, turn, size, flags=cv2.INTER_AREA)
    table = np.full((size[1], size[0], 3), (50, 80, 110), np.uint8)
    alpha = paste[..., 3:].astype(float) / 255
    corners = np.array([[0, 0], [w, 0], [w, h], [0, h]], float)
    quad = corners @ turn[:, :2].T + turn[:, 2]
    return (paste[..., :3] * alpha + table * (1 - alpha)).astype(np.uint8), quad.astype(np.float32)


@pytest.mark.parametrize("angle", [0, 65, 140, 215, 300])
def test_a_lone_card_is_found_where_it_lies(models, angle):
    image, quad = table_with(Card.parse("B5"), angle=angle)
    found = models.finder.find(image)
    assert len(found) == 1
    assert same_place(found[0].quad, upright(quad))


def test_a_known_height_finds_the_same_card(models):
    image, quad = table_with(Card.parse("G7"))
    found = models.finder.find(image, card_px=110)
    assert [same_place(f.quad, upright(quad)) for f in found] == [True]


def test_an_empty_zone_of_known_scale_holds_no_card(models):
    assert models.finder.find(np.full((240, 320, 3), 90, np.uint8), card_px=110) == []


@pytest.mark.parametrize("name", ["R0", "Y3", "G6", "B9", "RS", "GR", "B+2", "W", "W+4"])
@pytest.mark.parametrize("first", range(4))
def test_a_card_is_read_whatever_corner_comes_first(models, name, first):
    image, quad = table_with(Card.parse(name))
    read = models.reader.read(image, [np.roll(quad, first, 0)])[0]
    assert read.reading.card == Card.parse(name)
    assert read.face_probability > 0.5


def test_reading_refines_the_corners(models):
    image, quad = table_with(Card.parse("R4"))
    off = quad + np.array([[4, -3], [-3, 3], [3, 4], [-3, -3]], np.float32)
    refined = models.reader.read(image, [off])[0].quad
    error = min(np.abs(np.roll(refined, k, 0) - quad).max() for k in (0, 2))
    assert error < 2.5


def test_the_same_pixels_give_the_same_answer(models):
    image, quad = table_with(Card.parse("Y8"))
    one, two = (models.reader.read(image, [quad])[0] for _ in range(2))
    assert one.reading == two.reading
    assert np.array_equal(one.quad, two.quad)


@pytest.mark.parametrize(
    ("sigma", "quick", "runs"), [(0, True, 1), (0, False, 2), (5, True, 2)], ids=["plain", "thorough", "blurred"]
)
def test_a_quick_look_at_known_corners_runs_the_network_once_where_that_is_plain(models, sigma, quick, runs):
    image, quad = table_with(Card.parse("B8"))
    image = cv2.GaussianBlur(image, (0, 0), sigma) if sigma else image
    assert sum(1 for _ in models.reader.reading(image, quad, quick=quick, refined=True)) == runs


class Unsettled(Reader):
    """Is sure of a green 3 whose corners it would have elsewhere, whichever way up it is."""

    def __init__(self):
        super().__init__(None, 1.0)

    def _forward(self, crops):
        answer = np.zeros((len(crops), ANSWER), np.float32)
        answer[:, [COLOURS.index(Colour.GREEN), len(COLOURS) + RANKS.index(Rank.THREE)]] = 9
        return answer, np.full((len(crops), 4, 2), 0.05, np.float32)


@pytest.mark.parametrize(("refined", "runs"), [(True, 1), (False, MAX_LOOKS + 2)])
def test_corners_that_are_sought_are_put_right_by_both_ways(refined, runs):
    image, quad = table_with(Card.parse("G3"))
    assert sum(1 for _ in Unsettled().reading(image, quad, quick=True, refined=refined)) == runs


def test_a_quad_that_is_none_is_refused(models):
    with pytest.raises(ValueError, match="four finite points"):
        models.reader.read(np.zeros((50, 50, 3), np.uint8), [[[0, 0], [1, 1]]])


@pytest.mark.parametrize("name", FILES)
def test_a_damaged_network_is_refused_by_name(copy, name):
    data = bytearray((copy / name).read_bytes())
    data[len(data) // 2] ^= 1
    (copy / name).write_bytes(bytes(data))
    with pytest.raises(ModelError, match=f"{name} is damaged"):
        load_models(copy)


@pytest.mark.parametrize("name", [*FILES, "MANIFEST.json"])
def test_a_missing_file_is_named(copy, name):
    (copy / name).unlink()
    with pytest.raises(ModelError, match=name):
        load_models(copy)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda m: m["files"].pop("reader.onnx"), "does not list reader.onnx"),
        (lambda m: m["tuning"].update(sure=2), "out of range"),
        (lambda m: m.pop("tuning"), "cannot be used"),
        (lambda m: m.update(version=1), "version 1, where this program has 2"),
    ],
)
def test_a_foreign_manifest_is_refused(copy, change, message):
    manifest = json.loads((copy / "MANIFEST.json").read_text())
    change(manifest)
    (copy / "MANIFEST.json").write_text(json.dumps(manifest))
    with pytest.raises(ModelError, match=message):
        load_models(copy)


def test_what_says_nothing_is_no_face():
    reading, face = interpret(np.zeros(21, np.float32), 1.0)
    assert reading.card is None
    assert reading.confidence == pytest.approx(1 / 16)
    assert face == pytest.approx(15 / 16)


def test_a_higher_temperature_is_less_sure():
    cold, warm = (interpret(_logits(Card.parse("G4")), t)[0].confidence for t in (1.0, 8.0))
    assert cold > 0.999
    assert warm < 0.9


def test_decoding_a_peak_gives_its_parallelogram():
    out = np.full((11, 8, 8), -9, np.float32)
    out[:, 3, 4] = [5, 0, 0, 0, np.log(0.6), 0, -1, 0, 1, 9, -9]
    ((quad, score, visible, top),) = decode(out, 0.3)
    assert quad.mean(0) == pytest.approx([35.5, 27.5])
    assert np.ptp(quad, axis=0) == pytest.approx([38.4, 64], abs=0.1)
    assert score > 0.99
    assert visible > 0.99
    assert top < 0.01


def test_rectifying_and_going_back_is_the_identity():
    quad = np.array([[30, 20], [90, 30], [80, 120], [20, 100]], np.float32)
    assert from_crop(unit_quad(), quad) == pytest.approx(quad, abs=1e-3)
    image = np.zeros((140, 120, 3), np.uint8)
    cv2.fillConvexPoly(image, np.round(quad).astype(np.int32), (255, 255, 255))
    crop = rectify(image, quad)
    assert crop[60, 40].min() == 255
    assert crop[2, 2].max() == 0


def test_every_face_has_a_class():
    assert {interpret(_logits(card), 1.0)[0].card for card in FACES} == set(FACES)


@pytest.mark.parametrize(
    ("none", "strange", "odds"),
    [
        (0.0, 0.0, -10.0),
        (3.0, 3.0, pytest.approx(-10 + 4.95, abs=0.01)),
        (0.1, 0.1, pytest.approx(-10 + 0.575, abs=0.01)),
        (12.0, 1.0, None),
        (12.0, 3.0, pytest.approx(-1 + 4.95, abs=0.01)),
        (1e9, 1e9, pytest.approx(-10 + 101.0, abs=0.01)),
    ],
    ids=["nothing speaks against it", "what tells strangers is heard in full", "also where it says little",
         "no face without that", "a face but for that", "more than can be reckoned with"],
)
def test_how_strange_a_card_is_says_what_tells_strangers_in_full(none, strange, odds):
    answer = np.zeros(22, np.float32)
    answer[5:20] = -100
    answer[8], answer[20], answer[21] = 10.0, none, strange
    assert strangeness(answer) == odds


def _logits(card):
    from referee.training.decks import classes

    colour, rank = classes(card)
    logits = np.zeros(21, np.float32)
    logits[colour] = logits[5 + rank] = 20
    return logits
