"""Plays one demo hand by every preset, and prints what the referee read and ruled: half a minute of processor each.

    python tests/demo/many_evenings.py [--seed N] [--level easy|normal|hard] [PRESET ...]

Each preset has a seed, and so a table, of its own, and two to six players in turn. A wrong or a missed ruling is named.
"""

from __future__ import annotations

import argparse
import tempfile
from collections import Counter
from pathlib import Path

from referee.demo import fast
from referee.demo.evening import DemoPlan
from referee.virtual_table.customs import CUSTOMS

READ = ("right", "unsure", "wrong", "missed", "invented")
RULED = ("right", "wrong", "missed")
QUIET = {"ask": " (asked)", "note": " (noted)"}
"""A wrong ruling that nobody heard: the table was asked, or it was only written down."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("presets", nargs="*", metavar="PRESET", default=list(CUSTOMS))
    parser.add_argument("--seed", type=int, default=940, help="seed of the first preset; the next is one more")
    parser.add_argument("--level", choices=["easy", "normal", "hard"], default="normal")
    chosen = parser.parse_args()
    total: Counter[str] = Counter()
    for number, preset in enumerate(chosen.presets):
        plan = DemoPlan(seed=chosen.seed + number, players=2 + number % 5, hands=1, preset=preset, level=chosen.level)
        with tempfile.TemporaryDirectory() as folder:
            report = fast.run(plan, Path(folder), lambda t, length, board: None)
        total += Counter({f"read {name}": report["readings"][name] for name in READ})
        total += Counter({f"ruled {name}": report["rulings"][name] for name in RULED})
        total += Counter(questions=report["questions"], hands=1, scores_right=report["scores_right"])
        print(f"{preset} ({plan.players} players, seed {plan.seed}): {told(report)}", flush=True)
    print("all:", ", ".join(f"{name} {n}" for name, n in total.items()))


def told(report: dict[str, object]) -> str:
    """One line: readings, rulings, questions, and the rulings that were not right."""
    readings, rulings = report["readings"], report["rulings"]
    assert isinstance(readings, dict)
    assert isinstance(rulings, dict)
    line = (
        f"read {'/'.join(str(readings[name]) for name in READ)}, ruled {'/'.join(str(rulings[name]) for name in RULED)}"
    )
    line += f", {report['questions']} questions, scores {'right' if report['scores_right'] else 'WRONG'}"
    for what in ("wrong", "missed"):
        named = [
            f"{one['code']} {one['player']} at {one['t']:.0f} s{QUIET.get(one.get('tier', ''), '')}"
            for one in rulings[f"{what}_list"]
        ]
        line += f"; {what}: {', '.join(named)}" if named else ""
    return line


if __name__ == "__main__":
    main()
