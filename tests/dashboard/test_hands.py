"""Hands shown to the camera: anybody may look at points, but a challenged hand is for the challenger alone."""

from __future__ import annotations

import pytest
from fake_parts import FakeShows
from fake_table import JPEG, challenged, over, running
from rooms import CHROMIUM


@pytest.fixture
def shows() -> FakeShows:
    return FakeShows()


class TestAtTheEndOfAHand:
    def test_anybody_shows_and_everybody_sees(self, make, shows):
        dashboard = make(over(), shows=shows)
        ana, viewer = dashboard.phone("Ana"), dashboard.phone()
        assert ana.post("/api/hand/begin", player="Cleo").json == {"player": "Cleo"}
        assert viewer.get("/api/hand").json["hand"]["points"] == 57
        assert viewer.get("/api/hand/picture.jpg").data == JPEG
        assert ana.post("/api/hand/accept").json == {"number": 50}
        assert shows.accepted == [("Cleo", "Ana", None)]

    def test_cards_are_put_right_by_name(self, make, shows):
        dashboard = make(over(), shows=shows)
        ana = dashboard.phone("Ana")
        shows.cards = "R7 ?"
        ana.post("/api/hand/begin", player="Cleo")
        assert ana.post("/api/hand/accept").json["error"] == "hand_unread"
        assert ana.post("/api/hand/accept", cards=["R7", "X9"]).json["error"] == "bad_field"
        assert ana.post("/api/hand/accept", cards=["R7", "g+2"]).status_code == 200
        assert shows.accepted == [("Cleo", "Ana", ["R7", "G+2"])]

    @pytest.mark.parametrize(("name", "code"), [("Nobody", "no_camera")])
    def test_who_does_not_play_shows_nothing(self, make, shows, name, code):
        assert make(over(), shows=shows).phone("Ana").post("/api/hand/begin", player=name).json["error"] == code

    def test_a_spectator_begins_nothing(self, make, shows):
        assert make(over(), shows=shows).phone().post("/api/hand/begin", player="Cleo").status_code == 403

    def test_in_a_pause_no_hand_is_taken_that_would_not_count(self, make, shows):
        dashboard = make(over(), shows=shows)
        ana = dashboard.phone("Ana")
        ana.post("/api/hand/begin", player="Cleo")
        dashboard.table.change(paused=True)
        assert ana.post("/api/hand/accept", cards=["R7"]).json["error"] == "paused"
        assert ana.post("/api/hand/begin", player="Ben").json["error"] == "paused"
        assert shows.accepted == []

    def test_hands_are_not_read_in_the_middle_of_play(self, make, shows):
        assert make(running(), shows=shows).phone("Ana").post("/api/hand/begin", player="Cleo").status_code == 409


