"""Break forty rules on purpose, one at a time, in a copy of the package, and see whether the tests notice.

    python tests/rules/mutations.py [PART OF A NAME]

Prints a line for each; exit status 1 if one break went unnoticed. Not collected by pytest: it takes a minute.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
CHECK = """
import test_counting
import test_tables

for path in sorted(test_tables.TABLES.glob("*.txt")):
    test_tables.test_table(path)
test_counting.test_counting()
"""
"""Every table, as its test does; without pytest around it, so that all the breaks take a minute."""
BREAKS = {
    "a number matches nothing": ("legality", "if rank is not s.top.rank:", "if True:"),
    "a colour matches nothing": ("legality", "elif card.colour is not s.colour and", "elif"),
    "colour only is forgotten": ("legality", "if s.colour_only:", "if False:"),
    "a Wild Draw Four may follow a draw": ("legality", "and not s.setup.options.wd4_from_draw", "and False"),
    "any draw card answers": ("legality", 'options.stacking != "any" and s.pending_kind', "False and s.pending_kind"),
    "a wild may be jumped in": ("legality", "or card.rank.is_wild or s.begun", "or s.begun"),
    "a forbidden last card passes": ("legality", "Why.FORBIDDEN_FINISH if forbidden_finish(s, card, player) else", ""),
    "debts need not be drawn first": ("plays", "and not d.loose.adrift and must_draw_first(d, who):", "and False:"),
    "a wrong card never stands": (
        "plays",
        "    in_turn = d.turn_id\n    stand(d)",
        "    in_turn = d.turn_id\n    take_back(d)",
    ),
    "an unsure reading costs cards": (
        "wrong",
        'enforcement == "strict" and verified and',
        'enforcement == "strict" and',
    ),
    "a weak side is believed": ("hand", "SIDE_SURE = 0.8", "SIDE_SURE = 0.5"),
    "a Skip skips nobody": (
        "effects",
        "            lose_turn(d, following(d, who))",
        "            d.turn_id = following(d, who)",
    ),
    "a Reverse with two players passes the turn": (
        "effects",
        'options.two_player_reverse == "change_direction_only"',
        "True",
    ),
    "a Draw Two never costs the turn": ("effects", "if d.setup.draw_two_forfeits:", "if False:"),
    "the chain does not grow": (
        "effects",
        "d.pending += 2\n        d.pending_kind",
        "d.pending = 2\n        d.pending_kind",
    ),
    "a zero moves no hands": ("effects", "if rank is ZERO:", "if False:"),
    "the window never closes": ("uno", "    unexpose(d, player)\n    d.loose", "    d.loose"),
    "a call does not protect": ("uno", "if any(player == who for player, _ in d.calls):", "if False:"),
    "a photo finish is not asked": ("uno", "if abs(t - call_t) < near:", "if False:"),
    "drawing keeps the call": ("draws", "    uno.recount(d, who)  #", "    #"),
    "a challenge is never too late": ("challenge", "and not wild.drawn", "and True"),
    "every bluff is innocent": ("challenge", "if any(card.colour is wild.colour for card in cards):", "if False:"),
    "the innocent's challenger keeps the turn": (
        "challenge",
        "turn_to(d, following(d, wild.victim))\n",
        "turn_to(d, wild.victim)\n",
    ),
    "an opening Wild Draw Four is played": (
        "hand",
        "if rank is Rank.WILD_DRAW_FOUR:\n        return True",
        "if False:\n        return True",
    ),
    "a partner's cards count": ("scoring", "if side.get(player) != side.get(winner))", "if player != winner)"),
    "the highest total wins": ("scoring", "least = min(", "least = max("),
    "a turned direction is never believed": (
        "drift",
        "        turn_round(d)\n    elif stray",
        "        pass\n    elif stray",
    ),
    "a hidden card is a wrong one": (
        "drift",
        "mismatch(d, event.card, who) is None:\n        return False",
        "True:\n        return False",
    ),
    "a drift is accused aloud": ("draft", "if guess or d.loose.adrift else", "if guess else"),
    "an unread card is a wrong card": ("landing", "d.top = d.colour = None\n    d.doubt = True", "d.doubt = True"),
    "what an unsure card costs is announced": ("draft", "guess = code is Code.FORCED_DRAW and", "guess = False and"),
    "nothing tells an unsure card": ("run", "told is not None:\n                self", "False:\n                self"),
    "a foreign card has its effect": ("plays", "event.card not in d.setup.pack.copies and foreign(event)", "False"),
    "a card is built upon that was called wrong": (
        "wrong",
        "(code is not Code.ILLEGAL_CARD or event",
        "(True or event",
    ),
    "a sure card is never doubted": ("unsure", "return unsure + sure", "return unsure"),
    "what may cost nothing is announced": ("draft", "d.doubt or d.loose.costs_else or", "d.doubt or"),
    "a Reverse nobody saw is a jump-in": ("plays", " or drift.no_jump_in(d, who)", ""),
    "what is said ahead is lost": ("effects", "if named is None or named[0] != who", "if True"),
    "what is put back is a play": ("plays", "if put_back(d, event):", "if False:"),
    "what neither pile holds is owed": ("draft", "if code is not Code.PENALTY or not draws_what_is_left(d)", "if True"),
    "a second deck is a row of misreads": ("landing", "        d.setup = replace(d.setup, pack=pack)", "        pass"),
    "what a blank was called is forgotten": ("plays", "pack=d.setup.pack.with_odd(seen, card)", "pack=d.setup.pack"),
    "a Skip nobody saw is an accusation": ("wrong", "drift.fits_own_hidden(d, card, who, named)", "False"),
}
"""What is broken: the module, what stands there, what stands there then."""


def source(module: str) -> str:
    """The text of a module of the rules."""
    return (ROOT / "referee" / "rules" / f"{module}.py").read_text()


def survives(folder: Path, module: str, old: str, new: str) -> bool:
    """True if every test passes although the rule is broken."""
    text = source(module)
    if old not in text:
        raise SystemExit(f"{module}.py no longer holds {old!r}: bring this script up to date")
    broken = folder / "referee" / "rules" / f"{module}.py"
    broken.write_text(text.replace(old, new, 1))
    here = os.pathsep.join((str(folder), str(folder / "tests" / "rules")))
    environment = {**os.environ, "PYTHONPATH": here, "PYTHONDONTWRITEBYTECODE": "1"}
    run = subprocess.run([sys.executable, "-c", CHECK], cwd=folder, env=environment, capture_output=True, check=False)
    broken.write_text(text)
    return run.returncode == 0


def main() -> int:
    """Break them all, after a look that nothing is broken already."""
    wanted = sys.argv[1] if len(sys.argv) > 1 else ""
    missed = 0
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        shutil.copytree(ROOT / "referee", folder / "referee", ignore=shutil.ignore_patterns("__pycache__"))
        shutil.copytree(ROOT / "tests", folder / "tests", ignore=shutil.ignore_patterns("__pycache__"))
        shutil.copy(ROOT / "pyproject.toml", folder)
        if not survives(folder, "scoring", "from", "from"):
            raise SystemExit("the tables fail on the rules as they are: mend that first")
        chosen = {title: change for title, change in BREAKS.items() if wanted in title}
        for title, change in chosen.items():
            alive = survives(folder, *change)
            missed += alive
            print(f"{'MISSED' if alive else 'caught'}  {title}", flush=True)
    print(f"{len(chosen) - missed} of {len(chosen)} caught")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
