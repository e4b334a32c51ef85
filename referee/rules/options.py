"""The option table (RULES 5.1): every point that a table may vary, validated, with a title and an explanation."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from functools import cache
from typing import cast

from referee.cards import Deck
from referee.rules.option import Option, Value, row
from referee.rules.presets import PRESETS

FORFEIT = ("always", "heads_up_only", "never")


@dataclass(frozen=True)
class Options:
    """The rules a table plays by. Raises ValueError for a value that is not allowed."""

    deck: str = row(
        "classic_108",
        "setup",
        "Deck",
        "Which printed deck is on the table; blank cards are removed.",
        *(deck.value for deck in Deck),
    )
    hand_size: int = row(7, "setup", "Cards dealt", "How many cards each player is dealt.", least=1, most=15)
    dealer_selection: str = row(
        "agreed",
        "setup",
        "First dealer",
        "Agreed, or by the highest card drawn; symbols and wilds count 0, ties draw again.",
        "agreed",
        "high_card",
    )
    deal_rotation: str = row("left", "setup", "Next dealer", "Who deals the next hand.", "left", "hand_winner", "fixed")
    first_player: str = row(
        "left_of_dealer", "setup", "First player", "Who opens the play.", "left_of_dealer", "youngest", "chosen"
    )
    opening_skip: str = row(
        "as_played",
        "setup",
        "Skip turned up first",
        "What a Skip as the first card does.",
        "as_played",
        "colour_only",
        "redraw",
    )
    opening_draw_two: str = row(
        "as_played",
        "setup",
        "Draw Two turned up first",
        "What a Draw Two as the first card does.",
        "as_played",
        "draw_only",
        "colour_only",
        "redraw",
    )
    opening_reverse: str = row(
        "dealer_first",
        "setup",
        "Reverse turned up first",
        "What a Reverse as the first card does.",
        "dealer_first",
        "right_of_dealer_first",
        "colour_only",
        "redraw",
    )
    opening_wild: str = row(
        "first_player_names_colour",
        "setup",
        "Wild turned up first",
        "What a Wild as the first card does.",
        "first_player_names_colour",
        "redraw",
    )
    opening_wd4: str = row("redraw", "setup", "Wild Draw Four turned up first", "It goes back into the pack.", "redraw")
    opening_special_wild: str = row(
        "first_player_names_colour",
        "setup",
        "Special wild turned up first",
        "What a Shuffle, Swap or Customizable wild as the first card does.",
        "first_player_names_colour",
        "redraw",
    )
    draw_rule: str = row(
        "draw_one",
        "turn",
        "Drawing",
        "How many cards a player who does not play draws.",
        "draw_one",
        "draw_until_playable",
    )
    voluntary_draw: bool = row(
        True,
        "turn",
        "Drawing although able",
        "May a player draw while holding a playable card? Announced, not enforced.",
    )
    drawn_card: str = row(
        "may_play",
        "turn",
        "Playable drawn card",
        "What may be done with a playable drawn card.",
        "may_play",
        "must_play",
        "may_not_play",
    )
    skip_effect: str = row(
        "next_loses_turn", "effects", "Skip", "Who is hit by a Skip.", "next_loses_turn", "player_goes_again"
    )
    reverse_effect: str = row(
        "change_direction",
        "effects",
        "Reverse",
        "Reverse with three or more players.",
        "change_direction",
        "player_goes_again",
    )
    two_player_reverse: str = row(
        "acts_as_skip",
        "effects",
        "Reverse, two players",
        "Reverse with two players.",
        "acts_as_skip",
        "change_direction_only",
    )
    draw_two_forfeits: str = row(
        "always", "effects", "Draw Two costs the turn", "Does the player who draws two also lose the turn?", *FORFEIT
    )
    wd4_forfeits: str = row(
        "always",
        "effects",
        "Wild Draw Four costs the turn",
        "Does the player who draws four also lose the turn?",
        *FORFEIT,
    )
    wd4_restriction: str = row(
        "no_card_of_colour",
        "wd4",
        "Wild Draw Four allowed",
        "When a Wild Draw Four may be played.",
        "no_card_of_colour",
        "no_playable_card",
        "none",
    )
    wd4_from_draw: bool = row(
        True, "wd4", "Wild Draw Four just drawn", "May a Wild Draw Four be played in a turn in which a card was drawn?"
    )
    wd4_challenge: str = row(
        "next_player", "wd4", "Challenge", "Who may challenge a Wild Draw Four.", "next_player", "any_player", "off"
    )
    challenge_guilty_draws: int = row(4, "wd4", "Guilty draws", "Cards the offender draws after a right challenge.")
    challenge_innocent_extra: int = row(
        2, "wd4", "Innocent extra", "Cards a wrong challenger draws on top of the four."
    )
    challenge_guilty_turn: str = row(
        "challenger_plays",
        "wd4",
        "Turn after a right challenge",
        "Does a right challenger keep the turn?",
        "challenger_plays",
        "challenger_skipped",
    )
    uno_penalty: int = row(2, "uno", "Missed UNO", "Cards drawn when caught.", most=10)
    uno_window: str = row(
        "next_player_begins",
        "uno",
        "Catching ends when",
        "When a catch becomes too late.",
        "next_player_begins",
        "next_player_acts_or_touches",
        "next_card_played",
        "until_called",
    )
    uno_forced_draw_closes: bool = row(
        False, "uno", "A forced draw ends catching", "Does a forced draw count as the next player beginning a turn?"
    )
    false_uno_penalty: int = row(0, "uno", "Meaningless UNO", "Cards for calling UNO without cause.", most=4)
    false_catch_penalty: int = row(0, "uno", "Wrong catch", "Cards for catching a player who cannot be caught.", most=4)
    illegal_play_penalty: int = row(
        0, "penalties", "Wrong card", "Extra cards for a wrong card, besides taking it back.", most=4
    )
    illegal_play_turn: str = row(
        "replay", "penalties", "After a wrong card", "After a wrong card is taken back.", "replay", "turn_ends"
    )
    out_of_turn_penalty: int = row(0, "penalties", "Out of turn", "Extra cards for playing out of turn.", most=4)
    suggestion_penalty: int = row(0, "penalties", "Suggestion", "Cards for suggesting a card to somebody.", most=6)
    teammate_talk: str = row(
        "penalised",
        "penalties",
        "Talk inside a team",
        "Is a suggestion inside a team penalised?",
        "penalised",
        "allowed",
    )
    stacking: str = row(
        "off",
        "house",
        "Stacking",
        "Answering a draw card with a draw card.",
        "off",
        "same_type",
        "plus_four_on_plus_two",
        "any",
    )
    stack_colour: str = row(
        "ignore", "house", "Stacking colour", "Must an answering Draw Two match the colour in force?", "ignore", "match"
    )
    jump_in: str = row("off", "house", "Jump-in", "An identical card may be played out of turn.", "off", "identical")
    seven_zero: bool = row(False, "house", "Seven-zero", "A 7 swaps two hands, a 0 passes all hands on.")
    multi_play: str = row(
        "off",
        "house",
        "Several cards at once",
        "Several matching cards in one turn.",
        "off",
        "identical",
        "same_number",
    )
    deflect: str = row(
        "off",
        "house",
        "Deflecting",
        "Answering a draw card with Reverse (back) or Skip (on).",
        "off",
        "reverse",
        "skip",
        "both",
    )
    finish_restriction: str = row(
        "none", "house", "Last card", "Cards a player may not go out on.", "none", "no_wild", "numbers_only"
    )
    heads_up_skip_finish: str = row(
        "ends_hand",
        "house",
        "Last card a Skip, two players",
        "Does the hand end, or must the player go again?",
        "ends_hand",
        "must_play_again",
    )
    reshuffle: str = row(
        "keep_top", "exhaustion", "Reshuffle", "What happens to the top discard.", "keep_top", "turn_new_top"
    )
    draw_shortfall: str = row(
        "draw_what_is_left",
        "exhaustion",
        "Both piles empty",
        "What a player who must draw does.",
        "draw_what_is_left",
        "owe",
    )
    last_draw_card_counts: bool = row(
        True, "scoring", "Out on a draw card", "Does the next player still draw before the count?"
    )
    scoring: str = row(
        "winner_takes",
        "scoring",
        "Scoring",
        "Who gets which points.",
        "winner_takes",
        "cumulative_low",
        "elimination",
        "none",
    )
    target: int = row(500, "scoring", "Target", "Points that end the game, or knock a player out.", least=1)
    final_duel: str = row(
        "to_target",
        "scoring",
        "Final duel",
        "Elimination: how the last two players decide it.",
        "to_target",
        "single_hand",
    )
    special_wild_points: int = row(40, "scoring", "Special wilds", "Points of a Shuffle, Swap or Customizable wild.")
    teams: str = row("none", "teams", "Teams", "The form of team play.", "none", "partners", "two_sides", "alternating")
    tournament: str = row(
        "none", "teams", "Tournament", "Partner rotation.", "none", "four_player_12_hands", "eight_player_28_hands"
    )
    enforcement: str = row(
        "strict",
        "referee",
        "Wrong cards are called",
        "By the referee itself (strict), or only when a player taps (advisory).",
        "strict",
        "advisory",
    )
    uno_autocatch: bool = row(
        False, "referee", "Referee catches", "Does the referee itself catch a missed UNO as the window closes?"
    )
    photo_finish_s: float = row(
        0.25, "referee", "Photo finish", "Rival events closer than this many seconds are put to the table."
    )

    def __post_init__(self) -> None:
        for name, value in vars(self).items():
            object.__setattr__(self, name, option(name).check(value))

    @classmethod
    def of(cls, preset: str = "official_108", changes: Mapping[str, Value] | None = None) -> Options:
        """A preset with changes. Raises ValueError for an unknown preset, option or value, listing the allowed ones."""
        if preset not in PRESETS:
            raise ValueError(f"preset {preset!r} is unknown: expected one of {', '.join(PRESETS)}")
        for name in changes or ():
            option(name)
        return cls(**{**PRESETS[preset], **(changes or {})})  # type: ignore[arg-type]

    def as_dict(self) -> dict[str, Value]:
        """Every option by name."""
        return dict(vars(self))


@cache
def _table() -> dict[str, Option]:
    return {f.name: Option(f.name, cast(Value, f.default), **f.metadata["row"]) for f in fields(Options)}


def option(name: str) -> Option:
    """The row of the table with that name. Raises ValueError that lists all names."""
    try:
        return _table()[name]
    except KeyError:
        raise ValueError(f"option {name!r} is unknown: expected one of {', '.join(_table())}") from None


OPTIONS: Mapping[str, Option] = _table()
"""The whole table, in the order of RULES 5.1."""


def differences(one: Options, other: Options) -> dict[str, tuple[Value, Value]]:
    """Options that differ, each with its two values."""
    mine, theirs = one.as_dict(), other.as_dict()
    return {name: (mine[name], theirs[name]) for name in mine if mine[name] != theirs[name]}
