"""A turn at the simulated table: what somebody plays or draws, and what follows from the card (RULES 6.3 to 6.8)."""

from __future__ import annotations

from referee.cards import Card, Rank
from referee.events import Answer, Challenge, ChallengeResult, Pass, Target
from referee.virtual_table.calling import call_or_forget, catch_late
from referee.virtual_table.customs import Stacking
from referee.virtual_table.sitting import DRAWS, WILD, WILD_DRAW_FOUR, Sitting
from referee.virtual_table.trouble import err_before_playing, restless_moment, slips_along, take_back_a_legal_card

PASS_TAP = 0.5
"""Chance that who keeps a drawn card says so on the phone."""
ANSWERS = 0.75
"""Chance that who can pass pending cards on does so."""
JUMPS = 0.6
"""Chance that who could jump in is quick enough."""
SPECIAL = (Rank.WILD_SHUFFLE_HANDS, Rank.WILD_CUSTOMIZABLE)
READING_S = (2.5, 4.0)
"""Seconds until somebody has read the question for a card that no eye knows, and names it."""


def take_turn(s: Sitting) -> None:
    """The player in turn plays or draws; before and after it people err, jump in and remember missed calls."""
    p, exposed = s.turn, s.forgot
    if exposed == p or not s.customs.catch_any_time:
        s.forgot = None
    s.mixed = False
    if exposed is None and _jump_in(s, p):
        return
    if not s.pending:
        _ordinary_turn(s, p, exposed)
    elif not _passes_on(s, p):
        s.forgot = exposed if exposed != p else None  # a forced draw is not the beginning of a turn (RULES 6.6)
        return
    if s.mixed:
        s.forgot = None
    elif exposed not in (None, p):
        catch_late(s, exposed)


def _ordinary_turn(s: Sitting, p: int, exposed: int | None) -> None:
    choices = _choices(s, p)
    if exposed is None:  # one thing at a time: an open UNO exposure is not mixed with other trouble
        restless_moment(s, p)
        err_before_playing(s, p)
        take_back_a_legal_card(s, p, choices)
    if not choices or (s.customs.may_renege and s.chance(s.mistakes.renege)):
        draw_and_perhaps_play(s, p)
    else:
        _play(s, p, s.rng.choice(choices))


def _choices(s: Sitting, p: int) -> list[Card]:
    """What p is willing to play: matching cards, wilds mostly when nothing else goes, bluffs now and then."""
    hand = s.hands[p]
    plain = [card for card in hand if not card.is_wild and s.matches(card)]
    wilds = [card for card in hand if card == WILD or card.rank in SPECIAL]
    follows = any(card.colour is s.colour for card in hand)
    fours = [card for card in hand if card == WILD_DRAW_FOUR and (not follows or s.chance(s.mistakes.bluff))]
    if plain and not s.chance(0.15):
        return plain if not (follows and fours) else fours
    return plain + wilds + fours


def draw_and_perhaps_play(s: Sitting, p: int) -> None:
    """p draws a card, or until one can be played, and plays that one or keeps it (RULES 6.3)."""
    s.kept = None
    customs, drew = s.customs, False
    while s.draw(p, 1):
        drew = True
        card = s.hands[p][-1]
        playable = s.matches(card) and not s.bluffs(p, card)
        allowed = playable and (customs.four_after_drawing or card != WILD_DRAW_FOUR)
        if allowed and (customs.must_play_drawn or s.chance(0.85)):
            _play(s, p, card)
            return
        if playable or not customs.draws_until_match:
            break
    if not drew or s.chance(PASS_TAP):
        name = s.names[p]
        s.line.tap(s.line.now + s.rng.uniform(0.2, 0.8), name, Pass(by=name))
    else:
        s.kept = p
    s.turn = s.after(p)


def _passes_on(s: Sitting, p: int) -> bool:
    """RULES 6.8: p answers what is pending (True), or draws it all and loses the turn."""
    answers = [card for card in s.hands[p] if s.answers(card)]
    if answers and s.chance(ANSWERS):
        _play(s, p, s.rng.choice(answers))
        return True
    n, s.pending = s.pending, 0
    for t in s.draw(p, n)[:1]:
        s.line.ruling(t, "forced_draw", s.names[p], n=n, reason="stack")
    s.turn = s.after(p)
    return False


def _jump_in(s: Sitting, p: int) -> bool:
    """Somebody else lays a card identical to the top one before p begins (RULES 6.8). True if that happened."""
    top = s.pile[-1]
    if not s.customs.jump_in or top.is_wild or len(s.pile) < 2 or s.kept is not None:
        return False
    quick = [q for q in range(s.n) if q not in (p, s.laid_by) and top in s.hands[q]]
    if not quick or not s.chance(JUMPS):
        return False
    _play(s, s.rng.choice(quick), top, jumps=True)
    return True


