"""Stands in for the process that learns a deck, which takes its minute: `python quick_fit.py HOW DRAFT TARGET PARENT`.

HOW: "learn" (the shipped heads stand for the learned ones), "hang", "slow" (a fourth in a second, then hangs),
"die", "full", "crash".
"""

from __future__ import annotations

import json
import os
import signal
import sys
import time
from dataclasses import replace
from pathlib import Path


def command(how: str) -> str:
    """For `referee.enrolling.fitting.COMMAND`."""
    return f"import sys; sys.path.insert(0, {str(Path(__file__).parent)!r}); import quick_fit; quick_fit.main({how!r})"


def main(how: str) -> None:
    draft, target = (Path(word) for word in sys.argv[1:3])
    if how == "slow":
        say(share=0.0)
        time.sleep(1.0)
        say(share=0.25)
    else:
        say(share=0.4)
    if how in ("hang", "slow"):
        time.sleep(600)
    if how == "die":
        os.kill(os.getpid(), signal.SIGKILL)
    if how == "full":
        say(errno=28, error="No space left on device")
    if how != "learn":
        raise SystemExit(1)
    from referee.vision.deck import load_deck, save_deck
    from referee.vision.nets import load_models

    models = load_models()
    deck = load_deck(draft, models.readers)
    save_deck(replace(deck, heads=shipped_heads(models), readers=models.readers), target)
    say(faces=len(deck.looks), before=1, now=len(deck.looks))


def shipped_heads(models):
    """Those of the networks themselves, as if they had been learned."""
    from referee.vision.head import DeckIndexEye, DeckReader, Heads

    return Heads(DeckReader(models.reader).headed.shipped, DeckIndexEye(models.indices).headed.shipped)


def say(**facts: object) -> None:
    print(json.dumps(facts), flush=True)


