"""The working copy of a position during one step, and the small acts that every rule is made of."""

from __future__ import annotations

from referee.cards import Card, Colour, Deck, Rank
from referee.rules.legality import nothing_left
from referee.rules.position import (
    CHALLENGE,
    CHOOSE_TARGET,
    NOBODY,
    TAKEBACK,
    TURN,
    WD4,
    LastPlay,
    Loose,
    Owed,
    Phase,
    Position,
    Question,
    Takeback,
    Tally,
    WildDrawFour,
)
from referee.rules.rulings import ACCUSING, Code, Reason, Ruling, Tier
from referee.rules.setup import Setup


class Draft(Position):
    """A position being worked on: its fields may be set; their values are never changed in place."""

    __slots__ = ()
    __init__ = object.__init__
    __setattr__ = object.__setattr__
    __delattr__ = object.__delattr__
    setup: Setup
    phase: Phase
    turn_id: int
    direction: int
    top: Card | None
    colour: Colour | None
    colour_only: bool
    doubt: bool
    best: tuple[int, ...]
    under: tuple[int, ...]
    over: tuple[int, ...]
    owed: tuple[Owed, ...]
    pending: int
    pending_kind: Rank | None
    exposed_ids: tuple[tuple[int, float], ...]
    calls: tuple[tuple[int, float], ...]
    begun: bool
    namer_id: int
    target_id: int
    wild4: WildDrawFour | None
    wrong: Takeback | None
    last: LastPlay | None
    loose: Loose
    open: tuple[Question, ...]
    tally: Tally
    pile: int | None
    laid: int
    seen: int
    paused: bool
    t: float
    number: int
    skipped: int
    out: tuple[Ruling, ...]


def thaw(s: Position) -> Draft:
    """A draft of the position, or another of the same draft, with no rulings yet. One line a field: a loop over their
    names would take three times as long, and this is done for every event."""
    d: Draft = Draft()
    d.setup = s.setup
    d.phase = s.phase
    d.turn_id = s.turn_id
    d.direction = s.direction
    d.top = s.top
    d.colour = s.colour
    d.colour_only = s.colour_only
    d.doubt = s.doubt
    d.owed = s.owed
    d.pending = s.pending
    d.pending_kind = s.pending_kind
    d.exposed_ids = s.exposed_ids
    d.calls = s.calls
    d.begun = s.begun
    d.namer_id = s.namer_id
    d.target_id = s.target_id
    d.wild4 = s.wild4
    d.wrong = s.wrong
    d.last = s.last
    d.loose = s.loose
    d.open = s.open
    d.tally = s.tally
    d.pile = s.pile
    d.laid = s.laid
    d.seen = s.seen
    d.paused = s.paused
    d.t = s.t
    d.number = s.number
    d.skipped = s.skipped
    d.best = s.best
    d.under = s.under
    d.over = s.over
    d.out = ()
    return d


def freeze(d: Draft) -> Position:
    """The draft becomes a position: from now on nothing can change it."""
    d.__class__ = Position  # type: ignore[assignment]  # the same fields, and no way to change them any more
    return d


def look(d: Draft) -> Position:
    """The position as it is now; work on the draft can go on."""
    return freeze(thaw(d))


WAS = tuple((name, name.removeprefix("was_")) for name in LastPlay._fields if name.startswith("was_"))
"""What a play changes: the names of its fields in `LastPlay` and in `Position`."""


def remember(d: Draft, who: int, card: Card | None, t: float) -> LastPlay:
    """A card that is about to count, with all that its play changes as that is now."""
    fields = (
        who,
        card,
        t,
        False,
        d.number,
        d.phase,
        d.turn_id,
        d.direction,
        d.top,
        d.colour,
        d.colour_only,
        d.doubt,
        d.owed,
        d.pending,
        d.pending_kind,
        d.exposed_ids,
        d.begun,
        d.namer_id,
        d.wild4,
        d.laid,
        d.seen,
    )
    return tuple.__new__(LastPlay, fields)  # what LastPlay(*fields) does, in half the time: this is done for every play


def restore(d: Draft, last: LastPlay) -> None:
    """Take the play back: turn, pile, debts and exposures as they were, hands that changed owners go back; counts,
    questions and clock stay."""
    for was, name in WAS:
        setattr(d, name, getattr(last, was))
    d.target_id = NOBODY
    d.last = None
    if d.loose.like:
        d.loose = d.loose._replace(like=())
    moved = d.loose.moved
    if moved is not None and moved[0] == last.ref:
        owners = [moved[1].index(player) for player in range(len(d.best))]
        d.best, d.under, d.over = (tuple(counts[owner] for owner in owners) for counts in (d.best, d.under, d.over))
        d.loose = d.loose._replace(moved=None)


