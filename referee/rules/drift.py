"""When what is seen contradicts the order of turns (RULES 7.2, 9): cards nobody saw, and a turn that has drifted.

The first act out of order is asked about. The second is not ruled: it shows which story is true, and the order of turns
goes on from what is seen. Until a few acts in a row are in order again nobody is accused aloud (`draft.rule`).
"""

from __future__ import annotations

from referee.cards import Card, Rank
from referee.events import Discard
from referee.rules import uno
from referee.rules.draft import Draft, ask, blur, following, gain, hold, names_of, restore, rule, settle, turn_to
from referee.rules.legality import answers, mismatch
from referee.rules.position import NOBODY, LastPlay, Phase, Position, Stray
from referee.rules.rulings import Code, Reason, Tier

NO_CARD = "none"
"""The answer that there was no card: what was not seen was a draw, or nothing."""
NOTHING_HIDDEN = "nothing_hidden"
"""Field of a landing about which the table gave that answer."""
WAS_HIDDEN = "was_hidden"
"""Field of a landing that the table told of, since nobody had seen it, or of a draw that is assumed then."""
TRUST_AFTER = 2
"""Acts in order after which the order of turns is trusted again. Too small: a wrong direction that happens to fit once
is believed; too large: rulings stay questions long after everything is clear."""


def contradicted(d: Draft, who: int, drew: int = 0) -> None:
    """Somebody acted although another is in turn, and it is not known why."""
    d.loose = d.loose._replace(strayed=Stray(who, drew, d.turn_id), adrift=TRUST_AFTER)


def in_order(d: Draft) -> None:
    """The player in turn was seen to act. Where play the other way round would come to the same player, as after a Skip
    among four, that tells nothing."""
    left = d.loose.adrift - 1
    if left < 0 or (d.setup.n > 2 and d.last is not None and d.turn_id == next_after(d, d.last, -d.last.was_direction)):
        return
    d.loose = d.loose._replace(adrift=left)
    if not left:
        trusted(d)


def trusted(d: Draft) -> None:
    """The order of turns is known again."""
    d.loose = d.loose._replace(adrift=0, strayed=None)
    settle(d, "whose_turn")
    settle(d, "who_drew")


def next_after(d: Draft, last: LastPlay, direction: int) -> int:
    """Who is in turn after a play, were the direction before it that one."""
    return after_card(d, last.who, last.card, direction)


def after_card(d: Position, who: int, card: Card | None, direction: int) -> int:
    """Who would be in turn after that card by that player, were the direction of play before it that one."""
    setup, options = d.setup, d.setup.options
    rank = None if card is None else card.rank
    step = setup.left if direction > 0 else setup.right
    if setup.n == 2 and rank in (Rank.SKIP, Rank.REVERSE):
        passes = rank is Rank.REVERSE and options.two_player_reverse == "change_direction_only"
        return step[who] if passes else who
    if (rank is Rank.SKIP and options.skip_effect == "player_goes_again") or (
        rank is Rank.REVERSE and options.reverse_effect == "player_goes_again"
    ):
        return who
    if rank is Rank.REVERSE:
        return (setup.right if direction > 0 else setup.left)[who]
    loses = (
        rank is Rank.SKIP
        or (rank is Rank.DRAW_TWO and setup.draw_two_forfeits and not setup.pends)
        or (rank is Rank.WILD_DRAW_FOUR and setup.wd4_forfeits and not setup.pends)
    )
    return step[step[who]] if loses else step[who]


def goes_on(d: Draft, who: int) -> None:
    """The order of turns goes on with a player who is not in turn; the direction turns where that explains it."""
    stray, last, direction = d.loose.strayed, d.last, d.direction
    d.loose = d.loose._replace(adrift=TRUST_AFTER)
    if stray is not None and stray.drew:
        step, back = (d.setup.left, d.setup.right) if direction > 0 else (d.setup.right, d.setup.left)
        unseen(d, stray.turn)
        if who not in (stray.who, step[stray.who]) and who == back[stray.who]:
            d.direction = -direction
    elif last is not None and who == next_after(d, last, -last.was_direction):
        turn_round(d)
    elif stray is not None and last is not None and last.who == stray.who:
        # The arm was misread: the stray card was played by the player in turn.
        if who == after_card(d, stray.turn, last.card, last.was_direction):
            blur(d, stray.who, d.under[stray.who], d.over[stray.who] + 1)
    else:
        unseen(d, d.turn_id)
    turn_to(d, who)
    if not any(question.kind == "whose_turn" for question in d.open):
        ask(d, "whose_turn", d.turn_id, names_of(d))


def after_unread(d: Draft, who: int) -> None:
    """Another than the next player goes on after a card that was not read: it may have been a Skip, or a Reverse, and
    what the next card costs is asked."""
    last = d.last
    if last is not None and d.setup.n > 2 and who == next_after(d, last, -last.was_direction):
        d.direction = -d.direction
    d.loose = d.loose._replace(adrift=TRUST_AFTER)
    turn_to(d, who)


