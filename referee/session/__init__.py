"""The session: the single writer of a table's game."""

from referee.session.session import Session

__all__ = ["Session"]
