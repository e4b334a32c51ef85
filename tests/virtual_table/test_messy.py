"""Scripts of messy tables: what they hold, and that they are the same every time."""

from __future__ import annotations

import math
from collections import Counter
from itertools import pairwise

import pytest

from referee.cards import Card, Deck
from referee.virtual_table import Level, messy_script
from referee.virtual_table.geometry import Layout
from referee.virtual_table.messy import ACTS
from referee.virtual_table.scene import Scene
from referee.virtual_table.script import DrawAndLay, Lay, Nudge, Toss
from referee.virtual_table.timeline import RUSH_S, STRAY_MM


@pytest.mark.parametrize("seed", range(1, 6))
@pytest.mark.parametrize("level", Level)
def test_the_truth_is_what_a_pile_can_do(seed: int, level: Level) -> None:
    script = messy_script(seed, players=2 + seed, landings=60, level=level)
    assert script == messy_script(seed, players=2 + seed, landings=60, level=level)
    events = script.truth["events"]
    assert all(a["t"] <= b["t"] for a, b in pairwise(events))
    assert sum(e["event"] == "landed" for e in events) >= 60
    assert {e["seat"] for e in events if "seat" in e} <= set(range(1, 3 + seed))
    pile: list[str] = []
    for event in events:
        match event["event"]:
            case "landed":
                pile.append(event["card"])
            case "removed":
                assert (pile.pop(), pile[-1]) == (event["card"], event["top"])
            case "pile_taken":
                pile = [] if event["top"] is None else [event["top"]]
        lying = Counter(Card.parse(card) for card in pile)
        assert all(n <= Deck.CLASSIC_108.copies[card] for card, n in lying.items())


def test_only_what_is_asked_for_happens() -> None:
    events = messy_script(3, landings=20, acts=("lay", "nudge")).truth["events"]
    assert {e["event"] for e in events} == {"landed", "nudge"}


def test_cards_are_thrown_and_laid_astray_where_that_is_asked_for() -> None:
    """A card that strays lands once, and is then pushed by the hand that laid it."""
    script = messy_script(3, landings=20, acts=("toss", "stray"))
    thrown = [a for a in script.actions if isinstance(a, Toss)]
    laid = [(a, b) for a, b in pairwise(script.actions) if isinstance(a, Lay) and isinstance(b, Nudge)]
    assert min(len(thrown), 2 * len(laid)) > 5
    assert len(thrown) + len(laid) == 20
    assert all(math.hypot(a.spots[0].x, a.spots[0].y) >= STRAY_MM[0] for a, _ in laid)
    assert all(math.hypot(a.spots[0].x + b.by.x, a.spots[0].y + b.by.y) < STRAY_MM[0] for a, b in laid)
    assert Counter(e["event"] for e in script.truth["events"]) == {"landed": 20, "nudge": len(laid)}
    assert not any(isinstance(a, Toss) for a in messy_script(3, landings=60).actions)


def test_quick_people_lay_a_card_before_the_other_hand_is_gone() -> None:
    """Half of them a like one (RULES 6.8)."""
    script = messy_script(4, landings=40, acts=("rush",))
    pairs = list(zip(script.actions[::2], script.actions[1::2], strict=True))
    laid = [(a, b) for a, b in pairs if isinstance(a, Lay) and isinstance(b, Lay)]
    assert len(laid) == 20
    assert all(a.release + RUSH_S[0] <= b.contact <= a.release + RUSH_S[1] + 0.002 for a, b in laid)
    assert any(b.begin < a.end for a, b in laid)
    assert 3 < sum(a.cards == b.cards for a, b in laid) < 17
    assert [e["card"] for e in script.truth["events"]] == [str(*one.cards) for pair in laid for one in pair]


def test_who_draws_a_card_that_goes_lays_it_at_once() -> None:
    script = messy_script(4, landings=24, acts=("lay", "draw_and_lay"))
    both = [a for a in script.actions if isinstance(a, DrawAndLay)]
    drawn = [e for e in script.truth["events"] if e["event"] == "drew"]
    assert len(both) == len(drawn) > 2
    layout = Layout.arrange(1, script.level, 4)
    table = Scene(script, layout, 1)
    for reach, draw in zip(both, drawn, strict=True):
        assert reach.contact < reach.taken < draw["t"] == reach.over <= reach.release
        assert (draw["seat"], draw["n"]) == (reach.seat, 1)
        assert table.still(reach.taken).stack == table.still(reach.begin).stack - 1
        assert table.still(reach.end).pile[-1].card == reach.card
        (motion,) = table.moving(reach.taken + 0.01)
        assert [card.face for card in motion.cards] == [None]  # its back is up
        (motion,) = table.moving(reach.over)
        assert [card.face for card in motion.cards] == [reach.card]
    assert not any(isinstance(a, DrawAndLay) for a in messy_script(3, landings=60).actions)


def test_hands_linger_on_cards_and_peek_below_them() -> None:
    script = messy_script(4, landings=12, acts=("linger", "peek"))
    lifted = [a for a in script.actions if isinstance(a, Nudge)]
    assert all(a.release - a.contact >= 1.5 for a in script.actions if isinstance(a, Lay))
    assert lifted
    assert all(a.depth == 1 and a.lift > 15 for a in lifted)
    assert Counter(e["event"] for e in script.truth["events"]) == {"landed": 12, "peek": len(lifted)}


@pytest.mark.parametrize(
    ("wrong", "said"),
    [({"acts": ("juggle",)}, "juggle"), ({"acts": ("nudge",)}, "lays a card"), ({"players": 1}, "players"),
     ({"landings": 0}, "landings")],
)  # fmt: skip
def test_wrong_wishes_are_named(wrong: dict[str, object], said: str) -> None:
    with pytest.raises(ValueError, match=said):
        messy_script(1, **wrong)  # type: ignore[arg-type]


def test_every_act_happens_sooner_or_later() -> None:
    names = {"lay", "lay_twin", "lay_two", "draw", "take_back", "take_pile", "light", "rest"}
    assert names <= set(ACTS)
    events = {e["event"] for e in messy_script(2, landings=300).truth["events"]}
    told = {"landed", "drew", "removed", "hover", "nudge", "square_up", "light", "shadow", "rest", "pile_taken"}
    assert events == told
