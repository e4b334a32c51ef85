"""Cards that were reported unsure: when they are looked at again, and what is then said of them."""

from __future__ import annotations

from dataclasses import replace

import pytest
from story import (
    AT,
    ELSEWHERE,
    FPS,
    Story,
    new,
    pile,
    reading,
    said,
)

from referee.observations import (
    CardLanded,
    CardRead,
    PileSeen,
    ViewChanged,
)
from referee.tracker import CardLook, PileLook


def test_a_doubtful_reading_is_said_at_once_and_mended_later() -> None:
    story = Story().start().hand(0.5).rest(0.5, pile(1.0, new("R7", 0.6)))
    (landed,) = (s for s in story.out if isinstance(s, CardLanded))
    assert not landed.sure
    assert landed.latency_s <= 0.37
    story.rest(3.0, pile(1.0, new("R1", 0.98)))
    (better,) = (s for s in story.out if isinstance(s, CardRead))
    assert (better.t, better.reading.notation, better.sure) == (landed.t, "R1", True)
    top = story.tracker.pile.top
    assert top is not None
    assert str(top.card) == "R1"


@pytest.mark.parametrize(("then", "read"), [(0.93, True), (0.85, False)])
def test_a_card_of_which_the_first_look_alone_was_bad_is_read_before_the_next_comes(then: float, read: bool) -> None:
    """The looks that the first answer was made of are among the five in a row that must agree."""
    story = Story().start().hand(0.5).rest(2 / FPS, pile(1.0, new("R9", 0.4)))
    story.rest(0.8, pile(1.0, new("R9", then)))
    (landed,) = (s for s in story.out if isinstance(s, CardLanded))
    assert not landed.sure
    better = [(s.t, s.reading.notation, s.sure) for s in story.out if isinstance(s, CardRead)]
    assert better == ([(landed.t, "R9", True)] if read else [])


@pytest.mark.parametrize(("later", "read"), [(0.99, True), (0.6, False)])
def test_a_card_whose_looks_were_cut_short_is_sure_as_soon_as_they_are_made_up_for(later: float, read: bool) -> None:
    """The table trembles just when the card lies open."""
    look = pile(1.0, new("R7"))
    story = Story().start().hand(0.5)
    story.rest(2 / FPS, look).tell(moving=0.5, look=look)
    (landed,) = (s for s in story.out if isinstance(s, CardLanded))
    assert not landed.sure
    story.rest(0.4, pile(0.0, new("R7", later)))
    better = [s for s in story.out if isinstance(s, CardRead)]
    assert [(s.t, s.reading.notation, s.sure) for s in better] == ([(landed.t, "R7", True)] if read else [])


def test_the_light_may_be_mended_long_after_the_card_was_laid() -> None:
    story = Story().start().hand(0.5).rest(20.0, pile(1.0, new("R7", 0.6)))
    assert story.names() == ["card_landed"]
    story.rest(12.0, pile(1.0, new("R7", 0.98)))
    assert story.names() == ["card_landed", "card_read"]


def test_a_hover_or_a_nudge_does_not_end_the_doubt_about_a_card() -> None:
    unsure = pile(1.0, new("R7", 0.6))
    for meanwhile in (replace(unsure, change=0.0), pile(0.5, new("R7", 0.6, explains=0.6, beneath=0.8))):
        story = Story().start().hand(0.5).rest(0.8, unsure).hand(0.5).rest(0.4, meanwhile)
        story.rest(4.0, pile(1.0, new("R7", 0.98)))
        (landed,) = (s for s in story.out if isinstance(s, CardLanded))
        (better,) = (s for s in story.out if isinstance(s, CardRead))
        assert (better.t, better.reading.notation) == (landed.t, "R7")


