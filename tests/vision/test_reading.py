"""Stills: every face-up card, the top one, and `referee read` as people call it."""

import json
from dataclasses import dataclass, replace

import cv2
import numpy as np
import pytest
from click.testing import CliRunner

from referee.cards import Card
from referee.commands.read import command
from referee.faces import STYLES, draw_back, draw_face
from referee.observations import CardReading, SeenCard
from referee.vision.annotate import draw_cards
from referee.vision.indices import IndexReading
from referee.vision.nets import Found, Read, load_models
from referee.vision.picture_file import PictureError, load_picture
from referee.vision.reading import is_certain, read_hand, read_photo


@pytest.fixture(scope="module")
def models():
    return load_models()


def paste(image, face, x, y):
    alpha = face[..., 3:].astype(float) / 255
    part = image[y : y + face.shape[0], x : x + face.shape[1]]
    part[:] = (face[..., :3] * alpha + part * (1 - alpha)).astype(np.uint8)


@pytest.fixture(scope="module")
def spread():
    """Three cards apart and a back on a green cloth."""
    image = np.full((360, 560, 3), (60, 90, 40), np.uint8)
    for i, name in enumerate(["R7", "BS", "W+4"]):
        paste(image, draw_face(Card.parse(name), STYLES["white_oval"], 150), 20 + 130 * i, 40)
    paste(image, draw_back(STYLES["white_oval"], 150), 430, 180)
    return image


def test_cards_that_lie_apart_are_all_read_and_all_on_top(models, spread):
    cards = read_photo(spread, models)
    assert sorted(c.reading.notation for c in cards) == ["BS", "R7", "W+4"]
    assert all(c.top for c in cards)


def test_of_two_cards_on_each_other_one_is_on_top(models):
    image = np.full((300, 300, 3), (70, 70, 90), np.uint8)
    paste(image, draw_face(Card.parse("Y3"), STYLES["white_oval"], 160), 50, 40)
    paste(image, draw_face(Card.parse("B8"), STYLES["white_oval"], 160), 110, 80)
    cards = read_photo(image, models)
    assert [c.reading.notation for c in cards if c.top] == ["B8"]


@pytest.mark.parametrize(
    ("quad", "certain"),
    [
        (((0, 0), (56, 0), (56, 87), (0, 87)), True),
        (((0, 0), (60, 0), (70, 60), (-10, 60)), True),  # seen at a slant
        (((0, 0), (20, 0), (20, 30), (0, 30)), True),
        (((0, 0), (17, 0), (17, 25), (0, 25)), False),  # a stitch of a jumper
        (((0, 0), (44, 0), (64, 95), (-19, 96)), False),  # a corner that a hand leaves open
    ],
)
def test_a_face_is_said_only_of_what_may_be_a_card(models, quad, certain):
    assert is_certain(SeenCard(CardReading(Card.parse("R7"), 0.99), quad, 1.0), models) == certain


@pytest.mark.parametrize(
    ("style", "name", "left"),
    [("white_oval", "B9", 0.55), ("colour_oval", "B9", 0.55), ("white_oval", "G6", 0.55), ("plain", "G6", 0.65),
     ("colour_oval", "W+4", 0.65)],
)  # fmt: skip
def test_a_card_that_reaches_out_of_the_picture_is_read_by_what_is_left_of_it(models, style, name, left):
    face = draw_face(Card.parse(name), STYLES[style], 600)
    face = face[: int(left * face.shape[0])]
    image = np.full((face.shape[0] + 20, face.shape[1] + 40, 3), (70, 80, 90), np.uint8)
    paste(image, face, 20, 20)
    (card,) = read_photo(np.asarray(cv2.GaussianBlur(image, (0, 0), 1.5), np.uint8), models)
    assert is_certain(card, models)
    assert card.reading.notation == name


def test_the_sign_of_a_card_that_reaches_out_of_the_picture_is_no_card(models):
    """Half of a sign looks like another one: what is read of the whole card counts."""
    sign = np.array([[40, 40], [80, 40], [80, 100], [40, 100]], np.float32)
    whole = np.array([[20, 20], [280, 20], [280, 420], [20, 420]], np.float32)

    class Finder:
        def find(self, image, card_px=None, part=None, on_all_levels=False):
            return [Found(sign, 0.9, 0.9, 0.9)]

        def find_cut_off(self, image):
            return [Found(whole, 0.5, 0.7, 0.9)]

    class Reader:
        def read(self, image, quads, quick=False, refined=False):
            names = ["B0" if quad is sign else "B9" for quad in quads]
            return [Read(CardReading(Card.parse(n), 0.96), q, 0.99) for n, q in zip(names, quads, strict=True)]

    class Indices:
        def find(self, image, heights_px=(), thorough=False, cards=()):
            return [IndexReading(CardReading(Card.parse("B9"), 0.99), whole, 0.7, 0.99)] if heights_px else []

    seeing = replace(models, finder=Finder(), reader=Reader(), indices=Indices())
    assert [c.reading.notation for c in read_photo(np.zeros((300, 300, 3), np.uint8), seeing)] == ["B9"]


