"""Work that may be done in parts: some of it on one frame and the rest on the next, where that is early enough."""

from __future__ import annotations

from collections.abc import Generator
from typing import TypeVar

T = TypeVar("T")

Parts = Generator[None, None, T]
"""Halts after each part of the work, and gives its outcome."""


def finished(parts: Parts[T]) -> T:
    """The outcome; all that is left of the work is done now."""
    while True:
        try:
            next(parts)
        except StopIteration as done:
            outcome: T = done.value
            return outcome


def advanced(parts: Parts[T]) -> T | None:
    """Does the next part. The outcome, if nothing was left but that."""
    try:
        next(parts)
    except StopIteration as done:
        outcome: T = done.value
        return outcome
    return None
