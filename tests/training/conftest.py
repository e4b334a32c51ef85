"""What the trainings of these tests learn from."""

from __future__ import annotations

from multiprocessing import resource_tracker
from pathlib import Path

import cv2
import numpy as np
import pytest

from referee.cards import Card
from referee.faces import STYLES, draw_face
from referee.training.decks import draw_decks


@pytest.fixture
def one_photograph(tmp_path: Path, shared: Path) -> Path:
    """A data folder with the shared grounds and hands, and one photograph: a drawn R1."""
    data = tmp_path / "data"
    (data / "photos").mkdir(parents=True)
    for name in ("backgrounds", "hands"):
        (data / name).symlink_to(shared / "data" / name)
    photo = np.full((320, 240, 3), 40, np.uint8)
    face = draw_face(Card.parse("R1"), STYLES["white_oval"], 200)
    photo[60:260, 55 : 55 + face.shape[1]] = face[..., :3]
    cv2.imwrite(str(data / "photos" / "one.png"), photo)
    header = "file,cards,kind,deck,source,top\n"
    (data / "photos" / "labels.csv").write_text(header + "one.png,R1,single-card,plain,someone/something,\n")
    return data


@pytest.fixture
def small_rounds(monkeypatch):
    """Small rounds of few things, for which no process is started."""
    rounds = pytest.importorskip("referee.training.rounds", reason="needs PyTorch (the train extra)")
    for name in ("GROUNDS", "HANDS", "FOREIGN"):
        monkeypatch.setattr(rounds, name, 60)
    monkeypatch.setattr(rounds, "AT_ONCE", 64)
    monkeypatch.setattr(rounds, "TIMES", 3)
    monkeypatch.setattr(rounds, "ROUND", 192)
    monkeypatch.setattr(rounds, "ever_new_decks", nothing_new)


def nothing_new(count, seed, workers, typefaces, forms):
    """The same new deck again and again."""
    deck = draw_decks(count, 77, lambda done, of: None, few=True)
    while True:
        yield deck


@pytest.fixture(scope="session")
def helpers() -> None:
    """What Python keeps running, once it has started a process of its own, for the rest of this one."""
    resource_tracker.ensure_running()