@pytest.mark.parametrize(("before", "landings"), [(0.99, ["B8", "B9"]), (0.6, ["B8"])])
def test_another_figure_on_the_top_card_is_a_landing_only_if_the_top_card_was_read_surely(
    before: float, landings: list[str]
) -> None:
    story = Story().start().hand(0.5).rest(0.8, pile(1.0, new("B8", before))).hand(0.5)
    story.rest(0.6, pile(0.028, new("B9", explains=1.0, fresh=0.03, beneath=None, outside=None, covers=0.97)))
    assert [s.reading.notation for s in story.out if isinstance(s, CardLanded)] == landings


@pytest.mark.parametrize(
    ("lies", "told"),
    [
        ([new("R7")], ["R7"]),
        ([new("G2", on_top=0.1), new("R7")], ["R7"]),
        ([new("R7", 0.6)], []),  # not sure: nothing to compare with
        ([new("R7", on_top=0.3)], []),  # something may lie on it
        ([new("?")], []),
        ([], []),
    ],
)
def test_the_card_on_top_when_watching_begins_is_told_once_and_lands_nowhere(
    lies: list[CardLook], told: list[str]
) -> None:
    story = Story().rest(6.0, pile(1.0, *lies))
    assert [s.reading.notation for s in story.out if isinstance(s, PileSeen)] == told
    assert story.names() == ["pile_seen"] * len(told)
    story.hand(0.5).rest(3.0)  # a hover later nothing is told again
    assert story.names() == ["pile_seen"] * len(told)


def test_a_card_that_lands_at_once_leaves_the_start_untold() -> None:
    story = Story().start(new("R7")).hand(0.5).rest(4.0, pile(1.0, new("R1")))
    assert story.names() == ["card_landed"]


def test_two_unsure_cards_of_one_visit_are_each_read_later() -> None:
    def both(confidence: float) -> PileLook:
        under = new("B3", confidence, explains=0.3, open=0.2, aside=0.9, left=0.96, on_top=0.1)
        return pile(1.3, new("G2", confidence, explains=0.84), under)

    story = Story().start().hand(0.5).rest(0.8, pile(1.0, new("R7")))
    story.hand(0.5).rest(0.8, both(0.6)).rest(4.0, both(0.98))
    lower, upper = (s for s in story.out[1:] if isinstance(s, CardLanded))
    assert [lower.reading.notation, upper.reading.notation, lower.sure, upper.sure] == ["B3", "G2", False, False]
    assert lower.t < upper.t
    assert {s.t: s.reading.notation for s in story.out if isinstance(s, CardRead)} == {lower.t: "B3", upper.t: "G2"}
    assert [str(card.card) for card in story.tracker.pile.cards[-2:]] == ["B3", "G2"]


@pytest.mark.parametrize(
    ("case", "strip", "open_", "read"),
    [
        ("nothing of it was read before", "?", new("YR"), "YR"),
        ("a strip of its colour was", "Y2", new("YR"), "YR"),
        ("it is not sure now, either", "?", new("YR", 0.6), None),
        ("a strip of another colour was: two cards were taken", "G2", new("YR"), None),
        ("it lies elsewhere", "?", new("YR", quad=ELSEWHERE), None),
        ("it is the card below it: two cards were taken", "?", new("B4"), None),
    ],
)
def test_an_unread_card_is_read_once_the_one_upon_it_has_gone(
    case: str, strip: str, open_: CardLook, read: str | None
) -> None:
    under = replace(new(strip, 0.5), explains=0.8, open=0.16, aside=0.95, left=1.0, on_top=0.0,
                    fitted=True, peeks=True, vacated=0.0)  # fmt: skip
    story = Story().start().hand(0.5).rest(0.8, pile(1.0, new("B4", quad=AT)))
    story.hand(0.5).rest(0.8, pile(1.2, new("G3", explains=0.83, fresh=0.89), under))
    lower, _ = (s for s in story.out[1:] if isinstance(s, CardLanded))
    gone = replace(open_, explains=0.8, fresh=0.7, beneath=0.9, outside=0.0)
    story.hand(0.5).rest(4.0, pile(0.9, gone, in_top=1.0))
    assert "card_removed" in story.names(), case
    better = [(s.t, s.reading.notation) for s in story.out if isinstance(s, CardRead)]
    assert better == ([(lower.t, read)] if read else []), case


