"""What a card does once it counts (RULES 6.4, 6.5, 6.8, 6.10)."""

from __future__ import annotations

from referee.cards import Card, Rank
from referee.rules import drift, hand
from referee.rules.draft import (
    Draft,
    ask,
    blur,
    debt,
    exact,
    following,
    gain,
    hold,
    names_of,
    owe,
    settle,
    turn_to,
)
from referee.rules.position import CHOOSE_TARGET, NAME_COLOUR, NOBODY, TURN, WD4, WildDrawFour
from referee.rules.rulings import Code, Reason, Tier

SKIP, REVERSE, DRAW_TWO, ZERO, SEVEN = Rank.SKIP, Rank.REVERSE, Rank.DRAW_TWO, Rank.ZERO, Rank.SEVEN
WILD, WILD_DRAW_FOUR = Rank.WILD, Rank.WILD_DRAW_FOUR
SHUFFLE, SWAP, CUSTOM = Rank.WILD_SHUFFLE_HANDS, Rank.WILD_SWAP_HANDS, Rank.WILD_CUSTOMIZABLE
FORCED_DRAW, HIT_BY_DRAW_TWO, HIT_BY_WD4 = Code.FORCED_DRAW, Reason.DRAW_TWO, Reason.WD4
"""What most cards need, by name: with Python 3.11 `Rank.SKIP` costs more than a call of a function."""

ONE_MORE = "one_more"
"""Field of a landing before which that player may have held one card more than was thought."""
COLOUR_ASK_S = 4.0
"""Seconds after which a colour, or with whom hands are swapped, is asked for (RULES 13). Too small: asked while the
player says it; too large: the next player has already acted."""
DRAW_ASK_S = 8.0
"""Seconds in which a player in turn draws what is owed before it is asked about (RULES 13). Too small: asked while the
cards are being drawn; too large: a draw that nobody saw is asked about when nobody remembers it."""


AHEAD_S = 3.0
"""Seconds before a card within which its player may have said its colour, or with whom hands are swapped. Too small:
who is quicker with the phone than the eye with the card is asked again; too large: it is taken for another card's."""


def play(d: Draft, who: int, card: Card) -> None:
    """The effect of a card that leaves its player with cards in hand."""
    rank = card.rank
    if d.pending and rank is not DRAW_TWO and rank is not WILD_DRAW_FOUR:
        deflect(d, who, rank)
    elif rank.is_number:
        if d.setup.options.seven_zero and (rank is ZERO or rank is SEVEN):
            seven_zero(d, who, rank)
        d.turn_id = following(d, who)
    elif rank is SKIP or rank is REVERSE:
        skip_or_reverse(d, who, rank)
    elif rank is DRAW_TWO:
        draw_two(d, who)
    else:
        wild(d, who, rank)
    if d.owed and d.phase is TURN and debt(d, d.turn_id):
        ask(d, "did_draw", d.turn_id, ("yes", "no"), DRAW_ASK_S)


def skip_or_reverse(d: Draft, who: int, rank: Rank) -> None:
    """RULES 6.4: the next player loses the turn, the direction changes, or the same player plays again."""
    options = d.setup.options
    if d.setup.n == 2:
        # With two players both give the player another turn, unless a Reverse only changes the direction.
        if rank is REVERSE and options.two_player_reverse == "change_direction_only":
            d.direction = -d.direction
            d.turn_id = following(d, who)
        else:
            d.turn_id = who
    elif rank is SKIP:
        if options.skip_effect == "player_goes_again":
            d.turn_id = who
        else:
            lose_turn(d, following(d, who))
    elif options.reverse_effect == "player_goes_again":
        d.turn_id = who
    else:
        d.direction = -d.direction
        d.turn_id = following(d, who)


def lose_turn(d: Draft, victim: int) -> None:
    """The victim's turn is over before it began."""
    d.turn_id = following(d, victim)
    d.skipped = victim


def draw_two(d: Draft, who: int) -> None:
    """RULES 6.4: the next player owes two and may lose the turn; with stacking the cards pend."""
    victim = following(d, who)
    if d.setup.pends:
        d.pending += 2
        d.pending_kind = DRAW_TWO
        d.turn_id = victim
        return
    owe(d, FORCED_DRAW, victim, 2, HIT_BY_DRAW_TWO)
    if d.setup.draw_two_forfeits:
        lose_turn(d, victim)
    else:
        d.turn_id = victim


