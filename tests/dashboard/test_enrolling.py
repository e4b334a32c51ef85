"""A deck is enrolled while the service runs: camera process, files and pages are the real ones, and the process that
learns the deck where the story is about that."""

from __future__ import annotations

import errno
import json
import os
import signal
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from urllib.error import HTTPError

import numpy as np
import pytest
import quick_fit
import set_up_camera
from deck_walk import deck_table, lay
from test_setting_up import Host, until

from referee.app import Service
from referee.cards import FACES, Card
from referee.enrolling.fit_process import FIRST_TO_GO, NICE
from referee.events import Discard
from referee.vision.deck import Deck, load_deck, load_with_deck, save_deck
from referee.vision.nets import load_models, readers
from referee.vision.warp import CROP_PX

R0, R1, R2, R3 = (str(face) for face in FACES[:4])


class DeckHost(Host):
    """A host's phone at the page about the deck."""

    def until(self, happened: Callable[[Any], bool], look: str = "") -> Any:
        """Asks as the page does until `happened`; what was answered then."""
        answers: list[Any] = []

        def asked() -> bool:
            answers.append(self.get("/api/deck"))
            return happened(answers[-1])

        until(asked)
        return answers[-1]

    def act(self, word: str, **fields: Any) -> Any:
        return self.post(f"/api/deck/{word}", **fields)

    def refused(self, word: str, **fields: Any) -> tuple[int, str]:
        """Status and code with which that is refused."""
        with pytest.raises(HTTPError) as error:
            self.act(word, **fields)
        code = json.loads(error.value.read())["error"]
        error.value.close()
        return error.value.code, code

    def show(self, folder: Path, card: str) -> Any:
        """Lays the card there until it is seen."""
        lay(folder, card)
        return self.until(lambda state: card in state["seen"])


@pytest.fixture
def table(tmp_path: Path) -> Iterator[tuple[Service, Path, DeckHost]]:
    with deck_table(tmp_path) as service:
        yield service, tmp_path, DeckHost(service)


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> Callable[[str], None]:
    """Says how the learning goes."""
    return lambda how: monkeypatch.setattr("referee.enrolling.fitting.COMMAND", quick_fit.command(how))


def used(folder: Path) -> Deck:
    return load_deck(folder / "data" / "deck.zip", readers())


def draft(folder: Path) -> list[str]:
    """Faces in the file of what was seen so far."""
    return [str(face) for face in load_deck(folder / "data" / "deck-new.zip", readers()).looks]


def crop() -> Any:
    return np.zeros((CROP_PX[1], CROP_PX[0], 3), np.uint8)


def test_each_face_is_kept_as_it_is_seen_and_the_next_start_goes_on(tmp_path):
    with deck_table(tmp_path) as service:
        host = DeckHost(service)
        assert host.get("/api/deck")["looks"] is False
        assert host.get("/api/deck/picture.jpg") == b""
        host.act("name", name="  Grandma's   deck ")
        host.act("begin")
        until(lambda: service.session.board()["eye"]["detail"] == "deck_shown")
        state = host.until(lambda state: state["facts"] and state["facts"]["fault"] == "no_card")
        assert (state["facts"]["size"], state["wanted"][0]) == ([1280, 720], R0)
        assert host.get("/api/deck/picture.jpg")[:2] == b"\xff\xd8"
        lay(tmp_path, "B8")
        state = host.until(lambda state: state["facts"] and state["facts"]["fault"] == "other")
        assert (state["facts"]["seen"], len(state["facts"]["quad"])) == ("B8", 4)
        host.show(tmp_path, R0)
        assert draft(tmp_path) == [R0]
        state = host.show(tmp_path, R1)
        assert (state["took"], draft(tmp_path)) == ([R0, R1], [R0, R1])
        assert not (tmp_path / "data" / "deck.zip").exists()
        pin = service.pin
    with deck_table(tmp_path) as service:
        state = DeckHost(service, pin).get("/api/deck")
        assert (state["name"], state["seen"], state["wanted"][0]) == ("Grandma's deck", [R0, R1], R2)


def test_a_face_is_put_off_shown_again_and_asked_for(table):
    _, folder, host = table
    host.act("begin")
    state = host.act("skip", face=R0)
    assert (state["wanted"][0], state["wanted"][-1]) == (R1, R0)
    assert host.act("skip", face=R0)["wanted"][0] == R1  # another phone's tap, too late
    host.show(folder, R1)
    first = (folder / "data" / "deck-new.zip").stat().st_mtime_ns
    assert host.act("again", face=R1)["wanted"][0] == R1
    state = host.until(lambda state: state["took"] == [R1, R1])  # though its card lies there still
    assert state["wanted"][0] == R2
    assert (folder / "data" / "deck-new.zip").stat().st_mtime_ns > first
    assert host.act("again", face="W")["wanted"][:2] == ["W", R2]
    host.until(lambda state: state["facts"]["asked"] == "W" and state["facts"]["fault"] in ("other", "same"))


