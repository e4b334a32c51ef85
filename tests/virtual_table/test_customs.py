"""What the simulated people play by and the option table of the rules were written apart, and agree."""

from __future__ import annotations

import pytest

from referee.cards import Deck
from referee.rules import PRESETS, Options
from referee.virtual_table.customs import CUSTOMS, Customs, Forfeits, Stacking


def as_customs(options: Options) -> Customs:
    """The option table's words for the customs of a table."""
    symbols = {options.opening_skip, options.opening_draw_two, options.opening_reverse}
    assert len(symbols) == 1 or symbols == {"as_played", "dealer_first"}
    assert (options.skip_effect == "player_goes_again") == (options.reverse_effect == "player_goes_again")
    assert (options.wd4_restriction == "none") == (options.wd4_challenge == "off")
    return Customs(
        deck=Deck(options.deck),
        first_wild_goes_back=options.opening_wild == "redraw",
        first_symbol_is_only_a_colour=symbols == {"colour_only"},
        plays_again=options.skip_effect == "player_goes_again",
        draw_two=Forfeits(options.draw_two_forfeits),
        draw_four=Forfeits(options.wd4_forfeits),
        draws_until_match=options.draw_rule == "draw_until_playable",
        may_renege=options.voluntary_draw,
        must_play_drawn=options.drawn_card == "must_play",
        four_is_always_legal=options.wd4_restriction == "none",
        four_after_drawing=options.wd4_from_draw,
        stacking=Stacking(options.stacking),
        jump_in=options.jump_in == "identical",
        seven_zero=options.seven_zero,
        last_skip_goes_on=options.heads_up_skip_finish == "must_play_again",
        uno_penalty=options.uno_penalty,
        catch_any_time=options.uno_window == "until_called",
        wrong_card_penalty=options.illegal_play_penalty,
        suggestion_penalty=options.suggestion_penalty,
    )


def test_people_know_every_preset() -> None:
    assert set(CUSTOMS) == set(PRESETS)


@pytest.mark.parametrize("preset", CUSTOMS)
def test_people_and_options_say_the_same(preset: str) -> None:
    assert as_customs(Options.of(preset)) == CUSTOMS[preset]
