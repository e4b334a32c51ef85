"""Random tables: options, events by the rules and against them, for the invariants of RULES 14."""

from __future__ import annotations

from hypothesis import strategies as st

from referee.cards import FACES, Card, Colour, Rank
from referee.events import (
    Answer,
    Begin,
    Catch,
    Challenge,
    ChallengeResult,
    Correct,
    Count,
    Discard,
    Draw,
    Event,
    GameStarted,
    HandDealt,
    Join,
    Leave,
    Lift,
    NameColour,
    Override,
    Pass,
    Pause,
    Points,
    Reshuffle,
    Resume,
    ReturnOpening,
    Show,
    Suggestion,
    Target,
    TouchDiscard,
    TurnUp,
    Undo,
    Uno,
)
from referee.rules import OPTIONS, PRESETS
from referee.rules.position import URGENCY

NAMES = ("Ana", "Ben", "Cy", "Dee", "Eve")
SPECIAL = (Card(Rank.WILD_SHUFFLE_HANDS), Card(Rank.WILD_SWAP_HANDS), Card(Rank.WILD_CUSTOMIZABLE))
FEW = tuple(Card.parse(text) for text in ["R7", "R0", "B7", "BS", "RS", "RR", "BR", "R+2", "B+2", "W", "W+4", "G3"])
"""Faces that meet often, so that matches, chains and jump-ins happen."""

cards = st.one_of(st.sampled_from(FEW), st.sampled_from(FACES + SPECIAL))
seen_cards = st.one_of(cards, cards, cards, st.none())
gaps = st.sampled_from((0.0, 0.125, 0.1875, 0.5, 1.0, 1.875, 3.0, 10.0))
"""Seconds, in binary fractions: sums and differences are exact, so that a shift in time is nothing but that."""
colours = st.sampled_from(list(Colour))
answers = st.one_of(
    st.sampled_from(("yes", "no", "R", "catch", "Ana", "Ben", "guilty", "R7")), st.integers(0, 4), st.booleans()
)


def changed_options() -> st.SearchStrategy[dict[str, object]]:
    """A few options away from the preset."""
    some = [option for option in OPTIONS.values() if option.values and option.name not in ("hand_size", "tournament")]
    pairs = st.sampled_from(some).flatmap(lambda row: st.tuples(st.just(row.name), st.sampled_from(row.values)))
    return st.lists(pairs, max_size=6).map(dict)


@st.composite
def games(draw: st.DrawFn, players: int | None = None) -> GameStarted:
    """A game about to begin, with small hands so that they end."""
    n = players or draw(st.integers(2, 5))
    names = NAMES[:n]
    held = {name: draw(st.integers(1, 5)) for name in names} if draw(st.booleans()) else {}
    return GameStarted(
        players=names,
        dealer=draw(st.sampled_from(names)),
        preset=draw(st.sampled_from(list(PRESETS))),
        options=draw(changed_options()),
        hands=held,
    )


@st.composite
def events(draw: st.DrawFn, names: tuple[str, ...], t: float, number: int) -> Event:
    """Anything that may happen at a table, sensible or not."""
    by = draw(st.one_of(st.sampled_from(names), st.none()))
    name = draw(st.sampled_from(names))
    side = draw(st.sampled_from((1.0, 0.9, 0.5)))
    sure = draw(st.sampled_from((True, True, True, False)))
    earlier = st.integers(0, number)
    build = {
        "discard": lambda: Discard(t=t, card=draw(seen_cards), by=by, side=side, sure=sure),
        "draw": lambda: Draw(t=t, by=by, n=draw(st.sampled_from((1, 1, 2, 4, 6, None))), side=side),
        "uno": lambda: Uno(t=t, by=by),
        "colour": lambda: NameColour(t=t, by=by, colour=draw(colours)),
        "pass": lambda: Pass(t=t, by=by),
        "catch": lambda: Catch(t=t, by=by, on=name),
        "lift": lambda: Lift(t=t, card=draw(seen_cards), by=by),
        "challenge": lambda: Challenge(t=t, by=by),
        "result": lambda: ChallengeResult(t=t, by=by, guilty=draw(st.booleans())),
        "show": lambda: Show(t=t, by=name, cards=tuple(draw(st.lists(cards, max_size=5)))),
        "target": lambda: Target(t=t, by=by, target=name),
        "begin": lambda: Begin(t=t, by=name, how=draw(st.sampled_from(("hand", "pile")))),
        "touch": lambda: TouchDiscard(t=t, by=by),
        "count": lambda: Count(t=t, player=name, n=draw(st.integers(0, 8)), by=by),
        "turn_up": lambda: TurnUp(t=t, card=draw(seen_cards)),
        "answer": lambda: Answer(t=t, question=draw(st.sampled_from(URGENCY)), value=draw(answers), by=by),
        "override": lambda: Override(
            t=t,
            what=draw(st.sampled_from(("legal", "illegal", "void", "turn", "x"))),
            player=by,
            ref=draw(st.one_of(st.none(), earlier)),
        ),
        "rare": lambda: draw(
            st.sampled_from(
                (
                    Reshuffle(t=t),
                    ReturnOpening(t=t),
                    Pause(t=t),
                    Resume(t=t),
                    Resume(t=t),
                    Leave(t=t, player=name),
                    Join(t=t, player=name),
                    Join(t=t, player="Flo", after=by),
                    HandDealt(t=t, dealer=by),
                    Points(t=t, player=name, n=30),
                    Suggestion(t=t, by=by, on=name),
                    Correct(t=t, ref=max(0, number - 2), fields={"card": "R7"}),
                    Undo(t=t),
                    Undo(t=t, ref=number - 1),
                )
            )
        ),
    }
    weights = ["discard"] * 6 + ["draw"] * 3 + ["uno", "colour", "catch"] + list(build)
    return build[draw(st.sampled_from(weights))]()


@st.composite
def adversarial_logs(draw: st.DrawFn, longest: int = 30) -> list[tuple[int, Event]]:
    """A game and anything that follows, in time."""
    game = draw(games())
    log: list[tuple[int, Event]] = [(0, game), (1, TurnUp(t=1.0, card=draw(cards)))]
    t = 1.0
    for number in range(2, 2 + draw(st.integers(0, longest))):
        t += draw(gaps)
        log.append((number, draw(events(game.players, t, number))))
    return log
