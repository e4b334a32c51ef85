"""Named sets of option values (RULES 5.2, 5.3). Each states only what differs from the defaults of the option table."""

from __future__ import annotations

from collections.abc import Mapping

PRESETS: Mapping[str, Mapping[str, str | int | float | bool]] = {
    "official": {"deck": "modern_112_shuffle", "dealer_selection": "high_card"},
    "official_108": {"dealer_selection": "high_card"},
    "tournament": {"opening_wild": "redraw", "suggestion_penalty": 4},
    "penalty_box": {
        "dealer_selection": "high_card",
        "draw_two_forfeits": "heads_up_only",
        "wd4_forfeits": "heads_up_only",
        "uno_window": "until_called",
        "illegal_play_penalty": 2,
        "suggestion_penalty": 2,
        "teammate_talk": "allowed",
    },
    "six_card_uno": {"wd4_forfeits": "never", "uno_penalty": 6, "uno_window": "next_player_acts_or_touches"},
    "seven_card_uno": {
        "opening_skip": "colour_only",
        "opening_draw_two": "colour_only",
        "opening_reverse": "colour_only",
        "skip_effect": "player_goes_again",
        "reverse_effect": "player_goes_again",
        "uno_penalty": 7,
    },
    "stacked_draws": {
        "dealer_selection": "high_card",
        "voluntary_draw": False,
        "drawn_card": "must_play",
        "wd4_restriction": "none",
        "wd4_from_draw": False,
        "wd4_challenge": "off",
        "stacking": "any",
        "heads_up_skip_finish": "must_play_again",
        "uno_window": "until_called",
    },
    "house_stacking": {"stacking": "same_type"},
    "house_progressive": {"stacking": "same_type"},
    "house_cross_stacking": {"stacking": "any"},
    "house_jump_in": {"jump_in": "identical"},
    "house_seven_o": {"seven_zero": True},
    "house_force_play": {"drawn_card": "must_play"},
    "house_draw_until_match": {"draw_rule": "draw_until_playable", "voluntary_draw": False},
    "house_no_bluff": {"wd4_restriction": "none", "wd4_challenge": "off"},
    "house_party": {
        "stacking": "same_type",
        "jump_in": "identical",
        "seven_zero": True,
        "draw_rule": "draw_until_playable",
    },
}

ABOUT: Mapping[str, str] = {
    "official": "The publisher's rules, 112-card deck with Wild Shuffle Hands and Wild Customizable.",
    "official_108": "The publisher's rules, 108-card deck.",
    "tournament": "Two-hand, partner and tournament play; suggesting a card costs four.",
    "penalty_box": "Every penalty is two cards; a wrong card is punished; no deadline for catching.",
    "six_card_uno": "A missed UNO costs six; the victim of a Wild Draw Four still plays.",
    "seven_card_uno": "A missed UNO costs seven; Skip and Reverse play again; a power card first is only a colour.",
    "stacked_draws": "Draw cards may follow each other; a playable drawn card must be played.",
    "house_stacking": "House rule: a draw card answers one of the same kind.",
    "house_progressive": "House rule: the same as stacking, under its other name.",
    "house_cross_stacking": "House rule: any draw card answers any other.",
    "house_jump_in": "House rule: an identical card may be played out of turn.",
    "house_seven_o": "House rule: a 7 swaps two hands, a 0 passes all hands on.",
    "house_force_play": "House rule: a playable drawn card must be played.",
    "house_draw_until_match": "House rule: draw until a card can be played, and only when none can.",
    "house_no_bluff": "House rule: a Wild Draw Four is always allowed and never challenged.",
    "house_party": "House rules together: stacking, jump-in, seven-zero, draw until a card can be played.",
}
"""What each preset is, in a sentence."""
