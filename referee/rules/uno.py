"""The UNO call and the catch (RULES 6.6)."""

from __future__ import annotations

from referee.rules.draft import Draft, ask, blur, exact, following, forgive, owe, rule, settle, uncall, unexpose
from referee.rules.legality import continues
from referee.rules.position import NOBODY, Phase, Position, Rivals
from referee.rules.rulings import Code, Reason, Tier

OWN_TURN = (Phase.TURN, Phase.DRAWN, Phase.NAME_COLOUR, Phase.TAKEBACK)
REFEREE = -2
"""Who caught, where the referee did (RULES 5.1, uno_autocatch)."""
UNO_OK, NOTE, DRAWN = Code.UNO_OK, Tier.NOTE, Phase.DRAWN
TELLING = ("which_card", "who_played", "who_drew", "whose_turn")
"""Questions whose answer may move the turn, or change what lies there."""
NEAR_ONE = 3
"""Cards with which a call without cause may be one that the referee has not understood. Too small: who calls rightly
after a card or a turn that nobody saw is fined aloud; too large: nobody is fined aloud."""
ONE_OFF = 2
"""Cards with which who calls upon the own card, out of turn, may have drawn one less than was seen, or laid one more
(RULES 9). Smaller: a count that is one too high hides the end of the hand; larger: a button touched by mistake makes
good counts uncertain."""
ONE_CALL_S = 1.5
"""Seconds within which a button pressed again is one call. Too small: a nervous finger makes a good count uncertain;
too large: who has drawn unseen and calls again is said to have gone out."""
BEGINS_SHUT = ("next_player_begins", "next_player_acts_or_touches")


def second_to_last(d: Draft, who: int, t: float) -> None:
    """A play that stands left the player with one card, or perhaps with one."""
    low, high = d.best[who] - d.under[who], d.best[who] + d.over[who]
    if not low <= 1 <= high:
        forget(d, who)
        return
    if any(player == who for player, _ in d.calls):
        return
    d.exposed_ids = (*(pair for pair in d.exposed_ids if pair[0] != who), (who, t))
    early = d.loose.early
    if early is not None and early[0] == who and t - early[2] < d.setup.options.photo_finish_s:
        # The catch came as the card touched the pile: the table decides which was first.
        rivals(d, who, early[1], d.setup.options.uno_penalty, who)


def forget(d: Draft, who: int) -> None:
    """The player does not hold one card: call and exposure are over."""
    uncall(d, who)
    unexpose(d, who)


def recount(d: Draft, who: int) -> None:
    """A count changed otherwise than by a play: an exposure can only end by it, never open."""
    if (d.calls or d.exposed_ids) and not d.best[who] - d.under[who] <= 1 <= d.best[who] + d.over[who]:
        forget(d, who)


# --- closing --------------------------------------------------------------------------------------------------------


def begins(d: Draft, who: int, t: float) -> None:
    """The player in turn begins: takes a card from the hand or, of his own accord, from the pile."""
    d.begun = True
    if d.loose.caught is not None and d.setup.options.uno_window in BEGINS_SHUT:
        begun_rivals(d, who, t)
    for player, _ in d.exposed_ids:
        # RULES 6.6: who has the next turn himself (two players, Skip) ends it by that turn, in every window.
        own = player == who and d.last is not None and d.last.who == who
        if own or d.setup.options.uno_window in BEGINS_SHUT:
            shut(d, player, who, t)


def touches(d: Draft, who: int, t: float) -> None:
    """The player in turn touches the discard pile."""
    if d.setup.options.uno_window == "next_player_acts_or_touches" and who == d.turn_id:
        for player, _ in d.exposed_ids:
            if player != who:
                shut(d, player, who, t)


def forced(d: Draft, who: int, t: float) -> None:
    """The next player draws what a card costs: that begins no turn, unless the table says so."""
    if d.exposed_ids and d.setup.options.uno_forced_draw_closes:
        begins(d, who, t)
        d.begun = False


def closes_by_card(d: Draft, who: int, t: float) -> None:
    """A card is played."""
    window = d.setup.options.uno_window
    caught = d.loose.caught
    if caught is not None and closes(window, who == d.turn_id, who == caught[0]):
        begun_rivals(d, who, t)
    for player, _ in d.exposed_ids:
        if closes(window, who == d.turn_id, who == player):
            shut(d, player, who, t)


