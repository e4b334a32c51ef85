"""What the referee decides, asks, or cannot know, rule by rule (RULES 8): the source of `docs/rules-we-enforce.md`.

python -m referee.rules.enforced > docs/rules-we-enforce.md
"""

from __future__ import annotations

import sys
from enum import Enum
from typing import NamedTuple

from referee.rules.options import OPTIONS
from referee.rules.presets import ABOUT
from referee.rules.rulings import Code


class How(Enum):
    """How far a rule is in the referee's hands."""

    DECIDES = "decides"
    """From what the camera and the button tell."""
    TOLD = "is told"
    """By a tap on a phone, or by cards shown to the camera."""
    ASKS = "asks"
    """Decides when it is sure, asks the table when it is not."""
    CANNOT = "cannot know"
    """Left to the honour of the table."""


class Rule(NamedTuple):
    """One rule. missed: what is done when the referee did not see it; codes: the rulings it leads to."""

    rule: str
    section: str
    how: How
    missed: str
    codes: tuple[Code, ...] = ()
    options: tuple[str, ...] = ()


C = Code
RULES = (
    Rule(
        "Everybody is dealt the right number of cards",
        "6.1",
        How.TOLD,
        "counts start at the number dealt",
        (),
        ("deck", "hand_size", "dealer_selection", "first_player", "deal_rotation"),
    ),
    Rule(
        "What the first card does",
        "6.2",
        How.DECIDES,
        "the table names the card",
        (C.REDRAW_OPENING,),
        ("opening_skip", "opening_draw_two", "opening_reverse", "opening_wild", "opening_wd4", "opening_special_wild"),
    ),
    Rule(
        "A card matches in colour, number or symbol",
        "6.3",
        How.ASKS,
        "on an unread or doubtful card nothing is called wrong",
        (C.ILLEGAL_CARD, C.PLAY_STANDS),
        ("illegal_play_penalty", "illegal_play_turn", "enforcement"),
    ),
    Rule(
        "The colour named for a wild", "6.4", How.TOLD, "the next coloured card tells it", (C.INFERRED, C.NOT_ENTITLED)
    ),
    Rule(
        "Whose turn it is",
        "6.3",
        How.ASKS,
        "asked once; the order goes on from what is seen, and nobody is accused aloud until it is clear",
        (C.OUT_OF_TURN,),
        ("out_of_turn_penalty",),
    ),
    Rule(
        "Every card that is played is seen",
        "9",
        How.ASKS,
        "a card that goes on nothing seen shows that one was hidden; the table names it",
        (C.INFERRED, C.CORRECTED),
    ),
    Rule(
        "A player who does not play draws",
        "6.3",
        How.ASKS,
        "the count becomes an interval",
        (C.MUST_DRAW, C.OVERDRAWN, C.DRAW_OUT_OF_TURN),
        ("draw_rule",),
    ),
    Rule("After drawing only the drawn card is played", "6.3", How.CANNOT, "any card that matches is accepted"),
    Rule("A playable drawn card must be played", "6.3", How.CANNOT, "announced, not enforced", (), ("drawn_card",)),
    Rule(
        "No card, or no Wild Draw Four, after a draw where the table plays so",
        "6.3",
        How.DECIDES,
        "a draw nobody saw is not held against anybody",
        (C.ILLEGAL_CARD,),
        ("drawn_card", "wd4_from_draw"),
    ),
    Rule("Nobody draws who could play", "6.3", How.CANNOT, "announced, not enforced", (), ("voluntary_draw",)),
    Rule(
        "Skip, Reverse and the order of turns",
        "6.4",
        How.DECIDES,
        "follows from the cards",
        (),
        ("skip_effect", "reverse_effect", "two_player_reverse"),
    ),
    Rule(
        "Cards for a Draw Two or a Wild Draw Four are drawn",
        "6.4",
        How.ASKS,
        "the debt stays open and is asked",
        (C.FORCED_DRAW, C.DRAW_FIRST),
        ("draw_two_forfeits", "wd4_forfeits"),
    ),
    Rule(
        "A Wild Draw Four was allowed",
        "6.5",
        How.TOLD,
        "without a challenge it stands",
        (C.GUILTY, C.INNOCENT),
        (
            "wd4_restriction",
            "challenge_guilty_draws",
            "challenge_innocent_extra",
            "challenge_guilty_turn",
        ),
    ),
    Rule(
        "Who may challenge, and until when",
        "6.5",
        How.DECIDES,
        "a challenge before the next card counts",
        (C.CHALLENGE_OPEN, C.CHALLENGE_REFUSED),
        ("wd4_challenge",),
    ),
    Rule(
        "UNO is called",
        "6.6",
        How.DECIDES,
        "a spoken call is entered on a phone",
        (C.UNO_OK, C.UNO_VOID),
        ("false_uno_penalty",),
    ),
    Rule(
        "Who forgot to call is caught in time",
        "6.6",
        How.ASKS,
        "a photo finish goes to the table",
        (C.CATCH_OK, C.CATCH_EARLY, C.CATCH_SAFE, C.CATCH_LATE, C.PENALTY),
        (
            "uno_penalty",
            "uno_window",
            "uno_forced_draw_closes",
            "uno_autocatch",
            "false_catch_penalty",
            "photo_finish_s",
        ),
    ),
    Rule("A player has one card left", "9", How.ASKS, "an interval with 1 in it is asked about", (C.CORRECTED,)),
    Rule("Nobody suggests a card", "6.7", How.TOLD, "nothing", (C.PENALTY,), ("suggestion_penalty", "teammate_talk")),
    Rule("Nobody trades or shows cards", "6.11", How.CANNOT, "nothing"),
    Rule(
        "Stacking and deflecting",
        "6.8",
        How.DECIDES,
        "the neighbour's card tells that the chain fell",
        (C.FORCED_DRAW,),
        ("stacking", "stack_colour", "deflect"),
    ),
    Rule(
        "Jumping in",
        "6.8",
        How.DECIDES,
        "without a sure side the player in turn is assumed",
        (C.JUMP_IN,),
        ("jump_in",),
    ),
    Rule("Seven-zero, swapped and shuffled hands", "6.8", How.TOLD, "counts become intervals", (), ("seven_zero",)),
    Rule("Several cards in one turn", "6.8", How.DECIDES, "a slow second card is out of turn", (), ("multi_play",)),
    Rule(
        "The last card is allowed",
        "6.8",
        How.DECIDES,
        "the table says it was the last",
        (C.ILLEGAL_CARD,),
        ("finish_restriction", "heads_up_skip_finish"),
    ),
    Rule(
        "The piles run out",
        "6.9",
        How.ASKS,
        "asked when more is drawn than can be there, or when the discards go although cards are left to draw",
        (C.RESHUFFLED,),
        ("reshuffle", "draw_shortfall"),
    ),
    Rule(
        "The hand is over",
        "6.10",
        How.ASKS,
        "an apparent last card is asked about",
        (C.HAND_OVER,),
        ("last_draw_card_counts",),
    ),
    Rule(
        "Points, elimination, the winner",
        "6.11",
        How.TOLD,
        "points are typed in",
        (C.ELIMINATED, C.GAME_OVER),
        ("scoring", "target", "final_duel", "special_wild_points"),
    ),
    Rule("Teams and tournaments", "6.12", How.DECIDES, "the set-up says who sits where", (), ("teams", "tournament")),
)