def told(d: Draft, who: int) -> None:
    """The table says whose turn it is; the direction turns where that explains it."""
    last = d.last
    if who != d.turn_id:
        if last is not None and d.setup.n > 2 and who == next_after(d, last, -last.was_direction):
            turn_round(d)
        turn_to(d, who)
    trusted(d)


def was_in_turn(d: Draft, who: int) -> None:
    """The table says that the card set aside was no mistake: its player was in turn. Where only a Reverse nobody saw
    explains that, play goes the other way round; else the next acts will show it."""
    back = (d.setup.right if d.direction > 0 else d.setup.left)[d.turn_id]
    if d.setup.n > 3 and who == back:
        d.direction = -d.direction
    settle(d, "whose_turn")


def turn_round(d: Draft) -> None:
    """Play goes the other way round: what the last card cost falls on the other neighbour."""
    last = d.last
    d.direction = -d.direction
    if last is None:
        return
    victim = following(d, last.who)
    cost = [owed for owed in d.owed if owed.ref == last.ref and owed.reason in (Reason.DRAW_TWO, Reason.WD4)]
    for owed in cost:
        rule(d, Code.FORCED_DRAW, victim, owed.n, owed.reason, tier=Tier.NOTE)
    d.owed = tuple(owed._replace(who=victim) if owed in cost else owed for owed in d.owed)
    if d.wild4 is not None:
        d.wild4 = d.wild4._replace(victim=victim)
    d.turn_id = victim if d.wild4 is not None else next_after(d, last, -last.was_direction)


def mirrored(d: Draft, who: int, played: bool = False) -> bool:
    """Would the other direction make that player the victim of the last card (played: the one after the victim)?"""
    last = d.last
    if last is None or d.setup.n < 3 or not any(owed.ref == last.ref for owed in d.owed):
        return False
    step = d.setup.right if d.direction > 0 else d.setup.left
    victim = step[last.who]
    return who == (step[victim] if played else victim)


def opener_played(d: Draft, who: int) -> bool:
    """The first card was laid by another's arm than the dealer's, and now somebody goes on who would be next if that
    had been a play: the first card itself was not seen."""
    opener, top = d.loose.opener, d.top
    if opener == NOBODY or d.last is not None or top is None or d.laid != 1 or who == opener:
        return False
    victim = d.setup.left[opener]
    hit = top.rank is Rank.DRAW_TWO and who == victim
    if not hit and who != after_card(d, opener, top, 1):
        return False
    hold(d, opener, max(0, d.best[opener] - 1))
    d.laid += 1
    d.owed = tuple(owed._replace(who=victim) for owed in d.owed)
    first_unseen(d, opener)
    turn_to(d, after_card(d, opener, top, 1))
    return True


def no_jump_in(d: Draft, who: int) -> bool:
    """Somebody goes on who would be next if nobody had jumped in: the player then in turn had laid a Reverse unseen,
    and who seemed to jump in was the next one (RULES 9). The table is asked."""
    last, jumped = d.last, d.loose.jumped
    if last is None or jumped is None or jumped[1] != last.ref or d.phase is not Phase.TURN:
        return False
    turn, turns = jumped[0], d.setup.n > 2 and d.setup.options.reverse_effect == "change_direction"
    back = d.setup.right if last.was_direction > 0 else d.setup.left
    if not turns or last.who != back[turn] or who != next_after(d, last, -last.was_direction):
        return False
    hold(d, turn, max(0, d.best[turn] - 1))
    blur(d, turn, min(d.under[turn], d.best[turn]), d.over[turn] + 1)
    rule(d, Code.INFERRED, turn, 1, Reason.HIDDEN_CARD, tier=Tier.NOTE)
    turn_round(d)
    d.laid += 1
    d.loose = d.loose._replace(adrift=TRUST_AFTER, jumped=None)
    ask(d, "whose_turn", who, names_of(d))
    return True


def first_unseen(d: Draft, opener: int) -> None:
    """The first card was not seen, nor what was drawn before that player's: one by the player, two by who opened the
    play, had it been a Draw Two (RULES 9)."""
    first = d.setup.left[d.setup.dealer]
    for player, drew in ((opener, 1), (first, 2)):
        blur(d, player, d.under[player], d.over[player] + drew)
    d.loose = d.loose._replace(opener=NOBODY, returned=None, named=None, adrift=TRUST_AFTER)
    rule(d, Code.INFERRED, n=1, reason=Reason.HIDDEN_CARD, tier=Tier.NOTE)


def unseen(d: Draft, player: int) -> None:
    """The player in turn was not seen to do anything: a card was played or drawn unseen (RULES 9)."""
    if player != NOBODY:
        blur(d, player, min(d.best[player], d.under[player] + 1), d.over[player] + 1)


