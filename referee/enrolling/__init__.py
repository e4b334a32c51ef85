"""Enrolling a deck while the service runs: the camera process looks at one face after the other (`Enrolling`), what was
seen is kept after each of them (`Draft`), and a process of its own learns it (`Fit`)."""

from referee.enrolling.service import Enrolling

__all__ = ["Enrolling"]
