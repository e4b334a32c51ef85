"""A phone that lost its seat gets it back; the host's role and names change hands. Mostly without a browser."""

from __future__ import annotations

import errno

import pytest
from fake_table import running
from rooms import CHROMIUM, TELEVISION

from referee.dashboard import create_app, open_keys
from referee.dashboard.people import HERE_S, MAX_PEOPLE
from referee.dashboard.settings import DashboardSettings


def me(phone):
    return phone.get("/api/me").json


def test_a_full_disk_is_said_and_gives_nobody_a_name(dashboard, monkeypatch):
    def full(*given):
        raise OSError(errno.ENOSPC, "No space left on device")

    phone = dashboard.phone("Ben")
    monkeypatch.setattr("referee.dashboard.people.write_json", full)
    answer = phone.post("/api/join", name="Zoe")
    assert (answer.status_code, answer.json["error"]) == (503, "not_kept")
    assert "No space left on device" in answer.json["message"]
    assert me(phone)["name"] == "Ben"


def wrong(dashboard) -> str:
    return f"{(int(dashboard.code) + 1) % 10_000:04d}"


class TestWhoIsHere:
    def people(self, dashboard):
        return dashboard.phone().get("/api/board").json["people"]

    def test_who_was_not_heard_of_for_an_evening_is_not_here_and_comes_back_by_looking(self, dashboard):
        ben, _ = dashboard.phone("Ben"), dashboard.phone("Zoe")
        dashboard.clock.t += HERE_S - 1
        ben.get("/api/board")
        dashboard.clock.t += 2
        dashboard.table.change()
        assert self.people(dashboard) == ["Ben"]
        assert dashboard.phone().post("/api/join", name="Zoe").json["error"] == "name_taken"  # it is kept for her

    def test_who_looks_on_all_evening_by_one_stream_stays_here(self, dashboard):
        with dashboard.phone("Ben").client.session_transaction() as cookie:
            stream = dashboard.app.extensions["live"].stream(None, 0.01, None, cookie["phone"])
        for _ in range(2):
            next(stream)
        dashboard.clock.t += HERE_S
        for _ in range(2):
            next(stream)
        assert self.people(dashboard) == ["Ben"]

    def test_after_a_restart_those_are_here_whose_phones_look_on(self, make, tmp_path):
        before = make(running(), folder=tmp_path)
        ben, _ = before.phone("Ben"), before.phone("Zoe")
        after = make(running(), folder=tmp_path)
        assert self.people(after) == []
        cookie = ben.client.get_cookie("referee").value
        again = after.phone()
        again.client.set_cookie("referee", cookie)
        assert again.get("/api/board").json["people"] == ["Ben"]

    def test_visitors_of_earlier_evenings_keep_nobody_out(self, dashboard):
        for n in range(MAX_PEOPLE):
            dashboard.phone(f"P{n}")
        assert dashboard.phone().post("/api/join", name="Zoe").json["error"] == "bad_name"
        dashboard.clock.t += HERE_S
        dashboard.phone("Zoe")
        assert self.people(dashboard) == ["Zoe"]

    def test_phones_that_are_gone_are_not_waited_for_in_a_vote(self, dashboard):
        phones = {name: dashboard.phone(name) for name in ("Ana", "Ben", "Cleo", "Dana")}
        dashboard.clock.t += HERE_S
        for name in ("Ana", "Ben"):
            phones[name].get("/api/board")
        phones["Ben"].post("/api/appeal", ruling="39.0")
        appeal = phones["Ben"].get("/api/board").json["appeal"]
        assert (appeal["voters"], appeal["needed"]) == (["Ana", "Ben"], 2)

    def test_a_host_takes_a_name_off_a_phone(self, dashboard):
        ben, host = dashboard.phone("Ben"), dashboard.phone(host=True)
        assert ben.post("/api/host/release", name="Ben").json["error"] == "host_only"
        assert host.post("/api/host/release", name="Ben").status_code == 200
        assert (me(ben)["name"], self.people(dashboard)) == (None, [])
        assert host.post("/api/host/release", name="Ben").json["error"] == "nobody"
        assert me(dashboard.phone("Ben"))["plays"]