@dataclass
class SeesATable:
    """Takes the bare table for a card, and finds the card on it only when it searches on."""

    table: Found
    card: Found

    def find(self, image, card_px=None, part=None, on_all_levels=False):
        return [self.table, self.card] if on_all_levels else [self.table]

    def find_cut_off(self, image):
        return []


def test_a_card_on_a_table_that_was_taken_for_one_is_read(models):
    image = np.full((400, 500, 3), (230, 235, 240), np.uint8)
    paste(image, draw_face(Card.parse("Y2"), STYLES["white_oval"], 110), 200, 140)
    table = np.array([[60, 10], [440, 10], [440, 390], [60, 390]], np.float32)
    card = np.array([[200, 140], [271, 140], [271, 250], [200, 250]], np.float32)
    finder = SeesATable(Found(table, 0.7, 0.9, 0.8), Found(card, 0.9, 0.9, 0.8))
    assert "Y2" in [c.reading.notation for c in read_photo(image, replace(models, finder=finder))]


@dataclass
class SeesACard:
    """Finds one card, and takes it for a face with this probability, and any other one with that of `strip`."""

    quad: np.ndarray
    face: float
    visible: float = 0.9
    strip: float = 0.3

    def find(self, image, card_px=None, part=None, on_all_levels=False):
        return [Found(self.quad, 0.9, self.visible, 0.9)]

    def find_cut_off(self, image):
        return []

    def read(self, image, quads, quick=False, refined=False):
        seen = [self.face if quad is self.quad else self.strip for quad in quads]
        return [Read(CardReading(None, 1 - face), quad, face) for quad, face in zip(quads, seen, strict=True)]


@dataclass
class SeesAnIndex:
    quad: np.ndarray

    def find(self, image, heights_px=(), thorough=False, cards=()):
        return [IndexReading(CardReading(Card.parse("B4"), 0.99), self.quad, 0.7, 0.99)]


@pytest.mark.parametrize(
    ("face", "visible", "said"),
    [(0.01, 0.9, []), (0.2, 0.9, ["B4"]), (0.01, 0.3, ["B4"])],
    ids=["a playing card", "a card under a hand", "a strip of a fan"],
)
def test_the_corner_of_a_card_seen_to_be_no_face_is_not_read(models, face, visible, said):
    quad = np.array([[100, 60], [200, 60], [200, 215], [100, 215]], np.float32)
    sees = SeesACard(quad, face, visible)
    blind = replace(models, finder=sees, reader=sees, indices=SeesAnIndex(quad))
    cards = read_photo(np.zeros((300, 300, 3), np.uint8), blind)
    assert [c.reading.notation for c in cards] == said


@pytest.mark.parametrize(("strip", "said"), [(0.3, ["B4"]), (0.01, [])], ids=["one of ours", "a playing card"])
def test_what_looks_out_under_a_back_is_read_when_it_looks_like_a_face(models, strip, said):
    back = np.array([[100, 60], [200, 60], [200, 215], [100, 215]], np.float32)
    sees = SeesACard(back, 0.01, strip=strip)
    below = replace(models, finder=sees, reader=sees, indices=SeesAnIndex(back - np.float32([30, 12])))
    blue = np.full((300, 300, 3), (180, 60, 30), np.uint8)
    cards = read_photo(blue, below)
    assert [c.reading.notation for c in cards if is_certain(c, models)] == said
    assert not any(c.top for c in cards)


@dataclass
class SeesAHand:
    """Finds an open yellow 2, and the index of a blue 4 beside it of whose card little shows, which is no face's."""

    open_card: np.ndarray
    own_index: bool

    def find(self, image, heights_px=None, **_):
        beside = IndexReading(CardReading(Card.parse("B4"), 0.98), self.open_card - np.float32([70, -8]), 0.7, 0.99)
        own = IndexReading(CardReading(Card.parse("Y2"), 0.98), self.open_card, 0.7, 0.99)
        return [own, beside] if self.own_index else [beside]

    def read(self, image, quads, quick=False, refined=False):
        open_ = [quad is self.open_card for quad in quads]
        said = [CardReading(Card.parse("Y2"), 0.99) if one else CardReading(None, 0.99) for one in open_]
        return [Read(one, quad, 0.01 if one.card is None else 0.99) for one, quad in zip(said, quads, strict=True)]


