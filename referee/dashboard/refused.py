"""What a phone is told when it cannot have what it asks for."""

from __future__ import annotations

from typing import Any


class Refused(Exception):
    """What a phone asked for cannot be done. code: names the phrase `error.CODE`; status: of HTTP; detail: one line."""

    def __init__(self, code: str, status: int, detail: str = "", **more: Any) -> None:
        super().__init__(detail or code)
        self.code, self.status, self.detail, self.more = code, status, detail, more
