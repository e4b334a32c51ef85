"""The state machine as a table, to be held beside RULES 10. Documentation that a test compares with what happens.

Rows are read from the top; `guard` is in words. A row names every phase that may follow. What is not in the table does
not happen: `tests/rules/test_states.py` watches random games for it.
"""

from __future__ import annotations

from typing import NamedTuple

from referee.rules.position import Phase
from referee.rules.rulings import Code

U, N, C, T, D = Phase.OPENING, Phase.NAME_COLOUR, Phase.CHOOSE_TARGET, Phase.TURN, Phase.DRAWN
W, X, B, H, S, G = Phase.WD4, Phase.CHALLENGE, Phase.TAKEBACK, Phase.HAND_OVER, Phase.SCORED, Phase.GAME_OVER
PLAYED = (T, N, C, W, H)
"""What may follow a card that counts: a turn, a colour or a target to be named, a Wild Draw Four, the end."""


class Row(NamedTuple):
    """In these phases, after this event and under this guard, one of these phases follows, with these rulings."""

    phases: tuple[Phase, ...]
    event: str
    guard: str
    then: tuple[Phase, ...]
    says: tuple[Code, ...] = ()


ROWS = (
    Row((U,), "turn_up, discard", "the card must go back", (U,), (Code.REDRAW_OPENING,)),
    Row((U,), "turn_up, discard", "a Wild", (N,)),
    Row((U,), "turn_up, discard", "any other card", (T,), (Code.FORCED_DRAW,)),
    Row((T, N, D), "turn_up", "the first card came in late, and this one was played", (*PLAYED, D, B)),
    Row((T, N), "return_opening", "nothing played yet", (U,)),
    Row((N,), "colour", "by the player of the wild, or unknown", (T,)),
    Row((N,), "colour", "by another", (N,), (Code.NOT_ENTITLED,)),
    Row((N,), "discard", "legal, by the player in turn", PLAYED, (Code.INFERRED,)),
    Row(
        (N, T, D, C),
        "discard",
        "not legal, or out of turn",
        (B,),
        (Code.ILLEGAL_CARD, Code.OUT_OF_TURN, Code.DRAW_FIRST),
    ),
    Row((N, C), "draw", "by the player in turn", (D,)),
    Row((C,), "target", "by the player of the card, or unknown", (T, N)),
    Row((C,), "discard", "the next player goes on: counts become intervals", PLAYED),
    Row((T, D), "discard", "legal, by the player in turn", PLAYED, (Code.FORCED_DRAW, Code.HAND_OVER)),
    Row((T,), "discard", "jump-in, or the rest of a turn", PLAYED, (Code.JUMP_IN,)),
    Row((T,), "discard", "by the next player, and goes on no card seen: one was hidden", PLAYED, (Code.INFERRED,)),
    Row((T, N, D, C), "discard, draw", "by another, while the order of turns is in doubt: it goes on", (*PLAYED, D)),
    Row((T, N, C, W, H), "lift", "the card that seemed to follow a hidden one", (T,), (Code.OUT_OF_TURN,)),
    Row((T,), "draw", "debt open", (T, D), (Code.OVERDRAWN,)),
    Row((T,), "draw", "cards pending", (T,), (Code.FORCED_DRAW,)),
    Row((T,), "draw", "by the player in turn, no debt", (D,)),
    Row((T, N, C, D, B), "draw", "by another, no debt", (T, N, C, D, B), (Code.DRAW_OUT_OF_TURN,)),
    Row((T, N, C, W, X, B), "pass", "nothing drawn", (T, N, C, W, X, B), (Code.MUST_DRAW, Code.NOT_ENTITLED)),
    Row((D,), "discard", "player unknown, could be two", (D,)),
    Row((D,), "draw", "once more, or the next player's", (D,), (Code.OVERDRAWN,)),
    Row((D,), "pass", "by the player in turn", (T,)),
    Row((D,), "begin", "the next player begins", (T, D)),
    Row((W,), "draw", "by the victim, all drawn", (T,), (Code.FORCED_DRAW,)),
    Row((W,), "draw", "by the victim, more to draw; or by another", (W,)),
    Row((W,), "challenge", "by who may, nothing drawn yet", (X,), (Code.CHALLENGE_OPEN,)),
    Row((W, T, N, C, D, X, B, U, H, S, G), "challenge", "by another, or too late", (), (Code.CHALLENGE_REFUSED,)),
    Row((W,), "discard", "an answer by the victim (stacking)", (T, W, H)),
    Row((W, X), "discard", "by the neighbour, where the victim loses the turn: accepted", (*PLAYED, B)),
    Row((W, X), "discard", "by the victim, who must draw; or by another", (B,), (Code.DRAW_FIRST, Code.OUT_OF_TURN)),
    Row((X,), "draw", "by the victim: accepted after all", (T, W)),
    Row((X,), "show, challenge_result, answer", "decided", (T,), (Code.GUILTY, Code.INNOCENT)),
    Row((B,), "lift", "", (T, N, C, D, W, X)),
    Row((B,), "discard", "the next card: the wrong one stands", (*PLAYED, B, D), (Code.PLAY_STANDS,)),
    Row((B,), "discard", "the same player: the wrong one was taken back", (*PLAYED, B, D, X), (Code.INFERRED,)),
    Row((B,), "draw", "by the player, or the next", (*PLAYED, D, B)),
    Row((B,), "override, answer", "the table overrules", (*PLAYED, D, B, X), ()),
    Row((T, D, N, W, C), "lift", "picked up at once: not a play", (T, D, N, W, C, X, H)),
    Row((T, D, N, W, C, X), "override, answer", "the table decides", (T, D, N, W, C, B, H)),
    Row((T, D, N, C, W, X, B), "count, answer", "no cards left", (H, S, G), (Code.HAND_OVER,)),
    Row((T, D, N, C, W, X, B), "points", "those of all others are known: it is over", (H, S, G), (Code.HAND_OVER,)),
    Row((T, D, N, C, W, X, B), "leave", "the order closes up", (T, D, N, C, W, X, B, H, S, G), (Code.HAND_OVER,)),
    Row((U,), "leave", "one is left", (U, H)),
    Row((X,), "leave", "the offender or the challenger: the cards stay owed", (W,)),
    Row((H,), "leave", "the last hand that was waited for", (H, S, G)),
    Row((S,), "points", "the other table's, after the last hand of a tournament", (G,), (Code.GAME_OVER,)),
    Row((H,), "show, points", "every other hand is known", (S, G), (Code.ELIMINATED, Code.GAME_OVER)),
    Row((H, S), "turn_up", "the next hand", (U, T, N)),
    Row((S,), "discard", "the next hand", (U, T, N)),
    Row((U, T, D, N, C, W, X, B, H, S), "hand_dealt", "", (U,)),
    Row((D,), "draw, pass", "a card waits for its player: it is the drawer's", (*PLAYED, B, D)),
)
"""RULES 10, with the rows that a referee at a real table needs besides. No `then`: the phase stays."""


def follows(phase: Phase, event: str) -> set[Phase]:
    """Every phase that may follow."""
    found = {phase}
    for row in ROWS:
        if phase in row.phases and event in row.event.split(", "):
            found.update(row.then)
    return found
