"""The wiring as a picture: the header on the left, a row for every part, the common rails on the right. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape

from referee.config import Config
from referee.hardware.header import HEADER, RAIL_PIN, Rail
from referee.hardware.wiring import Part, Symbol, parts, warnings

PITCH = 26
"""Distance of two pins in the picture, px, as everything below."""
ROW = 58
"""Height of a part's row."""
LANE = 9
"""Distance of two wires that run side by side."""
RAIL_STEP = 52
"""Distance of two rails, wide enough for their names."""
TOP, HEADER_X = 116, 150
TEXT = "#1d2230"
RAIL_COLOURS = {Rail.GROUND: "#111111", Rail.V3: "#e8590c", Rail.V5: "#c2255c"}


def as_svg(config: Config) -> str:
    """An SVG document that needs no font, script or file beside it."""
    wired = parts(config)
    first_lane = HEADER_X + PITCH + 96
    part_x = first_lane + LANE * (len(wired) + 1) + 12
    rails = [rail for rail in (Rail.V3, Rail.V5, Rail.GROUND) if any(rail in (p.rail, p.extra) for p in wired)]
    rail_x = {rail: part_x + 300 + RAIL_STEP * i for i, rail in enumerate(rails)}
    notes = [f"{part.name} (GPIO {part.gpio}, pin {part.pin}): {part.words}." for part in wired]
    notes += [f"{line}." for line in warnings(config)]
    bottom = TOP + max(20 * PITCH, ROW * len(wired)) + 30
    width, height = part_x + 300 + RAIL_STEP * len(rails) + 40, bottom + 19 * len(notes) + 24
    width = max(width, 24 + 7 * max((len(note) for note in notes), default=0))
    body = [
        f'<text x="24" y="34" font-size="19" font-weight="bold">{escape(_title(wired))}</text>',
        '<text x="24" y="56">The board lies with the header at the top right: pin 1 has the square pad.</text>',
        *_rail_wires(wired, rails, rail_x),
        *_header({part.pin: part.colour for part in wired}),
    ]
    for at, part in enumerate(wired):
        y = TOP + ROW * at + ROW // 2 + 8
        body += _signal_wire(part, first_lane + LANE * (len(wired) - at), part_x, y)
        body += _part(part, part_x, y, rail_x)
    body += _labels({part.pin for part in wired})  # after the wires, which pass close to them
    for at, note in enumerate(notes):
        body.append(f'<text x="24" y="{bottom + 19 * at}">{escape(note)}</text>')
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" '
        f'font-family="sans-serif" font-size="13" fill="{TEXT}">\n<title>{escape(_title(wired))}</title>\n'
        f'<rect width="{width}" height="{height}" fill="#ffffff"/>\n' + "\n".join(body) + "\n</svg>\n"
    )


def _title(wired: Sequence[Part]) -> str:
    return "Wiring of the UNO referee" if wired else "Wiring of the UNO referee: nothing is configured"


