"""What is told twice. The eye says that a card landed once more though nobody laid it, or that it was taken up and laid
again (RULES 9, 12): neither is another play. And a draw may be seen by the eye and told by a phone, too."""

from __future__ import annotations

from referee.cards import Card
from referee.events import Catch, Discard, Lift, NameColour, Target, Uno
from referee.rules.draft import Draft, blur, copies_out, following, look
from referee.rules.hand import CERTAIN
from referee.rules.legality import CONTINUING
from referee.rules.position import CHALLENGE, DRAWN, NOBODY, WD4, Picked, Position

NUDGE_S = 3.0
"""Seconds within which a card that was taken up and is back was only nudged, by whoever it was, and within which one
that lands without an arm upon its like is that one (RULES 12). Too small: who squares the pile up is said to have
played; too large: a player's own card of the same face is taken for the one that lies there."""
LIES = CONTINUING | {DRAWN, WD4, CHALLENGE}
"""Phases in which the last card lies on top and no other is waited for."""


MEANWHILE = (NameColour, Target, Uno, Catch)
"""What people say of a card while it is being put straight, and mean of the play that it was."""


def keep(d: Draft, event: Lift) -> None:
    """The last card is about to be taken back: should it come again, all is as it is now."""
    d.loose = d.loose._replace(picked=Picked(look(d), event.t))


def is_back(d: Draft, event: Discard) -> bool:
    """Is it the card that was just taken back, before anything else happened? Then it counts as it did, and what was
    said of it is not said again."""
    assert d.loose.picked is not None
    picked, d.loose = d.loose.picked, d.loose._replace(picked=None)
    if event.card != picked.before.top or event.t - picked.t > NUDGE_S:
        return False
    now = d.t, d.number, d.out
    for field in Position.__slots__:
        setattr(d, field, getattr(picked.before, field))
    d.t, d.number, d.out = now
    return True


def is_told_again(d: Draft, event: Discard, who: int) -> bool:
    """Is it the card that lies there, seen once more? By its player's arm, where that player is not in turn again or
    its cards are still to be drawn, or by none soon after it, or with no other copy left. The hand may hold one card
    less all the same."""
    card = event.card
    if card is None or card != d.top or d.phase not in LIES or d.wrong is not None:
        return False
    if event.confidence >= CERTAIN or event.extra.get("named") or d.setup.options.multi_play != "off":
        return False
    last = d.last
    if last is None and d.laid > 1:
        return False
    owner = d.setup.dealer if last is None else last.who
    soon = last is None or event.t - last.t <= NUDGE_S
    if who != NOBODY:
        goes_on = who == d.turn_id or (d.phase is DRAWN and who == following(d, d.turn_id))
        waits = soon and last is not None and any(owed.ref == last.ref for owed in d.owed)  # nobody has drawn for it
        again, may_hold_less = who == owner and (not goes_on or waits or is_spent(d, card)), owner
    else:
        again, may_hold_less = soon or is_spent(d, card), d.turn_id
    if not again:
        return False
    d.loose = d.loose._replace(echo=d.number)
    if last is not None and d.best[may_hold_less] - d.under[may_hold_less] > 1:
        blur(d, may_hold_less, d.under[may_hold_less] + 1, d.over[may_hold_less])
    return True


def is_spent(d: Draft, card: Card) -> bool:
    """Is every copy of that face out, as far as was seen since the last reshuffle (RULES 9)?"""
    return copies_out(d, card) >= d.setup.pack.copies.get(card, 0)


def is_drawn_already(d: Draft, who: int, n: int, named: bool) -> bool:
    """Have the eye and the phones both told of a draw, since the last card? What one has told counts once. named: a
    phone tells it. Where players draw until they can play, each tells of other cards."""
    player, laid, seen, said = d.loose.drawn or (who, d.laid, 0, 0)
    if (player, laid) != (who, d.laid):
        seen = said = 0
    told, other = (said + n, seen) if named else (seen + n, said)
    d.loose = d.loose._replace(drawn=(who, d.laid, seen if named else told, told if named else said))
    return told <= other and d.setup.options.draw_rule == "draw_one"
