"""The text cases under `tests/tables/counting/`: decks, dealers, scores, teams and tournaments, one line a case.

    title | rules | what is given | what is then true

They are asked as `referee judge` is asked. `test_every_option_value_is_played` holds all the tables, these and those of
`test_tables.py`, against the option table: no value may be without a line that plays by it.
"""

from __future__ import annotations

from pathlib import Path

from test_tables import TABLES, value

from referee.rules import OPTIONS, Options
from referee.rules.cases import judge

COUNTING = TABLES / "counting"


def given(text: str) -> tuple[str, dict[str, object]]:
    """The kind of the case and what it gives."""
    steps = [step.split() for step in text.split(";")]
    match steps[0]:
        case ["deck"]:
            return "deck", {}
        case ["deal", "to", n]:
            return "deal", {"players": int(n)}
        case [_, "draws", *_]:
            rounds = [dict(one.split(" draws ") for one in map(str.strip, part.split(","))) for part in text.split(";")]
            return "dealer_draw", {"draws": rounds}
        case ["schedule"]:
            return "schedule", {}
        case ["tally", *_]:
            return "tally", {"round_totals": [tally(step[1:]) for step in steps]}
    facts: dict[str, object] = {}
    hands: dict[str, list[str]] = {}
    scores: dict[str, int] = {}
    for word, *rest in steps:
        match word:
            case "won":
                facts["winner"] = rest[0]
            case "left":
                hands[rest[0]] = rest[1:]
            case "had":
                scores[rest[0]] = int(rest[1])
            case "teams":
                facts["teams"] = [team.split("+") for team in rest]
            case "seats":
                facts["seats"] = rest
            case "first":
                facts["first_team"] = int(rest[0])
            case _:
                raise ValueError(f"no such fact: {word!r}")
    facts |= {"hands": hands, "scores": scores}
    return ("team" if "teams" in facts else "score"), facts


def tally(points: list[str]) -> dict[str, int]:
    """Points of a round, of the players 1, 2, 3 and on."""
    return {str(number): int(n) for number, n in enumerate(points, 1)}


def claimed(claim: str) -> tuple[list[str], object]:
    """Where in the answer the truth of a claim stands, and what must stand there."""
    word, *rest = claim.split()
    match word, rest:
        case "game", [winner]:
            return ["game_winner"], None if winner == "-" else winner
        case "dealer", [dealer]:
            return ["dealer"], None if dealer == "-" else dealer
        case "order", order:
            return ["play_order"], order
        case "team", [team, n]:
            return ["team_points", team], int(n)
        case "round", [number, *pairs]:
            return ["pairings", number], pairs
        case "eliminated", names:
            return [word], [name for name in names if name != "-"]
        case "draw_again", names:
            return [word], names
        case "totals", [first, *more] if first.isdigit():
            return [word], tally([first, *more])
        case ("points" | "totals"), [player, n]:
            return [word, player], int(n)
    return [word], value(rest[0])


def judged(line: str) -> list[str]:
    """What a line claims that is not so."""
    _, rules, facts, claims = (part.strip() for part in line.split("|"))
    preset, *changes = rules.split()
    options = {name: value(word) for name, word in (change.split("=") for change in changes)}
    kind, what = given(facts)
    answer = judge({"kind": kind, "preset": preset, "options": options, "given": what})
    wrong = []
    for claim in claims.split(";"):
        path, want = claimed(claim.strip())
        got: object = answer
        for key in path:
            got = got[int(key) - 1] if isinstance(got, list) else got.get(key) if isinstance(got, dict) else None
        if got != want:
            wrong.append(f"wanted {claim.strip()!r}, got {got!r}")
    return wrong


def lines(path: Path) -> list[tuple[int, str]]:
    return [
        (number, line)
        for number, line in enumerate(path.read_text().splitlines(), 1)
        if line.strip() and not line.startswith("#")
    ]


def test_counting() -> None:
    failed = [
        f"{path.name}:{number} {line.split('|')[0].strip()}: {wrong}"
        for path in sorted(COUNTING.glob("*.txt"))
        for number, line in lines(path)
        for wrong in judged(line)
    ]
    assert not failed, "\n".join(failed)


def test_every_option_value_is_played() -> None:
    """Each word and each yes or no of an option decides some line; each number is played away from its default."""
    played: dict[str, set[object]] = {name: set() for name in OPTIONS}
    for path in sorted(TABLES.rglob("*.txt")):
        for _, line in lines(path):
            preset, *changes = line.split("|")[1].split()
            options = {name: value(word) for name, word in (change.split("=") for change in changes)}
            for name, chosen in Options.of(preset, options).as_dict().items():
                played[name].add(chosen)
    missing = [
        f"{name}={wanted}"
        for name, option in OPTIONS.items()
        for wanted in (option.words or ((False, True) if isinstance(option.default, bool) else ()))
        if wanted not in played[name]
    ]
    numbers = [name for name, option in OPTIONS.items() if not option.words and len(played[name]) < 2]
    assert not missing, f"no line plays by {', '.join(missing)}"
    assert not numbers, f"no line changes {', '.join(numbers)}"


def test_titles_tell_the_lines_of_a_table_apart() -> None:
    for path in sorted(TABLES.rglob("*.txt")):
        titles = [line.split("|")[0].strip() for _, line in lines(path)]
        assert sorted(set(titles)) == sorted(titles), f"{path.name}: {[t for t in titles if titles.count(t) > 1]}"
