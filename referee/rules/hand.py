"""The beginning and the end of a hand, and the way from one to the next (RULES 6.2, 6.10, 6.11)."""

from __future__ import annotations

from referee.cards import Card, Rank
from referee.events import Discard, TurnUp
from referee.rules import tournaments
from referee.rules.draft import Draft, ask, faces_seen, note_seen, owe, rule, seat, settle, turn_to
from referee.rules.position import NOBODY, Loose, Phase
from referee.rules.rulings import Code, Reason, Tier
from referee.rules.scoring import SPECIAL, count_hand
from referee.rules.setup import Setup

SIDE_SURE = 0.8
"""Confidence from which the arm's side contradicts the turn order (RULES 7.2). Too small: a reach across the table
makes a card out of turn; too large: cards out of turn are taken for the player's in turn."""
ARM_SURE = 0.95
"""Confidence from which an arm tells whether who drew or the next player laid a card, both of whom may be in turn. Too
small: the wrong one is announced to draw; too large: what the arm showed well is asked."""
DRAW_CARDS = frozenset({Rank.DRAW_TWO, Rank.WILD_DRAW_FOUR})
CERTAIN = 1.0
"""The player, or the card, was named and not seen: only then may a card out of turn cost cards (RULES 7.2)."""
RIVAL = 0.001
"""Share of another reading from which that may be what lies there. Too small: every wrong card is only asked about; too
large: a card that was misread is announced as wrong."""


def offers(event: Discard | TurnUp) -> tuple[Card, ...]:
    """What else the card may be, where no person has named it."""
    if not event.alternatives or event.confidence >= CERTAIN or event.extra.get("named"):
        return ()
    found = []
    for name, share in event.alternatives:
        try:
            card = Card.parse(name)
        except ValueError:
            continue
        if share >= RIVAL and card != event.card:
            found.append(card)
    return tuple(found)


def costs_else(card: Card, like: tuple[Card, ...]) -> bool:
    """Would another of these cards make the next player draw another number? Nobody is told aloud to draw what only
    the likelier reading costs: that takes as much as to call a card wrong."""
    return card.rank in DRAW_CARDS and any(other.rank is not card.rank for other in like)


def deal(d: Draft, dealer: int = NOBODY, first: int = NOBODY) -> None:
    """The next hand is dealt: everything but the score starts afresh."""
    setup, tally = d.setup, d.tally
    order = tuple(player for player in setup.order if player not in tally.out)
    if len(order) < 2:
        order = setup.order
    if first == NOBODY and setup.options.first_player == "youngest":
        first = setup.first
    played = tally.winner != NOBODY
    if dealer not in order:
        dealer = next_dealer(d, order) if played else setup.dealer
    sides = setup.sides
    if setup.options.tournament != "none":
        order, sides, dealer = tournaments.seating(setup.options.tournament, tally.hand + played, setup.table)
        if order != setup.order:
            tally = tally._replace(elsewhere=())
    d.setup = Setup.of(setup.options, setup.names, order, dealer, first, sides, setup.table, setup.pack)
    size = setup.options.hand_size
    players = len(setup.names)
    d.best = tuple(size if player in order else 0 for player in range(players))
    d.under = d.over = (0,) * players
    d.phase, d.turn_id, d.direction = Phase.OPENING, NOBODY, 1
    d.top = d.colour = None
    d.colour_only = d.doubt = d.begun = False
    d.owed, d.calls, d.exposed_ids, d.open = (), (), (), ()
    d.pending, d.pending_kind, d.wild4, d.wrong, d.last = 0, None, None, None, None
    d.namer_id = d.target_id = d.skipped = NOBODY
    d.loose = Loose()
    d.tally = tally._replace(hand=tally.hand + (1 if played else 0), winner=NOBODY, points=(), dealt=d.number)
    d.pile, d.laid = setup.pack.size - size * len(order), 0
    d.seen = faces_seen(None)