@pytest.mark.parametrize(
    ("own_index", "look", "said"),
    [(True, read_hand, {"Y2", "B4"}), (False, read_hand, {"Y2"}), (True, read_photo, {"Y2"})],
    ids=["a hand of ours", "a hand that may be another game's", "a pile"],
)
def test_beside_an_open_card_of_a_hand_its_other_cards_are_read_by_their_indices(models, own_index, look, said):
    quad = np.array([[150, 60], [250, 60], [250, 215], [150, 215]], np.float32)
    hand = SeesAHand(quad, own_index)
    sees = replace(models, finder=SeesACard(quad, 0.99), reader=hand, indices=hand)
    blue = np.full((300, 300, 3), (180, 60, 30), np.uint8)
    assert {c.reading.notation for c in look(blue, sees) if models.is_sure(c.reading)} == said


def test_a_picture_without_cards_has_none(models):
    assert read_photo(np.full((200, 300, 3), 120, np.uint8), models) == []


def test_the_annotated_copy_leaves_the_picture_alone(models, spread):
    before = spread.copy()
    marked = draw_cards(spread, read_photo(spread, models), models)
    assert np.array_equal(spread, before)
    assert not np.array_equal(marked, before)


def test_the_name_of_a_card_that_reaches_out_of_the_picture_is_written_in_it(models):
    quad = ((-90, -200), (60, -200), (60, 60), (-90, 60))
    card = SeenCard(CardReading(Card.parse("R7"), 0.99), quad, 0.7)
    marked = draw_cards(np.zeros((100, 200, 3), np.uint8), [card], models)
    assert marked[:50, :50].any()  # of the outline only the right and the lower side are in the picture


def test_names_of_cards_that_overlap_do_not_lie_on_each_other(models):
    quad = ((60, 20), (140, 20), (140, 140), (60, 140))
    card = SeenCard(CardReading(Card.parse("R7"), 0.99), quad, 0.7)
    one, two, three = (
        np.count_nonzero(draw_cards(np.zeros((200, 300, 3), np.uint8), [card] * n, models).any(2)) for n in (1, 2, 3)
    )
    assert two - one > 100
    assert three - two == pytest.approx(two - one, rel=0.3)


def test_read_prints_one_object_a_photo(tmp_path, spread):
    photo = tmp_path / "cards.png"
    cv2.imwrite(str(photo), spread)
    result = CliRunner().invoke(command, ["--json", "--annotate", str(tmp_path / "out"), str(photo)])
    assert result.exit_code == 0
    answer = json.loads(result.stdout)
    assert answer["image"] == str(photo)
    assert {"card", "confidence", "sure", "top", "quad", "alternatives"} <= answer["cards"][0].keys()
    assert (tmp_path / "out" / "cards.jpg").is_file()


def test_a_file_that_is_no_picture_is_named_after_the_others_are_read(tmp_path, spread):
    good, bad = tmp_path / "good.png", tmp_path / "bad.jpg"
    cv2.imwrite(str(good), spread)
    bad.write_text("no picture")
    result = CliRunner().invoke(command, [str(bad), str(tmp_path / "absent.jpg"), str(good)])
    assert result.exit_code == 2
    assert "R7" in result.stdout
    assert [line for line in result.stderr.splitlines() if "bad.jpg" in line or "absent.jpg" in line] == (
        result.stderr.splitlines()
    )
    assert len(result.stderr.splitlines()) == 2


@pytest.mark.parametrize(("size", "said"), [((1, 1), "lens"), ((2, 3000), "lens"), ((3000, 1), "lens")])
def test_a_picture_of_any_shape_is_read(tmp_path, size, said):
    photo = tmp_path / "odd.png"
    cv2.imwrite(str(photo), np.zeros((*size, 3), np.uint8))
    result = CliRunner().invoke(command, ["--json", str(photo)])
    assert result.exit_code == 0
    assert json.loads(result.stdout)["cards"] == []
    assert said in result.stderr


def test_no_coloured_card_of_a_grey_picture_is_sure(tmp_path, spread):
    photo = tmp_path / "grey.png"
    cv2.imwrite(str(photo), cv2.cvtColor(spread, cv2.COLOR_BGR2GRAY))
    answer = json.loads(CliRunner().invoke(command, ["--json", str(photo)]).stdout)
    assert [card["card"] for card in answer["cards"] if card["sure"]] == ["W+4"]
    assert len(answer["cards"]) >= 3


