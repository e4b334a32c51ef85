"""What a simulated table plays by, in its own words: which rule holds where tables differ (RULES 5).

The check on the referee's options and presets: written from RULES 5.2 and 5.3, without `referee.rules`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum

from referee.cards import Deck


class Forfeits(Enum):
    """Whether the victim of a draw card loses the turn (RULES 6.4)."""

    ALWAYS = "always"
    TWO_PLAYERS = "heads_up_only"
    NEVER = "never"

    def loses_turn(self, players: int) -> bool:
        """True if the victim does, with so many players."""
        return self is Forfeits.ALWAYS or (self is Forfeits.TWO_PLAYERS and players == 2)


class Stacking(Enum):
    """Which draw card answers which (RULES 6.8)."""

    OFF = "off"
    SAME = "same_type"
    ANY = "any"


@dataclass(frozen=True, slots=True)
class Customs:
    """The rules of a table; the defaults are those of the 108-card sheet."""

    deck: Deck = Deck.CLASSIC_108
    first_wild_goes_back: bool = False
    first_symbol_is_only_a_colour: bool = False
    """A Skip, Reverse or Draw Two turned up first: no effect, and only its colour can be matched."""
    plays_again: bool = False
    """Who plays a Skip or Reverse plays again, and the direction stays."""
    draw_two: Forfeits = Forfeits.ALWAYS
    draw_four: Forfeits = Forfeits.ALWAYS
    draws_until_match: bool = False
    may_renege: bool = True
    """May draw although a card could be played."""
    must_play_drawn: bool = False
    four_is_always_legal: bool = False
    """A Wild Draw Four may be played with the colour in hand, and nobody challenges it."""
    four_after_drawing: bool = True
    stacking: Stacking = Stacking.OFF
    jump_in: bool = False
    seven_zero: bool = False
    last_skip_goes_on: bool = False
    """Two players: a Skip as the last card does not end the hand; its player draws one and goes on."""
    uno_penalty: int = 2
    catch_any_time: bool = False
    """A missed call can be caught as long as its player holds one card."""
    wrong_card_penalty: int = 0
    suggestion_penalty: int = 0


CUSTOMS: Mapping[str, Customs] = {
    "official": Customs(deck=Deck.MODERN_112_SHUFFLE),
    "official_108": Customs(),
    "tournament": Customs(first_wild_goes_back=True, suggestion_penalty=4),
    "penalty_box": Customs(
        draw_two=Forfeits.TWO_PLAYERS, draw_four=Forfeits.TWO_PLAYERS, catch_any_time=True, wrong_card_penalty=2,
        suggestion_penalty=2,
    ),
    "six_card_uno": Customs(draw_four=Forfeits.NEVER, uno_penalty=6),
    "seven_card_uno": Customs(first_symbol_is_only_a_colour=True, plays_again=True, uno_penalty=7),
    "stacked_draws": Customs(
        may_renege=False, must_play_drawn=True, four_is_always_legal=True, four_after_drawing=False,
        stacking=Stacking.ANY, last_skip_goes_on=True, catch_any_time=True,
    ),
    "house_stacking": Customs(stacking=Stacking.SAME),
    "house_progressive": Customs(stacking=Stacking.SAME),
    "house_cross_stacking": Customs(stacking=Stacking.ANY),
    "house_jump_in": Customs(jump_in=True),
    "house_seven_o": Customs(seven_zero=True),
    "house_force_play": Customs(must_play_drawn=True),
    "house_draw_until_match": Customs(draws_until_match=True, may_renege=False),
    "house_no_bluff": Customs(four_is_always_legal=True),
    "house_party": Customs(stacking=Stacking.SAME, jump_in=True, seven_zero=True, draws_until_match=True),
}  # fmt: skip
"""What is played by, by the name of the preset."""
