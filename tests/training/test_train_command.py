"""`referee train`: says what is missing, and with PyTorch makes networks that the runtime accepts."""

import importlib.util

import cv2
import numpy as np
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
def test_a_tiny_run_makes_networks_that_load(tmp_path, shared):
    from referee.vision.nets import load_models

    data = tmp_path / "data"
    (data / "photos").mkdir(parents=True)
    (data / "backgrounds").symlink_to(shared / "data" / "backgrounds")
    (data / "hands").symlink_to(shared / "data" / "hands")
    card = np.full((320, 240, 3), 20, np.uint8)
    cv2.rectangle(card, (60, 60), (180, 246), (255, 255, 255), -1)
    cv2.imwrite(str(data / "photos" / "one.png"), card)
    header = "file,cards,kind,deck,source,top\n"
    (data / "photos" / "labels.csv").write_text(header + "one.png,R1,single-card,plain,someone/something,\n")
    out = tmp_path / "out"
    args = [
        "--data",
        str(data),
        "--out",
        str(out),
        "--steps",
        "10",
        "--decks",
        "2",
        "--workers",
        "0",
        "--device",
        "cpu",
    ]
    result = CliRunner().invoke(command, args)
    assert result.exit_code == 0, result.output
    assert load_models(out).sure > 0


@pytest.mark.skipif(not HAS_TORCH, reason="needs PyTorch (the train extra)")
def test_a_data_folder_without_photographs_is_named(tmp_path):
    result = CliRunner().invoke(command, ["--data", str(tmp_path), "--out", str(tmp_path / "out")])
    assert result.exit_code == 2
    assert "labels.csv is missing" in result.stderr


def test_every_file_has_a_network_that_can_be_named():
    assert [f"{name}.onnx" for name in NETWORKS] == list(FILES)