def wild(d: Draft, who: int, rank: Rank) -> None:
    """RULES 6.4: a colour must be named; a Wild Draw Four also waits for its victim."""
    victim = following(d, who)
    d.turn_id = victim
    d.namer_id = who
    ask(d, "name_colour", who, ("R", "Y", "G", "B"), COLOUR_ASK_S)
    if rank is WILD_DRAW_FOUR:
        last = d.last
        known = last is not None and not last.was_doubt  # else nobody is found guilty of it, whatever hand is shown
        colour, top = (last.was_colour, last.was_top) if last is not None and known else (None, None)
        d.wild4 = WildDrawFour(who, victim, colour, top)
        d.phase = WD4
        if d.setup.pends:
            d.pending += 4
            d.pending_kind = WILD_DRAW_FOUR
        else:
            owe(d, FORCED_DRAW, victim, 4, HIT_BY_WD4)
        colour_ahead(d, who)
        return
    d.phase = NAME_COLOUR
    colour_ahead(d, who)
    if rank is SWAP:
        choose_target(d, who)
    elif rank is SHUFFLE:
        shuffle_hands(d, who)
    elif rank is CUSTOM:
        ask(d, "custom_rule", who)


def colour_ahead(d: Draft, who: int) -> None:
    """The colour may have been named before the wild was seen."""
    named = d.loose.named
    if named is None or named[0] != who or d.t - named[2] > AHEAD_S:
        return
    d.loose = d.loose._replace(named=None)
    d.colour = named[1]
    settle(d, "name_colour")
    settle(d, "which_card", who)  # which wild nobody had seen
    if d.phase is NAME_COLOUR:
        d.phase, d.namer_id = TURN, NOBODY


def fall(d: Draft, victim: int, tier: Tier = Tier.CALL) -> None:
    """The pending cards fall on the victim (RULES 6.8)."""
    stacked = d.setup.options.stacking != "off"
    reason = Reason.STACK if stacked else Reason.DRAW_TWO if d.pending_kind is DRAW_TWO else Reason.WD4
    n, d.pending, d.pending_kind = d.pending, 0, None
    owe(d, Code.FORCED_DRAW, victim, n, reason, tier)


def deflect(d: Draft, who: int, rank: Rank) -> None:
    """RULES 6.8: a Reverse sends the pending cards back and turns the direction, a Skip hands them on."""
    if rank is REVERSE:
        d.direction = -d.direction
    d.turn_id = following(d, who)


def again(d: Draft, who: int, card: Card) -> None:
    """RULES 6.8, multi-play: the effect of one more card in the turn just played."""
    rank = card.rank
    if rank is SKIP and d.setup.n > 2:
        lose_turn(d, d.turn_id)
    elif rank is REVERSE and d.setup.n > 2:
        d.direction = -d.direction
        d.turn_id = following(d, who)
    elif rank is DRAW_TWO:
        if d.pending:
            d.pending += 2
        else:
            owe(d, Code.FORCED_DRAW, following(d, who), 2, Reason.DRAW_TWO)


# --- hands change owners --------------------------------------------------------------------------------------------


def seven_zero(d: Draft, who: int, rank: Rank) -> None:
    """RULES 6.8: a 7 swaps hands with a chosen player, a 0 passes all hands on."""
    if rank is ZERO:
        givers = d.setup.order if d.direction > 0 else d.setup.order[::-1]
        move_hands(d, {giver: following(d, giver) for giver in givers})
    else:
        choose_target(d, who)


def choose_target(d: Draft, who: int) -> None:
    """The player says with whom hands are swapped; with two players there is no choice."""
    if d.setup.n == 2:
        swap(d, who, d.setup.left[who])
        return
    chosen = d.loose.chosen
    if chosen is not None and chosen[0] == who and d.t - chosen[2] <= AHEAD_S:
        d.loose = d.loose._replace(chosen=None)
        swap(d, who, chosen[1])
        return
    d.target_id = who
    d.phase = CHOOSE_TARGET
    others = tuple(name for name in names_of(d) if name != d.setup.names[who])
    ask(d, "target", who, others, COLOUR_ASK_S)


def move_hands(d: Draft, to: dict[int, int]) -> None:
    """Hands move from each key to its value; counts move along, calls and exposures end."""
    came = {taker: giver for giver, taker in to.items()}
    places = tuple(came.get(player, player) for player in range(len(d.best)))
    d.best, d.under, d.over = (tuple(counts[place] for place in places) for counts in (d.best, d.under, d.over))
    d.calls, d.exposed_ids = (), ()
    if d.last is not None:
        d.loose = d.loose._replace(moved=(d.last.ref, places))


def swap(d: Draft, one: int, other: int) -> None:
    """Two players swap hands."""
    move_hands(d, {one: other, other: one})
    d.target_id = NOBODY
    settle(d, "target")
    d.phase = NAME_COLOUR if d.namer_id != NOBODY and d.colour is None else TURN


