"""What is kept on disk: the append-only journal, the evidence photos, exports and backups."""

from referee.storage.evidence import Evidence
from referee.storage.journal import Entry, Journal, JournalError

__all__ = ["Entry", "Evidence", "Journal", "JournalError"]