def other_table(d: Draft, who: int, n: int) -> None:
    """RULES 6.12: points of this round, from the other table of the tournament; typed again, they are replaced."""
    told = dict(d.tally.elsewhere)
    scores = list(d.tally.scores)
    scores[who] += n - told.get(who, 0)
    told[who] = n
    d.tally = d.tally._replace(scores=tuple(scores), elsewhere=tuple(told.items()))
    if not missing_elsewhere(d):
        settle(d, "other_table")
        if d.phase is Phase.SCORED:
            end_tournament(d)


def missing_elsewhere(d: Draft) -> bool:
    """Are points of the other table still to be told?"""
    return len(d.setup.names) - len(d.setup.order) > len(d.tally.elsewhere)


def end_tournament(d: Draft) -> None:
    """RULES 6.12: after the last hand the highest total wins; a round is over when both tables have finished it."""
    tally = d.tally
    if tally.hand % tournaments.HANDS_PER_ROUND == 0 and missing_elsewhere(d):
        ask(d, "other_table", options=("done",))
    elif tally.hand >= tournaments.hands_of(d.setup.options.tournament):
        best = [player for player, n in enumerate(tally.scores) if n == max(tally.scores)]
        d.phase = Phase.GAME_OVER
        won = best[0] if len(best) == 1 else NOBODY
        d.tally = tally._replace(game_winner=won)
        rule(d, Code.GAME_OVER, won, winner=won)


def next_dealer(d: Draft, order: tuple[int, ...]) -> int:
    """Who deals next (RULES 5.1, deal_rotation), among those still in."""
    rotation = d.setup.options.deal_rotation
    dealer = d.setup.dealer
    if rotation == "hand_winner" and d.tally.winner in order:
        return d.tally.winner
    if rotation == "left":
        dealer = d.setup.left[dealer] if dealer in d.setup.order else d.setup.order[0]
    while dealer not in order:
        dealer = d.setup.left[dealer]
    return dealer


def turn_up(d: Draft, event: Discard | TurnUp) -> None:
    """The first card is turned up (RULES 6.2), or a new top after a reshuffle."""
    card = event.card
    if d.loose.new_top:
        d.loose = d.loose._replace(new_top=False)
        d.top, d.colour = card, None if card is None else card.colour
        d.doubt = not event.sure
        d.loose = d.loose._replace(like=offers(event))
        return
    if d.phase in (Phase.SCORED, Phase.HAND_OVER):
        deal(d)
    if d.phase is not Phase.OPENING:
        return
    d.doubt = not event.sure
    opener = seat(d, event.by) if event.side >= SIDE_SURE else NOBODY
    if opener not in (NOBODY, d.setup.dealer):
        d.loose = d.loose._replace(opener=opener)
    tier = Tier.CALL if event.sure and d.loose.opener == NOBODY else Tier.ASK
    setup, options = d.setup, d.setup.options
    first = setup.first if setup.first in setup.order else setup.left[setup.dealer]
    if card is None:
        ask(d, "which_card")
        d.doubt = True
        start_play(d, None, first)
        return
    settle(d, "which_card")  # whether an older card on the pile was the first
    rank = card.rank
    if goes_back(d, rank):
        rule(d, Code.REDRAW_OPENING, cards=(card,), tier=tier)
        if opener not in (NOBODY, d.setup.dealer):
            d.loose = d.loose._replace(returned=(opener, card))
        return
    start_play(d, card, first)
    like = offers(event)
    d.loose = d.loose._replace(like=like, costs_else=costs_else(card, like))
    if rank.is_wild:
        # RULES 6.2: the first player names a colour and then plays.
        d.phase, d.namer_id = Phase.NAME_COLOUR, first
        ask(d, "name_colour", first, ("R", "Y", "G", "B"))
    elif rank is Rank.SKIP:
        if options.opening_skip == "colour_only":
            d.colour_only = True
        else:
            turn_to(d, setup.left[first])
            d.skipped = first
    elif rank is Rank.REVERSE:
        if options.opening_reverse == "colour_only":
            d.colour_only = True
        else:
            d.direction = -1
            dealer_first = options.opening_reverse == "dealer_first" or setup.n == 2
            turn_to(d, setup.dealer if dealer_first else setup.right[setup.dealer])
    elif rank is Rank.DRAW_TWO:
        if options.opening_draw_two == "colour_only":
            d.colour_only = True
        else:
            owe(d, Code.FORCED_DRAW, first, 2, Reason.DRAW_TWO, tier)
            if options.opening_draw_two == "as_played" and setup.draw_two_forfeits:
                turn_to(d, setup.left[first])
                d.skipped = first