def over_gap(d: Draft, ref: int) -> bool:
    """Did the card with that number show that another was hidden?"""
    return d.loose.gap is not None and d.loose.gap[1] == ref


def no_gap(d: Draft, last: LastPlay) -> None:
    """The card that seemed to follow a hidden one is taken back: it was out of turn, and no card was hidden."""
    gap = d.loose.gap
    assert gap is not None
    restore(d, last)
    turn_to(d, gap[0])
    gain(d, last.who)
    gain(d, gap[0])
    blur(d, gap[0], d.under[gap[0]], max(0, d.over[gap[0]] - 1))
    d.laid -= 1
    d.loose = d.loose._replace(gap=None, adrift=0, strayed=Stray(last.who, 0, gap[0]))
    for kind in ("which_card", "name_colour", "target", "custom_rule"):
        settle(d, kind)
    rule(d, Code.OUT_OF_TURN, last.who, cards=() if last.card is None else (last.card,), tier=Tier.NOTE)


def plays_again(d: Draft, card: Card | None) -> bool:
    """Does the player of the card set aside go on because that card gives another turn, so that it was no mistake? So
    it is where the new card goes on it; else it was taken back unseen."""
    wrong = d.wrong
    if wrong is None or card is None:
        return False
    if after_card(d, wrong.who, wrong.card, d.direction) != wrong.who:
        return False
    goes = wrong.card.is_wild or card.is_wild or card.colour is wrong.card.colour or card.rank is wrong.card.rank
    return goes and (d.loose.adrift > 0 or mismatch(d, card, wrong.who) is not None)


def fits_own_hidden(d: Draft, card: Card, who: int, named: bool) -> bool:
    """RULES 9: would the card go on another that nobody saw, after which it is its player's turn again? A Skip or a
    Reverse in the one's colour or the other's: of two players, the player's own; after a draw, the next player's. Of
    two players any card of the other's after a draw, unless somebody who saw all of it named the player."""
    if d.top is None or d.colour is None or d.pending:
        return False
    if d.phase is Phase.DRAWN and d.setup.n == 2 and not named:
        return True
    players = (who, following(d, who)) if d.phase is Phase.DRAWN else (who,)
    for colour, rank in ((d.colour, card.rank), (card.colour, d.top.rank)):
        if colour is not None and rank in (Rank.SKIP, Rank.REVERSE):
            hidden = Card(rank, colour)
            if any(after_card(d, player, hidden, d.direction) == who for player in players):
                return True
    return False


def hidden(d: Draft, event: Discard, who: int, of: int) -> bool:
    """RULES 9: the card does not go on the top card seen, and its player is not in turn: the card between was hidden by
    a hand, unless the table has said that none was. It is asked for; meanwhile its player holds one less, and play goes
    on from the card that was seen."""
    if event.card is None or event.extra.get(NOTHING_HIDDEN):
        return False
    if d.phase is not Phase.TURN or d.doubt or d.top is None or d.pending or mismatch(d, event.card, who) is None:
        return False
    between(d, of)
    return True


def answered_unseen(d: Draft, card: Card, who: int, of: int) -> bool:
    """RULES 9: cards are pending, and the victim's neighbour lays one that answers them: the victim's own answer was
    hidden by a hand. It is taken for one of the same kind until it is named."""
    if d.doubt or not answers(d, card):
        return False
    between(d, of)
    d.pending += 4 if d.pending_kind is Rank.WILD_DRAW_FOUR else 2
    turn_to(d, who)
    return True


def wild_unseen(d: Draft, who: int) -> bool:
    """RULES 9: the player in turn has named a colour, and the next one goes on: a wild lies there that nobody saw."""
    named, turn = d.loose.named, d.turn_id
    if named is None or named[0] != turn or who != following(d, turn) or d.phase not in (Phase.TURN, Phase.DRAWN):
        return False
    if d.pending or all(q.kind != "which_card" or q.player != d.setup.names[turn] for q in d.open):
        return False
    d.phase = Phase.TURN
    between(d, turn)
    d.top, d.colour, d.doubt = None, named[1], True
    d.loose = d.loose._replace(named=None)
    turn_to(d, who)
    return True


def between(d: Draft, of: int) -> None:
    """A card of that player was hidden by a hand, as far as is known: the hand may hold it still."""
    hold(d, of, max(0, d.best[of] - 1))
    d.laid += 1
    blur(d, of, min(d.under[of], d.best[of]), d.over[of] + 1)
    rule(d, Code.INFERRED, of, 1, Reason.HIDDEN_CARD, tier=Tier.NOTE)
    ask(d, "which_card", of, (NO_CARD,))
    uno.was_down_to_one(d, of)
    d.loose = d.loose._replace(gap=(of, d.number), adrift=TRUST_AFTER)