def markdown() -> str:
    """The document."""
    meanings = {
        How.DECIDES: "from what the camera and the button tell",
        How.TOLD: "by a tap on a phone, or by cards shown to the camera",
        How.ASKS: "decides when it is sure, asks the table when it is not",
        How.CANNOT: "left to the honour of the table",
    }
    lines = [
        "# Rules we enforce",
        "",
        "Made by `python -m referee.rules.enforced`; a test compares. Sections are those of the rules reference.",
        "A reading that is not sure never leads to an announced ruling, and the table can overrule every ruling.",
        "",
        *(f"* The referee **{how.value}**: {meaning}." for how, meaning in meanings.items()),
        "",
        "| rule | section | the referee | when it was not seen | rulings | options |",
        "|---|---|---|---|---|---|",
    ]
    for rule in RULES:
        codes = ", ".join(f"`{code.value}`" for code in rule.codes)
        options = ", ".join(f"`{name}`" for name in rule.options)
        lines.append(f"| {rule.rule} | {rule.section} | {rule.how.value} | {rule.missed} | {codes} | {options} |")
    lines += ["", "## Presets", "", *(f"* `{name}`: {about}" for name, about in ABOUT.items()), "", "## Options", ""]
    lines += ["| option | default | allowed | meaning |", "|---|---|---|---|"]
    for option in OPTIONS.values():
        default = str(option.default).lower() if isinstance(option.default, bool) else option.default
        lines.append(f"| `{option.name}` | {default} | {option.allowed} | {option.text} |")
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    sys.stdout.write(markdown())
