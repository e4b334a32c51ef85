"""`referee backup` and `referee restore`, as a person types them."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from referee.commands.backup import command as backup
from referee.commands.enrol import command as enrol
from referee.commands.export import command as export
from referee.commands.pin import command as pin
from referee.commands.restore import command as restore
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
