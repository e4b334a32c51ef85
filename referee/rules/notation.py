"""A position as one line of text, and back (RULES 14): for logs, tests and bug reports.

    hand 2 Ana:5 Ben:2-4~3! Cy:7* | turn Ben + R8 R | due Ben=2uno | score 40 0 12 | pile 61

Players (then "order ..." where they do not sit so, or somebody left) with their cards ("2-4~3": between 2 and 4, best
guess 3), "!" exposed, "*" dealer, "^" called UNO. The phase, the player in turn, the direction, the top card ("-" none
or unread) and the colour in force. Options are not part of the line: the reader is given them. The past is not kept
(the play before, questions).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

from referee.cards import Card, Colour, Rank
from referee.rules.draft import faces_seen
from referee.rules.options import Options
from referee.rules.position import NOBODY, Loose, Owed, Phase, Position, Takeback, Tally, WildDrawFour
from referee.rules.rulings import Code, Reason
from referee.rules.setup import Setup

PLAYER = re.compile(r"(?P<name>[^\s:|]+):(?P<lo>\d+)(?:-(?P<hi>\d+)~(?P<best>\d+))?(?P<marks>[!*^]*)")
DEBT = re.compile(r"(?P<name>[^\s=|]+)=(?P<n>\d+)(?P<reason>[a-z_0-9]+)")


def write(position: Position) -> str:
    """The position as one line. Spaces in names become "_"."""
    names = [name.replace(" ", "_") for name in position.setup.names]
    parts = [f"hand {position.hand} " + " ".join(_player(position, player, name) for player, name in enumerate(names))]
    if position.setup.order != tuple(range(len(names))):
        parts.append("order " + " ".join(names[player] for player in position.setup.order))
    setup = position.setup
    if setup.sides != Setup.of(setup.options, setup.names, setup.order, setup.dealer).sides:
        parts.append("sides " + " ".join(map(str, setup.sides)))
    top = "-" if position.top is None else str(position.top)
    colour = "-" if position.colour is None else position.colour.value
    turn = "-" if position.turn_id == NOBODY else names[position.turn_id]
    flags = "".join(
        mark for mark, on in (("o", position.colour_only), ("d", position.doubt), ("b", position.begun),
                              ("p", position.paused)) if on
    )  # fmt: skip
    sign = "+" if position.direction > 0 else "-"
    parts.append(f"{position.phase.value} {turn} {sign} {top} {colour}" + (f" {flags}" if flags else ""))
    if position.pending and position.pending_kind is not None:
        parts.append(f"pending {position.pending} {position.pending_kind.value}")
    if position.wild4 is not None:
        wild = position.wild4
        before = f"{wild.top or '-'} {wild.colour.value if wild.colour else '-'}"
        challenger = "-" if wild.challenger == NOBODY else names[wild.challenger]
        parts.append(f"four {names[wild.offender]} {names[wild.victim]} {before} {wild.drawn} {challenger}")
    if position.wrong is not None:
        wrong = position.wrong
        sureness = wrong.sure + 2 * wrong.named
        parts.append(f"wrong {names[wrong.who]} {wrong.card} {wrong.code.value} {wrong.phase.value} {sureness}")
    for word, player in (("names", position.namer_id), ("swaps", position.target_id)):
        if player != NOBODY:
            parts.append(f"{word} {names[player]}")
    if position.owed:
        parts.append("due " + " ".join(f"{names[owed.who]}={owed.n}{owed.reason.value}" for owed in position.owed))
    tally = position.tally
    parts.append("score " + " ".join(map(str, tally.scores)))
    if tally.winner != NOBODY:
        parts.append(f"winner {names[tally.winner]}")
    if tally.points:
        parts.append("points " + " ".join(f"{names[player]}={n}p" for player, n in tally.points))
    if tally.game_winner != NOBODY:
        parts.append(f"game {names[tally.game_winner]}")
    if tally.out:
        parts.append("out " + " ".join(names[player] for player in tally.out))
    if position.pile is not None:
        parts.append(f"pile {position.pile}")
    parts.append(f"laid {position.laid}")
    return " | ".join(parts)


def read(text: str, options: Options) -> Position:
    """The position that a line describes. Raises ValueError that names the part that cannot be read."""
    parts = {}
    for part in text.split("|"):
        word, _, rest = part.strip().partition(" ")
        parts[word] = rest.strip()
    number, _, seats = parts.pop("hand", "").partition(" ")
    found = [match for match in map(PLAYER.fullmatch, seats.split()) if match]
    if not number.isdigit() or len(found) != len(seats.split()) or len(found) < 2:
        raise ValueError(f"{text!r}: expected it to begin with 'hand 1 Ana:7 Ben:7 ...'")
    phase = next((phase for phase in Phase if phase.value in parts), None)
    if phase is None:
        raise ValueError(f"{text!r}: expected a phase: {', '.join(phase.value for phase in Phase)}")
    turn, sign, top, colour, *flags = [*parts[phase.value].split(), ""]
    names = tuple(match["name"] for match in found)
    ids = {name: place for place, name in enumerate(names)}

    def who(name: str) -> int:
        if name == "-":
            return NOBODY
        if name not in ids:
            raise ValueError(f"{name!r} is not a player in {text!r}")
        return ids[name]

    dealer = next((place for place, match in enumerate(found) if "*" in match["marks"]), 0)
    best = tuple(int(match["best"] or match["lo"]) for match in found)
    pending, _, kind = parts.get("pending", "0 ").partition(" ")
    order = tuple(who(name) for name in parts["order"].split()) if "order" in parts else tuple(range(len(names)))
    try:
        return Position(
            setup=Setup.of(options, names, order, dealer, sides=tuple(map(int, parts.get("sides", "").split()))),
            phase=phase,
            turn_id=who(turn),
            direction=1 if sign == "+" else -1,
            top=_card(top),
            colour=_colour(colour),
            colour_only="o" in flags[0],
            doubt="d" in flags[0],
            best=best,
            under=tuple(n - int(match["lo"]) for n, match in zip(best, found, strict=True)),
            over=tuple(int(match["hi"] or match["lo"]) - n for n, match in zip(best, found, strict=True)),
            owed=tuple(Owed(player, n, Reason(reason), 0) for player, n, reason in _debts(parts, "due", who)),
            pending=int(pending),
            pending_kind=Rank(kind) if kind else None,
            exposed_ids=tuple((place, 0.0) for place, match in enumerate(found) if "!" in match["marks"]),
            calls=tuple((place, 0.0) for place, match in enumerate(found) if "^" in match["marks"]),
            begun="b" in flags[0],
            namer_id=who(parts.get("names", "-")),
            target_id=who(parts.get("swaps", "-")),
            wild4=_wild_four(parts, who),
            wrong=_wrong(parts, who),
            last=None,
            loose=Loose(),
            open=(),
            tally=_tally(parts, int(number), len(names), who),
            pile=int(parts["pile"]) if "pile" in parts else None,
            laid=int(parts.get("laid", "1")),
            seen=faces_seen(None),
            paused="p" in flags[0],
            t=0.0,
            number=0,
        )
    except (IndexError, ValueError) as error:
        raise ValueError(f"{text!r}: {error}") from None


def _debts(parts: Mapping[str, str], word: str, who: Callable[[str], int]) -> list[tuple[int, int, str]]:
    matches = map(DEBT.fullmatch, parts.get(word, "").split())
    return [(who(match["name"]), int(match["n"]), match["reason"]) for match in matches if match]


def _tally(parts: Mapping[str, str], hand: int, players: int, who: Callable[[str], int]) -> Tally:
    return Tally(
        hand=hand,
        winner=who(parts.get("winner", "-")),
        scores=tuple(map(int, parts["score"].split())) if "score" in parts else (0,) * players,
        points=tuple((player, n) for player, n, _ in _debts(parts, "points", who)),
        out=tuple(map(who, parts.get("out", "").split())),
        game_winner=who(parts.get("game", "-")),
    )


def _wild_four(parts: Mapping[str, str], who: Callable[[str], int]) -> WildDrawFour | None:
    if "four" not in parts:
        return None
    offender, victim, top, colour, drawn, challenger = parts["four"].split()
    return WildDrawFour(who(offender), who(victim), _colour(colour), _card(top), int(drawn), who(challenger))


def _wrong(parts: Mapping[str, str], who: Callable[[str], int]) -> Takeback | None:
    if "wrong" not in parts:
        return None
    name, card, code, phase, flags = parts["wrong"].split()
    sure, named = flags in "13", flags in "23"
    return Takeback(who(name), Card.parse(card), _code(code), Phase(phase), sure, 0, named)


def _player(position: Position, player: int, name: str) -> str:
    best, low = position.best[player], position.best[player] - position.under[player]
    high = best + position.over[player]
    marks = ("!" if any(who == player for who, _ in position.exposed_ids) else "") + (
        "*" if player == position.setup.dealer else ""
    )
    marks += "^" if any(who == player for who, _ in position.calls) else ""
    return f"{name}:{best}{marks}" if low == high else f"{name}:{low}-{high}~{best}{marks}"


def _card(text: str) -> Card | None:
    return None if text == "-" else Card.parse(text)


def _colour(text: str) -> Colour | None:
    return None if text == "-" else Colour(text)


def _code(text: str) -> Code:
    return next(code for code in Code if code.value == text)
