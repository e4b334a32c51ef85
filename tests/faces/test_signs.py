"""Signs in other drawings: each kind differs from the usual one and from the others, and stays on its place."""

import random
from dataclasses import replace
from itertools import combinations

import numpy as np
import pytest

from referee.cards import Card
from referee.faces import STYLES, Design, draw_face, random_design
from referee.faces.canvas import Canvas
from referee.faces.forms import DRAWS, REVERSES, SKIPS, WILDS, Forms, random_forms
from referee.faces.glyphs import Ink
from referee.faces.signs import reverse, skip, wild

BASE = STYLES["white_oval"]


def drawn(face: str, design: Design) -> np.ndarray:
    return draw_face(Card.parse(face), design, 160)[..., :3].astype(int)


@pytest.mark.parametrize(("face", "kind", "known"), [
    ("RR", "reverse", REVERSES),
    ("RS", "skip", SKIPS),
    ("R+2", "draw", DRAWS),
    ("W", "wild", WILDS),
])  # fmt: skip
def test_each_drawing_of_a_sign_is_unlike_the_others(face, kind, known):
    pictures = [drawn(face, replace(BASE, forms=Forms(**{kind: name}))) for name in known]
    for (i, a), (k, b) in combinations(enumerate(pictures), 2):
        assert np.abs(a - b).max() > 60, f"{known[i]!r} looks like {known[k]!r}"


@pytest.mark.parametrize("seed", range(40))
def test_no_sign_of_a_random_deck_looks_like_another_of_it(seed):
    design = replace(BASE, forms=random_forms(random.Random(seed)))
    for a, b in combinations(("BS", "BR", "B+2", "B0", "B6", "B8"), 2):
        assert np.abs(drawn(a, design) - drawn(b, design)).max() > 60, f"{a} looks like {b}"


def black_skip(*given):
    skip(*given, (0, 0, 0))


DRAWN_BY = {"reverse": (reverse, REVERSES), "skip": (black_skip, SKIPS), "wild": (wild, WILDS)}


@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize(("kind", "name"), [(kind, name) for kind in DRAWN_BY for name in DRAWN_BY[kind][1] if name])
def test_a_sign_stays_near_its_height(seed, kind, name):
    forms = replace(random_forms(random.Random(seed)), **{kind: name})
    canvas = Canvas(174, (0, 0, 0))
    DRAWN_BY[kind][0](canvas, 28.0, 43.5, 20.0, Ink((255, 255, 255)), replace(BASE, forms=forms))
    ys, xs = np.nonzero(canvas.image.any(2))
    assert np.ptp(xs) < 20 * 1.6 * canvas.scale
    assert 20 * 0.4 * canvas.scale < np.ptp(ys) < 20 * 1.6 * canvas.scale


def test_some_random_decks_have_other_signs_and_the_rest_of_each_is_as_without():
    with_forms = [random_design(random.Random(seed), forms=random_forms) for seed in range(40)]
    without = [random_design(random.Random(seed)) for seed in range(40)]
    assert 10 < sum(design.forms != Forms() for design in with_forms) < 38
    assert [replace(design, forms=Forms()) for design in with_forms] == without


def test_forms_name_the_sign_they_cannot_draw():
    with pytest.raises(ValueError, match="form of skip is 'hand': expected one of ring, disc"):
        Forms(skip="hand")
