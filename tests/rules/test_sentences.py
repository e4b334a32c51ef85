"""Every ruling, question and reason has a sentence in every language, with the same placeholders."""

from __future__ import annotations

from string import Formatter

import pytest

from referee.cards import Card, Rank
from referee.rules import Code, Question, Reason, Ruling, Tier, ask, say
from referee.rules.position import URGENCY
from referee.rules.sentences import CATALOGUES, card_name, sentence_key

OWED = {
    Code.PENALTY: (
        Reason.ILLEGAL_CARD, Reason.OUT_OF_TURN, Reason.UNO, Reason.SUGGESTION, Reason.FALSE_UNO, Reason.FALSE_CATCH,
        Reason.GUILTY, Reason.INNOCENT,
    ),
    Code.FORCED_DRAW: (Reason.DRAW_TWO, Reason.WD4, Reason.STACK),
    Code.INFERRED: (Reason.COLOUR, Reason.LIFT, Reason.DRAWN, Reason.HIDDEN_CARD, Reason.UNSURE_CARD),
    Code.NOT_ENTITLED: (Reason.WILD, Reason.SWAP, Reason.TURN, Reason.ONESELF),
}  # fmt: skip
RULINGS = [Ruling(code, "Ana", 2, reason) for code, reasons in OWED.items() for reason in reasons]
RULINGS += [Ruling(code, "Ana", cards=(Card.parse("R7"),), by="Ben") for code in Code if code not in OWED]
RULINGS += [
    Ruling(Code.OUT_OF_TURN, "Ana", reason=Reason.SKIPPED),
    Ruling(Code.UNO_VOID),
    Ruling(Code.CORRECTED, "A", 1),
    Ruling(Code.GAME_OVER, winner="Ana"),
]


@pytest.mark.parametrize("lang", CATALOGUES)
def test_nothing_is_missing(lang: str) -> None:
    for ruling in RULINGS:
        for tier in Tier:
            text = say(ruling._replace(tier=tier), lang)
            assert "{" not in text, sentence_key(ruling)
            # What is only asked about sounds like a question, never like an order.
            assert ("?" in text) >= (tier is Tier.ASK), text
    for kind in URGENCY:
        assert ask(Question(kind, "Ana"), lang)
        assert ask(Question(kind), lang)
    for rank in Rank:
        assert card_name(Card.parse(rank.value if rank.is_wild else "R" + rank.value), lang)


def test_languages_hold_the_same_sentences_with_the_same_placeholders() -> None:
    def shape(lang: str) -> dict[str, set[str | None]]:
        words = CATALOGUES[lang]
        return {key: {name for _, name, _, _ in Formatter().parse(text) if name} for key, text in words.items()}

    assert shape("de") == shape("en") == shape("es")


def test_a_sentence() -> None:
    assert say(Ruling(Code.PENALTY, "Ana", 1, Reason.UNO), "en") == "Ana draws 1 card for a missed UNO."
    assert say(Ruling(Code.ILLEGAL_CARD, "Ben", cards=(Card.parse("B+2"),)), "de-AT").startswith("Ben: Blau Zieh Zwei")
    assert say(Ruling(Code.HAND_OVER, winner="Cy"), "xx") == "Cy wins the hand."
    assert say(Ruling(Code.INFERRED, None, 1, Reason.HIDDEN_CARD)) == "A player played a card unseen."
    assert say(Ruling(Code.INFERRED, "ana", 1, Reason.HIDDEN_CARD)) == "ana played a card unseen."


def test_yes_to_a_card_after_the_end_means_that_play_goes_on() -> None:
    """What "yes" then does: tables/messy.txt, "the hand was not over after all"."""
    question = Question("play_after_hand_over")
    assert ask(question) == "The hand seems to be over: does play go on?"
    assert ask(question, "de") == "Die Runde scheint zu Ende: Wird weitergespielt?"
    assert ask(question, "es") == "La mano parece terminada: ¿se sigue jugando?"