class TestSeatBack:
    def test_the_code_of_the_table_gives_the_seat_back(self, dashboard):
        old, new = dashboard.phone("Ben"), dashboard.phone()
        assert new.post("/api/join", name="ben").json["error"] == "name_taken"
        assert new.post("/api/join", name="ben", code=f" {dashboard.code} ").json["name"] == "Ben"
        assert (me(new)["plays"], me(old)["name"]) == (True, None)

    def test_a_wrong_code_does_not(self, dashboard):
        dashboard.phone("Ben")
        answer = dashboard.phone().post("/api/join", name="Ben", code=wrong(dashboard))
        assert (answer.status_code, answer.json["error"]) == (403, "code_wrong")
        answer = dashboard.phone().post("/api/join", name="Ben", code=1234)
        assert (answer.status_code, answer.json["error"]) == (400, "bad_field")

    def test_guessing_codes_takes_years(self, dashboard):
        dashboard.phone("Ben")
        phone = dashboard.phone()
        codes = [phone.post("/api/join", name="Ben", code=wrong(dashboard)).status_code for _ in range(6)]
        assert codes == [403] * 5 + [429]
        assert phone.post("/api/join", name="Ben", code=dashboard.code).json["error"] == "code_wait"
        dashboard.clock.t += 10.0
        assert phone.post("/api/join", name="Ben", code=dashboard.code).status_code == 200

    def test_only_players_hosts_and_the_big_screen_are_told_the_code(self, dashboard):
        assert me(dashboard.phone("Ben"))["code"] == me(dashboard.phone(host=True))["code"] == dashboard.code
        assert me(dashboard.phone("Guest"))["code"] is None
        assert f'"code": "{dashboard.code}"' in dashboard.phone().get("/board").text
        assert f'"code": "{dashboard.code}"' not in dashboard.phone("Other").get("/play").text

    def test_the_code_and_the_seats_survive_a_restart(self, dashboard):
        phone = dashboard.phone("Ben", host=True)
        dashboard.phone("Ana")
        phone.post("/api/host/pass", name="Ana")
        again = create_app(
            dashboard.table, DashboardSettings(address="http://192.168.1.20:8080"), open_keys(dashboard.folder)[0],
            dashboard.folder,
        )  # fmt: skip
        people = again.extensions["people"]
        assert (people.code, people.names()) == (dashboard.code, ["Ben", "Ana"])
        again.extensions["live"].close()

    @pytest.mark.parametrize(("give", "holder"), [(True, "new"), (False, "old")])
    def test_a_host_decides_for_who_has_no_code(self, dashboard, give, holder):
        old, new, host = dashboard.phone("Ben"), dashboard.phone(), dashboard.phone(host=True)
        assert new.post("/api/claim", name="Ben").status_code == 200
        assert new.get("/api/board").json["claims"] == ["Ben"]
        assert old.post("/api/claim/answer", name="Ben", give=give).json["error"] == "host_only"
        assert host.post("/api/claim/answer", name="Ben", give=give).status_code == 200
        assert new.get("/api/board").json["claims"] == []
        assert {"old": me(old), "new": me(new)}[holder]["name"] == "Ben"
        assert {"new": me(old), "old": me(new)}[holder]["name"] is None
        assert host.post("/api/claim/answer", name="Ben", give=True).json["error"] == "nobody"

    def test_a_free_name_is_not_asked_for(self, dashboard):
        assert dashboard.phone().post("/api/claim", name="Zoe").json["error"] == "nobody"

    def test_a_phone_that_changed_its_network_is_the_same_phone(self, dashboard):
        phone = dashboard.phone("Ben")
        answer = phone.client.get("/api/me", environ_base={"REMOTE_ADDR": "192.168.1.77"})
        assert answer.json["name"] == "Ben"


class TestHost:
    def test_passes_the_role_on(self, dashboard):
        host, ana = dashboard.phone("Ben", host=True), dashboard.phone("Ana")
        assert host.post("/api/host/pass", name="Ana").status_code == 200
        assert (me(host)["role"], me(ana)["role"]) == ("player", "host")
        assert ana.act("override", what="legal", ref=40).status_code == 200
        ana.post("/api/host/end")
        assert me(ana)["role"] == "player"

    def test_cannot_pass_it_to_nobody(self, dashboard):
        host = dashboard.phone("Ben", host=True)
        assert host.post("/api/host/pass", name="Zoe").json["error"] == "nobody"
        assert me(host)["host"]

    def test_only_a_host_passes_it(self, dashboard):
        dashboard.phone("Ana")
        assert dashboard.phone("Ben").post("/api/host/pass", name="Ana").json["error"] == "host_only"


