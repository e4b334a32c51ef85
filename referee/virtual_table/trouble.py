"""What goes wrong at the simulated table, and what happens there besides play."""

from __future__ import annotations

from referee.cards import Card
from referee.events import Suggestion
from referee.virtual_table.sitting import Sitting


def restless_moment(s: Sitting, p: int) -> None:
    """What happens at tables besides play."""
    h, line = s.habits, s.line
    seat = s.rng.randrange(s.n) + 1
    if s.chance(h.light):
        line.light()
    if s.chance(h.shade):
        line.shade(seat)
    if s.chance(h.rest):
        line.rest(seat)
    if s.chance(h.hover):
        line.hover(p + 1, s.rng.choice(s.hands[p]))
    if s.chance(h.nudge):
        line.nudge(seat)
    if len(s.pile) > 3 and s.chance(h.square_up):
        line.square_up(seat)


def err_before_playing(s: Sitting, p: int) -> None:
    """A wrong button, a wrong player, a wrong card, a wrong word: each is put right before the turn goes on."""
    line, rng, m = s.line, s.rng, s.mistakes
    if s.chance(m.stray_uno):
        q = rng.randrange(s.n)
        if len(s.hands[q]) > 2:
            line.ruling(line.press(line.now + rng.uniform(0.3, 0.8), q + 1), "uno_void", s.names[q])
    others = [q for q in range(s.n) if q not in (p, s.kept)]
    if others and s.chance(m.out_of_turn):
        q = rng.choice(others)
        card = rng.choice(s.hands[q])
        # Two in a row that fit one other turn are asked about, not ruled (RULES 9): people do not do that here.
        twice = s.strayed is not None and q == s.after(s.strayed)
        if not twice and not (s.customs.jump_in and card == s.pile[-1]):
            _lay_in_error(s, q, card, "out_of_turn")
            s.strayed = q
    wrong = [card for card in s.hands[p] if not s.matches(card)]
    if wrong and s.chance(m.illegal):
        t = _lay_in_error(s, p, rng.choice(wrong), "illegal_card")
        if s.customs.wrong_card_penalty:
            s.owe("penalty", t, p, s.customs.wrong_card_penalty, "illegal_card")
    # Within ten seconds a second report confirms the first (RULES 6.7).
    quiet = s.advised is None or line.now - s.advised > 10.0
    if s.customs.suggestion_penalty and quiet and s.chance(m.suggestion):
        q = s.someone_else(p)
        by = s.names[p]
        s.advised = t = line.tap(line.now + rng.uniform(0.3, 0.9), by, Suggestion(by=by, on=s.names[q]))
        s.owe("penalty", t, q, s.customs.suggestion_penalty, "suggestion")


def _lay_in_error(s: Sitting, p: int, card: Card, code: str) -> float:
    t = s.line.lay(p + 1, card).end
    s.landed(t, p, card, legal=False)
    s.line.ruling(t, code, s.names[p], card=str(card))
    s.line.take_back(p + 1, card, s.pile[-1], (1.5, 3.0))
    return t


def take_back_a_legal_card(s: Sitting, p: int, choices: list[Card]) -> None:
    """Dropped and picked up again within two seconds, before anybody else does anything: not a play (RULES 12)."""
    numbers = [card for card in choices if card.rank.is_number]
    if len(s.hands[p]) < 4 or not numbers or not s.chance(s.habits.take_back):
        return
    card = s.rng.choice(numbers)
    t = s.line.lay(p + 1, card).end
    s.landed(t, p, card, legal=True)
    s.line.take_back(p + 1, card, s.pile[-1], (0.1, 0.3))


def slips_along(s: Sitting, p: int, card: Card) -> Card | None:
    """A second card that leaves the hand with a number card, on top of it."""
    hand = s.hands[p]
    if len(hand) < 4 or not card.rank.is_number or not s.chance(s.habits.two_at_once):
        return None
    return s.rng.choice(hand)
