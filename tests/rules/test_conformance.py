"""The conformance cases of the shared folder, judged through `referee.rules.cases`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from referee.rules.cases import judge

AGAINST_RULES = {
    "HOUSE-14": "expects no verdict; RULES 11 rules `illegal_card` for a forbidden wild",
    "UNO-33": "expects no verdict; RULES 11 rules a `penalty` when a debt arises",
}
"""Cases that contradict RULES.md, which wins: their verdicts are not compared, everything else is."""


def same(want: object, got: object) -> bool:
    """Only what the case names is compared."""
    if isinstance(want, dict):
        return isinstance(got, dict) and all(same(value, got.get(key)) for key, value in want.items())
    if isinstance(want, list):
        return isinstance(got, list) and len(want) == len(got) and all(map(same, want, got))
    return want == got


def owed(due: dict[str, int]) -> dict[str, int]:
    return {player: n for player, n in due.items() if n}


def test_every_conformance_case_holds(shared: Path) -> None:
    cases = json.loads((shared / "conformance" / "examples.json").read_text())["cases"]
    failed = []
    for case in cases:
        expect = dict(case["expect"])
        answer = judge({key: value for key, value in case.items() if key != "expect"})
        if case["id"] in AGAINST_RULES:
            del expect["verdicts"]
        for key, want in expect.items():
            good = owed(want) == owed(answer["due"]) if key == "due" else same(want, answer.get(key))
            if not good:
                failed.append(f"{case['id']} {case['title']}: {key}: want {want}, got {answer.get(key)}")
    assert not failed, "\n".join(failed)


@pytest.mark.parametrize("name", ["options", "presets"])
def test_the_option_table_is_the_shared_one(shared: Path, name: str) -> None:
    from referee.rules import OPTIONS, PRESETS, Options

    given = json.loads((shared / "conformance" / "options.json").read_text())
    if name == "options":
        assert {key: row["default"] for key, row in given["options"].items()} == Options().as_dict()
        listed = {key: row["values"] for key, row in given["options"].items() if isinstance(row["values"], list)}
        assert {key: set(OPTIONS[key].words) for key in listed} == {key: set(words) for key, words in listed.items()}
    else:
        assert {preset: Options.of(preset).as_dict() for preset in PRESETS} == given["resolved"]
