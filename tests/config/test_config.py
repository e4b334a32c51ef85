"""The configuration file: what it accepts, what it refuses and how it says so, and that a save is whole or nothing."""

from __future__ import annotations

import os
import signal
from pathlib import Path

import pytest
from click.testing import CliRunner

from referee import config
from referee.commands.config import command
from referee.commands.serve import command as serve
from referee.config import CameraConfig, Config, ConfigError, DashboardConfig, General


def test_an_empty_file_means_the_defaults() -> None:
    assert config.parse("") == Config()


def test_values_are_taken_by_section_and_whole_numbers_pass_for_numbers() -> None:
    got = config.parse(
        '[general]\nlanguage = "de"\n[camera]\nsource = "usb:0"\nfps = 20\n[buttons]\nuno_pins = [5, 6]\n'
        "[signals]\nlamp_pins = [22, 23, 24]\nbuzzer_pins = [25]\n[dashboard]\nport = 80\n"
    )
    assert (got.general.language, got.camera.source, got.camera.fps) == ("de", "usb:0", 20.0)
    assert isinstance(got.camera.fps, float)
    assert (got.buttons.uno_pins, got.signals.lamp_pins, got.dashboard.port) == ((5, 6), (22, 23, 24), 80)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("[camera]\nfsp = 15", "unknown field camera.fsp; did you mean camera.fps?"),
        ("[general]\nport = 80", "unknown field general.port; did you mean dashboard.port?"),
        ("[camera]\nwidht = 640", "unknown field camera.widht; did you mean camera.width?"),
        ("[camera]\nzzzz = 1", "unknown field camera.zzzz; `referee config` lists them"),
        ("[cammera]\nfps = 15", "unknown section [cammera]; did you mean [camera]?"),
        ("[xyz]\n", "unknown section [xyz]; sections: general, camera, buttons, signals, dashboard"),
        ("fps = 15", "unknown field fps; did you mean camera.fps?"),
        ("camera = 3", "camera is 3: expected a section, [camera]"),
        ('[camera]\nfps = "fast"', "camera.fps is 'fast': expected a number"),
        ("[camera]\nwidth = 12.5", "camera.width is 12.5: expected a whole number"),
        ("[camera]\nwidth = true", "camera.width is True: expected a whole number"),
        ("[camera]\nsource = 0", "camera.source is 0: expected text"),
        ("[camera]\nfps = 500", "camera.fps is 500.0: expected 1 to 60 frames/s"),
        ("[camera]\nmains_hz = 55", "camera.mains_hz is 55: expected 50 or 60 Hz"),
        ('[general]\nlanguage = "fr"', "general.language is 'fr': expected en or de or es"),
        ("[buttons]\nactive_low = 1", "buttons.active_low is 1: expected true or false"),
        ("[buttons]\nuno_pins = 17", "buttons.uno_pins is 17: expected a list of whole numbers"),
        ("[buttons]\nuno_pins = [17, 40]", "buttons.uno_pins is 40: expected 2 to 27, at most 10 of them"),
        ("[buttons]\nuno_pins = [17, 17]", "buttons.uno_pins has GPIO 17: expected a free pin"),
        ("[signals]\nlamp_pins = [17]", "signals.lamp_pins has GPIO 17: expected a free pin, buttons.uno_pins uses it"),
        ("[signals]\nlamp_pins = [22, 23]", "signals.lamp_pins has 2 entries: expected none, one, three"),
        ("[signals]\nstrip = true\nactive_low = true", "signals.strip is true: expected active_low = false"),
        ("[signals]\nstrip = true\nlamp_pins = [22, 23, 24, 25]", "signals.strip is true: expected one or three"),
        ("[buttons]\ncolour_pins = [22]", "buttons.colour_pins has 1 entries: expected none, or red"),
        ("[buttons]\ncatch_pins = [17]", "buttons.catch_pins has GPIO 17: expected a free pin, buttons.uno_pins"),
        ("[buttons]\nuno_pins = [2]\nactive_low = false", "buttons.uno_pins has GPIO 2: expected another pin, because"),
        ("[signals]\nbuzzer_pins = [22, 23]", "signals.buzzer_pins has 2 entries: expected 2 to 27, at most 1 of them"),
        ("x = " + "[" * 5000, "is no configuration: it is nested too deep"),
        ('[general]\ndata_folder = "a\\u0000b"', "general.data_folder is 'a\\x00b': expected text without a zero byte"),
        ('[dashboard]\nhost = "a..b"', "dashboard.host is 'a..b': expected an address of this machine"),
        ("[dashboard]\nport = 0", "dashboard.port is 0: expected 1 to 65535"),
        ("[dashboard]\nstreams = 30", "dashboard.streams is 30: expected at most 24, dashboard.threads less 8"),
        ("[camera", "is not TOML: "),
    ],
)  # fmt: skip
def test_what_is_wrong_is_named_in_one_line(tmp_path: Path, text: str, says: str) -> None:
    path = tmp_path / "table.toml"
    path.write_text(text)
    with pytest.raises(ConfigError) as raised:
        config.load(path)
    line = str(raised.value)
    assert line.startswith(f"{path}: {says}")
    assert "\n" not in line


