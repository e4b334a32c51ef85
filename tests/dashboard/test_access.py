"""Names, the host's PIN, and other sites."""

from __future__ import annotations

import errno
import json
import stat

import pytest
from fake_parts import FakeVoice
from fake_table import FakeTable, running

from referee.clock import ManualClock
from referee.dashboard import DashboardSettings, create_app, open_keys, people
from referee.dashboard.guard import HEADERS
from referee.dashboard.keys import Gate
from referee.dashboard.people import clean_name
from referee.dashboard.voice import VoiceSettings


def me(phone):
    return phone.get("/api/me").json


class TestNames:
    def test_a_name_in_the_game_is_a_players(self, dashboard):
        assert me(dashboard.phone("ben")) == {
            "name": "Ben", "role": "player", "plays": True, "host": False, "code": dashboard.code, "asks": None,
        }  # fmt: skip

    def test_another_name_watches(self, dashboard):
        assert me(dashboard.phone("Guest"))["role"] == "viewer"

    def test_a_waiting_name_plays_once_the_host_starts_with_it(self, make):
        dashboard = make()
        phone = dashboard.phone("Ana")
        assert me(phone)["role"] == "viewer"
        dashboard.phone(host=True).post("/api/game", players=["Ana", "Ben"], preset="official_108", dealer="Ana")
        assert me(phone)["role"] == "player"

    def test_a_phone_that_lost_its_cookie_takes_its_seat_again(self, dashboard):
        old, new = dashboard.phone("Ben"), dashboard.phone()
        answer = new.post("/api/join", name="Ben")
        assert (answer.status_code, answer.json["error"], answer.json["name"]) == (409, "name_taken", "Ben")
        assert new.post("/api/join", name="Ben", code=dashboard.code).status_code == 200
        assert me(new)["plays"]
        assert me(old) == {
            "name": None, "role": "viewer", "plays": False, "host": False, "code": None, "asks": None,
        }  # fmt: skip
        assert old.act("uno").json["error"] == "join_first"

    def test_a_phone_that_changes_its_name_frees_the_old_one(self, dashboard):
        phone = dashboard.phone("Ben")
        phone.post("/api/join", name="Ana")
        assert dashboard.phone("Ben").act("uno").status_code == 200

    def test_leaving_frees_the_name(self, dashboard):
        phone = dashboard.phone("Ben")
        phone.post("/api/leave")
        assert me(phone)["name"] is None
        assert dashboard.phone().get("/api/board").json["people"] == []

    @pytest.mark.parametrize("name", ["", "  ", "x" * 17, "a\u0000b", "a\u202eb", None, 5, ["Ana"]])
    def test_bad_names_are_refused(self, dashboard, name):
        answer = dashboard.phone().post("/api/join", name=name)
        assert (answer.status_code, answer.json["error"]) == (400, "bad_name")

    @pytest.mark.parametrize("name", ["eye", " Eye ", "BUTTON", "host", "viewer"])
    def test_nobody_is_called_what_the_journal_calls_its_parts(self, dashboard, name):
        answer = dashboard.phone().post("/api/join", name=name)
        assert (answer.status_code, answer.json["error"], answer.json["name"]) == (400, "name_reserved", name.strip())

    def test_who_is_called_so_in_a_game_of_an_older_release_can_be_named_to_be_renamed(self):
        assert clean_name("Eye", ["Ana", "eye"]) == "eye"

    def test_names_survive_a_restart(self, tmp_path):
        table, settings = FakeTable(running()), DashboardSettings(address="http://192.168.1.20:8080")
        keys, _ = open_keys(tmp_path)
        first = create_app(table, settings, keys, tmp_path)
        client = first.test_client()
        client.post("/api/join", json={"name": "Ben"})
        cookie = client.get_cookie("referee")
        first.extensions["live"].close()
        second = create_app(table, settings, open_keys(tmp_path)[0], tmp_path)
        client = second.test_client()
        client.set_cookie("referee", cookie.value)
        assert client.get("/api/me").json["name"] == "Ben"
        second.extensions["live"].close()

    def test_a_name_that_the_disk_does_not_take_is_said_to_be_not_kept(self, dashboard, monkeypatch):
        def full(*_: object) -> None:
            raise OSError(errno.ENOSPC, "No space left on device")

        phone = dashboard.phone()
        monkeypatch.setattr(people, "write_json", full)
        answer = phone.post("/api/join", name="Ben")
        assert (answer.status_code, answer.json["error"]) == (503, "not_kept")
        assert "No space left on device" in answer.json["message"]
        assert me(phone)["name"] is None

    @pytest.mark.parametrize("joined", [0.0, 1.8e9])
    @pytest.mark.parametrize("later", [0.0, 1.8e9 - 7200, 1.8e9 + 200 * 86400])
    def test_who_a_phone_is_does_not_depend_on_the_pis_clock(self, dashboard, monkeypatch, joined, later):
        """A Pi without a clock battery begins with the time it was switched off at, or with 1970, and jumps."""
        monkeypatch.setattr("time.time", lambda: joined)
        answer = dashboard.phone().post("/api/join", name="Ben").headers["Set-Cookie"]
        assert "Max-Age=7776000;" in answer
        assert "Expires" not in answer  # to a phone, whose clock is right, that may be long ago
        monkeypatch.setattr("time.time", lambda: later)
        phone = dashboard.phone()
        phone.client.set_cookie("referee", answer.partition("=")[2].partition(";")[0])
        assert me(phone)["name"] == "Ben"

    def test_a_forged_cookie_is_nobody(self, dashboard):
        phone = dashboard.phone()
        phone.client.set_cookie("referee", "eyJuYW1lIjoiQmVuIn0.aaaa.bbbb")
        assert me(phone)["name"] is None

    def test_a_damaged_list_of_names_starts_empty(self, tmp_path):
        (tmp_path / "phones.json").write_text("[1, 2")
        app = create_app(
            FakeTable(), DashboardSettings(address="http://192.168.1.20:8080"), open_keys(tmp_path)[0], tmp_path
        )
        assert app.test_client().post("/api/join", json={"name": "Ana"}).status_code == 200
        app.extensions["live"].close()


