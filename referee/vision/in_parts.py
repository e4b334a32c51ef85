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


def begun(parts: Parts[T], count: int) -> Parts[T]:
    """The same work, of which the first `count` parts are done now."""
    rest = _after(parts, count)
    next(rest)
    return rest


def _after(parts: Parts[T], count: int) -> Parts[T]:
    for _ in range(count):
        try:
            next(parts)
        except StopIteration as done:
            yield
            outcome: T = done.value
            return outcome
    yield
    return (yield from parts)