@pytest.mark.parametrize(
    ("data", "said"),
    [(b"", "not a picture"), (b"\0\0\0\x24ftypheic\0\0", "save it as JPEG"), (b"\x89PNG\r\n\x1a\n", "not a picture")],
)
def test_a_file_that_is_no_picture_says_what_to_do(tmp_path, data, said):
    photo = tmp_path / "x.jpg"
    photo.write_bytes(data)
    result = CliRunner().invoke(command, [str(photo)])
    assert result.exit_code == 2
    (line,) = result.stderr.splitlines()
    assert said in line
    assert str(photo) in line


@pytest.mark.parametrize("ending", [".png", ".bmp", ".tiff", ".jp2", ".jpg", ".webp"])
def test_a_picture_that_is_cut_off_gets_one_line_from_us_and_none_from_libraries(tmp_path, spread, capfd, ending):
    photo = tmp_path / f"x{ending}"
    data = cv2.imencode(ending, spread)[1].tobytes()
    photo.write_bytes(data[: len(data) // 2])
    with pytest.raises(PictureError, match="not a picture that can be read"):
        load_picture(photo)
    assert capfd.readouterr().err == ""


def test_a_damaged_picture_that_can_be_read_is_read_without_a_word(tmp_path, spread, capfd):
    photo = tmp_path / "x.jpg"
    data = cv2.imencode(".jpg", spread)[1].tobytes()
    photo.write_bytes(data[:2000] + b"\xff\xd8" + data[2000:])
    assert load_picture(photo).shape == spread.shape
    assert capfd.readouterr().err == ""


def test_a_photo_without_a_name_is_no_folder():
    result = CliRunner().invoke(command, [""])
    assert (result.exit_code, result.stderr) == (2, "referee read: '': no such file; expected a photo\n")


def test_marked_copies_of_pictures_of_one_name_are_all_kept(tmp_path, spread):
    for folder in ("a", "b"):
        (tmp_path / folder).mkdir()
        cv2.imwrite(str(tmp_path / folder / "x.png"), spread)
    photos = [str(tmp_path / folder / "x.png") for folder in ("a", "b")]
    assert CliRunner().invoke(command, ["--annotate", str(tmp_path / "out"), *photos]).exit_code == 0
    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == ["x-2.jpg", "x.jpg"]


def test_a_folder_that_cannot_be_made_is_named(tmp_path, spread):
    (tmp_path / "file").write_text("")
    result = CliRunner().invoke(command, ["--annotate", str(tmp_path / "file" / "out"), __file__])
    assert result.exit_code == 2
    (line,) = result.stderr.splitlines()
    assert "out: cannot be made" in line


def test_what_is_known_of_each_picture_is_said_of_each_card(tmp_path, spread):
    photo = tmp_path / "cards.png"
    cv2.imwrite(str(photo), spread)
    answer = json.loads(CliRunner().invoke(command, ["--json", str(photo)]).stdout)
    assert answer["quality"] == "clear"
    assert {card["quality"] for card in answer["cards"]} == {"clear"}


@pytest.mark.parametrize(
    ("spoil", "quality"),
    [
        (lambda x: x // 12, "dark"),
        (lambda x: np.clip(x.astype(int) // 4 + 240, 0, 255), "glare"),
        (lambda x: cv2.GaussianBlur(x, (0, 0), 12), "blurred"),
        (lambda x: np.zeros_like(x), "lost"),
    ],
)
def test_a_bad_picture_has_a_name_and_nothing_in_it_is_sure(tmp_path, spread, spoil, quality):
    photo = tmp_path / "bad.png"
    cv2.imwrite(str(photo), np.asarray(spoil(spread), np.uint8))
    result = CliRunner().invoke(command, ["--json", str(photo)])
    answer = json.loads(result.stdout)
    assert not any(card["sure"] for card in answer["cards"])
    if answer["quality"] != "clear":  # with no card found a blurred picture is just a table
        assert answer["quality"] == quality
        assert f"referee read: {photo}: " in result.stderr


def test_a_deck_that_cannot_be_used_is_named(tmp_path, spread):
    photo = tmp_path / "cards.png"
    cv2.imwrite(str(photo), spread)
    result = CliRunner().invoke(command, ["--deck", str(tmp_path / "mine.zip"), str(photo)])
    assert result.exit_code == 2
    assert "mine.zip: no such file" in result.stderr
    assert len(result.stderr.splitlines()) == 1