def test_the_game_is_watched_again_when_the_host_pauses_or_is_gone(table, monkeypatch):
    service, _, host = table
    host.act("begin")
    host.until(lambda state: state["facts"])
    assert host.act("pause")["looks"] is False
    assert service.session.board()["eye"]["detail"] == "not_set_up"
    monkeypatch.setattr("referee.enrolling.service.LEASE_S", 1.0)
    host.act("begin")
    until(lambda: not service.enrolling.looks)
    assert service.session.board()["eye"]["detail"] == "not_set_up"


def test_a_hand_goes_before_the_deck_and_the_deck_before_the_set_up(table):
    service, _, host = table
    service.session.start_game(("Ana", "Ben"), "official_108", "Ben", {}, "host")
    assert host.get("/api/setup?look=table")["deck_shown"] is False
    host.act("begin")
    host.until(lambda state: state["facts"])
    wizard = host.get("/api/setup?look=table")
    assert (wizard["deck_shown"], wizard["facts"]) == (True, None)
    service.showing.begin("Ana")
    host.until(lambda state: state["hand_shown"] and state["facts"] is None)
    until(lambda: service.showing.picture is not None)
    assert host.get("/api/setup?look=table")["hand_shown"] is True
    service.showing.cancel()
    host.until(lambda state: state["facts"] and not state["hand_shown"])
    assert host.get("/api/setup?look=table")["deck_shown"] is True
    assert service.session.board()["eye"]["detail"] == "deck_shown"
    host.act("pause")
    until(lambda: host.get("/api/setup?look=table")["facts"] is not None)


def test_who_pauses_or_begins_the_deck_takes_the_camera_from_no_hand(table):
    service, _, host = table
    service.session.start_game(("Ana", "Ben"), "official_108", "Ben", {}, "host")
    service.showing.begin("Ana")
    until(lambda: service.showing.picture is not None)
    for word in ("begin", "pause"):
        host.act(word)
        wizard = host.get("/api/setup?look=table")
        assert (wizard["hand_shown"], wizard["deck_shown"], wizard["facts"]) == (True, False, None), word
        assert service.session.board()["eye"]["state"] == "hand", word
    service.showing.cancel()
    until(lambda: host.get("/api/setup?look=table")["facts"] is not None)


def test_a_camera_process_that_is_started_again_goes_on_where_it_was(table):
    service, folder, host = table
    host.act("begin")
    host.show(folder, R0)
    lay(folder)
    os.kill(service.camera.pid, signal.SIGKILL)
    host.until(lambda state: state["facts"]["asked"] == R0)  # its order is an old one
    host.until(lambda state: state["facts"]["asked"] == R1)
    assert host.show(folder, R1)["seen"] == [R0, R1]


@pytest.mark.slow
def test_a_deck_is_learned_beside_the_service_and_used_at_once(tmp_path):
    set_up_camera.show(tmp_path, set_up_camera.with_mat())
    with deck_table(tmp_path) as service:
        host = DeckHost(service)
        host.act("begin")
        for card in (R0, R1, R2):
            host.show(tmp_path, card)
        eyes: list[bool] = []
        service.enrolling._use = lambda: eyes.append((tmp_path / "data" / "deck.zip").exists())
        state = host.act("finish")
        assert (state["fit"]["state"], state["looks"]) == ("running", False)
        host.until(lambda state: state["fit"]["share"] > 0)
        pid = service.enrolling._fit.pid
        assert os.getpriority(os.PRIO_PROCESS, pid) - os.getpriority(os.PRIO_PROCESS, 0) in (NICE, 19 - os.nice(0))
        assert int(Path(f"/proc/{pid}/oom_score_adj").read_text()) == FIRST_TO_GO
        assert host.refused("again", face=R0) == (409, "deck_busy")
        state = host.until(lambda state: state["fit"]["state"] != "running")
        assert state["fit"] | {"before": 3} == {"state": "done", "faces": 3, "before": 3, "now": 3}
        assert state["deck"] == {"name": "", "faces": 3, "used": True}
        assert eyes == [True]
        assert load_with_deck(tmp_path / "data" / "deck.zip", load_models())
        names = {path.name for path in (tmp_path / "data").iterdir()}
        assert {name for name in names if name.startswith("deck")} == {"deck.zip"}


