"""Trained networks -> the .onnx files and the manifest that the runtime checks them against."""

from __future__ import annotations

import hashlib
import json
import warnings
from dataclasses import asdict
from pathlib import Path
from typing import Any

import torch
from torch import nn

from referee.training.networks import COLOUR_CLASSES, NETWORKS
from referee.vision.classes import NO_FACE
from referee.vision.indices import CORNER_PX
from referee.vision.nets import FILES, VERSION, Tuning
from referee.vision.warp import CROP_PX

_INPUT_PX = {
    "finder": (256, 256), "pile_finder": (256, 256), "index_finder": (256, 256), "reader": CROP_PX,
    "index_reader": CORNER_PX,
}  # fmt: skip

OPSET = 13
"""Understood by OpenCV 4.10's importer and kept by every torch since 2.2."""


def export(name: str, net: nn.Module, out: Path) -> None:
    """Writes OUT/NAME.onnx, weights inside."""
    width, height = _INPUT_PX[name]
    size = (1, 3, height, width)
    net = net.to("cpu").eval()
    with warnings.catch_warnings():
        # torch calls this exporter old; the new one writes operators that OpenCV 4.10 does not know.
        warnings.simplefilter("ignore")
        torch.onnx.export(
            net, (torch.zeros(size),), str(out / f"{name}.onnx"), opset_version=OPSET, dynamo=False,
            input_names=["image"], output_names=["out"],
        )  # fmt: skip


def load(name: str, out: Path) -> nn.Module:
    """The network of OUT/NAME.pt: the running average of its weights."""
    net = NETWORKS[name]()
    state = torch.load(out / f"{name}.pt", map_location="cpu", weights_only=True)["mean"]
    net.load_state_dict({k.removeprefix("module."): v for k, v in state.items() if k != "n_averaged"})
    return net.eval()


def hold_none_less_likely(net: nn.Module, nats: float) -> None:
    """Takes that much off a reader's logit of "not a face".

    What `learn.keeping_loss` teaches of other games' cards reaches some faces of designs that are in no sample, too:
    they become no face, and a shift of that class's prior (Saerens et al. 2002) brings them back, while few of other
    games' cards become faces again.
    """
    last = net.faces[-1]
    with torch.no_grad():
        last.bias[COLOUR_CLASSES + NO_FACE] -= nats


def hear_strangers_less(net: nn.Module, nats: float) -> None:
    """Takes that much off what a reader's `Strangers` say, before the softplus.

    Trained to tell other games' cards alone, they speak against some faces of designs that are in no sample, too; where
    they say little they then say hardly anything, and where they say much they still say it.
    """
    last = net.strangers.out[4]
    with torch.no_grad():
        last.bias -= nats


def write_manifest(folder: Path, tuning: Tuning, recipe: dict[str, Any]) -> None:
    """MANIFEST.json: size and sha256 of the files, the tuning, and how they were made."""
    files = {}
    for name in FILES:
        data = (folder / name).read_bytes()
        files[name] = {"sha256": hashlib.sha256(data).hexdigest(), "bytes": len(data)}
    content = {
        "version": VERSION,
        "files": files,
        "tuning": asdict(tuning),
        "recipe": recipe,
    }
    (folder / "MANIFEST.json").write_text(json.dumps(content, indent=2) + "\n", encoding="utf-8")
