"""Sentences for rulings and questions, from one catalogue a language (RULES 11, 13).

Rules never put text together: a catalogue holds whole sentences with placeholders `{player} {by} {cards} {n} {winner}
{colour}`, found by the ruling's code, and by code and reason where there is one. What the referee only asks about has a
question of its own, under the same name with "?".
"""

from __future__ import annotations

from collections.abc import Mapping

from referee.cards import Card
from referee.rules.position import Question
from referee.rules.rulings import Code, Ruling, Tier
from referee.rules.sentences import de, en, es

CATALOGUES: Mapping[str, Mapping[str, str]] = {"en": en.SENTENCES, "de": de.SENTENCES, "es": es.SENTENCES}
"""Every language by its code. The first is the fall-back for a language that is not there."""


def catalogue(lang: str) -> Mapping[str, str]:
    """The catalogue of a language ("de-AT" counts as "de"); English where there is none."""
    return CATALOGUES.get(lang.lower().replace("_", "-").partition("-")[0], en.SENTENCES)


def say(ruling: Ruling, lang: str = "en") -> str:
    """The ruling in a sentence: announced or noted as a statement, asked as a question."""
    words = catalogue(lang)
    key = sentence_key(ruling)
    return _filled(words, words[f"{key}?" if ruling.tier is Tier.ASK else key], ruling)


def sentence_key(ruling: Ruling) -> str:
    """Where the ruling's sentence is found: "penalty.uno", or "hand_over"."""
    code = ruling.code.value
    if ruling.code is Code.CORRECTED:
        return "corrected.count" if ruling.n else "corrected"
    if ruling.code is Code.UNO_VOID and ruling.player is None:
        return "uno_void.nobody"
    if ruling.code is Code.GAME_OVER and ruling.winner is None:
        return "game_over.tie"
    return f"{code}.{ruling.reason.value}" if ruling.reason is not None else code


def ask(question: Question, lang: str = "en") -> str:
    """The question in a sentence."""
    words = catalogue(lang)
    key = f"ask.{question.kind}"
    if question.player is None:
        key = f"{key}.nobody" if f"{key}.nobody" in words else key
    return _begun(words, words[key].format(player=question.player or words["somebody"]))


def card_name(card: Card, lang: str = "en") -> str:
    """The card in words: "red 7"."""
    words = catalogue(lang)
    rank = card.rank.value if card.rank.is_number else words[f"rank.{card.rank.value}"]
    if card.colour is None:
        return rank
    return words["card"].format(colour=words[f"colour.{card.colour.value}"], rank=rank)


def _begun(words: Mapping[str, str], sentence: str) -> str:
    """The sentence with a capital where it begins with somebody unknown; names stay as people wrote them."""
    return sentence[0].upper() + sentence[1:] if sentence.startswith(words["somebody"]) else sentence


def _filled(words: Mapping[str, str], sentence: str, ruling: Ruling) -> str:
    n = abs(ruling.n)
    lang = words["lang"]
    filled = sentence.format(
        player=ruling.player or words["somebody"],
        by=ruling.by or words["somebody"],
        winner=ruling.winner or words["somebody"],
        cards=", ".join(card_name(card, lang) for card in ruling.cards) or words["a_card"],
        n=words["one_card"] if n == 1 else words["n_cards"].format(n=n),
        colour=words[f"colour.{ruling.colour.value}"] if ruling.colour is not None else words["a_colour"],
    )
    return _begun(words, filled)
