"""The text cases under `tests/tables/`: one line a case, for people who know UNO and not Python.

    title | rules | start | what happens | what is then true

rules: a preset, then option=value.  start: "A5 B5 C5, A on R8" (hands, who is in turn, top card; then perhaps "blue"
for the colour in force, "reversed", "pile 3"), or "D deals A B C D" (then perhaps ", B first").  What happens: acts
with ";" between, two seconds apart, or after "+0.1" ("+-3": told late); a card that is "seen" or "unsure or R5" comes
from the eye and not from a person; "pile taken": nothing is left of it; "draws 2 as told", "lift R3 as told": the
referee had said so.  What is true: "turn B", "A 4" (cards), "A 4-5", "owes B 2", "owes -", "exposed A", "ask KIND",
"choices R3 R4" (of that question), "phase drawn", "colour G", "direction -1", "top R7", "winner A", "pending 4",
"score A 40", "game A", "pile 3", "taps B uno" (what B's phone offers), "lacks A uno" (does not), "says CODE PLAYER N
REASON, ..." for every ruling in order ("says -": none), and "loud CODE PLAYER, ..." for those announced.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from referee.cards import Card, Colour, parse_cards
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
    TopSeen,
    TouchDiscard,
    TurnUp,
    Undo,
    Uno,
)
from referee.rules import Replay, Tier, actions

TABLES = Path(__file__).resolve().parents[1] / "tables"
COLOURS = {"red": Colour.RED, "yellow": Colour.YELLOW, "green": Colour.GREEN, "blue": Colour.BLUE}


def who(word: str) -> str | None:
    return None if word == "?" else word


def card(word: str) -> Card | None:
    return None if word == "?" else Card.parse(word)


def value(word: str) -> object:
    if word in ("true", "false"):
        return word == "true"
    if re.fullmatch(r"-?\d+", word):
        return int(word)
    return float(word) if re.fullmatch(r"\d+\.\d+", word) else word


ACTS = {
    r"(\S+) plays (\S+)(?: (seen|unsure)(?: or (\S+))?)?(?: side ([\d.]+))?": lambda t, m: Discard(
        t=t, by=who(m[1]), card=card(m[2]), sure=m[3] != "unsure", side=float(m[5] or 1),
        confidence={"seen": 0.99, "unsure": 0.6}.get(m[3], 1.0), alternatives=((m[4], 0.3),) if m[4] else (),
    ),
    r"(\S+) types (\S+)": lambda t, m: Discard(
        t=t, by=who(m[1]), card=card(m[2]), extra={"named": True, "typed": True},
    ),
    r"(\S+) draws (\S+)( as told)?(?: side ([\d.]+))?": lambda t, m: Draw(
        t=t, by=who(m[1]), n=None if m[2] == "?" else int(m[2]), side=float(m[4] or 1), owed=int(m[2]) if m[3] else 0,
    ),
    r"(\S+) UNO": lambda t, m: Uno(t=t, by=who(m[1])),
    r"(\S+) catches (\S+)": lambda t, m: Catch(t=t, by=who(m[1]), on=m[2]),
    r"(\S+) names (\S+)": lambda t, m: NameColour(t=t, by=who(m[1]), colour=COLOURS[m[2]]),
    r"(\S+) swaps with (\S+)": lambda t, m: Target(t=t, by=who(m[1]), target=m[2]),
    r"(\S+) passes": lambda t, m: Pass(t=t, by=who(m[1])),
    r"(\S+) challenges": lambda t, m: Challenge(t=t, by=who(m[1])),
    r"(guilty|innocent)": lambda t, m: ChallengeResult(t=t, guilty=m[1] == "guilty"),
    r"(\S+) shows (.+)": lambda t, m: Show(t=t, by=m[1], cards=parse_cards(m[2])),
    r"lift (\S+)( as told)?(?: by (\S+))?": lambda t, m: Lift(t=t, card=card(m[1]), by=m[3], told=bool(m[2])),
    r"(\S+) begins": lambda t, m: Begin(t=t, by=who(m[1])),
    r"(\S+) touches": lambda t, m: TouchDiscard(t=t, by=who(m[1])),
    r"(\S+) suggests(?: to (\S+))?": lambda t, m: Suggestion(t=t, by=m[1], extra={"to": m[2]} if m[2] else {}),
    r"(\S+) says (\S+) suggested": lambda t, m: Suggestion(t=t, by=m[1], on=m[2]),
    r"(\S+) has (\d+)": lambda t, m: Count(t=t, player=m[1], n=int(m[2])),
    r"(\S+) scores (\d+)": lambda t, m: Points(t=t, player=m[1], n=int(m[2])),
    r"(\S+) leaves": lambda t, m: Leave(t=t, player=m[1]),
    r"(\S+) joins(?: after (\S+))?": lambda t, m: Join(t=t, player=m[1], after=m[2]),
    r"turn up (\S+)( seen)?(?: or (\S+))?(?: by (\S+))?": lambda t, m: TurnUp(
        t=t, card=card(m[1]), confidence=0.99 if m[2] else 1.0, by=m[4], side=0.9 if m[4] else 1.0,
        alternatives=((m[3], 0.01),) if m[3] else (),
    ),
    r"back in the pack": lambda t, m: ReturnOpening(t=t),
    r"deal": lambda t, m: HandDealt(t=t),
    r"reshuffle": lambda t, m: Reshuffle(t=t),
    r"pile taken": lambda t, m: Reshuffle(t=t, bare=True),
    r"pause": lambda t, m: Pause(t=t),
    r"resume(?: on (\S+))?": lambda t, m: Resume(t=t, top=card(m[1]) if m[1] else None),
    r"top is (\S+)": lambda t, m: TopSeen(t=t, card=card(m[1])),
    r"undo ?(\d+)?": lambda t, m: Undo(t=t, ref=int(m[1]) if m[1] else None),
    r"fix (\d+) (\w+)=(\S+)": lambda t, m: Correct(t=t, ref=int(m[1]), fields={m[2]: value(m[3])}, by="A"),
    r"overrule (\w+) ?(\d+)?": lambda t, m: Override(t=t, what=m[1], ref=int(m[2]) if m[2] else None, by="A"),
    r"answer (\S+) (\S+)": lambda t, m: Answer(t=t, question=m[1], value=value(m[2])),
}
"""How an act is written, as a pattern, and the event it is. Acts are numbered from 1."""


def act(text: str, t: float) -> Event:
    """The event that an act describes."""
    for pattern, make in ACTS.items():
        match = re.fullmatch(pattern, text)
        if match:
            return make(t, match)
    raise ValueError(f"no such act: {text!r}")


def table(rules: str, text: str) -> GameStarted:
    """The game that a start describes."""
    preset, *changes = rules.split()
    options = {name: value(word) for name, word in (change.split("=") for change in changes)}
    if " deals " in text:
        dealer, _, rest = text.partition(" deals ")
        players, _, chosen = rest.partition(",")
        first = chosen.split()[0] if chosen else None
        return GameStarted(players=tuple(players.split()), dealer=dealer, preset=preset, options=options, first=first)
    hands, _, rest = text.partition(",")
    held = {word[0]: int(word[1:]) for word in hands.split() if word[1:]}
    turn, _, top, *more = rest.split()
    names = tuple(word[0] for word in hands.split())
    return GameStarted(
        players=names,
        dealer=names[-1],
        preset=preset,
        options=options,
        hands=held,
        turn=turn,
        top=Card.parse(top),
        colour=next((COLOURS[word] for word in more if word in COLOURS), None),
        direction=-1 if "reversed" in more else 1,
        draw_pile=int(more[more.index("pile") + 1]) if "pile" in more else None,
    )


def truth(game: Replay, claim: str) -> object:
    """What is the case, written as the claim writes it."""
    position = game.position
    assert position is not None
    word, _, rest = claim.partition(" ")
    questions = position.questions
    said = []
    for filed in game.rulings:
        if not filed.overruled:
            ruling = filed.ruling
            parts = (ruling.code.value, ruling.player or ruling.winner, ruling.n or None, ruling.reason)
            said.append(" ".join(str(getattr(part, "value", part)) for part in parts if part is not None))
    loud = [
        f"{filed.ruling.code.value} {filed.ruling.player}"
        for filed in game.rulings
        if filed.ruling.tier is Tier.CALL and not filed.overruled
    ]
    name, tap = [*rest.split(), "", ""][:2]
    offered = tap in actions(position).get(name, ())
    words = {
        "loud": ", ".join(loud) or "-",
        "turn": position.turn,
        "phase": "paused" if position.paused else position.phase.value,
        "colour": position.colour.value if position.colour else "-",
        "direction": position.direction,
        "top": position.top,
        "winner": position.winner or "-",
        "game": position.game_winner or "-",
        "pending": position.pending,
        "pile": position.draw_pile,
        "hand": position.hand,
        "dealer": position.dealer,
        "players": " ".join(position.players),
        "exposed": " ".join(position.exposed) or "-",
        "ask": questions[0].kind if questions else "-",
        "choices": " ".join(questions[0].options) if questions else "-",
        "owes": " ".join(f"{due.player} {due.n}" for due in position.dues) or "-",
        "says": ", ".join(said) or "-",
        "score": f"{name} {position.scores.get(name)}",
        "taps": f"{name} {tap if offered else '-'}",
        "lacks": f"{name} {tap if not offered else '-'}",
        "standing": " ".join(play.standing for play in game.plays),
    }
    if word in words:
        return f"{word} {words[word]}"
    count = position.hands[word]
    return f"{word} {count.lo}-{count.hi}" if "-" in rest else f"{word} {count.best}"


def judged(line: str) -> list[str]:
    """What a line claims that is not so."""
    _, rules, start, acts, claims = (part.strip() for part in line.split("|"))
    game = Replay()
    game.append(0, table(rules, start))
    t = 0.0
    for number, text in enumerate(filter(None, (part.strip() for part in acts.split(";"))), 1):
        gap = re.match(r"\+(-?[\d.]+) ", text)
        t += float(gap[1]) if gap else 2.0
        game.append(number, act(text[gap.end() :] if gap else text, t))
    wanted = [claim.strip() for claim in claims.split(";")]
    return [f"wanted {claim!r}, got {truth(game, claim)!r}" for claim in wanted if truth(game, claim) != claim]


@pytest.mark.parametrize("path", sorted(TABLES.glob("*.txt")), ids=lambda path: path.stem)
def test_table(path: Path) -> None:
    """One test a table, since there are hundreds of lines; every line that fails is listed."""
    failed = []
    for number, line in enumerate(path.read_text().splitlines(), 1):
        if line.strip() and not line.startswith("#"):
            failed += [f"{path.name}:{number} {line.split('|')[0].strip()}: {wrong}" for wrong in judged(line)]
    assert not failed, "\n".join(failed)
