"""Where the wires go: every configured pin once, to the right place on the header, in text and picture alike."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from pathlib import Path

import pytest
from click.testing import CliRunner

from referee.commands.wiring import command
from referee.config import ButtonConfig, Config, SignalConfig
from referee.hardware.header import HEADER, PIN_OF, RAIL_PIN, Rail
from referee.hardware.wiring import Symbol, as_text, parts, warnings
from referee.hardware.wiring_svg import as_svg

EVERYTHING = Config(
    buttons=ButtonConfig((5, 6, 13, 19), (26,), (16,), (12,), (17, 27, 22, 23)),
    signals=SignalConfig(lamp_pins=(24, 25, 8), buzzer_pins=(18,)),
)
TO_3V3 = Config(
    buttons=ButtonConfig((4,), active_low=False),
    signals=SignalConfig(lamp_pins=(9, 10, 11, 7), buzzer_pins=(20,), active_low=True),
)
STRIP = Config(signals=SignalConfig(lamp_pins=(18, 19, 20), strip=True))
NOTHING = Config(buttons=ButtonConfig(()))


def test_the_header_has_28_gpios_and_12_pins_of_power() -> None:
    """Raspberry Pi documentation: GPIO 0 to 27, two of 3.3 V, two of 5 V, eight of ground."""
    assert sorted(PIN_OF) == list(range(28))
    assert [HEADER.count(rail) for rail in Rail] == [8, 2, 2]
    assert all(HEADER[pin - 1] is rail for rail, pin in RAIL_PIN.items())
    # Some that every project knows: I2C on 3 and 5, UART on 8 and 10, GPIO 17 on 11, GPIO 21 in the last place.
    assert [PIN_OF[gpio] for gpio in (2, 3, 14, 15, 17, 18, 4, 26, 21)] == [3, 5, 8, 10, 11, 12, 7, 37, 40]


@pytest.mark.parametrize("config", [EVERYTHING, TO_3V3, STRIP, NOTHING], ids=["all", "3.3 V", "strip", "nothing"])
def test_every_configured_pin_is_a_part_and_nothing_else_is(config: Config) -> None:
    wanted = sorted(pin for pins in config.pins().values() for pin in pins)
    assert sorted(part.gpio for part in parts(config)) == wanted


@pytest.mark.parametrize("config", [EVERYTHING, TO_3V3, STRIP, NOTHING], ids=["all", "3.3 V", "strip", "nothing"])
def test_text_and_picture_name_every_part_with_its_place(config: Config) -> None:
    text, svg = as_text(config), as_svg(config)
    shown = " ".join(element.text or "" for element in ET.fromstring(svg).iter())
    for part in parts(config):
        line = f"{part.name} (GPIO {part.gpio}, pin {part.pin}): {part.words}."
        assert line in text
        assert line in shown


def test_in_the_picture_every_wire_begins_at_its_pin() -> None:
    root = ET.fromstring(as_svg(EVERYTHING))
    pads = [(float(e.get("cx", "0")), float(e.get("cy", "0"))) for e in root.iter() if e.get("r") == "7"]
    pads.insert(0, (pads[1][0], pads[0][1]))  # pin 1 is a square
    wires = [e.get("d", "")[1:] for e in root.iter() if e.get("fill") == "none"]
    starts = {tuple(map(float, wire.split(" L")[0].split())) for wire in wires}
    for part in parts(EVERYTHING):
        x, y = pads[part.pin - 1]
        assert (x, y) in starts or (x + 7, y) in starts


def test_which_rail_things_hang_on() -> None:
    rails = {part.name: part.rail for part in (*parts(EVERYTHING), *parts(TO_3V3))}
    assert rails["UNO button, seat 1"] is Rail.GROUND
    assert rails["UNO button"] is Rail.V3
    assert rails["lamp yellow"] is Rail.V3
    assert {part.extra for part in parts(EVERYTHING) if part.symbol is Symbol.BUZZER} == {Rail.V5}
    assert {part.extra for part in parts(TO_3V3) if part.symbol is Symbol.MODULE} == {Rail.V3}


@pytest.mark.parametrize(
    ("config", "says"),
    [
        (Config(buttons=ButtonConfig((14,))), ["GPIO 14 is also for the serial console"]),
        (Config(buttons=ButtonConfig((2,))), ["GPIO 2 is also for the I2C bus"]),
        (Config(buttons=ButtonConfig(()), signals=SignalConfig((5,))), ["GPIO 5 is high while the Pi starts"]),
        (Config(buttons=ButtonConfig(()), signals=SignalConfig((24,), active_low=True)), ["GPIO 24 is low while"]),
        (Config(buttons=ButtonConfig((5, 17))), []),
    ],
)
def test_what_is_known_of_a_pin_is_said(config: Config, says: list[str]) -> None:
    found = warnings(config)
    assert len(found) == len(says)
    assert all(line.startswith(said) for line, said in zip(found, says, strict=True))


def test_the_command(tmp_path: Path) -> None:
    file, picture = tmp_path / "table.toml", tmp_path / "wiring.svg"
    file.write_text("[buttons]\nuno_pins = [17]\n[signals]\nlamp_pins = [22]\n")
    text = CliRunner().invoke(command, ["--config", str(file)])
    assert text.exit_code == 0
    assert "UNO button (GPIO 17, pin 11)" in text.output
    assert CliRunner().invoke(command, ["--config", str(file), "--svg", str(picture)]).exit_code == 0
    assert picture.read_text() == CliRunner().invoke(command, ["--config", str(file), "--svg", "-"]).output
    file.write_text("[buttons]\nuno_pins = [17, 17]\n")
    wrong = CliRunner().invoke(command, ["--config", str(file)])
    assert wrong.exit_code == 2
    assert "expected a free pin" in wrong.output