def closes(window: str, in_turn: bool, own: bool) -> bool:
    """Does a card shut the window: played by the one in turn, by the exposed player himself?"""
    return (window in BEGINS_SHUT and in_turn) or (window == "next_card_played" and not own)


def still_exposed(d: Draft, were: tuple[tuple[int, float], ...], by: int) -> None:
    """A card out of turn by the house rule does not shut the window that waits for the player in turn."""
    if d.setup.options.uno_window in BEGINS_SHUT and d.phase is not Phase.HAND_OVER:
        d.exposed_ids = (*(pair for pair in were if pair[0] != by and d.best[pair[0]] == 1), *d.exposed_ids)


def shut(d: Draft, player: int, by: int, t: float) -> None:
    """The window closes by another's act; with autocatch the referee catches as it does."""
    unexpose(d, player)
    d.loose = d.loose._replace(closed=(player, by, t))
    if d.best[player] == 1 and d.setup.options.uno_autocatch and player != by:
        if exact(d, player):
            rule(d, Code.CATCH_OK, player)
            owe(d, Code.PENALTY, player, d.setup.options.uno_penalty, Reason.UNO)
            d.loose = d.loose._replace(caught=(player, REFEREE, t))
        else:
            ask(d, "how_many", player)


def begun_rivals(d: Draft, by: int, t: float) -> None:
    """The window closed within a photo finish of a good catch: the table decides which was first. Where the referee
    catches as it closes, it makes no difference."""
    caught = d.loose.caught
    if caught is not None and not d.setup.options.uno_autocatch and t - caught[2] < d.setup.options.photo_finish_s:
        rival_catch(d, caught[0], caught[1], by)


def rival_catch(d: Draft, who: int, catcher: int, other: int) -> None:
    """What would have defeated the good catch came within a photo finish of it."""
    owed = sum(owed.n for owed in d.owed if owed.who == who and owed.reason is Reason.UNO)
    if owed:
        forgive(d, who, Reason.UNO)
        rivals(d, who, catcher, owed, other)
        d.loose = d.loose._replace(caught=None)


def rivals(d: Draft, who: int, catcher: int, n: int, other: int) -> None:
    """Nothing is owed until the table has said who was first: the catcher, or the other: the one caught, who called or
    whose card it was, or the next player, who began. Where nothing can be owed there is nothing to tell."""
    if not n:
        return
    d.loose = d.loose._replace(rivals=Rivals(who, catcher, n, d.number))
    names = d.setup.names
    rival = "call" if catcher == NOBODY and other == who else names[who if other == catcher else other]
    ask(d, "who_was_first", who, ("catch" if catcher == NOBODY else names[catcher], rival))


def decide(d: Draft, first: str | None) -> None:
    """The table says who was first. "catch" or the catcher: the catch was good."""
    found = d.loose.rivals
    settle(d, "who_was_first")
    if found is None:
        return
    d.loose = d.loose._replace(rivals=None)
    if first == "catch" or (found.catcher != NOBODY and first == d.setup.names[found.catcher]):
        unexpose(d, found.who)
        rule(d, Code.CATCH_OK, found.who, by=found.catcher)
        owe(d, Code.PENALTY, found.who, found.n, Reason.UNO)


# --- calling --------------------------------------------------------------------------------------------------------


def call(d: Draft, who: int, t: float) -> None:
    """The UNO button; nobody: the table's only button, so it is for whoever it can mean."""
    if who != NOBODY:
        called(d, who, t)
        return
    meant = [player for player, _ in d.exposed_ids]
    if d.turn_id != NOBODY and not meant:
        # With one button for all: the player in turn, else the next one where a drawn card may have been kept.
        meant = [who for who in (d.turn_id, following(d, d.turn_id)) if may_call(d, who)][:1]
    elif d.turn_id != NOBODY and d.turn_id not in meant and may_call(d, d.turn_id):
        meant.append(d.turn_id)
    for player in meant or [p for p in d.setup.order if d.best[p] == 1 and exact(d, p)][:1]:
        called(d, player, t)
    if not meant and not any(d.best[player] == 1 for player in d.setup.order):
        rule(d, Code.UNO_VOID, tier=Tier.NOTE)