def _at(pin: int) -> tuple[int, int]:
    """The middle of a pin."""
    return HEADER_X + PITCH * ((pin - 1) % 2), TOP + PITCH * ((pin - 1) // 2) + PITCH // 2


def _header(used: dict[int, str]) -> Iterator[str]:
    size = f'width="{PITCH + 26}" height="{20 * PITCH + 8}"'
    yield f'<rect x="{HEADER_X - 13}" y="{TOP - 4}" {size} rx="4" fill="#2f3542"/>'
    for pin, what in enumerate(HEADER, 1):
        x, y = _at(pin)
        colour = RAIL_COLOURS[what] if isinstance(what, Rail) else used.get(pin, "#c9ced8")
        square, circle = f'rect x="{x - 7}" y="{y - 7}" width="14" height="14"', f'circle cx="{x}" cy="{y}" r="7"'
        yield f'<{square if pin == 1 else circle} fill="{colour}" stroke="#f4d58d" stroke-width="2"/>'


def _labels(used: set[int]) -> Iterator[str]:
    for pin, what in enumerate(HEADER, 1):
        x, y = _at(pin)
        label = what.value if isinstance(what, Rail) else f"GPIO {what}"
        weight = ' font-weight="bold"' if pin in used or pin in RAIL_PIN.values() else ' fill="#7a8191"'
        if pin % 2:
            yield f'<text x="{x - 20}" y="{y + 4}" font-size="11" text-anchor="end"{weight}>{label} · {pin}</text>'
        else:
            yield f'<text x="{x + 24}" y="{y - 2}" font-size="10"{weight}>{pin} · {label}</text>'


def _line(points: Sequence[tuple[int, int]], colour: str) -> str:
    """A wire with a light edge, so that crossings can be read."""
    path = "M" + " L".join(f"{x} {y}" for x, y in points)
    return (
        f'<path d="{path}" fill="none" stroke="#ffffff" stroke-width="6"/>'
        f'<path d="{path}" fill="none" stroke="{colour}" stroke-width="2.5" stroke-linejoin="round"/>'
    )


def _signal_wire(part: Part, lane: int, part_x: int, y: int) -> Iterator[str]:
    """From the pin to its part; wires of the far row pass between the pins of the near one."""
    x, pin_y = _at(part.pin)
    gap = pin_y + PITCH // 2 if part.pin % 2 else pin_y
    start = [(x, pin_y), (x + PITCH // 2, gap)] if part.pin % 2 else [(x + 7, pin_y)]
    yield _line([*start, (lane, gap), (lane, y), (part_x, y)], part.colour)


def _rail_wires(wired: Sequence[Part], rails: Sequence[Rail], rail_x: dict[Rail, int]) -> Iterator[str]:
    """Each rail from its pin over the top and down the right side, to the last part that needs it."""
    for at, rail in enumerate(rails):
        pin = RAIL_PIN[rail]
        x, y = _at(pin)
        over = TOP - 10 - 7 * (len(rails) - at)
        last = max(i for i, part in enumerate(wired) if rail in (part.rail, part.extra))
        end = TOP + ROW * last + ROW // 2 + 8
        out = x - 17 if pin % 2 else x + 13 + 7 * at
        yield _line([(x, y), (out, y), (out, over), (rail_x[rail], over), (rail_x[rail], end)], RAIL_COLOURS[rail])
        yield f'<text x="{rail_x[rail]}" y="{TOP - 36}" font-size="11" text-anchor="middle">{rail.value}</text>'


def _part(part: Part, x: int, y: int, rail_x: dict[Rail, int]) -> Iterator[str]:
    """The row of a part: its name, its symbols, and the taps of its rails."""
    yield f'<text x="{x + 4}" y="{y - 19}" font-weight="bold">{escape(part.name)}</text>'
    end = rail_x[part.rail]
    if part.symbol is Symbol.BUTTON:
        yield _line([(x, y), (x + 150, y)], part.colour)
        yield _line([(x + 190, y), (end, y)], RAIL_COLOURS[part.rail])
        plunger = f"M{x + 148} {y - 12} H{x + 192} M{x + 170} {y - 12} V{y - 20}"
        yield f'<path d="{plunger}" stroke="{part.colour}" stroke-width="4"/>'
        yield f'<circle cx="{x + 150}" cy="{y}" r="5" fill="{part.colour}"/><circle cx="{x + 190}" cy="{y}" r="5"/>'
    elif part.symbol is Symbol.LED:
        yield _line([(x, y), (end, y)], part.colour)
        yield _line([(x + 180, y), (end, y)], RAIL_COLOURS[part.rail])
        yield _box(x + 40, y, 66, "330 Ω")
        # The arrow of a diode points from the long leg to the short one, which is the way the current takes.
        tip, back = (x + 168, x + 146) if part.rail is Rail.GROUND else (x + 146, x + 168)
        yield (
            f'<path d="M{back} {y - 12} V{y + 12} L{tip} {y} Z" fill="{part.colour}"/>'
            f'<path d="M{tip} {y - 12} V{y + 12}" stroke="{part.colour}" stroke-width="3"/>'
        )
    else:
        first, second = {
            Symbol.STRIP: ("100 Ω", "N-MOSFET + strip"), Symbol.BUZZER: ("1 kΩ", "NPN + buzzer"),
            Symbol.MODULE: ("", "buzzer board"),
        }[part.symbol]  # fmt: skip
        yield _line([(x, y), (x + 110, y)], part.colour)
        yield _line([(x + 240, y), (end, y)], RAIL_COLOURS[part.rail])
        if first:
            yield _box(x + 30, y, 60, first)
        yield _box(x + 110, y, 130, second)
    if part.extra is not None:
        yield _line([(x + 240, y - 8), (rail_x[part.extra], y - 8)], RAIL_COLOURS[part.extra])
        yield f'<circle cx="{rail_x[part.extra]}" cy="{y - 8}" r="4" fill="{RAIL_COLOURS[part.extra]}"/>'
    yield f'<circle cx="{end}" cy="{y}" r="4" fill="{RAIL_COLOURS[part.rail]}"/>'


def _box(x: int, y: int, width: int, label: str) -> str:
    return (
        f'<rect x="{x}" y="{y - 12}" width="{width}" height="24" rx="3" fill="#fff6df" stroke="#8a6d3b"/>'
        f'<text x="{x + width // 2}" y="{y + 4}" text-anchor="middle" font-size="12">{label}</text>'
    )
