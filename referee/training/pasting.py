"""Putting many cards on many pictures at once, in PyTorch: `referee.training.crops.paste`."""

from __future__ import annotations

import torch
from torch import Tensor, nn

from referee.training.decks import CARD_PX
from referee.training.many_lights import Dice


def paste(canvas: Tensor, pictures: Tensor, radius: Tensor, quads: Tensor, dice: Dice) -> Tensor:
    """The canvases, float (n, 3, h, w), with a card on each, often with a shadow.

    pictures: uint8 (n, 3, 160, 104). radius: (n,), of their corners, shares of the width. quads: (n, 4, 2), where their
    corners lie, shares of the canvas.
    """
    n, _, h, w = canvas.shape
    sides = (quads[:, 3] - quads[:, 0]) * torch.tensor([w, h], device=quads.device)
    seen_px = float(sides.norm(dim=1).median())
    source = pictures.float()
    f = min(1.0, 1.5 * seen_px / CARD_PX[1])
    if f < 0.8:
        source = nn.functional.interpolate(source, (round(CARD_PX[1] * f), round(CARD_PX[0] * f)), mode="area")
    at = on_source(quads, h, w)
    card = nn.functional.grid_sample(source, at * 2 - 1, padding_mode="border", align_corners=False)
    away = _outside(at, radius) * (sides.norm(dim=1) / CARD_PX[1])[:, None, None]
    depth = dice.uniform(0.1, 0.6, n) * dice.chance(0.6, n)
    shade = torch.sigmoid(-1.7 * away / dice.uniform(0.8, 3, n)[:, None, None]) * depth[:, None, None]
    alpha = (0.5 - away).clamp(0, 1)[:, None]
    return card * alpha + canvas * (1 - shade[:, None]) * (1 - alpha)


def put_over(canvas: Tensor, overlay: Tensor) -> Tensor:
    """The canvases with an overlay, uint8 (n, 4, H, W) as `pools.overlays` gives it, over each."""
    return _over(canvas, nn.functional.interpolate(overlay.float(), canvas.shape[-2:], mode="area"))


def put_on_cards(canvas: Tensor, overlay: Tensor, quads: Tensor, margin: float) -> Tensor:
    """As `put_over`, but an overlay lies as the card does whose corners are at `quads`, which it shows with a margin,
    a share of its size, all about."""
    at = on_source(quads, *canvas.shape[-2:]) * (1 - 2 * margin) + margin
    over = nn.functional.grid_sample(overlay.float(), at * 2 - 1, padding_mode="border", align_corners=False)
    return _over(canvas, over)


def _over(canvas: Tensor, over: Tensor) -> Tensor:
    return over[:, :3] + canvas * (1 - over[:, 3:] / 255)


def on_source(quads: Tensor, h: int, w: int) -> Tensor:
    """(n, h, w, 2): where on a card each pixel of the canvas is, shares of the card's width and height.

    quads: (n, 4, 2), shares of the canvas."""
    a, b, c = from_square(quads).unbind(2)
    back = torch.stack([torch.linalg.cross(b, c), torch.linalg.cross(c, a), torch.linalg.cross(a, b)], 1)
    x = (torch.arange(w, device=quads.device) + 0.5) / w
    y = (torch.arange(h, device=quads.device) + 0.5) / h
    points = torch.stack([x.expand(h, w), y[:, None].expand(h, w), torch.ones((h, w), device=quads.device)], -1)
    u, v, depth = torch.einsum("nij,hwj->nhwi", back, points).unbind(-1)
    depth = torch.where(depth.abs() < 1e-6, 1e-6, depth)
    return (torch.stack([u, v], -1) / depth[..., None]).clamp(-20, 20)


def from_square(quads: Tensor) -> Tensor:
    """(n, 3, 3): the homographies that take the unit square to quadrilaterals (Heckbert, Fundamentals of Texture
    Mapping and Image Warping, 1989, section 2.2.3)."""
    (x0, y0), (x1, y1), (x2, y2), (x3, y3) = (q.unbind(-1) for q in quads.unbind(1))
    dx1, dx2, sx = x1 - x2, x3 - x2, x0 - x1 + x2 - x3
    dy1, dy2, sy = y1 - y2, y3 - y2, y0 - y1 + y2 - y3
    den = dx1 * dy2 - dx2 * dy1
    g, h = (sx * dy2 - dx2 * sy) / den, (dx1 * sy - sx * dy1) / den
    one = torch.ones_like(g)
    rows = [x1 - x0 + g * x1, x3 - x0 + h * x3, x0, y1 - y0 + g * y1, y3 - y0 + h * y3, y0, g, h, one]
    return torch.stack(rows, -1).reshape(-1, 3, 3)


def _outside(at: Tensor, radius: Tensor) -> Tensor:
    """(n, h, w): how far outside a card with rounded corners a place is, pixels of the stored picture; inside less
    than 0."""
    w, h = CARD_PX
    half = torch.tensor([w / 2, h / 2], device=at.device)
    r = (radius * w).round().clamp(min=1)[:, None, None]
    q = ((at - 0.5) * 2 * half).abs() - half + r[..., None]
    return q.clamp(min=0).norm(dim=-1) + q.amax(-1).clamp(max=0) - r
