"""A game, event by event: `start` makes the first position, `apply` the next. Pure; no event raises or is refused."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from referee.events import (
    Answer,
    Begin,
    Catch,
    Challenge,
    ChallengeResult,
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
    Seen,
    Show,
    Suggestion,
    Target,
    TopSeen,
    TouchDiscard,
    TurnUp,
    Uno,
)
from referee.rules import challenge, draws, echoes, hand, people, plays, seating, tournaments
from referee.rules.draft import Draft, faces_seen, freeze, thaw
from referee.rules.options import Options
from referee.rules.position import NOBODY, UNKNOWN_COUNT, Loose, Phase, Picked, Position, Tally
from referee.rules.rulings import Ruling
from referee.rules.setup import MOST_PLAYERS, Setup

SEATED: Mapping[str, tuple[int, ...]] = {"partners": (4,), "two_sides": (4, 6, 8, 10), "alternating": (4, 6, 8, 10)}
"""How many may play in teams (RULES 6.11); in smaller tables sides cannot sit by turns."""


def start(event: GameStarted, number: int = 0) -> Position:
    """The position before the first card, or in the middle of a hand where the event says how the table stands.

    Raises ValueError for options that do not exist, fewer than 2 or more than 10 players, a dealer not among them, or
    hands that the deck has not the cards for.
    """
    options = Options.of(event.preset, event.options)
    names = event.players
    if not 2 <= len(names) <= MOST_PLAYERS or len(set(names)) != len(names):
        raise ValueError(f"players: {len(names)} names: expected 2 to {MOST_PLAYERS} different ones")
    for field, name in (("dealer", event.dealer), ("first", event.first), ("turn", event.turn)):
        if name is not None and name not in names:
            raise ValueError(f"{field} is {name!r}: expected one of the players")
    order, sides, dealer = _seats(event, options)
    first = names.index(event.first) if event.first is not None else NOBODY
    setup = Setup.of(options, names, order, dealer, first, sides, event.table)
    middle = event.turn is not None
    best, under, over = _hands(event, setup)
    if sum(best) >= setup.pack.size:
        most = (setup.pack.size - 1) // len(order)
        what = "hands" if event.hands else f"hand_size is {options.hand_size}"
        held = f"{len(order)} players hold {sum(best)} cards, and one is turned up"
        raise ValueError(f"{what}: {held}: expected at most {most} each of the {setup.pack.size}")
    pile = event.draw_pile
    if pile is None and not middle:
        pile = setup.pack.size - sum(best)
    # RULES 9: hands, discards and draw pile are the whole deck, so two of the three give the third.
    laid = max(1, setup.pack.size - sum(best) - pile) if middle and pile is not None else int(middle)
    colour = event.colour
    if colour is None and event.top is not None:
        colour = event.top.colour
    return Position(
        setup=setup,
        phase=Phase.TURN if middle else Phase.OPENING,
        turn_id=names.index(event.turn) if event.turn is not None else NOBODY,
        direction=1 if event.direction >= 0 else -1,
        top=event.top,
        colour=colour,
        colour_only=False,
        doubt=False,
        best=tuple(best),
        under=tuple(under),
        over=tuple(over),
        owed=(),
        pending=0,
        pending_kind=None,
        exposed_ids=(),
        calls=(),
        begun=False,
        namer_id=NOBODY,
        target_id=NOBODY,
        wild4=None,
        wrong=None,
        last=None,
        loose=Loose(),
        open=(),
        tally=Tally(scores=tuple(int(event.scores.get(name, 0)) for name in names), dealt=number),
        pile=pile,
        laid=laid,
        seen=faces_seen(event.top),
        paused=False,
        t=event.t,
        number=number,
    )


def _seats(event: GameStarted, options: Options) -> tuple[tuple[int, ...], tuple[int, ...], int]:
    """Who sits in which order, on which side (empty: sides by turns), and who deals. Raises ValueError for a table that
    a tournament or teams cannot have."""
    names = event.players
    if options.tournament != "none":
        if len(names) != (n := tournaments.players_of(options.tournament)):
            raise ValueError(f"players: {len(names)} names: the tournament {options.tournament} is for {n}")
        if not 1 <= event.table <= n // 4:
            raise ValueError(f"table is {event.table}: expected 1 to {n // 4}")
        return tournaments.seating(options.tournament, 1, event.table)
    if options.teams in SEATED and len(names) not in SEATED[options.teams]:
        allowed = ", ".join(map(str, SEATED[options.teams]))
        raise ValueError(f"players: {len(names)} names: teams {options.teams} is for {allowed}")
    return tuple(range(len(names))), (), names.index(event.dealer)


def _hands(event: GameStarted, setup: Setup) -> tuple[list[int], list[int], list[int]]:
    """Cards in each hand, by id, and how many less or more it may hold where nobody counted it (RULES 12)."""
    low, high = UNKNOWN_COUNT
    best, under, over = [], [], []
    for player, name in enumerate(setup.names):
        held = event.hands.get(name) if player in setup.order else 0
        known = isinstance(held, int) and held >= 0
        n = held if isinstance(held, int) and known else setup.options.hand_size
        guess = event.turn is not None and not known
        best.append(n)
        under.append(n - low if guess else 0)
        over.append(high - n if guess else 0)
    return best, under, over


def apply(position: Position, event: Event, number: int | None = None) -> tuple[Position, tuple[Ruling, ...]]:
    """The position after the event, and what the referee says about it. Never raises, never refuses.

    number: the event's number in the journal, which questions refer to; None: one more than the last.
    """
    d = thaw(position)
    step(d, event, d.number + 1 if number is None else number)
    after = freeze(d)
    return after, after.out


def step(d: Draft, event: Event, number: int) -> None:
    """Work one event into a draft; its rulings are appended to `d.out`."""
    d.number = number
    d.t = event.t
    picked, had = d.loose.picked, len(d.out)
    if picked is not None and not isinstance(event, (Discard, *echoes.MEANWHILE)):
        d.loose = d.loose._replace(picked=None)
    if d.paused and isinstance(event, Seen):
        if isinstance(event, Discard) and not d.loose.unwatched:
            d.loose = d.loose._replace(unwatched=True)
        return
    handler = HANDLERS.get(type(event))
    if handler is not None:
        handler(d, event)
    if picked is not None:
        _meanwhile(d, picked, event, had)


def _meanwhile(d: Draft, picked: Picked, event: Event, had: int) -> None:
    """What people say while a card is off the pile is about the play that it was, should it come back. had: how many
    rulings there were before the event."""
    if d.loose.picked is picked:
        said = (*picked.said, *(ruling.code for ruling in d.out[had:]))
        d.loose = d.loose._replace(picked=picked._replace(events=(*picked.events, event), said=said))
    elif d.last is not None and d.last is picked.before.last:
        now, had = d.t, len(d.out)
        for heard in picked.events:
            d.t = heard.t
            HANDLERS[type(heard)](d, heard)
        news = tuple(ruling for ruling in d.out[had:] if ruling.code not in picked.said)
        d.t, d.out = now, d.out[:had] + news


def _start(d: Draft, event: GameStarted) -> None:
    try:
        fresh = thaw(start(event, d.number))
    except ValueError:
        return
    fresh.out = d.out
    for field in Position.__slots__:
        setattr(d, field, getattr(fresh, field))


def _deal(d: Draft, event: HandDealt) -> None:
    if d.phase is not Phase.GAME_OVER and event.ends in (None, d.tally.dealt):
        ids = d.setup.ids
        hand.deal(d, ids.get(event.dealer or "", NOBODY), ids.get(event.first or "", NOBODY))


def _return(d: Draft, event: ReturnOpening) -> None:
    """The first card goes back: if it had started the play, the hand starts again."""
    d.loose = d.loose._replace(returned=None)
    if d.last is None and d.phase in (Phase.TURN, Phase.NAME_COLOUR) and d.laid == 1:
        hand.deal(d, d.setup.dealer, d.setup.first)


HANDLERS: Mapping[type[Event], Callable[[Draft, Any], None]] = {
    GameStarted: _start,
    HandDealt: _deal,
    TurnUp: plays.turn_up,
    ReturnOpening: _return,
    Discard: plays.discard,
    Lift: draws.lift,
    Draw: draws.draw,
    Begin: draws.begin,
    TouchDiscard: draws.touch,
    TopSeen: people.top_seen,
    Reshuffle: draws.reshuffle,
    Show: challenge.show,
    Uno: people.press,
    Catch: people.catch,
    NameColour: people.name_colour,
    Target: people.choose,
    Challenge: challenge.challenge,
    ChallengeResult: challenge.result,
    Pass: draws.keep,
    Suggestion: people.suggest,
    Count: people.count,
    Points: people.points,
    Leave: seating.leave,
    Join: seating.join,
    Pause: people.pause,
    Resume: people.resume,
    Answer: people.answer,
    Override: people.override,
}
"""Who handles which event. `Correct` and `Undo` are about other events and are resolved by `log`."""