def test_another_eye_watches_once_a_deck_is_learned_and_again_when_it_is_forgotten(table, quick):
    service, folder, host = table
    set_up_camera.show(folder, set_up_camera.with_mat())
    made = Host.until(host, lambda state: bool(state["facts"] and state["facts"]["mat"]["calibration"]))
    host.send("/api/setup/calibration", made["facts"]["mat"]["calibration"])
    host.post("/api/setup/end")
    host.act("begin")
    host.show(folder, R0)
    job, pid = service.camera._job, service.camera.pid
    (folder / "data" / "calibration.json").unlink()  # as in a demo, whose table nobody has set up
    quick("learn")
    host.act("finish")
    state = host.until(lambda state: state["fit"]["state"] != "running")
    assert (state["fit"], state["open"]) == ({"state": "done", "faces": 1, "before": 1, "now": 1}, False)
    learned = service.camera._job
    assert learned is not job
    assert learned.watching.part == job.watching.part
    assert [str(face) for face in used(folder).looks] == [R0]
    host.post("/api/setup/end")
    until(lambda: service.session.board()["eye"]["state"] == "clear")
    assert service.camera.pid == pid
    state = host.act("forget")
    assert (state["deck"], state["seen"], len(state["wanted"])) == (None, [], len(FACES))
    assert service.camera._job is not learned
    assert not (folder / "data" / "deck.zip").exists()


@pytest.mark.parametrize(("how", "why"), [("die", "killed"), ("full", "not_kept"), ("crash", "crashed")])
def test_a_learning_that_fails_is_told_and_tried_again(table, quick, how, why):
    _, folder, host = table
    host.act("begin")
    host.show(folder, R0)
    quick(how)
    host.act("finish")
    assert host.until(lambda state: state["fit"]["state"] != "running")["fit"] == {"state": "failed", "why": why}
    assert draft(folder) == [R0]
    assert not (folder / "data" / "deck.zip").exists()
    quick("learn")
    host.act("finish")
    assert host.until(lambda state: state["fit"]["state"] != "running")["deck"]["used"]


def test_how_long_the_learning_still_takes_is_told_by_its_pace(table, quick):
    _, folder, host = table
    host.act("begin")
    host.show(folder, R0)
    quick("slow")
    assert host.act("finish")["fit"] == {"state": "running", "share": 0.0, "left_s": None}
    fit = host.until(lambda state: state["fit"]["share"] > 0)["fit"]
    assert 3 <= fit.pop("left_s") < 30  # a busy machine oversleeps
    assert fit == {"state": "running", "share": 0.25}
    host.act("stop")


def test_a_learning_ends_when_the_host_stops_it_and_with_the_service(tmp_path, quick):
    quick("hang")
    with deck_table(tmp_path) as service:
        host = DeckHost(service)
        host.act("begin")
        host.show(tmp_path, R0)
        learning = []
        for _ in range(2):
            host.act("finish")
            host.until(lambda state: state["fit"]["share"] > 0)
            learning.append(Path(f"/proc/{service.enrolling._fit.pid}"))
            if len(learning) == 1:
                assert host.act("stop")["fit"] is None
                until(lambda: not learning[0].exists())
        assert learning[1].exists()
    assert not learning[1].exists()
    assert draft(tmp_path) == [R0]


def test_a_deck_in_use_is_not_harmed_until_the_new_one_is_learned(tmp_path, quick):
    quick("learn")
    file = tmp_path / "data" / "deck.zip"
    with deck_table(tmp_path) as service:
        host = DeckHost(service)
        host.act("begin")
        host.show(tmp_path, R0)
        host.act("finish")
        host.until(lambda state: state["fit"]["state"] == "done")
        before = file.read_bytes()
        host.act("begin")
        host.show(tmp_path, R1)
        assert (file.read_bytes(), draft(tmp_path)) == (before, [R0, R1])
        state = host.act("restart")
        assert (file.read_bytes(), state["seen"], state["deck"]["faces"]) == (before, [], 1)
        assert host.refused("finish") == (409, "deck_empty")
        assert host.act("name", name="Blue")["name"] == "Blue"


@pytest.mark.parametrize(("fails", "word"), [("ENOSPC", "full"), ("EROFS", "read_only"), ("EIO", "other")])
def test_what_cannot_be_written_is_told_and_kept_in_memory(table, monkeypatch, fails, word):
    _, folder, host = table

    def fail(*_: Any) -> None:
        raise OSError(getattr(errno, fails), os.strerror(getattr(errno, fails)))

    with monkeypatch.context() as broken:
        broken.setattr("referee.enrolling.draft.save_deck", fail)
        host.act("begin")
        state = host.show(folder, R0)
        assert (state["trouble"], state["seen"]) == (word, [R0])
        assert host.refused("finish") == (503, "not_kept")
    host.act("begin")
    assert host.show(folder, R1)["trouble"] is None
    assert draft(folder) == [R0, R1]


