"""The referee's own voice: what is said, what is left out, and that nothing of it stays behind."""

from __future__ import annotations

import shutil
import subprocess
import time
import wave
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from referee.dashboard.voice import VoiceSettings
from referee.hardware import speech
from referee.hardware.speech import Sentence, Speech
from referee.speaking import Speaking

FAKE = """#!/bin/sh
[ -e "{folder}/hang" ] && exec sleep 600
[ -e "{folder}/mute" ] && {{ echo "cannot open the sound card" >&2; exit 1; }}
[ -e "{folder}/no_card" ] && {{ printf "ALSA lib: no card\\nerror: No such file or directory\\n" >&2; exit 0; }}
echo "$@: $(cat)" >> "{folder}/said"
echo "ALSA lib: something else is odd" >&2
"""
PATIENCE_S = 60.0


@pytest.fixture
def voice(tmp_path: Path) -> Iterator[Speech]:
    """Speaks with a program that writes down what it is told."""
    program = tmp_path / "espeak-ng"
    program.write_text(FAKE.format(folder=tmp_path))
    program.chmod(0o755)
    voice = Speech(str(program))
    yield voice
    voice.close()


def until(true: Callable[[], Any]) -> Any:
    end = time.monotonic() + PATIENCE_S
    while not (found := true()):
        assert time.monotonic() < end
        time.sleep(0.02)
    return found


def said(folder: Path) -> list[str]:
    file = folder / "said"
    return file.read_text("utf-8").splitlines() if file.exists() else []


def ruling(code: str, tier: str, text: str, *, withdrawn: bool = False) -> dict[str, Any]:
    return {"code": code, "tier": tier, "text": text, "withdrawn": withdrawn}


def test_a_sentence_is_spoken_in_its_language_and_as_loud_as_wanted(voice: Speech, tmp_path: Path) -> None:
    voice.say(Sentence("Ana nimmt -v zwei; $(reboot)", "de", 50))
    assert until(lambda: said(tmp_path)) == ["-v de -a 100 -s 150 --stdin: Ana nimmt -v zwei; $(reboot)"]
    assert voice.trouble is None


