"""What may be done now: by a card, and by a tap on a phone."""

from __future__ import annotations

from collections.abc import Iterable

from referee.cards import Card, Colour, Deck, Rank
from referee.events import Discard
from referee.rules.draft import Draft, gain, thaw
from referee.rules.game import step
from referee.rules.legality import Why, mismatch, must_draw_first
from referee.rules.position import (
    CHALLENGE,
    CHOOSE_TARGET,
    DRAWN,
    HAND_OVER,
    NAME_COLOUR,
    NOBODY,
    TAKEBACK,
    TURN,
    WD4,
    Position,
)
from referee.rules.rulings import Code
from referee.rules.uno import in_doubt, may_call

READY = frozenset({TURN, DRAWN, NAME_COLOUR})
PLAYING = READY | {CHOOSE_TARGET, WD4, CHALLENGE, TAKEBACK}
FITS = {
    (colour, rank): frozenset(
        card for deck in Deck for card in deck.copies if card.colour is colour or card.rank is rank or card.is_wild
    )
    for colour in Colour
    for rank in (*Rank, None)
}
"""RULES 6.3.3: the cards that go on that colour in force and that rank; None: only the colour counts."""
WRONG = {Code.ILLEGAL_CARD: Why.NO_MATCH, Code.OUT_OF_TURN: Why.NOT_YOUR_TURN, Code.DRAW_FIRST: Why.DRAW_FIRST}


def why_not(position: Position, card: Card, player: str | None = None) -> Why | None:
    """Why the card may not be played now by the player (None: the one in turn); None if it may be.

    Agrees with what `apply` rules when that player plays that card, surely seen, at the same time.
    """
    who = position.turn_id if player is None else position.setup.ids.get(player, NOBODY)
    if position.phase not in PLAYING or who not in position.setup.order:
        return Why.NO_PLAY_NOW
    if position.phase in READY and who == position.turn_id and position.loose.unplaced is None:
        if not position.pending and must_draw_first(position, who):
            return Why.DRAW_FIRST
        return mismatch(position, card, who)
    d = thaw(position)
    step(d, Discard(t=position.t, card=card, by=position.setup.names[who]), position.number + 1)
    if d.wrong is not None and d.wrong.ref == d.number:
        return reason(d, card, who)
    counted = d.last is not None and d.last.ref == d.number
    return None if counted or d.phase is HAND_OVER else Why.NO_PLAY_NOW


def reason(d: Draft, card: Card, who: int) -> Why:
    """Why the card that was just set aside was."""
    assert d.wrong is not None
    d.phase = d.wrong.phase
    if d.wrong.code is Code.ILLEGAL_CARD:
        gain(d, who)
        return mismatch(d, card, who) or Why.NO_MATCH
    if d.wrong.code is Code.OUT_OF_TURN and d.skipped == who:
        return Why.LOST_TURN
    return WRONG[d.wrong.code]


def can_play(position: Position, card: Card, player: str | None = None) -> bool:
    """May the player (None: the one in turn) play the card now?"""
    return why_not(position, card, player) is None


def legal_cards(position: Position, cards: Iterable[Card], player: str | None = None) -> list[Card]:
    """Those of the cards that the player (None: the one in turn) may play now."""
    setup, top = position.setup, position.top
    if position.owed or position.pending or not setup.plain or top is None or position.loose.unplaced is not None:
        return judged(position, cards, player)
    if position.phase not in READY or (player is not None and player != position.turn):
        return judged(position, cards, player)
    if position.colour is None:
        return list(cards)
    return list(filter(FITS[position.colour, None if position.colour_only else top.rank].__contains__, cards))


def judged(position: Position, cards: Iterable[Card], player: str | None) -> list[Card]:
    """Those of the cards that the player may play, each asked about by itself."""
    return [card for card in cards if why_not(position, card, player) is None]


def actions(position: Position) -> dict[str, tuple[str, ...]]:
    """What each player may usefully tap now, most urgent first.

    "uno", "catch:NAME", "colour", "target", "challenge", "challenge_result", "pass", "drew", "count", "suggestion",
    "points".
    """
    names, order = position.setup.names, position.setup.order
    out: dict[str, tuple[str, ...]] = {}
    playing = position.phase in PLAYING
    caught = [player for player in order if may_be_caught(position, player)]
    for player in order:
        taps: list[str] = []
        if playing:
            taps += [f"catch:{names[other]}" for other in caught if other != player]
            if may_have_to_call(position, player):
                taps.append("uno")
            if position.namer_id == player and position.colour is None:
                taps.append("colour")
            if position.target_id == player:
                taps.append("target")
            taps += wild_four_taps(position, player)
            if position.phase is DRAWN and player == position.turn_id:
                taps.append("pass")
            if may_have_drawn(position, player):
                taps.append("drew")
            taps.append("count")
            if position.options.suggestion_penalty:
                taps.append("suggestion")
        elif position.phase is HAND_OVER and player != position.tally.winner:
            taps.append("points")
        out[names[player]] = tuple(taps)
    return out


def may_have_drawn(position: Position, player: int) -> bool:
    """Does it help to hear that the player drew: to pay what is owed, or in turn?"""
    if position.phase is CHALLENGE and position.wild4 is not None and player == position.wild4.victim:
        return False  # it would accept the card that is being challenged (RULES 6.5)
    if any(owed.who == player for owed in position.owed):
        return True
    if position.phase is DRAWN and position.options.draw_rule != "draw_until_playable":
        return False
    taken = position.phase is WD4 and position.pending > 0  # the sum, with stacking on (RULES 6.8)
    return player == position.turn_id and (position.phase in READY or taken)


def may_have_to_call(position: Position, player: int) -> bool:
    """Is a UNO call good now (RULES 6.6), or may it turn out to have been: while it is open whose turn it is, and
    while a wrong card lies there that stands as soon as the next player plays?"""
    two = position.best[player] - position.under[player] <= 2
    return may_call(position, player) or (two and (position.phase is TAKEBACK or in_doubt(position)))


def may_be_caught(position: Position, player: int) -> bool:
    """Is the player exposed (RULES 6.6), or may be, by a card that was not surely read?"""
    low, high = position.best[player] - position.under[player], position.best[player] + position.over[player]
    if any(one == player for one, _ in position.exposed_ids):
        return low <= 1
    unread = position.last is not None and position.last.who == player and position.last.card is None
    wrong = position.wrong is not None and position.wrong.who == player and in_doubt(position)
    return low <= 1 <= high and (unread or wrong)


def wild_four_taps(position: Position, player: int) -> list[str]:
    """Taps about an unsettled Wild Draw Four."""
    wild, who_may = position.wild4, position.options.wd4_challenge
    if wild is None or who_may == "off":
        return []
    if position.phase is CHALLENGE:
        return ["challenge_result"] if player == wild.challenger else []
    if wild.drawn or player == wild.offender:
        return []
    return ["challenge"] if player == wild.victim or who_may == "any_player" else []