def test_a_draft_that_is_damaged_is_told_and_replaced(tmp_path):
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "deck-new.zip").write_bytes(b"PK damaged")
    with deck_table(tmp_path) as service:
        host = DeckHost(service)
        assert host.get("/api/deck")["trouble"] == "damaged"
        host.act("begin")
        assert host.show(tmp_path, R0)["trouble"] is None
        assert draft(tmp_path) == [R0]


def test_a_deck_of_older_networks_is_learned_again_without_a_camera_look(tmp_path, quick):
    save_deck(Deck("old", {Card.parse(R0): crop()}), tmp_path / "data" / "deck.zip")
    quick("learn")
    with deck_table(tmp_path) as service:
        host = DeckHost(service)
        state = host.get("/api/deck")
        assert (state["deck"], state["open"]) == ({"name": "old", "faces": 1, "used": False}, True)
        host.act("finish")
        assert host.until(lambda state: state["fit"]["state"] != "running")["deck"]["used"]


def test_when_all_faces_are_seen_the_game_is_watched_again(tmp_path):
    looks = {face: crop() for face in FACES[1:]}
    save_deck(Deck("nearly", looks), tmp_path / "data" / "deck-new.zip")
    with deck_table(tmp_path) as service:
        host = DeckHost(service)
        host.act("begin")
        state = host.show(tmp_path, R0)
        assert (state["wanted"], state["looks"]) == ([], False)
        assert host.refused("begin") == (409, "deck_done")
        assert host.act("again", face="W")["wanted"] == ["W"]


@pytest.mark.parametrize(
    ("word", "fields", "status", "code"),
    [
        ("skip", {"face": "R12"}, 400, "bad_field"), ("again", {"face": "WX"}, 400, "bad_field"),
        ("again", {}, 400, "bad_field"), ("again", {"face": 7}, 400, "bad_field"),
        ("name", {"name": " "}, 400, "bad_deck_name"), ("name", {"name": "x" * 25}, 400, "bad_deck_name"),
        ("name", {"name": "a\u0000"}, 400, "bad_deck_name"), ("name", {"name": None}, 400, "bad_deck_name"),
        ("begin", {"face": "R0"}, 400, "bad_field"), ("finish", {}, 409, "deck_empty"), ("eat", {}, 404, "no_action"),
    ],
)  # fmt: skip
def test_what_makes_no_sense_is_refused(table, word, fields, status, code):
    assert table[2].refused(word, **fields) == (status, code)


def test_only_the_host_sees_and_decides(table):
    _, _, host = table
    host.post("/api/host/end")
    for path in ("/api/deck", "/api/deck/picture.jpg"):
        with pytest.raises(HTTPError) as error:
            host.get(path)
        assert error.value.code == 403
        error.value.close()
    for word in ("begin", "finish", "forget", "hush"):
        assert host.refused(word) == (403, "host_only")


def test_a_host_hears_once_in_a_game_that_the_eye_was_in_doubt(table):
    service, _, host = table

    def game() -> None:
        service.session.start_game(("Ana", "Ben"), "official_108", "Ben", {}, "host")
        for n in range(20):
            service.session.record(Discard(card=Card.parse("R6"), by=None, sure=n > 6), "eye")

    assert host.get("/api/board")["deck_hint"] is None
    game()
    assert host.get("/api/board")["deck_hint"] == {"unsure": 7, "of": 20, "faces": []}
    host.act("hush")
    assert host.get("/api/board")["deck_hint"] is None
    game()
    assert host.get("/api/board")["deck_hint"] is not None
    host.act("begin")
    assert host.get("/api/board")["deck_hint"] is None


def test_a_hint_names_faces_of_the_deck_in_use(tmp_path):
    models = load_models()
    deck = Deck("Blue", {face: crop() for face in FACES}, quick_fit.shipped_heads(models), models.readers)
    save_deck(deck, tmp_path / "data" / "deck.zip")
    with deck_table(tmp_path) as service:
        service.session.start_game(("Ana", "Ben"), "official_108", "Ben", {}, "host")
        for n in range(20):
            service.session.record(Discard(card=Card.parse("R6"), by=None, sure=n > 6), "eye")
        assert service.enrolling.hint() == {"unsure": 7, "of": 20, "faces": ["R6"]}


@pytest.mark.parametrize(("paused", "playing"), [(False, True), (True, False)])
def test_the_page_is_told_whether_somebody_plays(table, paused, playing):
    service, _, host = table
    assert host.get("/api/deck")["playing"] is False
    service.session.start_game(("Ana", "Ben"), "official_108", "Ben", {}, "host")
    if paused:
        host.post("/api/act/pause")
    assert host.get("/api/deck")["playing"] is playing