class TestPin:
    def test_is_made_once_and_kept_as_a_hash(self, tmp_path):
        keys, pin = open_keys(tmp_path)
        assert pin is not None
        assert len(pin) == 6
        assert keys.is_pin(pin)
        again, none = open_keys(tmp_path)
        assert (again, none) == (keys, None)
        file = tmp_path / "dashboard.json"
        assert pin not in json.loads(file.read_text()).values()
        assert stat.S_IMODE(file.stat().st_mode) == 0o600

    def test_a_new_one_ends_the_old_hosts(self, tmp_path):
        keys, _ = open_keys(tmp_path)
        newer, other = open_keys(tmp_path, new_pin=True)
        assert newer.secret == keys.secret
        assert newer.host_mark != keys.host_mark
        assert other is not None
        assert newer.is_pin(other)

    @pytest.mark.parametrize("damage", ["", '{"secret": "zz"}', "[]", "\0" * 40])
    def test_a_damaged_file_is_put_aside(self, tmp_path, caplog, damage):
        file = tmp_path / "dashboard.json"
        file.write_text(damage)
        keys, pin = open_keys(tmp_path)
        assert pin is not None
        assert keys.is_pin(pin)
        assert not keys.claimed
        assert (tmp_path / "dashboard.damaged.json").read_text() == damage
        assert "dashboard.json: damaged" in caplog.text
        assert open_keys(tmp_path) == (keys, None)

    def test_a_new_pin_mends_a_damaged_file(self, tmp_path):
        (tmp_path / "dashboard.json").write_text("")
        keys, pin = open_keys(tmp_path, new_pin=True)
        assert open_keys(tmp_path) == (keys, None)
        assert keys.claimed
        assert keys.is_pin(pin)

    def test_the_first_host_needs_the_tables_code_and_chooses_it(self, make):
        dashboard = make()
        phone, other = dashboard.phone(), dashboard.phone()
        assert phone.get("/api/board").json["unclaimed"]
        wrong = f"{(int(dashboard.code) + 1) % 10_000:04d}"
        assert phone.post("/api/host/first", code=wrong, pin="2468").json["error"] == "code_wrong"
        for pin in ("12", "1234567", "abcd", ""):
            assert phone.post("/api/host/first", code=dashboard.code, pin=pin).json["error"] == "bad_pin"
        assert phone.post("/api/host/first", code=dashboard.code, pin="2468").json["host"]
        assert not other.get("/api/board").json["unclaimed"]
        assert other.post("/api/host/first", code=dashboard.code, pin="1357").json["error"] == "has_host"
        assert other.post("/api/host", pin=dashboard.pin).json["error"] == "pin_wrong"
        assert other.post("/api/host", pin="2468").json["host"]
        assert open_keys(dashboard.folder)[0].is_pin("2468")

    def test_who_typed_the_one_of_the_terminal_is_the_first_host(self, make):
        dashboard = make()
        dashboard.phone(host=True)
        assert dashboard.phone().post("/api/host/first", code=dashboard.code, pin="2468").json["error"] == "has_host"

    def test_an_installation_from_before_has_its_host(self, tmp_path):
        open_keys(tmp_path)
        file = tmp_path / "dashboard.json"
        kept = json.loads(file.read_text())
        file.write_text(json.dumps({key: kept[key] for key in ("secret", "salt", "pin_hash")}))
        assert open_keys(tmp_path)[0].claimed

    def test_makes_a_host_until_it_ends(self, dashboard):
        phone = dashboard.phone("Ben", host=True)
        assert (me(phone)["role"], me(phone)["plays"], me(phone)["host"]) == ("host", True, True)
        phone.post("/api/host/end")
        assert me(phone)["role"] == "player"

    def test_wrong_ones_make_the_next_try_wait(self, dashboard):
        phone = dashboard.phone()
        codes = [phone.post("/api/host", pin="nope").status_code for _ in range(6)]
        assert codes == [403] * 5 + [429]
        answer = phone.post("/api/host", pin=dashboard.pin)
        assert (answer.status_code, answer.json["wait_s"]) == (429, 10)
        dashboard.clock.t += 10.0
        assert phone.post("/api/host", pin=dashboard.pin).status_code == 200

    def test_many_at_once_wait_as_if_they_came_one_by_one(self):
        gate = Gate(ManualClock().monotonic)
        assert [gate.enter() for _ in range(24)] == [0.0] * 5 + [10.0] * 19  # before any is known to be wrong
        gate.right()
        assert gate.enter() == 0.0

    def test_who_goes_on_for_a_week_still_waits(self):
        clock = ManualClock()
        gate = Gate(clock.monotonic)
        for _ in range(1100):
            assert gate.enter() == 0.0
            clock.t += 600.0
        assert gate.enter() == 0.0
        assert gate.enter() == 600.0

    def test_the_wait_doubles_and_has_an_end(self):
        clock, waits = ManualClock(), []
        gate = Gate(clock.monotonic)
        for _ in range(12):
            assert gate.enter() == 0.0
            waits.append(gate.enter() if len(waits) >= 4 else 0.0)
            clock.t += waits[-1]
        assert waits == [0.0] * 4 + [10.0, 20.0, 40.0, 80.0, 160.0, 320.0, 600.0, 600.0]


