"""A referee for UNO played with real cards: a camera sees, the rules judge, the table decides."""

__version__ = "0.1.0"