@pytest.mark.parametrize(
    ("case", "open_", "said_then"),
    [
        ("its part beside the G3 is as it was", {}, "card_removed G3"),
        ("... and is not surely read", {"reading": reading("YR", 0.8)}, "pile_moved"),
        ("that part changed: it has just come", {"outside": 0.1}, "card_landed YR"),
        ("it lies elsewhere", {"quad": ELSEWHERE}, "pile_moved"),
        ("it lies on the G3's place but for a hem: it may have come", {"covers": 0.8}, "card_landed YR"),
        ("something changed beside the G3, too", {"in_top": 0.9}, "pile_moved"),
    ],
)
def test_an_unread_card_lies_open_again_where_the_one_upon_it_was_like_the_table(
    case: str, open_: dict[str, object], said_then: str
) -> None:
    """Of a card with a white border and oval little is seen to go from a white table."""
    under = new("?", explains=0.8, open=0.26, aside=0.68, left=1.0, on_top=0.0, fitted=True, peeks=True, vacated=0.0)
    story = Story().start().hand(0.5).rest(0.8, pile(1.0, new("B4", quad=AT)))
    story.hand(0.5).rest(0.8, pile(1.2, new("G3", explains=0.83, fresh=0.89), under))
    done = len(story.out)
    fields = {"explains": 0.89, "fresh": 0.44, "beneath": 0.24, "outside": 0.0, "covers": 0.64, "in_top": 1.0, **open_}
    in_top = fields.pop("in_top")
    story.hand(0.5).rest(1.0, pile(0.57, replace(new("YR"), **fields), in_top=in_top))
    assert said(story.out[done]) == said_then, case


def test_a_card_that_two_places_read_differently_is_never_asserted() -> None:
    across = new("Y7", 0.97, explains=0.9, fitted=True)
    look = pile(1.4, across, new("Y2", 0.92, explains=0.75, fresh=0.6, on_top=0.5, open=0.01))
    story = Story().start().hand(0.4).rest(0.8, pile(1.0, new("B4"))).hand(0.4).rest(6.0, look)
    landed = [s for s in story.out if isinstance(s, CardLanded)][-1]
    assert not landed.sure
    assert story.names() == ["card_landed", "card_landed"]


@pytest.mark.parametrize(
    ("case", "confidence", "other", "later"),
    [
        ("the R1 was a guess, and does not look like the new one", 0.4, True, ["card_landed R1"]),
        ("it looks like that", 0.4, False, ["pile_moved"]),
        ("the R1 was surely read: badly found corners only make it look otherwise", 0.99, True, ["pile_moved"]),
    ],
)
def test_the_face_that_was_guessed_for_the_card_below_swallows_no_landing(
    case: str, confidence: float, other: bool, later: list[str]
) -> None:
    """An R1, surely read, lies nearly where the top card lay, which was taken for an R1; the deck is borderless."""
    card = new("R1", explains=1.0, fresh=0.12, beneath=0.0, outside=None, covers=0.97, rest=0.0, other=other)
    story = Story().start(new("R8")).hand(0.4).rest(0.8, pile(0.35, new("R1", confidence)))
    done = len(story.out)
    story.hand(0.4).rest(0.4, pile(0.17, card, in_top=1.0))
    assert [said(s) for s in story.out[done:] if not isinstance(s, (CardRead, ViewChanged))] == later, case


def test_a_face_is_a_guess_until_it_is_surely_read() -> None:
    story = Story().start(new("R8")).hand(0.4).rest(0.8, pile(0.35, new("R1", 0.4)))
    assert [card.guess for card in story.tracker.pile.cards] == [False, True]
    story.rest(4.0, pile(0.35, new("R1")))
    assert [card.guess for card in story.tracker.pile.cards] == [False, False]
