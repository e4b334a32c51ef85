"""`referee backup` and `referee restore`, as a person types them."""

from __future__ import annotations

import shutil
import zipfile
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from referee.commands.backup import command as backup
from referee.commands.enrol import command as enrol
from referee.commands.export import command as export
from referee.commands.pin import command as pin
from referee.commands.restore import command as restore
from referee.config import load
from referee.events import GameStarted
from referee.storage import Journal


@pytest.fixture
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder that the commands use unless they are told otherwise."""
    folder = tmp_path / "data"
    monkeypatch.setenv("REFEREE_DATA", str(folder))
    with Journal(folder / "journal.db") as journal:
        journal.append(GameStarted(players=("Ana", "Ben"), dealer="Ana"), game=None, author="host", wall=0.0)
    return folder


def one_line(result: Result, text: str) -> None:
    assert result.exit_code == 2
    assert text in result.output
    assert len(result.output.strip().splitlines()) == 1


def test_there_and_back(data: Path, tmp_path: Path) -> None:
    runner, file = CliRunner(), tmp_path / "uno.zip"
    saved = runner.invoke(backup, [str(file)])
    assert saved.exit_code == 0
    assert "all games and 0 photographs" in saved.output
    again = runner.invoke(restore, [str(file), "--data", str(tmp_path / "new")])
    assert again.exit_code == 0
    assert (tmp_path / "new" / "journal.db").is_file()
    replaced = runner.invoke(restore, [str(file), "--force"])
    assert "what was there is kept as" in replaced.output
    assert str(data / "journal.before-restore-1.db") in replaced.output


def test_where_the_configuration_keeps_the_games_is_where_every_command_looks(data: Path, tmp_path: Path) -> None:
    runner, games = CliRunner(), tmp_path / "stick"
    data.rename(games)
    data.mkdir()
    (data / "config.toml").write_text(f'[general]\ndata_folder = "{games}"\n')
    assert "Ana, Ben" in runner.invoke(export, ["--list"]).output
    assert runner.invoke(backup, [str(tmp_path / "uno.zip")]).exit_code == 0
    assert runner.invoke(restore, [str(tmp_path / "uno.zip"), "--force"]).exit_code == 0
    assert runner.invoke(pin).exit_code == 0
    assert str(games / "deck.zip") in runner.invoke(enrol).output
    assert {path.name for path in data.iterdir()} == {"config.toml"}
    (data / "config.toml").write_text("[general]\ndata_folder = 3\n")
    one_line(runner.invoke(export), "general.data_folder is 3: expected text")


def served_from_elsewhere(data: Path, tmp_path: Path) -> tuple[Path, Path]:
    """Games and calibration outside the folder of the configuration: the folder of the games, and the calibration."""
    games, calibration = tmp_path / "stick", tmp_path / "etc" / "table.json"
    data.rename(games)
    data.mkdir()
    calibration.parent.mkdir()
    calibration.write_text("of this table")
    text = f'[general]\ndata_folder = "{games}"\n[camera]\ncalibration = "{calibration}"\n[buttons]\nuno_pins = [5]\n'
    (data / "config.toml").write_text(text)
    return games, calibration


def test_a_new_card_gets_the_table_back_wherever_its_parts_lay(
    data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    served_from_elsewhere(data, tmp_path)
    runner, file, new = CliRunner(), tmp_path / "uno.zip", tmp_path / "new-card"
    assert runner.invoke(backup, [str(file)]).exit_code == 0
    shutil.rmtree(tmp_path / "stick")
    shutil.rmtree(tmp_path / "etc")
    monkeypatch.setenv("REFEREE_DATA", str(new))
    assert runner.invoke(restore, [str(file)]).exit_code == 0
    used = load()
    assert used.data_folder == new
    assert used.buttons.uno_pins == (5,)
    assert used.calibration_file.read_text() == "of this table"
    assert "Ana, Ben" in runner.invoke(export, ["--list"]).output
    assert not (tmp_path / "stick").exists()


def test_what_the_configuration_names_elsewhere_comes_back_there(data: Path, tmp_path: Path) -> None:
    games, calibration = served_from_elsewhere(data, tmp_path)
    before = (data / "config.toml").read_text()
    runner, file = CliRunner(), tmp_path / "uno.zip"
    runner.invoke(backup, [str(file)])
    calibration.unlink()
    assert runner.invoke(restore, [str(file), "--force"]).exit_code == 0
    assert calibration.read_text() == "of this table"
    assert (data / "config.toml").read_text() == before
    assert not (games / "config.toml").exists()


def test_a_configuration_that_serve_was_given_is_kept(data: Path, tmp_path: Path) -> None:
    named, file = tmp_path / "uno.toml", tmp_path / "uno.zip"
    named.write_text(f'[general]\ndata_folder = "{data}"\n')
    assert CliRunner().invoke(backup, [str(file), "--config", str(named)]).exit_code == 0
    with zipfile.ZipFile(file) as archive:
        assert archive.read("config.toml") == named.read_bytes()
    one_line(CliRunner().invoke(backup, [str(file), "--config", str(tmp_path / "none")]), "there is no such file")


@pytest.mark.parametrize("told", ["--data", "nothing", "configuration"])
def test_a_configuration_in_another_folder_comes_back_there(
    data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, told: str
) -> None:
    """As of a service that is started with `serve --config`, on a new card: it finds games and table again."""
    named, file, new = tmp_path / "etc" / "uno.toml", tmp_path / "uno.zip", tmp_path / "new-card"
    named.parent.mkdir()
    named.write_text("[buttons]\nuno_pins = [5]\n")
    (data / "calibration.json").write_text("of this table")
    runner = CliRunner()
    assert runner.invoke(backup, [str(file), "--config", str(named)]).exit_code == 0
    named.unlink()
    if told == "nothing":
        monkeypatch.setenv("REFEREE_DATA", str(new))
    elif told == "configuration":
        named.write_text(f'[general]\ndata_folder = "{new}"\n')
    told_data = ["--data", str(new)] if told == "--data" else []
    assert runner.invoke(restore, [str(file), "--config", str(named), *told_data]).exit_code == 0
    used = load(named)
    assert used.data_folder == new
    assert used.buttons.uno_pins == ((17,) if told == "configuration" else (5,))  # one that is there stays
    assert used.calibration_file.read_text() == "of this table"
    assert {path.name for path in new.iterdir()} == {"calibration.json", "evidence", "journal.db", "journal.db.lock"}


def test_wrong_use_is_one_line_and_status_2(data: Path, tmp_path: Path) -> None:
    runner, file = CliRunner(), tmp_path / "uno.zip"
    runner.invoke(backup, [str(file)])
    one_line(runner.invoke(backup, [str(file)]), "is there already")
    one_line(runner.invoke(restore, [str(file)]), "a journal is there")
    one_line(runner.invoke(backup, [str(data / "journal.db"), "--force"]), "is there already and is no backup")
    one_line(runner.invoke(export, ["--output", str(data / "journal.db"), "--force"]), "would be written over")
    assert "Ana, Ben" in runner.invoke(export, ["--list"]).output
    one_line(runner.invoke(backup, [str(tmp_path / "b.zip"), "--data", str(tmp_path / "none")]), "no journal is there")
    one_line(runner.invoke(backup, ["/proc/none/b.zip"]), "cannot be written")
    file.write_bytes(b"torn")
    one_line(runner.invoke(restore, [str(file), "--force"]), "not a backup, or damaged")