def test_no_program_no_voice(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    silent = Speech()
    silent.say(Sentence("hello", "en", 80))
    assert not silent.available
    silent.close()


def test_a_mute_machine_is_a_trouble_until_it_is_heard_again(voice: Speech, tmp_path: Path) -> None:
    told: list[bool] = []
    voice.on_trouble = lambda: told.append(voice.trouble is not None)
    (tmp_path / "mute").touch()
    for text in ("one", "one and a half"):
        voice.say(Sentence(text, "en", 80))
    trouble = until(lambda: voice.trouble)
    assert trouble.code == "no_sound"
    assert "cannot open the sound card" in trouble.what
    (tmp_path / "mute").unlink()
    voice.say(Sentence("two", "en", 80))
    until(lambda: voice.trouble is None)
    until(lambda: told == [True, False])


def test_no_sound_card_is_a_trouble_though_the_program_ends_well(voice: Speech, tmp_path: Path) -> None:
    (tmp_path / "no_card").touch()
    voice.say(Sentence("one", "en", 80))
    assert "(No such file or directory)" in until(lambda: voice.trouble).what


def test_a_voice_that_hangs_is_cut_off_and_the_next_sentence_heard(
    voice: Speech, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(speech, "LONGEST_S", 0.2)
    (tmp_path / "hang").touch()
    voice.say(Sentence("one", "en", 80))
    assert "did not end" in until(lambda: voice.trouble).what
    (tmp_path / "hang").unlink()
    monkeypatch.setattr(speech, "LONGEST_S", PATIENCE_S)
    voice.say(Sentence("two", "en", 80))
    assert until(lambda: said(tmp_path)) == ["-v en -a 160 -s 150 --stdin: two"]


def test_closing_kills_what_is_being_said(voice: Speech, tmp_path: Path) -> None:
    (tmp_path / "hang").touch()
    voice.say(Sentence("a long story", "en", 80))
    running = until(lambda: voice._running)
    voice.close()
    assert running.returncode == -9


def test_what_is_hushed_while_the_program_starts_is_not_heard(
    voice: Speech, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "hang").touch()
    started: list[subprocess.Popen[bytes]] = []

    class Hushed(subprocess.Popen[bytes]):
        def __init__(self, *args: Any, **options: Any) -> None:
            super().__init__(*args, **options)
            if not started:
                voice.hush()
            started.append(self)

    monkeypatch.setattr(subprocess, "Popen", Hushed)
    voice.say(Sentence("one", "en", 80))
    until(lambda: started and started[0].returncode is not None)
    assert (started[0].returncode, voice.trouble) == (-9, None)


class Table:
    """Stands in for the session."""

    def __init__(self) -> None:
        self.rulings: list[dict[str, Any]] = []
        self.asked: list[tuple[int, str]] = []

    def news(self, since: int, language: str) -> list[dict[str, Any]]:
        self.asked.append((since, language))
        return self.rulings


class Recorder(Speech):
    """A voice that keeps what it is given."""

    def __init__(self) -> None:
        super().__init__("/bin/true")
        self.given: list[Sentence] = []

    def say(self, sentence: Sentence) -> None:
        self.given.append(sentence)


@pytest.mark.parametrize(
    ("brief", "spoken"),
    [
        (True, ["Cleo did not call UNO.", "Withdrawn: Ben: red 7.", "Ana calls UNO."]),
        (False, ["Cleo did not call UNO.", "Who drew?", "Withdrawn: Ben: red 7.", "Ana calls UNO."]),
    ],
)
def test_what_is_announced_is_said_once_switched_on(tmp_path: Path, brief: bool, spoken: list[str]) -> None:
    table, recorder = Table(), Recorder()
    speaking = Speaking(tmp_path, "en", table.news, recorder)
    table.rulings = [
        ruling("catch_ok", "call", "Cleo did not call UNO."), ruling("who_drew", "ask", "Who drew?"),
        ruling("illegal_card", "call", "Ben: red 7.", withdrawn=True), ruling("uno_ok", "note", "Ana calls UNO."),
        ruling("forced_draw", "note", "Dana draws two."),
    ]  # fmt: skip
    speaking.announce(4)
    assert recorder.given == []
    speaking.use(VoiceSettings(on=True, brief=brief, volume=30))
    speaking.announce(5)
    assert [one.text for one in recorder.given] == spoken
    assert {(one.language, one.volume) for one in recorder.given} == {("en", 30)}
    speaking.close()


def test_the_settings_are_kept_and_another_language_is_asked_for(tmp_path: Path) -> None:
    table = Table()
    Speaking(tmp_path, "en", table.news, Recorder()).use(VoiceSettings(on=True, language="es"))
    again = Speaking(tmp_path, "en", table.news, Recorder())
    again.announce(7)
    assert (again.settings.language, table.asked) == ("es", [(7, "es")])


@pytest.mark.skipif(shutil.which("espeak-ng") is None, reason="espeak-ng is not installed")
@pytest.mark.parametrize(
    ("language", "text"), [("en", "Ben takes it back."), ("de", "Ben nimmt zurück."), ("es", "Ben la retira.")]
)
def test_the_real_one_makes_sound_of_it(tmp_path: Path, language: str, text: str) -> None:
    file = tmp_path / "said.wav"
    program = tmp_path / "to-a-file"
    program.write_text(f'#!/bin/sh\nexec espeak-ng -w "{file}" "$@"\n')
    program.chmod(0o755)
    voice = Speech(str(program))
    voice.say(Sentence(text, language, 80))
    until(lambda: file.exists() and file.stat().st_size > 44 and voice._running is None)
    voice.close()
    assert voice.trouble is None
    with wave.open(str(file)) as sound:
        assert sound.getnframes() / sound.getframerate() > 0.5
        samples = sound.readframes(sound.getnframes())
    assert max(samples) > 0