class TestVoice:
    def test_the_host_sets_it_a_part_at_a_time(self, make):
        voice = FakeVoice()
        dashboard = make(running(), voice=voice)
        host = dashboard.phone(host=True)
        assert host.post("/api/voice", on=True).json["on"]
        assert host.post("/api/voice", volume=40, language="de", brief=False).status_code == 200
        assert voice.settings == VoiceSettings(on=True, volume=40, language="de", brief=False)
        assert host.get("/api/voice").json == {"on": True, "volume": 40, "language": "de", "brief": False}
        host.post("/api/voice/try")
        assert voice.tried == 1

    @pytest.mark.parametrize(
        "wrong", [{"volume": 101}, {"volume": "loud"}, {"language": "fr"}, {"on": 1}, {"pitch": 2}]
    )
    def test_what_makes_no_sense_is_refused(self, make, wrong):
        host = make(running(), voice=FakeVoice()).phone(host=True)
        assert host.post("/api/voice", **wrong).json["error"] == "bad_field"

    def test_nobody_else_does(self, make):
        phone = make(running(), voice=FakeVoice()).phone("Ben")
        assert phone.post("/api/voice", on=True).json["error"] == "host_only"
        assert phone.get("/api/voice").status_code == 403

    def test_without_one_there_is_nothing_to_set(self, dashboard):
        assert dashboard.phone(host=True).get("/api/voice").status_code == 404


class TestOtherSites:
    @pytest.mark.parametrize(
        "headers",
        [
            {"Origin": "http://evil.example"},
            {"Origin": "null"},
            {"Sec-Fetch-Site": "cross-site"},
            {"Sec-Fetch-Site": "same-site", "Origin": "http://localhost"},
        ],
    )
    def test_cannot_act_with_a_phones_cookie(self, dashboard, headers):
        answer = dashboard.phone("Ben").client.post("/api/act/uno", json={}, headers=headers)
        assert (answer.status_code, answer.json["error"]) == (403, "other_site")
        assert dashboard.table.events == []

    @pytest.mark.parametrize(
        ("host", "answers"),
        [("192.168.1.20:8080", 200), ("[fe80::1]:8080", 200), ("uno.local", 200), ("uno:8080", 200),
         ("pi.fritz.box", 200), ("uno.example.com", 403), ("192.168.1.20.evil.example:8080", 403)],
    )  # fmt: skip
    def test_cannot_pass_for_ours_by_a_name_of_their_own(self, dashboard, host, answers):
        phone = dashboard.phone("Ben").client
        headers = {"Host": host, "Origin": f"http://{host}"}
        answer = phone.post("/api/join", json={"name": "Zoe"}, headers=headers)
        assert (answer.status_code, answer.json.get("error")) == (answers, None if answers == 200 else "other_name")

    def test_cannot_send_a_form(self, dashboard):
        answer = dashboard.phone("Ben").client.post("/api/act/uno", data={"by": "Ben"})
        assert answer.json["error"] == "bad_body"

    def test_the_cookie_is_out_of_their_reach(self, dashboard):
        cookie = dashboard.phone().post("/api/join", name="Ben").headers["Set-Cookie"]
        assert "HttpOnly" in cookie
        assert "SameSite=Lax" in cookie

    @pytest.mark.parametrize("path", ["/", "/play", "/board", "/host", "/api/board", "/qr.svg", "/nothing"])
    def test_every_answer_carries_the_guarding_headers(self, dashboard, path):
        answer = dashboard.phone().get(path)
        for name, value in HEADERS.items():
            assert answer.headers[name] == value