def following(d: Position, player: int) -> int:
    """The next player in the direction of play."""
    return (d.setup.left if d.direction > 0 else d.setup.right)[player]


def seat(d: Draft, name: str | None) -> int:
    """The id of a player who is in the hand, else nobody."""
    return d.setup.seats.get(name, NOBODY)


def rule(
    d: Draft,
    code: Code,
    player: int = NOBODY,
    n: int = 0,
    reason: Reason | None = None,
    cards: tuple[Card, ...] = (),
    tier: Tier = Tier.CALL,
    by: int = NOBODY,
    winner: int = NOBODY,
    colour: Colour | None = None,
) -> None:
    """Give a ruling. While the order of turns is in doubt nobody is accused aloud, and what an unsure card costs, or
    one that may be another's, is asked (RULES 9, 12)."""
    names = d.setup.names
    if tier is Tier.CALL and code in ACCUSING:
        guess = code is Code.FORCED_DRAW and (d.doubt or d.loose.costs_else or d.loose.guessed == d.number)
        tier = Tier.ASK if guess or d.loose.adrift else tier
    name = None if player == NOBODY else names[player]
    won = None if winner == NOBODY else names[winner]
    d.out += (Ruling(code, name, n, reason, cards, tier, won, colour, None if by == NOBODY else names[by]),)


def owe(d: Draft, code: Code, player: int, n: int, reason: Reason, tier: Tier = Tier.CALL) -> None:
    """A debt arises (RULES 6.7): debts add up, and n = 0 is none. What is penalised with nothing left to draw is said,
    and owed only where the rules of the table let it wait for cards (6.9)."""
    if n > 0:
        rule(d, code, player, n, reason, tier=tier)
        if code is not Code.PENALTY or not draws_what_is_left(d):
            d.owed += (Owed(player, n, reason, d.number),)


def draws_what_is_left(d: Draft) -> bool:
    """RULES 6.9: both piles are empty, and a debt ends with that."""
    return nothing_left(d) and d.setup.options.draw_shortfall == "draw_what_is_left"


def debt(d: Draft, player: int) -> int:
    """Cards the player owes."""
    n = 0
    for owed in d.owed:
        if owed.who == player:
            n += owed.n
    return n


def forgive(d: Draft, player: int, reason: Reason | None = None) -> None:
    """The player owes nothing more (for that reason)."""
    d.owed = tuple(owed for owed in d.owed if owed.who != player or (reason is not None and owed.reason != reason))


def pay(d: Draft, player: int, n: int) -> int:
    """The player drew n cards: the oldest debts shrink. Returns the cards left over."""
    kept = []
    for owed in d.owed:
        if owed.who == player and n > 0:
            paid = min(n, owed.n)
            n -= paid
            if owed.n > paid:
                kept.append(owed._replace(n=owed.n - paid))
        else:
            kept.append(owed)
    d.owed = tuple(kept)
    return n


def ask(d: Draft, kind: str, player: int = NOBODY, options: tuple[str, ...] = (), wait: float = 0.0) -> None:
    """Put a question to the table; the same question about the same player is asked once."""
    name = None if player == NOBODY else d.setup.names[player]
    for question in d.open:
        if question.kind == kind and question.player == name:
            return
    d.open += (Question(kind, name, options, d.number, d.t + wait),)


def settle(d: Draft, kind: str, player: int = NOBODY) -> None:
    """The question is answered, or an event made it moot."""
    if d.open:
        name = None if player == NOBODY else d.setup.names[player]
        d.open = tuple(q for q in d.open if q.kind != kind or (name is not None and q.player != name))


def exact(d: Draft, player: int) -> bool:
    """True when the count of that hand is certain."""
    return d.under[player] == 0 and d.over[player] == 0


def hold(d: Draft, player: int, n: int) -> None:
    """The hand holds n cards, as far as is known; how far that is known stays."""
    best = [*d.best]
    best[player] = n
    d.best = (*best,)


def gain(d: Draft, player: int, n: int = 1) -> None:
    """The hand grows by n cards."""
    best = [*d.best]
    best[player] += n
    d.best = (*best,)