def start_play(d: Draft, card: Card | None, first: int) -> None:
    """The first card lies; the first player is in turn."""
    d.top, d.colour = card, None if card is None else card.colour
    if card is not None:
        note_seen(d, card)
    d.laid = 1
    if d.pile is not None:
        d.pile -= 1
    turn_to(d, first)


def goes_back(d: Draft, rank: Rank) -> bool:
    """Must this first card go back into the pack?"""
    options = d.setup.options
    if rank is Rank.WILD_DRAW_FOUR:
        return True
    if rank is Rank.WILD:
        return options.opening_wild == "redraw"
    if rank in SPECIAL:
        return options.opening_special_wild == "redraw"
    if rank is Rank.SKIP:
        return options.opening_skip == "redraw"
    if rank is Rank.REVERSE:
        return options.opening_reverse == "redraw"
    return rank is Rank.DRAW_TWO and options.opening_draw_two == "redraw"


def finish(d: Draft, winner: int) -> None:
    """The hand is over (RULES 6.10)."""
    d.phase, d.turn_id = Phase.HAND_OVER, NOBODY
    d.pending, d.pending_kind, d.wild4, d.wrong = 0, None, None, None
    d.namer_id = d.target_id = NOBODY
    d.exposed_ids, d.calls, d.open = (), (), ()
    shown, d.loose = d.loose.shown, Loose(rivals=d.loose.rivals)
    d.tally = d.tally._replace(winner=winner, points=())
    rule(d, Code.HAND_OVER, winner=winner)
    for player, n in shown:
        count_points(d, player, n)


def played_on(d: Draft) -> None:
    """Somebody acts as if the hand were not over: the table is asked once, whoever it is."""
    if not d.loose.ended:
        ask(d, "play_after_hand_over")


def count_points(d: Draft, who: int, n: int) -> None:
    """A hand was shown or its points typed in; when all are known the hand is scored."""
    setup, tally = d.setup, d.tally
    if setup.options.tournament != "none" and who not in setup.order:
        other_table(d, who, n)
        return
    if d.phase not in (Phase.HAND_OVER, Phase.SCORED) or who == tally.winner or who not in setup.order:
        return
    if d.phase is Phase.SCORED:
        return
    points = dict(tally.points)
    points[who] = n
    d.tally = tally._replace(points=tuple(points.items()))
    all_counted(d)


def all_counted(d: Draft) -> None:
    """Is every other hand known? Then the hand is scored. A partner's cards do not count (RULES 6.11)."""
    setup, tally = d.setup, d.tally
    points, side = dict(tally.points), setup.team(tally.winner)
    needed = [player for player in setup.order if player != tally.winner and setup.team(player) != side]
    if all(player in points for player in needed):
        score(d)


def score(d: Draft) -> None:
    """The hand is scored: totals grow, players may be out, the game may be won."""
    setup, tally = d.setup, d.tally
    names = setup.names
    result = count_hand(
        setup.options,
        names[tally.winner],
        {names[player]: n for player, n in tally.points},
        {names[player]: tally.scores[player] for player in dict.fromkeys((*setup.order, tally.winner))},
        setup.teams,
        duel=setup.n == 2,
    )
    scores = tuple(result.totals.get(name, before) for name, before in zip(names, tally.scores, strict=True))
    out = tuple(setup.ids[name] for name in result.eliminated if name in setup.ids)
    d.tally = tally._replace(scores=scores, out=tally.out + out)
    d.phase = Phase.SCORED
    settle(d, "play_after_hand_over")
    for player in out:
        rule(d, Code.ELIMINATED, player)
    if setup.options.tournament != "none":
        end_tournament(d)
    elif result.winner is not None:
        won = setup.ids[result.winner]
        d.tally = d.tally._replace(game_winner=won)
        d.phase = Phase.GAME_OVER
        rule(d, Code.GAME_OVER, won, winner=won)
