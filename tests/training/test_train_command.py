"""`referee train`: says what is missing, and with PyTorch makes networks that the runtime accepts."""

import importlib.util
import subprocess
import sys

import pytest
from click.testing import CliRunner

from referee.commands.train import NETWORKS, command
from referee.vision.nets import FILES

HAS_TORCH = importlib.util.find_spec("torch") is not None


@pytest.mark.skipif(HAS_TORCH, reason="PyTorch is here: nothing is missing")
def test_without_pytorch_it_names_the_extra_to_install(tmp_path):
    result = CliRunner().invoke(command, ["--out", str(tmp_path)])
    assert result.exit_code == 2
    assert "pip install 'uno-table-referee[train]'" in result.stderr


@pytest.mark.skipif(not HAS_TORCH, reason="needs PyTorch (the train extra)")
@pytest.mark.slow
def test_a_tiny_run_makes_networks_that_load(tmp_path, one_photograph):
    from referee.vision.nets import load_models

    out = tmp_path / "out"
    small = ["--steps", "10", "--decks", "2", "--workers", "0", "--device", "cpu"]
    result = CliRunner().invoke(command, ["--data", str(one_photograph), "--out", str(out), *small])
    assert result.exit_code == 0, result.output
    assert load_models(out).sure > 0


@pytest.mark.skipif(not HAS_TORCH, reason="needs PyTorch (the train extra)")
def test_processes_make_samples_after_pictures_were_worked_on_with_several_threads():
    """A process of its own has none of the threads that OpenCV had begun here, and waited for ever or died of it."""
    done = subprocess.run([sys.executable, "-c", LOADED], capture_output=True, text=True, timeout=120, check=True)
    assert done.stdout.split() == ["0", "1", "2", "3"]


LOADED = """
import cv2, numpy as np
from referee.training.learn import Samples, _loader
cv2.setNumThreads(4)
cv2.GaussianBlur(np.zeros((3000, 3000, 3), np.uint8), (0, 0), 9)

def make(rng):
    return (cv2.GaussianBlur(np.full((900, 900), 7, np.uint8), (0, 0), 9),)

for number, (batch,) in enumerate(_loader(Samples(make, 1, 0, 8), 2, 1)):
    assert batch.shape == (2, 900, 900)
    print(number)
"""


@pytest.mark.skipif(not HAS_TORCH, reason="needs PyTorch (the train extra)")
def test_a_data_folder_without_photographs_is_named(tmp_path):
    result = CliRunner().invoke(command, ["--data", str(tmp_path), "--out", str(tmp_path / "out")])
    assert result.exit_code == 2
    assert "labels.csv is missing" in result.stderr


def test_every_file_has_a_network_that_can_be_named():
    assert [f"{name}.onnx" for name in NETWORKS] == list(FILES)