def may_call(d: Position, who: int) -> bool:
    """RULES 6.6: with one card at any time, with two in one's own turn before the play."""
    low, high = d.best[who] - d.under[who], d.best[who] + d.over[who]
    if low <= 1 <= high:
        return True
    if not low <= 2 <= high:
        return False
    if d.setup.options.multi_play != "off" and played_on(d, who):
        return True
    if who == d.turn_id:
        return d.phase in OWN_TURN or (d.phase is Phase.WD4 and d.pending > 0)  # with stacking the victim may answer
    # RULES 6.3.5: after a draw the turn passes by itself when the next player begins, and who calls may be beginning.
    return d.phase is DRAWN and who == following(d, d.turn_id)


def in_doubt(d: Position) -> bool:
    """May it be another player's turn, or another card that lies there, than the position says (RULES 9, 13)?"""
    return d.doubt or any(question.kind in TELLING for question in d.open)


def played_on(d: Position, who: int) -> bool:
    """RULES 6.8: may the player lay more cards of the turn just had? Then it is still the own turn."""
    last = d.last
    return last is not None and last.card is not None and continues(d, last.card, who, d.t)


def called(d: Draft, who: int, t: float) -> None:
    """A player calls UNO."""
    options = d.setup.options
    if not may_call(d, who):
        rule(d, Code.UNO_VOID, who, tier=Tier.NOTE)
        two = d.best[who] - d.under[who] <= 2
        if two:
            d.loose = d.loose._replace(foretold=(who, t))
        if exact(d, who) and not (two and d.phase is Phase.TAKEBACK):
            # Who is near one card may have seen a card land, or a turn pass, that the referee has not: not aloud.
            tier = Tier.ASK if d.best[who] <= NEAR_ONE or in_doubt(d) else Tier.CALL
            owe(d, Code.PENALTY, who, options.false_uno_penalty, Reason.FALSE_UNO, tier)
        if d.last is not None and d.last.who == who and d.best[who] == ONE_OFF:
            d.loose = d.loose._replace(claimed=who)
        return
    caught = d.loose.caught
    if caught is not None and caught[0] == who and t - caught[2] < options.photo_finish_s:
        rival_catch(d, who, max(NOBODY, caught[1]), who)
    own_turn = who == d.turn_id or (d.phase is DRAWN and who == following(d, d.turn_id))
    if own_turn and d.best[who] == 1 and not d.over[who]:
        if any(player == who for player, _ in d.calls):
            # RULES 9: who has called and calls again before the play may have drawn unseen, and hold two.
            if all(player != who or t - at > ONE_CALL_S for player, at in d.calls):
                blur(d, who, 0, 1)
        elif (d.last is not None and d.last.who != who) or all(player != who for player, _ in d.exposed_ids):
            # So may who calls when others have played since, or when nobody can catch any more, and plays.
            d.loose = d.loose._replace(forewarned=who)
    rule(d, UNO_OK, who, tier=NOTE)
    unexpose(d, who)
    uncall(d, who)
    d.calls += ((who, t),)
    d.loose = d.loose._replace(called=(who, t))


def stood(d: Draft, foretold: tuple[int, float] | None) -> None:
    """A wrong card stands, and play has gone on upon it: it was its player's turn, and that of the next player as soon
    as it lay, and a call that either made then was good."""
    d.loose = d.loose._replace(foretold=None)
    if foretold is not None and may_call(d, foretold[0]):
        forgive(d, foretold[0], Reason.FALSE_UNO)
        called(d, *foretold)


def suspect(d: Draft) -> int:
    """Whom a catch means that names nobody: who is exposed, else who played last."""
    if d.exposed_ids:
        return d.exposed_ids[-1][0]
    return d.last.who if d.last is not None else NOBODY


