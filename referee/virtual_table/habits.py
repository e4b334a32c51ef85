"""How people at the simulated table behave: how often they err, and how restless the table is."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields

from referee.virtual_table.script import Level


@dataclass(frozen=True, slots=True)
class Mistakes:
    """How often players go wrong. Each is a chance, 0 to 1, at each opportunity that its line names."""

    illegal: float = 0.04
    """At each turn: lays a card that does not match, if there is one in the hand."""
    out_of_turn: float = 0.002
    """At each turn: somebody else lays a card."""
    forgotten_uno: float = 0.3
    """At each second to last card: no UNO call."""
    caught: float = 0.6
    """At each forgotten call: another player taps "catch" in time."""
    caught_late: float = 0.5
    """At each forgotten call nobody caught in time: another player taps "catch" too late."""
    false_catch: float = 0.05
    """At each UNO call: another player taps "catch" all the same."""
    stray_uno: float = 0.003
    """At each turn: somebody with more than two cards hits the button."""
    bluff: float = 0.25
    """At each turn with a Wild Draw Four that the hand's colours forbid: plays it."""
    challenge: float = 0.35
    """At each Wild Draw Four: the victim challenges."""
    refused_challenge: float = 0.05
    """At each Wild Draw Four nobody may challenge any more: somebody taps "challenge"."""
    renege: float = 0.03
    """At each turn: draws although a card could be played (where that is allowed)."""
    suggestion: float = 0.01
    """At each turn, where it costs cards: somebody else says what to play, and is reported on a phone."""

    def __post_init__(self) -> None:
        for f in fields(self):
            if not 0.0 <= getattr(self, f.name) <= 1.0:
                raise ValueError(f"{f.name} is {getattr(self, f.name)!r}: expected a chance, 0 to 1")


@dataclass(frozen=True, slots=True)
class Restlessness:
    """What happens besides play. Chances are for each turn; pairs are the bounds of evenly spread seconds."""

    hover: float
    nudge: float
    square_up: float
    take_back: float
    """A legal card is picked up again within two seconds, and a card is played again."""
    two_at_once: float
    """Two cards leave the hand in one movement; the upper one is taken back."""
    light: float
    shade: float
    rest: float
    several_a_visit: float
    """At each draw of more than one card: several are taken in one visit."""
    scatter_mm: float
    """Standard deviation of where cards land."""
    scatter_deg: float
    """Standard deviation of how cards are turned."""
    think_s: tuple[float, float]
    """From the last hand being gone to the next hand coming."""
    reach_s: tuple[float, float]
    """From the edge of the picture to the pile; the way back is a little faster."""
    hold_s: tuple[float, float]
    """How long the hand stays at the pile."""


HABITS: Mapping[Level, Restlessness] = {
    Level.EASY: Restlessness(
        hover=0.0, nudge=0.0, square_up=0.0, take_back=0.0, two_at_once=0.0, light=0.0, shade=0.0, rest=0.0,
        several_a_visit=0.0, scatter_mm=6.0, scatter_deg=7.0, think_s=(0.9, 1.8), reach_s=(0.5, 0.7), hold_s=(0.2, 0.4),
    ),
    Level.NORMAL: Restlessness(
        hover=0.02, nudge=0.02, square_up=0.03, take_back=0.01, two_at_once=0.0, light=0.005, shade=0.01, rest=0.02,
        several_a_visit=0.0, scatter_mm=9.0, scatter_deg=16.0, think_s=(0.8, 2.0), reach_s=(0.4, 0.7),
        hold_s=(0.15, 0.5),
    ),
    Level.HARD: Restlessness(
        hover=0.06, nudge=0.05, square_up=0.05, take_back=0.02, two_at_once=0.01, light=0.04, shade=0.05, rest=0.05,
        several_a_visit=0.3, scatter_mm=13.0, scatter_deg=32.0, think_s=(0.5, 1.8), reach_s=(0.28, 0.6),
        hold_s=(0.1, 0.6),
    ),
}  # fmt: skip
"""The table at each level."""
