"""Training on: a network with the weights of its .onnx file, whose batch norms are folded into the convolutions."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import onnx
import torch
from onnx import numpy_helper
from torch import nn

from referee.training.networks import NETWORKS, Residual, Strangers

Layers = list[tuple[nn.Module, nn.BatchNorm2d | None]]
"""Layers with weights, each with the batch norm that was folded into it."""


def unfolded(name: str, folder: Path, images: Sequence[torch.Tensor]) -> nn.Module:
    """The network of FOLDER/NAME.onnx, ready to be trained.

    images: batches as training shows them, (n, 3, h, w) in 0..1. What the batch norms see of these becomes their
    running mean and deviation, so that the network says in training what the file says. Residual blocks that the file
    does not have yet begin by adding nothing, `Strangers` with hardly anything. Raises FileNotFoundError, and
    ValueError when the file holds a network of another shape.
    """
    path = folder / f"{name}.onnx"
    if not path.is_file():
        raise FileNotFoundError(f"{path} is missing: name a folder of networks, such as models")
    graph = onnx.load(str(path)).graph
    arrays = {one.name: torch.from_numpy(numpy_helper.to_array(one).copy()) for one in graph.initializer}
    stored = [[arrays[key] for key in node.input if key in arrays] for node in graph.node]
    stored = [weights for weights in stored if weights]
    net = NETWORKS[name]().eval()
    layers = _those_of(net, _in_order(net, images[0][:1]), stored)
    if layers is None:
        raise ValueError(f"{path} holds a network of another shape than this version trains: train one from nothing")
    with torch.no_grad():
        for (layer, norm), (weight, bias) in zip(layers, stored, strict=True):
            layer.weight.copy_(weight)
            if norm is None:
                assert layer.bias is not None
                layer.bias.copy_(bias)
            else:
                norm.bias.copy_(bias)
                norm.running_var.fill_(1 - norm.eps)
        _settle(net, [norm for _, norm in layers if norm is not None], images)
    return net


def _those_of(net: nn.Module, layers: Layers, stored: Sequence[Sequence[torch.Tensor]]) -> Layers | None:
    """The layers that the file has, in its order; None where more is new than whole residual blocks, whose last norm is
    set to nothing, and what tells strangers, which says hardly anything while it is new."""
    known: Layers = []
    for layer, norm in layers:
        if len(known) < len(stored) and layer.weight.shape == stored[len(known)][0].shape:
            known.append((layer, norm))
    if len(known) < len(stored):
        return None
    left = {layer for layer, _ in layers} - {layer for layer, _ in known}
    for block in net.modules():
        if isinstance(block, Strangers) and left >= {*block.modules()} & {layer for layer, _ in layers}:
            left -= {*block.modules()}
        if isinstance(block, Residual) and {block.one[0], block.two[0]} <= left:
            nn.init.zeros_(block.two[1].weight)
            left -= {block.one[0], block.two[0]}
    return None if left else known


def _in_order(net: nn.Module, image: torch.Tensor) -> Layers:
    """Layers with weights in the order in which they run, each with the batch norm that was folded into it."""
    layers: Layers = []

    def ran(layer: nn.Module, _: object, __: object) -> None:
        if isinstance(layer, nn.BatchNorm2d):
            layers[-1] = (layers[-1][0], layer)
        else:
            layers.append((layer, None))

    kinds = (nn.Conv2d, nn.ConvTranspose2d, nn.Linear, nn.BatchNorm2d)
    hooks = [layer.register_forward_hook(ran) for layer in net.modules() if isinstance(layer, kinds)]
    with torch.no_grad():
        net(image)
    for hook in hooks:
        hook.remove()
    return layers


def _settle(net: nn.Module, norms: Sequence[nn.BatchNorm2d], images: Sequence[torch.Tensor]) -> None:
    """Gives the norms, which do nothing but add so far, the means and deviations of what they see, and undoes them by
    their own weight and bias."""
    seen: dict[nn.Module, list[torch.Tensor]] = {norm: [] for norm in norms}

    def sees(norm: nn.Module, inputs: tuple[torch.Tensor, ...]) -> None:
        x = inputs[0]
        seen[norm].append(torch.stack([x.mean((0, 2, 3)), x.square().mean((0, 2, 3))]))

    hooks = [norm.register_forward_pre_hook(sees) for norm in norms]
    for batch in images:
        net(batch)
    for hook in hooks:
        hook.remove()
    for norm in norms:
        mean, square = torch.stack(seen[norm]).mean(0)
        norm.running_mean.copy_(mean)
        norm.running_var.copy_((square - mean.square()).clamp(min=1e-6))
        norm.weight.copy_((norm.running_var + norm.eps).sqrt())
        norm.bias.add_(mean)
