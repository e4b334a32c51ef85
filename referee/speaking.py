"""The referee speaks: what is new on the board, aloud, by the host's settings. Every sentence is on the screens too."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

from referee.dashboard.phrases import load_phrases, translator
from referee.dashboard.voice import VoiceSettings, keep_voice, load_voice
from referee.hardware.speech import Sentence, Speech
from referee.paths import shipped

SPOKEN = frozenset({"hand_over", "game_over", "uno_ok"})
"""Rulings that are spoken though nothing is called: the voice in the browser says the same."""


def worth_saying(news: Iterable[Mapping[str, Any]], *, brief: bool) -> list[Mapping[str, Any]]:
    """What of `news` (rulings as of `Session.announcements`) is spoken. brief: questions are not."""
    return [
        item for item in news
        if item["tier"] == "call" or item["code"] in SPOKEN or (item["tier"] == "ask" and not brief)
    ]  # fmt: skip


class Speaking:
    """Implements `referee.dashboard.voice.Voice`. folder: where the settings are kept. language: the table's.

    news(seq, language): `Session.announcements`.
    """

    def __init__(
        self, folder: Path, language: str, news: Callable[[int, str], list[dict[str, Any]]],
        speech: Speech | None = None,
    ) -> None:  # fmt: skip
        self._folder, self._language, self._news = folder, language, news
        self.speech = speech or Speech()
        self._settings = load_voice(folder)
        self._phrases = load_phrases(shipped("web") / "locale")

    @property
    def settings(self) -> VoiceSettings:
        """The present ones."""
        return self._settings

    def use(self, settings: VoiceSettings) -> None:
        """Keeps them, and speaks by them from now on. Raises OSError."""
        keep_voice(self._folder, settings)
        self._settings = settings
        if not settings.on:
            self.speech.hush()

    def try_out(self) -> None:
        """Says what the program is called."""
        self._say(self._phrases[self._spoken()]["app.name"])

    def announce(self, since: int) -> None:
        """Says what is new since board `since`."""
        if not self._settings.on:
            return
        language = self._spoken()
        t = translator(self._phrases[language])
        for item in worth_saying(self._news(since, language), brief=self._settings.brief):
            self._say(t("ruling.withdrawn", text=item["text"]) if item["withdrawn"] else item["text"])

    def close(self) -> None:
        """Stops speaking."""
        self.speech.close()

    def _spoken(self) -> str:
        return self._settings.language or self._language

    def _say(self, text: str) -> None:
        self.speech.say(Sentence(text, self._spoken(), self._settings.volume))
