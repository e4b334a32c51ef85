"""Random tables: options, events by the rules and against them, for the invariants of RULES 14."""

from __future__ import annotations

import os
from dataclasses import replace

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

LONG = int(os.environ.get("REFEREE_LONG") or 0)
"""Logs for each property in the long form; 0: the few of every day."""
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
    options = draw(changed_options())
    if n != 4:
        options.pop("teams", None)  # sides sit by turns
    held = {name: draw(st.integers(1, 5)) for name in names} if draw(st.booleans()) else {}
    return GameStarted(
        players=names,
        dealer=draw(st.sampled_from(names)),
        preset=draw(st.sampled_from(list(PRESETS))),
        options=options,
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
    looked = {
        "sure": sure,
        "confidence": draw(st.sampled_from((1.0, 0.999))) if sure else 0.6,
        "alternatives": () if sure else draw(st.sampled_from(((), (("RR", 0.3),), (("W", 0.2), ("R+2", 0.1))))),
    }
    build = {
        "discard": lambda: Discard(t=t, card=draw(seen_cards), by=by, side=side, **looked),
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


SANE = ("discard", "lift", "draw", "uno", "colour", "pass", "catch", "challenge", "challenge_result", "target", "begin")
"""Events by which cards move as they say; counts put right by a person and the like are left out."""


@st.composite
def adversarial_logs(draw: st.DrawFn, longest: int = 30, sane: bool = False) -> list[tuple[int, Event]]:
    """A game and anything that follows, in time. sane: only what moves cards as it says."""
    game = draw(games())
    if sane:
        game = replace(game, hands={})
    log: list[tuple[int, Event]] = [(0, game), (1, TurnUp(t=1.0, card=draw(cards)))]
    t = 1.0
    for number in range(2, 2 + draw(st.integers(0, longest))):
        t += draw(gaps)
        event = draw(events(game.players, t, number))
        if not sane or event.ev in SANE:
            log.append((number, event))
    return log


@st.composite
def shuffled_logs(draw: st.DrawFn, longest: int = 25, strangers: bool = False) -> list[tuple[int, Event]]:
    """A log whose times go back and forth and in which events come twice; strangers: people who are not at the table,
    and counts that cannot be."""
    log = draw(adversarial_logs(longest))
    game = log[0][1]
    assert isinstance(game, GameStarted)
    names = (*game.players, "Zed") if strangers else game.players
    out = log[:2]
    for number, event in log[2:]:
        kind = draw(st.sampled_from(("as it is", "as it is", "twice", "at another time", "absurd")))
        if kind == "at another time":
            event = replace(event, t=draw(st.sampled_from((0.0, 1.0, 3.0, 1e6))))
        elif kind == "absurd" and strangers:
            event = draw(absurd(names, event.t))
        out.append((number, event))
        if kind == "twice":
            out.append((number + 100, event))
    return out


def absurd(names: tuple[str, ...], t: float) -> st.SearchStrategy[Event]:
    """What no table does."""
    who = st.sampled_from((*names, "", "Nobody"))
    n = st.sampled_from((0, 99, 10**9))
    return st.one_of(
        st.builds(Draw, t=st.just(t), by=who, n=n),
        st.builds(Count, t=st.just(t), player=who, n=n),
        st.builds(Points, t=st.just(t), player=who, n=n),
        st.builds(Discard, t=st.just(t), by=who, card=seen_cards),
        st.builds(Catch, t=st.just(t), by=who, on=who),
        st.builds(Leave, t=st.just(t), player=who),
        st.builds(Join, t=st.just(t), player=who),
        st.builds(HandDealt, t=st.just(t), dealer=who),
        st.builds(Target, t=st.just(t), by=who, target=who),
        st.builds(Correct, t=st.just(t), ref=n, fields=st.just({"card": "no card", "n": -4})),
        st.builds(Answer, t=st.just(t), question=st.sampled_from((*URGENCY, "x", "how_many:99")), value=n),
        st.builds(Show, t=st.just(t), by=who, cards=st.lists(cards, max_size=30).map(tuple)),
    )


@st.composite
def two_player_logs(draw: st.DrawFn, longest: int = 25) -> list[tuple[int, Event]]:
    """The middle of a hand for two, where a Reverse acts as a Skip, and anything that follows but a third player."""
    names = NAMES[:2]
    fixed = {"two_player_reverse": "acts_as_skip", "reverse_effect": "change_direction", "teams": "none"}
    options = {**draw(changed_options()), **fixed}
    game = GameStarted(
        players=names,
        dealer=names[0],
        preset=draw(st.sampled_from(list(PRESETS))),
        options=options,
        hands={name: draw(st.integers(1, 6)) for name in names},
        turn=draw(st.sampled_from(names)),
        top=Card.parse("R8"),
    )
    log: list[tuple[int, Event]] = [(0, game)]
    t = 1.0
    for number in range(1, 1 + draw(st.integers(0, longest))):
        t += draw(gaps)
        event = draw(events(names, t, number))
        if event.ev not in ("join", "leave", "hand_dealt", "turn_up", "return_opening"):
            log.append((number, event))
    return log