def _play(s: Sitting, p: int, card: Card, *, jumps: bool = False) -> None:
    """A legal card (or a Wild Draw Four that may be a bluff), the call, and its effects (RULES 6.4 to 6.6)."""
    hand, name = s.hands[p], s.names[p]
    hand.remove(card)
    guilty = s.bluffs(p, card)
    extra = None if s.pending or jumps else slips_along(s, p, card)
    reach = s.line.lay(p + 1, card, *([extra] if extra else []))
    t = reach.end
    s.pile.append(card)
    s.laid_by = p
    s.only_colour = False
    s.colour = card.colour or s.favourite(p)
    s.landed(t, p, card, legal=True, **({"declared": s.colour.value} if card.is_wild and hand else {}))
    if jumps:
        s.line.ruling(t, "jump_in", name)
    s.strayed = None
    if extra is not None:
        s.landed(t, p, extra, legal=False)
        s.line.ruling(t, "out_of_turn", name, card=str(extra))
        s.line.take_back(p + 1, extra, card, (1.5, 2.5))
    kept, s.kept = s.kept, None
    if not hand:
        _last_card(s, p, card, t)
        return
    victim = s.after(p)
    n, reason = DRAWS.get(card.rank, (0, ""))
    if n and s.customs.stacking is not Stacking.OFF:
        s.pending += n
    elif n:
        s.line.ruling(t, "forced_draw", s.names[victim], n=n, reason=reason)
    if card.rank in SPECIAL:
        s.line.tap(t + s.rng.uniform(*READING_S), name, Answer(question="which_card", value=str(card), by=name))
    _mix_hands(s, p, card)
    if card.is_wild:
        s.name_colour(p, max(t, s.line.now) if card.rank in SPECIAL else t)
    if len(hand) == 1 and not s.mixed:
        # Out of turn a call with two cards means nothing (RULES 6.6), and a silent keeper's turn may not be over.
        call_or_forget(s, p, t if jumps or kept is not None else reach.begin, t)
    _effect(s, p, card, victim, guilty)


def _effect(s: Sitting, p: int, card: Card, victim: int, guilty: bool) -> None:
    """Who is next after p's card, and what the victim suffers (RULES 6.4)."""
    rank = card.rank
    if rank is Rank.WILD_DRAW_FOUR:
        _settle_draw_four(s, p, victim, guilty)
    elif rank is Rank.DRAW_TWO and not s.pending:
        s.draw(victim, 2)
        s.turn = s.after(victim) if s.customs.draw_two.loses_turn(s.n) else victim
    elif rank in (Rank.SKIP, Rank.REVERSE) and s.customs.plays_again:
        s.turn = p
    elif rank is Rank.SKIP or (rank is Rank.REVERSE and s.n == 2):
        s.turn = s.after(victim)
    elif rank is Rank.REVERSE:
        s.direction = -s.direction
        s.turn = s.after(p)
    else:
        s.turn = victim


def _last_card(s: Sitting, p: int, card: Card, t: float) -> None:
    """RULES 6.10: the hand is over, and the next player still draws; or heads up a Skip does not end it."""
    if card.rank is Rank.SKIP and s.n == 2 and s.customs.last_skip_goes_on:
        draw_and_perhaps_play(s, p)
        return
    n, reason = DRAWS.get(card.rank, (0, ""))
    if n and s.customs.stacking is not Stacking.OFF:
        n, s.pending, reason = s.pending + n, 0, "stack"
    if n:
        s.owe("forced_draw", t, s.after(p), n, reason)
    s.line.ruling(t, "hand_over", s.names[p])


def _mix_hands(s: Sitting, p: int, card: Card) -> None:
    """A seven swaps two hands, a zero passes all on (RULES 6.8); Wild Shuffle Hands deals them anew (RULES 6.4)."""
    if card.rank is Rank.WILD_SHUFFLE_HANDS:
        cards = [one for hand in s.hands for one in hand]
        s.rng.shuffle(cards)
        for hand in s.hands:
            hand.clear()
        for place, one in enumerate(cards):
            s.hands[(p + 1 + place) % s.n].append(one)
    elif not s.customs.seven_zero:
        return
    elif card.rank is Rank.SEVEN:
        q = s.someone_else(p)
        name = s.names[p]
        s.line.tap(s.line.now + s.rng.uniform(0.8, 1.6), name, Target(by=name, target=s.names[q]))
        s.hands[p], s.hands[q] = s.hands[q], s.hands[p]
    elif card.rank is Rank.ZERO:
        s.hands = [s.hands[(q - s.direction) % s.n] for q in range(s.n)]
    else:
        return
    s.mixed = True


def _settle_draw_four(s: Sitting, offender: int, victim: int, guilty: bool) -> None:
    """RULES 6.5: accept, pass on, or challenge and let the offender's hand decide."""
    line, rng = s.line, s.rng
    if not s.customs.four_is_always_legal and s.chance(s.mistakes.challenge):
        n, s.pending = s.pending or 4, 0
        name = s.names[victim]
        t = line.tap(line.now + rng.uniform(0.7, 1.6), name, Challenge(by=name))
        line.ruling(t, "challenge_open", s.names[offender])
        t = line.tap(t + rng.uniform(1.5, 3.0), name, ChallengeResult(by=name, guilty=guilty))
        line.ruling(t, "guilty" if guilty else "innocent", s.names[offender])
        if guilty:
            s.owe("penalty", t, offender, n, "guilty")
            s.turn = victim
        else:
            s.owe("penalty", t, victim, n + 2, "innocent")
            s.turn = s.after(victim)
        return
    _refused_challenge(s, offender, victim)
    if s.pending:
        s.turn = victim
        return
    s.draw(victim, 4)
    s.turn = s.after(victim) if s.customs.draw_four.loses_turn(s.n) else victim


def _refused_challenge(s: Sitting, offender: int, victim: int) -> None:
    others = [q for q in range(s.n) if q not in (offender, victim)]
    if others and s.chance(s.mistakes.refused_challenge):
        name = s.names[s.rng.choice(others)]
        t = s.line.tap(s.line.now + s.rng.uniform(0.5, 1.2), name, Challenge(by=name))
        s.line.ruling(t, "challenge_refused", name)
