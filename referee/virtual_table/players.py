"""People who play whole hands with a real deck, and err now and then; they know what is true.

This is the check on the referee, so it has its own small account of the rules (`customs`, `turns`, `calling`), and no
code of `referee.rules`. The people obey what a competent referee would say: an illegal card is taken back, what is owed
is drawn.
"""

from __future__ import annotations

from random import Random
from typing import Any

from referee.cards import Rank
from referee.events import Answer, HandDealt, Points
from referee.virtual_table.customs import CUSTOMS
from referee.virtual_table.habits import HABITS, Mistakes, Restlessness
from referee.virtual_table.script import Level, Script
from referee.virtual_table.sitting import WILD, WILD_DRAW_FOUR, Sitting
from referee.virtual_table.turns import READING_S, SPECIAL, take_turn

NAMES = ("Ana", "Ben", "Cleo", "Dev", "Eva", "Finn", "Gia", "Hugo", "Ida", "Jon")
"""Who sits at the table, clockwise from seat 1."""

TARGET = 500
LONGEST_S = 4 * 3600.0
"""An evening ends after this many seconds: where every forgotten call is caught, nobody might ever go out."""


def play(
    seed: int,
    *,
    players: int = 4,
    hands: int = 1,
    preset: str = "official_108",
    level: Level = Level.NORMAL,
    mistakes: Mistakes | None = None,
    habits: Restlessness | None = None,
    seconds: float = LONGEST_S,
) -> Script:
    """A script of `hands` hands, or fewer when somebody reaches 500 points or `seconds` are over.

    The same arguments give the same script. Its truth is a JSON object:
    `seed`, `level`, `deck`, `preset`, `players` (names by seat), `dealer`;
    `events`: `t`, `event` (landed, removed, drew, hover, nudge, square_up, light, shadow, rest, pile_taken), and where
    they apply `card`, `seat`, `n`, `legal`, `top`, `declared`, `turn_up`; `t` of a landing: the hand is gone;
    `rulings`: `t`, `code` (RULES 11), `player`, and where they apply `n`, `reason`, `card`: all that a perfect
    referee says (hand_over and game_over: player is who has won);
    `hands`: `winner`, `points`, and `scores` after the hand.

    Raises ValueError for a preset that people here do not know, and numbers of players or hands that cannot be.
    """
    if not 2 <= players <= len(NAMES):
        raise ValueError(f"players is {players}: expected 2 to {len(NAMES)}")
    if hands < 1:
        raise ValueError(f"hands is {hands}: expected 1 or more")
    if preset not in CUSTOMS:
        raise ValueError(f"nobody here plays by {preset!r}: expected one of {', '.join(CUSTOMS)}")
    s = Sitting(
        Random(f"players {seed}"), NAMES[:players], CUSTOMS[preset], mistakes or Mistakes(), habits or HABITS[level]
    )
    first_dealer = s.names[s.dealer]
    s.shuffle_and_deal()
    stack = len(s.pack) - 1  # the first card is turned up from it
    finished = _evening(s, hands, seconds)
    line = s.line
    truth: dict[str, Any] = {
        "level": level.value,
        "seed": seed,
        "deck": s.customs.deck.value,
        "players": list(s.names),
        "dealer": first_dealer,
        "preset": preset,
        "events": sorted(line.events, key=lambda e: e["t"]),
        "rulings": sorted(line.rulings, key=lambda r: r["t"]),
        "hands": finished,
    }
    return Script(
        seed=seed,
        level=level,
        players=s.names,
        dealer=first_dealer,
        preset=preset,
        stack=stack,
        actions=tuple(sorted(line.actions, key=lambda a: a.begin)),
        inputs=tuple(sorted(line.inputs, key=lambda i: i.t)),
        truth=truth,
        duration_s=round(line.now + 2.0, 3),
    )


def _evening(s: Sitting, hands: int, seconds: float) -> list[dict[str, Any]]:
    """Plays the hands; what each came to is returned."""
    scores = [0] * s.n
    finished: list[dict[str, Any]] = []
    for number in range(hands):
        if number:
            s.dealer = (s.dealer + 1) % s.n
            _collect(s)
        _turn_up(s)
        while all(s.hands) and s.line.now < seconds:
            take_turn(s)
        if not all(s.hands):
            finished.append(_score(s, scores))
        if s.line.now >= seconds or max(scores) >= TARGET:
            break
    return finished


def _collect(s: Sitting) -> None:
    """Both piles are picked up and a new draw pile comes to the table."""
    seat = s.dealer + 1
    s.line.take_pile(seat, None)
    s.line.take_stack(seat)
    s.shuffle_and_deal()
    s.line.wait(1.5, 2.5)
    s.line.put_stack(seat, len(s.pack) - 1)
    name = s.names[s.dealer]
    s.line.tap(s.line.now + s.rng.uniform(0.4, 1.0), name, HandDealt(dealer=name))


def _turn_up(s: Sitting) -> None:
    """The first card and its effect (RULES 6.2)."""
    seat, name = s.dealer + 1, s.names[s.dealer]
    first = (s.dealer + 1) % s.n
    back = (WILD, WILD_DRAW_FOUR) if s.customs.first_wild_goes_back else (WILD_DRAW_FOUR,)
    while True:
        card = s.pack.pop()
        t = s.line.lay(seat, card).end
        declared: dict[str, Any] = {}
        if card.is_wild and card not in back:
            s.colour = s.favourite(first)
            declared = {"declared": s.colour.value}
        s.landed(t, s.dealer, card, turn_up=True, **declared)
        if card not in back:
            break
        s.line.ruling(t, "redraw_opening", None, card=str(card))
        s.line.take_back(seat, card, None, (1.2, 2.0))
        s.pack.insert(s.rng.randrange(len(s.pack)), card)
    s.pile = [card]
    s.turn = first
    if card.rank in SPECIAL:
        t = s.line.tap(t + s.rng.uniform(*READING_S), name, Answer(question="which_card", value=str(card), by=name))
    if card.is_wild:
        s.name_colour(first, t)
        return
    assert card.colour is not None
    s.colour = card.colour
    if s.customs.first_symbol_is_only_a_colour:
        s.only_colour = not card.rank.is_number
    elif card.rank is Rank.SKIP:
        s.turn = s.after(first)
    elif card.rank is Rank.REVERSE:
        s.direction = -1
        s.turn = s.dealer
    elif card.rank is Rank.DRAW_TWO:
        s.owe("forced_draw", t, first, 2, "draw_two")
        if s.customs.draw_two.loses_turn(s.n):
            s.turn = s.after(first)


def _score(s: Sitting, scores: list[int]) -> dict[str, Any]:
    """The others' hands are counted, and their points typed in."""
    winner = next(p for p in range(s.n) if not s.hands[p])
    total = 0
    t = s.line.now
    for step in range(1, s.n):
        p = (winner + step) % s.n
        points = sum(card.points for card in s.hands[p])
        total += points
        name = s.names[p]
        t = s.line.tap(s.line.now + s.rng.uniform(0.8, 1.6), name, Points(player=name, n=points, by=name))
    scores[winner] += total
    if scores[winner] >= TARGET:
        s.line.ruling(t, "game_over", s.names[winner])
    return {"winner": s.names[winner], "points": total, "scores": dict(zip(s.names, scores, strict=True))}