def test_a_named_file_that_is_missing_is_refused_with_the_remedy(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="referee config --write"):
        config.load(tmp_path / "none.toml")


def test_the_usual_place_is_beside_the_games(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("REFEREE_DATA", str(tmp_path))
    assert config.load() == Config()
    assert Config().data_folder == tmp_path
    config.save(Config(general=General(language="es")), tmp_path / "config.toml")
    assert config.load().general.language == "es"
    assert Config(general=General(data_folder="~/games")).data_folder == Path.home() / "games"


def test_the_calibration_lies_in_the_data_folder_unless_it_is_named() -> None:
    general = General(data_folder="/srv/games")
    assert Config(general=general).calibration_file == Path("/srv/games/calibration.json")
    named = Config(general=general, camera=CameraConfig(calibration="~/mine.json"))
    assert named.calibration_file == Path.home() / "mine.json"


ODD = Config(
    general=General(data_folder='/srv/"a" \\ ü\x7f\n', language="de"),
    dashboard=DashboardConfig(port=80, threads=16, streams=2),
)


@pytest.mark.parametrize("settings", [Config(), ODD])
def test_what_is_written_is_read_back(settings: Config) -> None:
    assert config.parse(config.to_toml(settings)) == settings


def test_the_written_file_shows_every_field_with_its_title_and_default() -> None:
    text = config.to_toml(Config())
    for one in config.every_field(Config()):
        assert f"# {one.name.partition('.')[2]} = {config.toml_value(one.default)}\n" in text
        assert one.about.title in text
        assert one.about.text.endswith(".")
    assert not [line for line in text.splitlines() if line and line[0] not in "#["]


def test_a_save_that_fails_leaves_the_old_file_and_no_other(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "config.toml"
    config.save(ODD, path)

    def pull_the_plug(source: str, target: str) -> None:
        raise OSError("no power")

    monkeypatch.setattr(os, "replace", pull_the_plug)
    with pytest.raises(OSError, match="no power"):
        config.save(Config(), path)
    assert config.load(path) == ODD
    assert [p.name for p in tmp_path.iterdir()] == ["config.toml"]


def test_a_save_keeps_the_files_mode(tmp_path: Path) -> None:
    path = tmp_path / "config.toml"
    config.save(Config(), path)
    assert path.stat().st_mode & 0o777 == 0o644
    path.chmod(0o600)
    config.save(ODD, path)
    assert path.stat().st_mode & 0o777 == 0o600


def test_the_command_lists_every_field(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("REFEREE_DATA", str(tmp_path / "empty"))
    path = tmp_path / "config.toml"
    config.save(ODD, path)
    result = CliRunner().invoke(command, ["--config", str(path)])
    assert result.exit_code == 0
    for one in config.every_field(Config()):
        assert one.name in result.output
    assert "dashboard.port = 80   (default 8080)" in result.output
    assert len(CliRunner().invoke(command, ["--json"]).output.splitlines()) == len(list(config.every_field(Config())))


def test_the_command_writes_a_file_once(tmp_path: Path) -> None:
    path = tmp_path / "new" / "config.toml"
    assert CliRunner().invoke(command, ["--write", str(path)]).exit_code == 0
    assert config.load(path) == Config()
    again = CliRunner().invoke(command, ["--write", str(path)])
    assert again.exit_code == 2
    assert "already there" in again.output


def test_the_command_refuses_a_wrong_file_in_one_line(tmp_path: Path) -> None:
    path = tmp_path / "config.toml"
    path.write_text("[camera]\nfsp = 1\n")
    result = CliRunner().invoke(command, ["--config", str(path)])
    assert result.exit_code == 2
    assert result.output == f"Error: {path}: unknown field camera.fsp; did you mean camera.fps?\n"


def test_a_file_of_an_editor_that_marks_it_and_ends_lines_with_two_bytes_is_read(tmp_path: Path) -> None:
    file = tmp_path / "config.toml"
    file.write_bytes(b'\xef\xbb\xbf[general]\r\nlanguage = "de"\r\n')
    assert config.load(file).general.language == "de"


def test_nobody_serves_by_a_preset_that_there_is_none_of(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(signal, "signal", lambda *_: None)  # Ctrl-C stays the tests'
    file = tmp_path / "config.toml"
    file.write_text(f'[general]\npreset = "ofcial"\ndata_folder = "{tmp_path}"\n')
    run = CliRunner().invoke(serve, ["--no-camera", "--config", str(file)])
    assert run.exit_code == 2
    assert "general.preset is 'ofcial': expected one of official, official_108" in run.output
    assert not (tmp_path / "journal.db").exists()
