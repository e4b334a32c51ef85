"""After a correction only what it changed is announced."""

from __future__ import annotations

from referee.rules import Code, Filed, Ruling, Tier
from referee.session.announcements import Announcer


def filed(number: int, code: Code, n: int = 0, k: int = 0) -> Filed:
    return Filed(number, k, Ruling(code, "Ben", n, tier=Tier.CALL))


ILLEGAL = filed(3, Code.ILLEGAL_CARD)
PENALTY = filed(3, Code.PENALTY, 2, k=1)
UNO = filed(5, Code.UNO_OK)


def heard(announcer: Announcer, since: int) -> list[tuple[Code, bool]]:
    return [(made.filed.ruling.code, made.withdrawn) for made in announcer.since(since)]


def test_the_past_is_no_news() -> None:
    announcer = Announcer([ILLEGAL])
    announcer.update([ILLEGAL], seq=4)
    assert heard(announcer, 0) == []


def test_each_ruling_is_news_once() -> None:
    announcer = Announcer([])
    announcer.update([ILLEGAL, PENALTY], seq=4)
    announcer.update([ILLEGAL, PENALTY, UNO], seq=6)
    assert heard(announcer, 0) == [(Code.ILLEGAL_CARD, False), (Code.PENALTY, False), (Code.UNO_OK, False)]
    assert heard(announcer, 4) == [(Code.UNO_OK, False)]
    assert heard(announcer, 6) == []


def test_a_correction_announces_what_fell_away_and_what_came_instead() -> None:
    announcer = Announcer([])
    announcer.update([ILLEGAL, PENALTY, UNO], seq=4)
    corrected = filed(3, Code.CORRECTED)
    announcer.update([corrected, UNO], seq=5)
    assert heard(announcer, 4) == [(Code.ILLEGAL_CARD, True), (Code.PENALTY, True), (Code.CORRECTED, False)]


def test_an_overruled_one_is_announced_as_withdrawn() -> None:
    announcer = Announcer([])
    announcer.update([ILLEGAL, UNO], seq=4)
    announcer.update([ILLEGAL._replace(overruled=True), UNO], seq=5)
    assert heard(announcer, 4) == [(Code.ILLEGAL_CARD, True)]


def test_a_card_recognised_late_moves_no_news() -> None:
    """A ruling inserted before others is the only news."""
    announcer = Announcer([])
    announcer.update([UNO], seq=4)
    announcer.update([ILLEGAL, UNO], seq=5)
    assert heard(announcer, 4) == [(Code.ILLEGAL_CARD, False)]
