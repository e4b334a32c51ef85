"""Decks of which some cards are those of another edition: `many_tables.py --editions FONTS`.

A +1, a 12 or a DISCARD in the place of a face, in the look of the deck that it is in. Each deck is of a random design
in one of the given typefaces. Needs Pillow. Not collected by pytest.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from random import Random
from unittest import mock

from referee.cards import FACES, Card
from referee.faces import Design, draw_text_card, random_design
from referee.faces.forms import random_forms
from referee.faces.typefaces import usable
from referee.frame import Frame, Image
from referee.virtual_table import render
from referee.virtual_table.render import FACE_PX

sys.path.append(str(Path(__file__).parents[1] / "training"))
from edition_folders import COLOURED, NOT_NUMBERS, WILD

_drawn = render._card_picture

SHARE = 0.4
"""Of the faces, those that show another edition's sign."""


class EditionDeck:
    """design: of all cards. signs: what is on those that are no faces, by the face that they stand for."""

    def __init__(self, seed: int, fonts: Path) -> None:
        rng = Random(f"edition deck {seed}")
        self.design: Design = random_design(rng, typefaces=usable(fonts), forms=random_forms)
        self.signs: dict[Card, str] = {
            face: rng.choice(WILD if face.colour is None else (*COLOURED, *NOT_NUMBERS))
            for face in FACES if rng.random() < SHARE
        }  # fmt: skip
        self._pictures: dict[Card, Image] = {}

    def dealt(self, frames: Iterator[Frame]) -> Iterator[Frame]:
        """The frames of a simulated table, whose look has this deck's design."""
        def picture(card: Card | None, design: Design) -> Image:
            return _drawn(card, design) if card not in self.signs else self._picture(card)

        while True:
            with mock.patch.object(render, "_card_picture", picture):
                frame = next(frames, None)
            if frame is None:
                return
            yield frame

    def _picture(self, card: Card) -> Image:
        if card not in self._pictures:
            face = draw_text_card(self.signs[card], self.design, FACE_PX * 2, card.colour)
            with mock.patch.object(render, "draw_face", return_value=face):
                self._pictures[card] = _drawn.__wrapped__(card, self.design)
        return self._pictures[card]