class TestInAChallenge:
    @pytest.fixture
    def shows(self) -> FakeShows:
        return FakeShows(challenge=True)

    def test_what_was_shown_in_it_is_not_for_everybody_once_it_is_over(self, make, shows):
        dashboard = make(challenged(), shows=shows)
        cleo, others = dashboard.phone("Cleo"), [dashboard.phone("Dana"), dashboard.phone(host=True), dashboard.phone()]
        cleo.post("/api/hand/begin", player="Ben")
        dashboard.table.change(phase="turn", wd4=None, actions={})
        for phone in (cleo, *others):
            assert phone.get("/api/hand").json["hand"]["hidden"]
            assert phone.get("/api/hand/picture.jpg").status_code == 404
            assert phone.post("/api/hand/accept").status_code == 403

    def test_where_anybody_may_challenge_the_one_who_did_is_the_judge(self, make, shows):
        board = challenged()
        board["actions"] = {"Dana": ["challenge_result"]}
        dashboard = make(board, shows=shows)
        cleo, dana = dashboard.phone("Cleo"), dashboard.phone("Dana")
        assert dana.post("/api/hand/begin", player="Ben").status_code == 200
        assert cleo.get("/api/hand").json["hand"]["hidden"] is True
        assert dana.get("/api/hand").json["hand"]["cards"] == ["R7", "W+4"]

    def test_only_the_challenger_sees_and_judges(self, make, shows):
        dashboard = make(challenged(), shows=shows)
        ben, cleo, dana, host = (
            dashboard.phone("Ben"), dashboard.phone("Cleo"), dashboard.phone("Dana"), dashboard.phone(host=True),
        )  # fmt: skip
        assert ben.post("/api/hand/begin", player="Ben").status_code == 200
        for other in (ben, dana, host, dashboard.phone()):
            assert other.get("/api/hand").json == {"hand": {"player": "Ben", "hidden": True, "settled": True}}
            assert other.get("/api/hand/picture.jpg").status_code == 404
            assert other.post("/api/hand/accept").status_code == 403
        assert cleo.get("/api/hand").json["hand"]["cards"] == ["R7", "W+4"]
        assert cleo.post("/api/hand/accept").status_code == 200

    def test_the_host_stands_in_for_a_challenger_without_a_phone(self, make, shows):
        dashboard = make(challenged(), shows=shows)
        host = dashboard.phone(host=True)
        host.post("/api/hand/begin", player="Ben")
        assert host.get("/api/hand").json["hand"]["cards"] == ["R7", "W+4"]

    def test_nobody_else_is_made_to_show(self, make, shows):
        dashboard = make(challenged(), shows=shows)
        assert dashboard.phone("Cleo").post("/api/hand/begin", player="Dana").status_code == 400


@pytest.mark.browser
@pytest.mark.skipif(CHROMIUM is None, reason="Chromium is not installed")
class TestOnAPhone:
    def test_a_hand_is_counted_in_two_taps(self, room, shows):
        place = room(over(), shows=shows)
        phone = place.open("/play", name="Ana")
        phone.wait_for_selector(".points-list >> text=✓ 21")
        phone.click("[data-key=showCleo]")
        phone.click("dialog >> text=Count it: 57 points")
        phone.wait_for_selector("dialog", state="detached")
        assert shows.accepted == [("Cleo", "Ana", None)]
        place.troubles.clear()  # the browser cannot draw a picture that is none

    def test_special_wilds_count_what_the_table_says_also_when_a_person_names_one(self, room, shows):
        shows.cards = "R7 WX"
        place = room({**over(), "wilds": ["W", "W+4", "WX"]}, shows=shows)
        phone = place.open("/play", name="Ana")
        phone.click("[data-key=showCleo]")
        phone.wait_for_selector("dialog >> text=Count it: 32 points")
        phone.click("dialog [data-key=add]")
        phone.click(".picker .pick svg[aria-label='Wild Shuffle Hands']")
        phone.wait_for_selector("dialog >> text=Count it: 57 points")
        place.troubles.clear()

    def test_the_offender_sees_nothing_and_the_challenger_all(self, room):
        shows = FakeShows(challenge=True)
        place = room(challenged(), shows=shows)
        ben, cleo = place.open("/play", name="Ben"), place.open("/play", name="Cleo")
        ben.click("[data-key=show]")
        ben.wait_for_selector("dialog >> text=Only Cleo sees these cards.")
        cleo.click("[data-key=show]")
        cleo.wait_for_selector("dialog svg.face")
        assert ben.locator("dialog svg.face").count() == 0
        cleo.click("dialog [data-key=take]")
        cleo.wait_for_selector("dialog", state="detached")
        assert shows.accepted == [("Ben", "Cleo", None)]
        place.troubles.clear()


@pytest.mark.browser
@pytest.mark.skipif(CHROMIUM is None, reason="Chromium is not installed")
def test_who_types_points_is_told_what_every_wild_of_the_deck_counts(room):
    usual = room(over()).open("/play", name="Ben")
    special = room({**over(), "wilds": ["W", "W+4", "WX", "WC"]}).open("/play", name="Ben")
    notes = [page.inner_text(".points-list") and page.inner_text("h2 + p.muted") for page in (usual, special)]
    assert ["other wilds of this deck 40" in note for note in notes] == [False, True]
