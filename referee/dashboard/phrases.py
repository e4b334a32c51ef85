"""The catalogues of phrases that the pages show, one JSON object of key to text for each language."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path

from referee.dashboard.settings import LANGUAGES


def load_phrases(folder: Path) -> dict[str, dict[str, str]]:
    """Catalogues by language: `en.json` and every `PART.en.json`. Raises ValueError naming the file that is no object
    of texts, or that says again what another one says."""
    catalogues = {}
    for language in LANGUAGES:
        phrases: dict[str, str] = {}
        for file in (folder / f"{language}.json", *sorted(folder.glob(f"*.{language}.json"))):
            data = _texts(file)
            if twice := phrases.keys() & data.keys():
                raise ValueError(f"{file}: {min(twice)} is in another file too")
            phrases |= data
        catalogues[language] = phrases
    return catalogues


def _texts(file: Path) -> dict[str, str]:
    try:
        data = json.loads(file.read_text("utf-8"))
    except (OSError, ValueError) as error:
        raise ValueError(f"{file}: {error}") from None
    if not isinstance(data, dict) or not all(isinstance(text, str) for text in data.values()):
        raise ValueError(f"{file}: expected one object of key to text")
    return data


def translator(catalogue: Mapping[str, str]) -> Callable[..., str]:
    """`t(key, name=value)` for templates: the text with its `{name}` filled in. Raises KeyError for a missing key."""

    def t(key: str, **values: object) -> str:
        return catalogue[key].format(**values)

    return t