def swap_unknown(d: Draft) -> None:
    """A player swapped hands, unknown with whom: every count becomes an interval (RULES 9): the others hold what they
    held or what the player held, the player what one of them held. The question stays open."""
    mine, order = d.target_id, d.setup.order
    low = [best - under for best, under in zip(d.best, d.under, strict=True)]
    high = [best + over for best, over in zip(d.best, d.over, strict=True)]
    others = [player for player in order if player != mine]
    for player in order if others else ():  # whoever is left alone keeps the hand
        given = others if player == mine else [player, mine]
        least, most = min(low[other] for other in given), max(high[other] for other in given)
        best = min(max(d.best[player], least), most)
        hold(d, player, best)
        blur(d, player, best - least, most - best)
    d.calls, d.exposed_ids, d.target_id = (), (), NOBODY


def shuffle_hands(d: Draft, who: int) -> None:
    """RULES 6.4, WX: all hands are collected and dealt out again, starting at the player's left."""
    order, n = d.setup.order, d.setup.n
    certain = all(exact(d, player) for player in order)
    total = sum(d.best[player] for player in order)
    low = sum(d.best[player] - d.under[player] for player in order) // n
    high = -(-sum(d.best[player] + d.over[player] for player in order) // n)
    player = who
    for place in range(n):
        player = d.setup.left[player]
        best = total // n + (1 if place < total % n else 0)
        hold(d, player, best)
        blur(d, player, 0 if certain else max(0, best - low), 0 if certain else max(0, high - best))
    d.calls, d.exposed_ids = (), ()


# --- the last card --------------------------------------------------------------------------------------------------


def goes_out(d: Draft, who: int, card: Card) -> bool:
    """The player seems to have no cards left (RULES 6.10). True if that settles the play."""
    if d.loose.forewarned == who:
        blur(d, who, 0, 1)
    in_doubt = any(question.kind == "how_many" and question.player == d.setup.names[who] for question in d.open)
    if in_doubt or not exact(d, who) or drift.over_gap(d, d.number):
        # RULES 9: an apparent last card is asked about first.
        ask(d, "how_many", who)
        return False
    options, rank = d.setup.options, card.rank
    if rank is SKIP and d.setup.n == 2 and options.heads_up_skip_finish == "must_play_again":
        # RULES 4 (14): the hand is not over, the player draws one and goes on.
        turn_to(d, who)
        return True
    d.wild4 = None
    if rank is DRAW_TWO or rank is WILD_DRAW_FOUR:
        last_draw(d, who, rank)
    d.pending, d.pending_kind = 0, None
    hand.finish(d, who)
    return True


def last_draw(d: Draft, who: int, rank: Rank) -> None:
    """RULES 6.10: out on a draw card, the next player draws first (with stacking: all that pends)."""
    if not d.setup.options.last_draw_card_counts:
        return
    if d.setup.pends:
        d.pending += 2 if rank is DRAW_TWO else 4
        d.pending_kind = rank
        fall(d, following(d, who))
    elif rank is DRAW_TWO:
        owe(d, Code.FORCED_DRAW, following(d, who), 2, Reason.DRAW_TWO)
    else:
        owe(d, Code.FORCED_DRAW, following(d, who), 4, Reason.WD4)


def was_last(d: Draft, who: int) -> None:
    """The table counted: the card that the player laid last was the last. The hand ends as it would have ended then:
    what that card or a chain costs is drawn, or not, by the rules of the table (RULES 6.10)."""
    last = d.last
    assert last is not None
    drew = last.card is not None and last.card.rank in (DRAW_TWO, WILD_DRAW_FOUR)
    if not d.setup.options.last_draw_card_counts:
        d.owed = tuple(owed for owed in d.owed if owed.ref != last.ref)
    elif drew and d.pending:
        fall(d, d.turn_id)
    hand.finish(d, who)


def one_more(d: Draft, who: int) -> None:
    """RULES 9: the player may have drawn a card unseen, and most likely has, or another besides."""
    gain(d, who)
    blur(d, who, d.under[who] + 1, d.over[who] + 1)
    balance(d, 1)


# --- the pack -------------------------------------------------------------------------------------------------------


def balance(d: Draft, grew: int) -> None:
    """RULES 9: hands, discards and draw pile are the whole deck: what a hand turns out to hold more, the pile lacks."""
    if d.pile is None or not grew:
        return
    d.pile -= grew
    if d.pile < 0:
        ask(d, "reshuffled")
        d.pile = 0
