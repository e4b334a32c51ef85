"""What the cards beside a yellow one tell of the light that it lies in."""

from dataclasses import dataclass, replace

import numpy as np
import pytest
from drawn_table import INKS, Knower, Laid, Table
from test_guessed_below import ABOVE

from referee.cards import Card, Colour
from referee.faces import STYLES, draw_face
from referee.observations import CardLanded, CardReading
from referee.tracker.looks import CardLook
from referee.tracker.verdict import PiledCard
from referee.vision.evidence import Evidence, Finding
from referee.vision.same_light import may_be_instead, seen_unburnt
from referee.vision.survey import shared_models

RED, GREEN, BLUE, WHITE, CLOTH = (60, 70, 250), (70, 240, 90), (240, 120, 60), (250, 250, 250), (70, 90, 60)
UNDER = ((200.0, 120.0), (256.0, 120.0), (256.0, 207.0), (200.0, 207.0))
"""Where the card of the pile lies, table millimetres."""
BESIDE, UPON = 12.0, 0.0
"""How far aside the yellow card lies on it."""


def scene(ink, aside):
    """A card of this ink and the yellow one on it, from above, and where that lies."""
    image = np.full((302, 302, 3), CLOTH, np.uint8)
    quad = tuple((x + aside, y + aside) for x, y in UNDER)
    for at, colour in ((UNDER, ink), (quad, (140, 245, 255))):
        image[ABOVE.filled(ABOVE.px(at)) > 0] = colour
    return image, quad


def look(name, quad):
    return CardLook(CardReading(Card.parse(name), 0.5), quad, 1.0, 0.9)


@pytest.mark.parametrize(
    ("case", "name", "ink", "aside", "tells"),
    [
        ("a red one is red beside it", "R4", RED, BESIDE, {Colour.RED}),
        ("... hidden by it", "R4", RED, UPON, set()),
        ("... burnt out, too", "R4", (140, 230, 255), BESIDE, set()),
        ("... half burnt out, in a shadow", "R4", (110, 150, 210), BESIDE, set()),
        ("... in deep shadow", "R4", (40, 45, 160), BESIDE, set()),
        ("a green one is green", "G4", GREEN, BESIDE, {Colour.GREEN}),
        ("... half burnt out", "G4", (110, 240, 190), BESIDE, set()),
        ("red shows on a wild card", "W", RED, BESIDE, {Colour.RED}),
        ("red shows where a blue one should lie", "B4", RED, BESIDE, set()),
        ("a blue one tells of neither", "B4", BLUE, BESIDE, set()),
        ("nor a red one's white", "R4", WHITE, BESIDE, set()),
    ],
)
def test_a_card_beside_the_yellow_one_tells_what_the_light_leaves(case, name, ink, aside, tells):
    image, quad = scene(ink, aside)
    mask = ABOVE.filled(ABOVE.px(quad))
    pile = [PiledCard(Card.parse(name), UNDER)]
    evidence = Evidence(ABOVE, Finding(image, image, image, mask, 1.0, (), None, None, pile=pile))
    for doubted in ("Y5", "B5"):
        assert seen_unburnt(evidence, [look(doubted, quad)]) == tells, case


@pytest.mark.parametrize(
    ("case", "known", "changed", "came"),
    [
        ("it was not surely read", {"guess": True}, False, "Y5"),
        ("nobody could read it", {"card": None}, False, "Y5"),
        ("it was moved", {"quad": None}, False, "Y5"),
        ("what shows there has just come", {}, True, "Y5"),
        ("the card on it is neither yellow nor blue", {}, False, "R5"),
    ],
)
def test_a_red_card_tells_nothing_of_the_light(case, known, changed, came):
    image, quad = scene(RED, BESIDE)
    mask = np.full(image.shape[:2], 255 * changed, np.uint8)
    pile = [replace(PiledCard(Card.parse("R4"), UNDER), **known)]
    evidence = Evidence(ABOVE, Finding(image, image, image, mask, 1.0, (), None, None, pile=pile))
    assert seen_unburnt(evidence, [look(came, quad)]) == set(), case


@pytest.mark.parametrize(
    ("name", "others", "instead"),
    [("Y5", ["R5"], {Colour.RED}), ("Y5", ["R5", "G5"], {Colour.RED, Colour.GREEN}), ("Y5", ["R6", "W"], set()),
     ("B5", ["G5"], {Colour.GREEN}), ("R5", ["G5"], set()), ("W", ["R5"], set())],
)  # fmt: skip
def test_a_yellow_or_blue_card_may_be_another_of_its_rank(name, others, instead):
    reading = CardReading(Card.parse(name), 0.5, tuple((Card.parse(one), 0.2) for one in others))
    assert may_be_instead(reading) == instead


@dataclass
class Burning(Knower):
    """Networks to which a yellow card may be red, unless red is known not to burn out."""

    burns: bool = True

    def in_light(self, unburnt):
        return replace(self, burns=self.burns and Colour.RED not in unburnt).models()

    @property
    def reader(self):
        return self

    @reader.setter
    def reader(self, _):
        pass

    def read(self, *a, **k):
        return [replace(read, reading=self._doubted(read.reading)) for read in super().read(*a, **k)]

    def _doubted(self, reading):
        if self.burns and reading.card == Card.parse("Y5"):
            return CardReading(reading.card, 0.5, ((Card.parse("R5"), 0.49),))
        return reading


@pytest.mark.parametrize(
    ("case", "gain", "x", "sure"),
    [
        ("the red card beside it is red in the same light", 1.1, 300.0, True),
        ("... is hidden by it", 1.1, 285.0, False),
        ("... in too dim a light to tell", 0.8, 300.0, False),
    ],
)
def test_a_yellow_card_is_sure_beside_a_red_one_in_the_same_light(monkeypatch, case, gain, x, sure):
    monkeypatch.setitem(INKS, "Y5", (40, 200, 220))
    table = Table(Burning(finds=True), gain=gain).run(1.0).reach(Laid("R7", 285, 205)).reach(Laid("Y5", x, 205))
    landed = [one for one in table.out if isinstance(one, CardLanded)]
    assert [(one.reading.notation, one.sure) for one in landed] == [("R7", True), ("Y5", sure)], case


def test_the_readers_know_what_the_light_leaves():
    face = draw_face(Card.parse("Y6"), STYLES["white_oval"], 240)[..., :3].astype(float)
    image = np.full((320, 320, 3), 90, np.uint8)
    h, w = face.shape[:2]
    image[40 : 40 + h, 60 : 60 + w] = np.clip(face * 1.1 + (170, 40, 40), 0, 255)
    quad = np.float32([(60, 40), (60 + w, 40), (60 + w, 40 + h), (60, 40 + h)])
    for models, sure in ((shared_models(), False), (shared_models().in_light(frozenset({Colour.RED})), True)):
        (read,), (index,) = models.reader.read(image, [quad]), models.indices.read_placed(image, [quad])
        assert [read.reading.notation, index.reading.notation] == ["Y6", "Y6"]
        assert [look.reading.confidence > 0.5 for look in (read, index)] == [sure, sure]