def catch(d: Draft, catcher: int, who: int, t: float) -> None:
    """`catcher` says that `who` failed to call."""
    if catcher == who:
        # RULES 6.6: a catch is by any other player.
        rule(d, Code.NOT_ENTITLED, who, reason=Reason.ONESELF, tier=Tier.NOTE)
        return
    low, high = d.best[who] - d.under[who], d.best[who] + d.over[who]
    exposed = any(player == who for player, _ in d.exposed_ids)
    if d.last is not None and d.last.card is None and d.last.who == who and not exposed and low <= 1 <= high:
        # RULES 12: whether an unread card exposed its player is open until it is named; then this is judged again.
        ask(d, "which_card", who)
        return
    if low <= 1 <= high and low < high and d.phase is not Phase.TAKEBACK:
        # RULES 9: the count decides, and it is not certain.
        d.loose = d.loose._replace(asked=(who, catcher, exposed))
        ask(d, "how_many", who)
        return
    judge_catch(d, catcher, who, t, exposed)


def judge_catch(d: Draft, catcher: int, who: int, t: float, exposed: bool) -> None:
    """A catch on a player whose count is certain."""
    options, loose = d.setup.options, d.loose
    near = options.photo_finish_s
    since = next((opened for player, opened in d.exposed_ids if player == who), None)
    if exposed and d.best[who] == 1:
        if since is not None and t - since < near:
            unexpose(d, who)
            rivals(d, who, catcher, options.uno_penalty, who)
            return
        unexpose(d, who)
        d.loose = loose._replace(caught=(who, catcher, t))
        rule(d, Code.CATCH_OK, who, by=catcher)
        owe(d, Code.PENALTY, who, options.uno_penalty, Reason.UNO)
        return
    lies = d.wrong is not None and d.wrong.who == who
    call_t = next((at for player, at in d.calls if player == who), None)
    if d.best[who] != 1 or lies:
        code = Code.CATCH_EARLY
        d.loose = loose._replace(early=(who, catcher, t))
    elif call_t is not None:
        if abs(t - call_t) < near:
            rivals(d, who, catcher, options.uno_penalty, who)
            return
        code = Code.CATCH_SAFE
    else:
        code = Code.CATCH_LATE
        closed = loose.closed
        if not options.uno_autocatch and closed is not None and closed[0] == who and t - closed[2] < near:
            rivals(d, who, catcher, options.uno_penalty, closed[1])
            return
    # Who says that a hand is down to one card may have seen a card land, or owed cards be drawn, that the referee has
    # not, or another card than it has read: no announcement.
    told = d.wrong is not None and d.wrong.code is not Code.DRAW_FIRST and (d.wrong.sure or d.wrong.told)
    tier = Tier.ASK if code is Code.CATCH_EARLY and (not lies or not told or in_doubt(d)) else Tier.CALL
    rule(d, code, who, by=catcher, tier=tier)
    at_once = loose.caught is not None and loose.caught[0] == who and t - loose.caught[2] < near
    if catcher != NOBODY and not at_once:
        owe(d, Code.PENALTY, catcher, options.false_catch_penalty, Reason.FALSE_CATCH, tier)


def counted(d: Draft, who: int, t: float) -> None:
    """A count was asked for and given: the catch that waited for it is judged."""
    asked = d.loose.asked
    if asked is not None and asked[0] == who:
        d.loose = d.loose._replace(asked=None)
        judge_catch(d, asked[1], who, t, asked[2])


def was_down_to_one(d: Draft, who: int) -> None:
    """RULES 9: a card of the player's that nobody saw has come to light. A catch since the card before it, refused as
    too early, may have been right: the count decides, and who caught owes nothing for it meanwhile."""
    early, last, foretold = d.loose.early, d.last, d.loose.foretold
    if early is None or early[0] != who or (last is not None and early[2] <= last.t):
        return
    low, high = d.best[who] - d.under[who], d.best[who] + d.over[who]
    called = any(player == who for player, _ in d.calls) or (foretold is not None and foretold[0] == who)
    if called or not low <= 1 <= high:
        return
    forgive(d, early[1], Reason.FALSE_CATCH)
    d.loose = d.loose._replace(asked=(who, early[1], True), early=None)
    ask(d, "how_many", who)


def suggestion(d: Draft, speaker: int, to: int, tier: Tier) -> None:
    """RULES 6.7: suggesting a card costs cards, except inside a team that may talk."""
    options = d.setup.options
    same_team = to != NOBODY and d.setup.team(speaker) == d.setup.team(to)
    if options.teammate_talk == "allowed" and options.teams != "none" and same_team:
        return
    owe(d, Code.PENALTY, speaker, options.suggestion_penalty, Reason.SUGGESTION, tier)