class TestRename:
    def test_a_phone_renames_itself_and_a_host_anybody(self, make):
        dashboard = make()
        phone, host = dashboard.phone("Bne"), dashboard.phone(host=True)
        assert phone.post("/api/rename", name="Bne", to=" Ben ").json["name"] == "Ben"
        assert host.post("/api/rename", name="Ben", to="Benno").status_code == 200
        assert me(phone)["name"] == "Benno"
        assert dashboard.phone("Ana").post("/api/rename", name="Benno", to="X").json["error"] == "host_only"

    def test_who_asks_for_the_old_name_gets_the_seat(self, dashboard):
        old, new, host = dashboard.phone("Ben"), dashboard.phone(), dashboard.phone(host=True)
        new.post("/api/claim", name="Ben")
        old.post("/api/rename", name="Ben", to="Benno")
        assert (new.get("/api/board").json["claims"], me(new)["asks"]) == (["Benno"], "Benno")
        assert host.post("/api/claim/answer", name="Benno", give=True).status_code == 200
        assert (me(new)["name"], me(new)["asks"], me(old)["name"]) == ("Benno", None, None)

    @pytest.mark.parametrize(("to", "error"), [("Ana", "same_name"), ("x" * 20, "bad_name"), ("eye", "name_reserved")])
    def test_not_to_a_name_that_will_not_do(self, make, to, error):
        dashboard = make()
        dashboard.phone("Ana")
        assert dashboard.phone("Ben").post("/api/rename", name="Ben", to=to).json["error"] == error

    def test_not_to_the_name_of_somebody_who_plays(self, dashboard):
        host = dashboard.phone(host=True)
        dashboard.phone("Guest")
        assert host.post("/api/rename", name="Guest", to="Ben").json["error"] == "name_plays"


@pytest.mark.browser
@pytest.mark.skipif(CHROMIUM is None, reason="Chromium is not installed")
class TestInABrowser:
    def test_a_lost_phone_types_the_code(self, room):
        place = room(running())
        old, board = place.open("/play", name="Ben"), place.open("/board", TELEVISION)
        board.wait_for_selector(f"text=Code {place.dashboard.code}")
        new = place.open("/")
        new.click("[data-key=Ben]")
        new.fill("#code", place.dashboard.code)
        new.click(".sheet .act.strong")
        new.wait_for_url("**/play")
        new.wait_for_selector("[data-key=uno]:not([disabled])")
        old.wait_for_selector("[data-key=uno]", state="detached")
        place.troubles.clear()  # the browser notes the refusal that asked for the code

    def test_who_scanned_the_code_only_taps(self, room):
        place = room(running())
        place.open("/play", name="Ben")
        new = place.open(f"/?c={place.dashboard.code}")
        new.click("[data-key=Ben]")
        new.click("[data-key=mine]")
        new.wait_for_url("**/play")
        place.troubles.clear()

    @pytest.mark.parametrize(("tap", "ends"), [("give", "**/play"), ("refuse", None)])
    def test_the_host_is_asked_wherever_the_host_is(self, room, tap, ends):
        place = room(running())
        place.open("/play", name="Ben")
        host, new = place.open("/play", name="Ana", host=True), place.open("/")
        new.click("[data-key=Ben]")
        new.click("[data-key=ask]")
        host.click(f"[data-key={tap}]")
        if ends:
            new.wait_for_url(ends)
        else:
            new.wait_for_selector("text=The host said no.")
        host.wait_for_selector("dialog", state="detached")
        place.troubles.clear()

    def test_who_asked_for_a_name_that_was_changed_since_gets_the_seat(self, room):
        place = room(running())
        old, host, new = place.open("/play", name="Ben"), place.open("/play", name="Ana", host=True), place.open("/")
        new.click("[data-key=Ben]")
        new.click("[data-key=ask]")
        host.wait_for_selector("[data-key=give]")
        called = {"name": "Ben", "to": "Benno"}
        old.request.post(f"{place.base}/api/rename", data=called, headers={"Origin": place.base})
        host.click("[data-key=give]:has-text('Benno')")
        new.wait_for_url("**/play")
        place.troubles.clear()

    def test_a_host_renames_and_passes_the_role_on(self, room):
        place = room()
        host, other = place.open("/host", name="Ana", host=True), place.open("/play", name="Bne")
        host.click("[data-key=phoneBne]")
        host.fill("#new-name", "Ben")
        host.click(".sheet form .act")
        host.click("[data-key=phoneBen]")
        host.click("[data-key=pass]")
        host.wait_for_url("**/play")
        other.goto(f"{place.base}/host")
        other.wait_for_selector("[data-key=add]")
