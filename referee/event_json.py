"""The JSON form of events, for the journal, the exports and other programs.

An event is one object: `ev` names it, `t` is its time in seconds, fields that hold their default are left out, and
fields that this version does not know are kept and written back (`extra`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import MISSING, fields

from referee.cards import Card, Colour, parse_cards, write_cards
from referee.events import EVENTS, Event, Json, Unknown

VERSION = 1
"""Version of the JSON form, written as `v` by `encode`. Readers accept any version up to theirs."""


def _is(kind: type | tuple[type, ...], word: str) -> Callable[[Json], Json]:
    def check(value: Json) -> Json:
        if not isinstance(value, kind) or (isinstance(value, bool) and kind is not bool):
            raise ValueError(f"expected {word}")
        return value

    return check


def _number(value: Json) -> float:
    try:
        return float(_is((int, float), "a number")(value))
    except OverflowError:  # JSON's whole numbers may have any number of digits
        raise ValueError("expected a smaller number") from None


def _alternatives(value: Json) -> tuple[tuple[str, float], ...]:
    word = 'pairs such as ["R1", 0.002]'
    pairs = [_is((list, tuple), word)(pair) for pair in _is((list, tuple), word)(value)]
    if any(len(pair) != 2 for pair in pairs):
        raise ValueError(f"expected {word}")
    return tuple((str(Card.parse(_is(str, word)(card))), _number(p)) for card, p in pairs)


def _cards(value: Json) -> tuple[Card, ...]:
    word = "cards such as R7"
    if isinstance(value, str):
        return parse_cards(value)
    return tuple(Card.parse(_is(str, word)(card)) for card in _is((list, tuple), word)(value))


def _colour(value: Json) -> Colour:
    text = _is(str, "R, Y, G or B")(value).upper()
    if text not in [colour.value for colour in Colour]:
        raise ValueError("expected R, Y, G or B")
    return Colour(text)


def _names(value: Json) -> tuple[str, ...]:
    return tuple(_is(str, "a name")(name) for name in _is((list, tuple), "a list of names")(value))


def _card(value: Json) -> Card | None:
    text = _is(str, "a card")(value)
    return None if text == "?" else Card.parse(text)


_READERS: Mapping[str, Callable[[Json], Json]] = {
    "str": _is(str, "text"),
    "int": _is(int, "a whole number"),
    "bool": _is(bool, "true or false"),
    "float": _number,
    "Card": _card,
    "Colour": _colour,
    "tuple[str, ...]": _names,
    "tuple[Card, ...]": _cards,
    "tuple[tuple[str, float], ...]": _alternatives,
    "Mapping[str, Json]": _is(dict, "an object"),
    "Json": lambda value: value,
}
"""How a field is read, by its annotation without ` | None`."""


def _plain(value: Json) -> Json:
    if isinstance(value, Card):
        return str(value)
    if isinstance(value, Colour):
        return value.value
    if isinstance(value, tuple):
        return write_cards(value).split() if value and isinstance(value[0], Card) else [_plain(item) for item in value]
    if isinstance(value, Mapping):
        return dict(value)
    return value


def encode(event: Event) -> dict[str, Json]:
    """The event as a JSON object, `ev` and `t` first; an unread card is "?"."""
    name = event.name if isinstance(event, Unknown) else event.ev
    out: dict[str, Json] = {"v": VERSION, "ev": name, "t": event.t}
    for f in fields(event):
        if f.name in ("t", "extra", "name"):
            continue
        value = getattr(event, f.name)
        default = f.default if f.default_factory is MISSING else f.default_factory()
        if value != default:
            out[f.name] = "?" if value is None and f.type == "Card | None" else _plain(value)
    return {**event.extra, **out}


def decode(data: Mapping[str, Json]) -> Event:
    """The event written as `data`. Raises ValueError that names the event and the field.

    Fields this version does not know are kept in `extra`; an event it does not know becomes `Unknown`.
    """
    name = data.get("ev")
    if not isinstance(name, str):
        raise ValueError("ev: missing; it names the event, for example 'discard'")
    if name not in EVENTS:
        rest = {key: value for key, value in data.items() if key not in ("v", "ev", "t")}
        return Unknown(name=name, t=_field(name, "t", "float", data.get("t", 0.0)), extra=rest)
    kind = EVENTS[name]
    values: dict[str, Json] = {}
    known = {f.name: f for f in fields(kind) if f.name != "extra"}
    for key, f in known.items():
        if key in data:
            values[key] = _field(name, key, str(f.type), data[key])
        elif f.default is MISSING and f.default_factory is MISSING:
            raise ValueError(f"{name}: {key}: missing")
    extra = {key: value for key, value in data.items() if key not in known and key not in ("v", "ev")}
    try:
        return kind(**values, extra=extra)
    except ValueError as error:
        raise ValueError(f"{name}: {error}") from None


def _field(event: str, key: str, annotation: str, value: Json) -> Json:
    optional = annotation.endswith(" | None")
    if value is None and (optional or annotation == "Json"):
        return None
    try:
        return _READERS[annotation.removesuffix(" | None")](value)
    except ValueError as error:
        raise ValueError(f"{event}: {key} is {value!r:.60}: {error}") from None