def blur(d: Draft, player: int, under: int, over: int) -> None:
    """The hand may hold so many cards less, or more, than is thought."""
    less, more = [*d.under], [*d.over]
    less[player], more[player] = under, over
    d.under, d.over = (*less,), (*more,)


def perhaps_moved(d: Draft, who: int) -> None:
    """RULES 9: the player's card may have been a 7 or a 0, after which hands changed owners: each hand is what it was,
    that player's, or the one passed on; that player's is any of them."""
    if not d.setup.options.seven_zero:
        return
    low = [best - under for best, under in zip(d.best, d.under, strict=True)]
    high = [best + over for best, over in zip(d.best, d.over, strict=True)]
    back = d.setup.right if d.direction > 0 else d.setup.left
    for player in d.setup.order:
        may = d.setup.order if player == who else (player, who, back[player])
        least, most = min(low[other] for other in may), max(high[other] for other in may)
        blur(d, player, d.best[player] - least, most - d.best[player])


def set_count(d: Draft, player: int, n: int) -> None:
    """The hand holds n cards: somebody counted, or it was shown."""
    hold(d, player, n)
    blur(d, player, 0, 0)
    settle(d, "how_many", player)


def names_of(d: Draft) -> tuple[str, ...]:
    """Everybody still in, clockwise: the options of most questions."""
    return tuple(d.setup.names[player] for player in d.setup.order)


def unexpose(d: Draft, player: int) -> None:
    """The player cannot be caught any more."""
    if d.exposed_ids:
        d.exposed_ids = tuple(pair for pair in d.exposed_ids if pair[0] != player)


def uncall(d: Draft, player: int) -> None:
    """The player's call does not protect any more."""
    if d.calls:
        d.calls = tuple(pair for pair in d.calls if pair[0] != player)


def turn_to(d: Draft, player: int, phase: Phase = TURN) -> None:
    """It is that player's turn."""
    d.turn_id = player
    d.begun = False
    enter(d, phase)


def enter(d: Draft, phase: Phase) -> None:
    """The hand is in that phase. A wrong card that lies on the pile lies on: the phase waits beneath it (RULES 6.7).
    What another phase waited for is waited for no more."""
    if phase is not WD4 and phase is not CHALLENGE:
        d.wild4 = None
    if phase is not CHOOSE_TARGET:
        d.target_id = NOBODY
    if d.wrong is None:
        d.phase = phase
    else:
        d.wrong = d.wrong._replace(phase=phase)


def beneath(d: Draft) -> Phase:
    """The phase of the hand, were there no wrong card on the pile."""
    return d.phase if d.wrong is None else d.wrong.phase


def lay_wrong(d: Draft, who: int, card: Card, code: Code, sure: bool, named: bool = True, told: bool = False) -> None:
    """A wrong card lies on the pile. With `pick_up` and `enter` this keeps `wrong` and the phase TAKEBACK together."""
    d.wrong = Takeback(who, card, code, d.phase, sure, d.number, named, told)
    d.phase = TAKEBACK


def relay(d: Draft, wrong: Takeback) -> None:
    """The wrong card that had been picked up lies on the pile again."""
    d.wrong, d.phase = wrong, TAKEBACK


def pick_up(d: Draft, wrong: Takeback) -> None:
    """The wrong card is a wrong card no more: the phase beneath it goes on."""
    d.wrong = None
    d.phase = wrong.phase


def faces_seen(top: Card | None) -> int:
    """Copies of each face out after a reshuffle: only the top card, where it is known."""
    return 0 if top is None else ONE_OF[top]


def note_seen(d: Draft, card: Card) -> int:
    """A face came out. Returns how many of it are out since the last reshuffle; counting ends at 15."""
    copies = copies_out(d, card)
    if copies < MOST_COPIES:
        d.seen += ONE_OF[card]
        copies += 1
    return copies


def copies_out(d: Position, card: Card) -> int:
    """Copies of that face that came out since the last reshuffle; counting ends at 15."""
    return d.seen >> FACE_BITS * card.place & MOST_COPIES


FACE_BITS = 4
"""`seen` is one number: so many bits for each face, the face with `Card.place` 0 lowest."""
MOST_COPIES = (1 << FACE_BITS) - 1
ONE_OF = {card: 1 << FACE_BITS * card.place for deck in Deck for card in deck.copies}
"""One copy of a face, as `seen` counts it."""
