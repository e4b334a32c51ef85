"""One event of a case, which people write more loosely than a journal does: other names for a field, an earlier event
named by its place, a player left out."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

Json = Any
REF_NAMES = ("ref", "at", "index", "event", "of", "target", "which", "number")
"""Names under which a case may give the number of an earlier event; `ref` is ours."""
ANSWERS: Mapping[str, tuple[str, ...]] = {
    "how_many": ("n", "count"), "which_card": ("card",), "name_colour": ("colour", "color"), "target": ("target",),
    "challenge_result": ("guilty", "result"),
}  # fmt: skip
"""The field that says most, by question; after it any of `ANY_ANSWER`."""
ANY_ANSWER = ("answer", "a", "player", "by_player", "who", "card", "n", "colour", "target", "choice")
TABLE = ("table", "host", "referee")
"""Who a case may say acted, when it was nobody in particular."""
LEGAL = ("legal", "(legal)", "ok", "valid", "allowed", "stands", "play_stands", "accepted")
GUILTY: Mapping[str, bool] = {"guilty": True, "yes": True, "innocent": False, "not_guilty": False, "no": False}
ILLEGAL = ("illegal", "illegal_card", "not_legal", "take_back", "takeback")


def encoded(data: Mapping[str, Json], card: int | None = None) -> dict[str, Json]:
    """The event as `event_json.decode` reads it. card: number of the last card before it, which a correction that names
    no event is about."""
    out = dict(data)
    numbered = any(isinstance(out.get(name), int) for name in REF_NAMES)
    if out.get("ev") == "correct" and card is not None and not numbered:
        out["ref"] = card
    if out.get("by") in TABLE:
        del out["by"]
    name = out.get("ev")
    if isinstance(name, str) and name in FORMS:
        FORMS[name](out)
    return out


def _first(out: dict[str, Json], *names: str) -> Json:
    """Takes the first of these fields that is there out of the event."""
    found = None
    for name in names:
        if name in out:
            value = out.pop(name)
            found = value if found is None else found
    return found


def _ref(out: dict[str, Json]) -> None:
    for name in REF_NAMES:
        if isinstance(out.get(name), int) and not isinstance(out[name], bool):
            out["ref"] = out.pop(name)
            return


def _correct(out: dict[str, Json]) -> None:
    _ref(out)
    if "fields" in out:
        return
    names = ("card", "n", "colour", "side", "cards", "target", "on")
    fields: dict[str, Json] = {key: out.pop(key) for key in names if key in out}
    card = _first(out, "to", "is", "as", "value", "new")
    if isinstance(card, str):
        fields["card"] = card
    elif isinstance(card, dict):
        fields |= card
    if "player" in out:
        # Who played or drew, or whose cards were counted.
        fields |= {"by": out["player"], "player": out.pop("player"), "side": 1.0}
    out["fields"] = fields


def _override(out: dict[str, Json]) -> None:
    _ref(out)
    what = out["what"] if "what" in out else _first(out, "verdict", "as", "to", "value")
    word = "legal" if what is None and "ref" not in out else str(what).lower()
    out["what"] = "legal" if word in LEGAL else "illegal" if word in ILLEGAL else "turn" if word == "turn" else "void"


def _answer(out: dict[str, Json]) -> None:
    if "question" not in out:
        out["question"] = _first(out, "ask", "q", "kind", "about", "to") or ""
    if "value" not in out:
        kind = str(out["question"]).partition(":")[0]
        out["value"] = _first(out, *ANSWERS.get(kind, ()), *ANY_ANSWER)


def _suggestion(out: dict[str, Json]) -> None:
    """`by` suggested a card to another player; in the journal `on` is who spoke."""
    if "by" not in out and "player" in out:
        out["by"] = out.pop("player")
    to = _first(out, "to", "on", "target", "player")
    if to is not None:
        out["to"] = to
    if "by" in out:
        out["on"] = out["by"]


def _of_player(out: dict[str, Json]) -> None:
    if "player" not in out and "by" in out:
        out["player"] = out["by"]
    if "n" not in out and "count" in out:
        out["n"] = out.pop("count")


def _target(out: dict[str, Json]) -> None:
    if "target" not in out:
        out["target"] = _first(out, "on", "with", "to", "player")


def _colour(out: dict[str, Json]) -> None:
    if "colour" not in out:
        out["colour"] = _first(out, "color", "value")


def _result(out: dict[str, Json]) -> None:
    said = _first(out, "guilty", "result", "value")
    out["guilty"] = GUILTY.get(said, said) if isinstance(said, str) else said


def _resume(out: dict[str, Json]) -> None:
    top = _first(out, "top", "card")
    if top is not None:
        out["top"] = top


FORMS = {
    "correct": _correct, "undo": _ref, "override": _override, "answer": _answer, "suggestion": _suggestion,
    "count": _of_player, "points": _of_player, "leave": _of_player, "join": _of_player, "target": _target,
    "colour": _colour, "challenge_result": _result, "resume": _resume,
}  # fmt: skip
"""What is made of each event that a case may write in other words."""
