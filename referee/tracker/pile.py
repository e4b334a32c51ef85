"""What happened to the discard pile between two rests: the hypotheses and what decides between them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

from referee.cards import Card
from referee.observations import Quad
from referee.tracker.chances import probability
from referee.tracker.looks import CardLook, PileLook
from referee.tracker.signs import (
    CERTAIN,
    CORNERS_OFF,
    ELSEWHERE,
    EXPLAINS,
    FRESH,
    FRESH_AT_LEAST,
    IN_PLACE,
    INDEX_STAYED,
    OWN_OPEN,
    STAYED,
    TWIN_EXPLAINS,
    UNDER_OPEN,
    has_come,
    index_came,
    is_badly_read_under,
    is_doubtful,
    is_found_again,
    is_found_under,
    is_guess,
    is_moved,
    is_newest,
    is_told,
    is_twin,
    is_under,
    lay_beside,
    lay_there,
    lies_elsewhere,
    lies_on_old,
    lies_open,
    lies_unread,
    lies_untouched,
    middle,
    newness,
    old_is_gone,
    old_lies_under,
    old_stayed,
    same_place,
    shows_itself,
    tells_itself,
    was_brought,
    was_hardly_taken,
    was_laid,
    was_not_brought,
    was_not_taken,
    was_pushed,
    was_taken,
)
from referee.tracker.verdict import PiledCard, Verdict, What

NOTHING_CARDS = 0.012
"""Changed area, in cards, up to which nothing happened. Smaller: noise and trembling are looked into; larger: a card
laid exactly on a twin goes unseen."""

UNTOUCHED = 0.1
"""Share of a card up to which it lies as it lay. Smaller: noise; larger: a shifted card."""

FRESH_OF_LIKE = 0.05
"""Share of a card with another face than the old top card's that must have changed, where all of the change lies inside
it: only the symbols differ. Smaller: noise and shadows land; larger: plain red on plain red is missed."""

LEFT = 0.8
"""Share of the change that must lie where the top card was for it to have been taken away. Smaller: landings pass for
removals; larger: a removal that drags the next card along is not believed."""

LEFT_CLEARLY = 0.95
"""... where the face below is not known, or is the top card's own."""

TWO_CARDS = 0.9
"""Share of the change that two cards laid at once must explain together."""

UNDER_CARDS = 0.07
"""Change beside the newest card, in cards, from which a second card may have come under it. Smaller: shadows and pushed
cards count as cards; larger: two cards laid almost on each other count as one."""

UNDER_CARDS_TOLD = 0.04
"""... from which it may whose corner surely shows a face that the pile had not. Smaller: costs time; larger: a card of
which hardly more than the index peeks out, on its like, is missed."""

UNDER_MM = 70.0
"""Distance of the two middles up to which one card can lie under the other. Smaller: two that were fanned out are one;
larger: a sleeve at the edge of the zone is a second card."""

UNREAD_OPEN = 0.09
"""Share of a card under the newest one that must show for it to have come although it cannot be read. Smaller: a pushed
card's edge counts; larger: a card that peeks out is missed."""

LATELY = 3
"""Cards at the top of the pile that may lie open when it is pushed. Fewer: what a push lays open has come; more: one
that comes with the face of a card deep in the pile has been pushed out."""

RIVAL_EXPLAINS = 0.65
"""Share of the change that a card with another face must explain to make the newest card's face doubtful. Smaller: more
questions; larger: a card that was placed across two is asserted."""

SAME_FACE = 0.3
"""Probability of the remembered face from which a doubtful reading counts as that face, where geometry fits a move.
Smaller: a nudge with a bad look is a landing; larger: a landing with a bad look is a nudge."""


def _is_bare(card: CardLook) -> bool:
    """Beside the old top card's place nothing of the card changed, and of that one nothing is left there."""
    return (card.outside or 0.0) < UNTOUCHED and (card.beneath or 0.0) >= LEFT


class Pile:
    """The discard pile as far as it is known, the top card last."""

    def __init__(self) -> None:
        self.cards: list[PiledCard] = []

    @property
    def top(self) -> PiledCard | None:
        """The top card; None when nothing is known to lie there."""
        return self.cards[-1] if self.cards else None

    def judge(self, look: PileLook) -> Verdict:
        """What happened, from the look that was taken first after the pile came to rest."""
        if look.change < NOTHING_CARDS:
            return Verdict(What.NOTHING)
        if self.top is None:
            return self._on_empty(look)
        if self.top.guess and any(card.other for card in look.cards):
            return self._unguessed().judge(look)
        if (look.cleared or look.bare) and len(self.cards) > 1:
            return Verdict(What.TAKEN)
        if look.restored:
            return Verdict(What.REMOVED, self._laid_open(look))
        if all(c.reading.card is None for c in look.cards):
            return self._no_face(look)
        came = [i for i, c in enumerate(look.cards) if c.outside is not None and c.outside > ELSEWHERE and has_come(c)]
        old = [c for c in look.cards if probability(c.reading, self.top.card) >= CERTAIN]
        is_seen = any(is_moved(c) or lies_open(c) for c in old)
        if is_seen:
            came = [i for i in came if not is_guess(look.cards[i])]
        all_in = any(lies_open(c) and c.explains >= TWIN_EXPLAINS for c in look.cards)
        if is_seen or all_in or any(lies_elsewhere(c) for c in old):  # it lay there, or is no card
            came = [i for i in came if not is_badly_read_under(look.cards[i])]
        came = [i for i in came if not self._was_pushed_along(look.cards[i], old)]
        if came and not any(probability(look.cards[i].reading, self.top.card) >= SAME_FACE for i in came):
            return Verdict(What.LANDED, self._came(look, came))
        if not came and (together := self._came_together(look)):
            return Verdict(What.LANDED, together)
        if not came and not self._is_still_there(look) and (removed := self._removed(look)) is not None:
            return Verdict(What.REMOVED, (removed,))
        if (moved := self._moved(look)) is not None:
            laid = was_laid(look, look.cards[moved])
            return Verdict(What.LANDED, self._with_under(look, moved)) if laid else Verdict(What.MOVED, (moved,))
        landed = self._landed(look) or self._on_old(look) or self._brought(look)
        if landed:
            return Verdict(What.LANDED, landed)
        uncovered = self._uncovered(look)
        return Verdict(What.UNCLEAR) if uncovered is None else Verdict(What.REMOVED, (uncovered,))

    def _unguessed(self) -> Pile:
        """The same pile, with nothing guessed of what its top card shows."""
        pile = Pile()
        pile.cards = [*self.cards[:-1], replace(self.cards[-1], card=None, guess=False)]
        return pile

    def _is_still_there(self, look: PileLook) -> bool:
        """A card with the old top card's face lies there, and no hand went with one."""
        if self.top is None or not was_not_taken(look):
            return False
        return any(not c.fitted and probability(c.reading, self.top.card) >= SAME_FACE for c in look.cards)

    def _was_pushed_along(self, card: CardLook, old: list[CardLook]) -> bool:
        """The card below the old top card, found half under that one, which has left its place, too. old: what surely
        shows the old top card's face."""
        below = self.cards[-2].card if len(self.cards) > 1 else None
        if not is_found_under(card) or probability(card.reading, below) < CERTAIN:
            return False
        return any(not c.fitted and c.on_top > 0.5 and old_is_gone(c) for c in old)

    def _on_old(self, look: PileLook) -> tuple[int, ...]:
        """The card that was laid exactly on the old top card: little more than the symbols changed."""
        if self.top is None or self.top.card is None:
            return ()
        known = [self.top.card]
        if len(self.cards) > 1:
            if self.cards[-2].card is None:
                return ()  # it may as well be the card below, laid open
            known.append(self.cards[-2].card)
        found = [
            i
            for i, c in enumerate(look.cards)
            if not c.fitted
            and c.covers >= IN_PLACE
            and c.explains >= EXPLAINS
            and c.fresh >= FRESH_AT_LEAST
            and c.reading.card is not None
            and c.reading.confidence >= CERTAIN
            and all(probability(c.reading, card) < 1 - CERTAIN for card in known)
        ]
        return (max(found, key=lambda i: look.cards[i].on_top),) if found else ()

    def _brought(self, look: PileLook) -> tuple[int, ...]:
        """The old top card's like that a hand was seen to bring, where the outline of what changed is not that of one
        card alone."""
        if self.top is None:
            return ()
        same = [i for i, c in enumerate(look.cards) if probability(c.reading, self.top.card) >= CERTAIN]
        found = [i for i in same if was_laid(look, look.cards[i])]
        return (max(found, key=lambda i: look.cards[i].on_top),) if found else ()

    def _no_face(self, look: PileLook) -> Verdict:
        """No face is to be seen: the top card or the pile is gone, or a card landed that cannot be read."""
        # Where nothing of the old card is left, the outline of the change is that of what went, not of a new card.
        came = [i for i, c in enumerate(look.cards) if has_come(c) and not (c.fitted and old_is_gone(c))]
        spread = [i for i in came if look.cards[i].covers < 0.8 or lies_on_old(look.cards[i])]
        # Where the card below was read, it is not that one which lies open.
        below = self.cards[-2].card if len(self.cards) > 1 else None
        unread = [i for i, c in enumerate(look.cards) if below is not None and lies_unread(c)]
        if unread and not spread and self.cards[-1].card is None:
            return Verdict(What.UNCLEAR)  # the old top card, which nobody could read either, was pushed
        if spread or unread:
            return Verdict(What.LANDED, (max({*spread, *unread}, key=lambda i: newness(look.cards[i])),))
        if look.in_top >= LEFT and look.change > 0.3:
            return Verdict(What.REMOVED)
        if look.change > 0.6 and len(self.cards) > 1:
            return Verdict(What.TAKEN)
        return Verdict(What.UNCLEAR)

    def _on_empty(self, look: PileLook) -> Verdict:
        landed = self._landed(look)
        return Verdict(What.LANDED, landed) if landed else Verdict(What.UNCLEAR)

    def _landed(self, look: PileLook) -> tuple[int, ...]:
        """The cards that landed, lowest first."""
        came = [i for i, c in enumerate(look.cards) if has_come(c) or self._on_its_like(c, look)]
        if came:
            return self._came(look, came)
        fresh = [i for i, c in enumerate(look.cards) if c.fresh >= FRESH and c.explains >= 0.2]
        fresh = [i for i in fresh if not lay_there(look.cards[i]) and not lay_beside(look.cards[i])]
        faces = [i for i in fresh if not look.cards[i].fitted and look.cards[i].reading.card is not None]
        pairs = [(a, b) for k, a in enumerate(faces) for b in faces[k + 1 :]]
        best = max(pairs, key=lambda p: look.cards[p[0]].explains + look.cards[p[1]].explains, default=None)
        if best is not None and sum(look.cards[i].explains for i in best) >= TWO_CARDS:
            a, b = best
            lower, upper = (a, b) if look.cards[a].on_top <= look.cards[b].on_top else (b, a)
            half = self._on_half_hidden(look, faces)
            # What was read of the lower one as a whole is half the upper one's: its corner, if that is to be seen.
            by_corner = half[1:] == (upper,) and is_doubtful(look.cards[lower]) and not is_doubtful(look.cards[half[0]])
            return half if by_corner else (lower, upper)
        return self._on_half_hidden(look, faces)

    def _came(self, look: PileLook, came: list[int]) -> tuple[int, ...]:
        """The newest of the cards that came, and the one that came under it, lowest first. Of two that lie half on each
        other each explains little, and a card that lies across both, or the lower one, may pass for the newest."""
        newest = self._found_open(look, max(came, key=lambda i: newness(look.cards[i])))
        card = look.cards[newest]
        lies_under = is_doubtful(card) or is_found_under(card)
        read = [
            i
            for i, c in enumerate(look.cards)
            if i not in came and is_newest(c) and (card.fitted or (lies_under and c.on_top > card.on_top))
        ]
        return self._on_half_hidden(look, read) or (*self._with_under(look, newest), *self._upon(look, newest))

    def _found_open(self, look: PileLook, newest: int) -> int:
        """The newest card, or the one with its face that hides it but for a hem: that is the same card, whose corners
        were found once more beside themselves."""
        card = look.cards[newest]
        if card.on_top > 0.5 or card.open >= OWN_OPEN or card.reading.card is None:
            return newest
        found = [i for i, c in enumerate(look.cards) if lies_open(c) and c.reading.card == card.reading.card]
        found = [i for i in found if look.cards[i].explains >= TWIN_EXPLAINS]
        return max(found, key=lambda i: newness(look.cards[i]), default=newest)

    def _upon(self, look: PileLook, newest: int) -> tuple[int, ...]:
        """The card that was laid exactly on the old top card, its like, while what changed most came under it."""
        if look.cards[newest].fitted or look.cards[newest].on_top > 0.5:
            return ()
        found = [i for i, c in enumerate(look.cards) if i != newest and not c.fitted and c.on_top > 0.5]
        found = [i for i in found if look.cards[i].covers >= IN_PLACE and look.cards[i].fresh >= FRESH_OF_LIKE]
        return tuple(i for i in found if self._is_new_face(look.cards[i]))[:1]

    def _came_together(self, look: PileLook) -> tuple[int, ...]:
        """Two cards from elsewhere with faces of their own that lie half on each other, so that neither explains enough
        to have come alone."""
        open_ = [i for i, c in enumerate(look.cards) if is_newest(c) and c.on_top > 0.5]
        pair = self._on_half_hidden(look, open_)
        top = None if self.top is None else self.top.card
        others = [c for c in (look.cards[i] for i in pair) if probability(c.reading, top) < SAME_FACE / 2]
        elsewhere = [c for c in others if c.outside is not None and c.outside > ELSEWHERE]
        return pair if len(elsewhere) == len(pair) else ()

    def _on_half_hidden(self, look: PileLook, faces: list[int]) -> tuple[int, ...]:
        """Two cards that only together explain what changed, of which the lower one was not found as a card."""
        if not faces:
            return ()
        newest = max(faces, key=lambda i: newness(look.cards[i]))
        under = self._under(look, newest)
        explains = look.cards[newest].explains
        if under and explains + (1 - explains) * look.cards[under[0]].left >= TWO_CARDS:
            return (*under, newest)
        return ()

    def _with_under(self, look: PileLook, newest: int) -> tuple[int, ...]:
        """The newest card and the one that came under it, lowest first."""
        under = self._under(look, newest)
        return under if under and is_found_again(look.cards[newest], look.cards[under[0]]) else (*under, newest)

    def _under(self, look: PileLook, newest: int) -> tuple[int, ...]:
        """The card that came in the same visit and lies under the newest one."""
        little = (1 - look.cards[newest].explains) * look.change < UNDER_CARDS
        known = [card.card for card in self.cards[-2:]]
        hidden = is_doubtful(look.cards[newest]) and look.cards[newest].on_top < 0.5  # a hand lies on what it brought
        pushed = probability(look.cards[newest].reading, known[-1] if known else None) >= SAME_FACE  # perhaps
        found = [
            i
            for i, c in enumerate(look.cards)
            if i != newest
            and not (hidden and c.reading.card is None)
            and (
                (is_under(c) and not little)
                or (self._is_new_face(c) and tells_itself(c, little))
                or (not pushed and self._has_not_lately(c) and index_came(c))
            )
            and math.dist(middle(c.quad), middle(look.cards[newest].quad)) <= UNDER_MM
            and (c.reading.card is not None or c.open >= UNREAD_OPEN)
            and (self._has_not_lately(c) or not was_pushed(c) or self._has_another_colour(c))
            and (c.reading.card != look.cards[newest].reading.card or (c.open >= OWN_OPEN and shows_itself(c)))
            and (self._old_shows(c) or all(probability(c.reading, card) < SAME_FACE / 2 for card in known))
        ]
        if not found:
            return ()
        # A face that is half hidden and was read as a whole with doubt is that of the card on it as often as not.
        return (max(found, key=lambda i: (is_told(look.cards[i]), look.cards[i].left)),)

    def _old_shows(self, card: CardLook) -> bool:
        """The old top card is seen to lie as it lay beside this one, or its index is, if it cannot be that of its like
        beneath it."""
        below = self.cards[-2].card if len(self.cards) > 1 else None
        tells = self.top is not None and below != self.top.card
        return old_stayed(card) or (tells and card.index is not None and card.index < INDEX_STAYED)

    def _has_another_colour(self, card: CardLook) -> bool:
        """What its corner shows is of another colour than the old top card, and hardly one of the upper cards of the
        pile, whatever its rank: it is not that one, pushed."""
        lately = [known.card for known in self.cards[-LATELY:]]
        if not lately or None in lately or any(probability(card.reading, face) >= SAME_FACE / 2 for face in lately):
            return False
        named = [(card.reading.card, card.reading.confidence), *card.reading.alternatives]
        coloured = [(face.colour, p) for face, p in named if face is not None and face.colour is not None]
        top = lately[-1]
        return top is not None and sum(p for colour, p in coloured if colour is not top.colour) >= CERTAIN

    def _is_new_face(self, card: CardLook) -> bool:
        """Its face was read with certainty, and no card that the pile holds shows it."""
        return self._has_not_lately(card) and card.reading.card not in [known.card for known in self.cards]

    def _has_not_lately(self, card: CardLook) -> bool:
        """Its face was read with certainty, and none of the upper cards of the pile, which a push may lay open, shows
        it."""
        lately = [known.card for known in self.cards[-LATELY:]]
        return bool(lately) and not is_doubtful(card) and None not in lately and card.reading.card not in lately

    def shows_new_face(self, card: CardLook) -> bool:
        """A card that was found lies open with a face that the pile surely had not; some of it has changed, or all that
        changed lies inside it: one figure on its like's place."""
        changed = card.fresh >= FRESH_AT_LEAST or card.explains >= TWIN_EXPLAINS
        return changed and not card.fitted and card.on_top > 0.5 and self._is_new_face(card)

    def _on_its_like(self, card: CardLook, look: PileLook) -> bool:
        """Another face where hardly anything changed: plain red on plain red."""
        if self.top is None or self.top.card is None or card.reading.card is None or card.fitted:
            return False
        laid_on_it = was_brought(look) and lies_open(card) and card.covers >= IN_PLACE
        if probability(card.reading, self.top.card) >= SAME_FACE / 2 or (card.fresh < FRESH_OF_LIKE and not laid_on_it):
            return False
        # Of little change a few wrong pixels are a large share.
        rest = (1 - card.explains) * look.change
        return card.explains >= TWIN_EXPLAINS or (rest < NOTHING_CARDS and not is_doubtful(card))

    def _laid_open(self, look: PileLook) -> tuple[int, ...]:
        """The card that lay below the top card, if it was found."""
        below = self.cards[-2].card if len(self.cards) > 1 else None
        found = [i for i, c in enumerate(look.cards) if not c.peeks and probability(c.reading, below) >= 0.5]
        return tuple(sorted(found, key=lambda i: (look.cards[i].fitted, -look.cards[i].on_top))[:1])

    def lay_under_top(self, card: CardLook) -> bool:
        """The card is plainly the one that was seen to come under the top card, which has gone."""
        if len(self.cards) < 2 or self.cards[-2].quad is None or card.fitted or card.on_top <= 0.5:
            return False
        next_but_one = self.cards[-3].card if len(self.cards) > 2 else None
        return same_place(self.cards[-2].quad, card.quad) and card.reading.card not in (None, next_but_one)

    def _lay_half_open(self, card: CardLook) -> bool:
        """The card, surely read, is the one that lay half under the top card, its face unknown: the part of it that
        showed has not changed."""
        unknown = len(self.cards) > 1 and self.cards[-2].guess
        return unknown and lay_beside(card) and not is_doubtful(card) and self.lay_under_top(card)

    def _removed(self, look: PileLook) -> int | None:
        """The card that lies open because the top card went."""
        if look.in_top < LEFT or was_brought(look):
            return None
        next_but_one = self.cards[-3].card if len(self.cards) > 2 else None
        below = self.cards[-2].card if len(self.cards) > 1 else None
        stayed = [
            i
            for i, c in enumerate(look.cards)
            if not c.fitted and c.reading.card is not None and (c.outside is None or c.outside < STAYED)
            if not self._still_shows(c, next_but_one)
        ]
        # Where the top card is seen to be gone, a shadow on the known card below does not make a new one of it.
        shaded = [
            i
            for i, c in enumerate(look.cards)
            if not c.fitted and c.outside is not None and c.outside < ELSEWHERE and (c.beneath or 0.0) > STAYED
            if self.top is None or below != self.top.card  # a push of a card on its like looks the same
        ]
        known = [
            i
            for i in (*stayed, *shaded)
            if below is not None
            and probability(look.cards[i].reading, below) >= 0.5
            and (was_taken(look) or not old_lies_under(look.cards[i], UNTOUCHED))
            and same_place(self.cards[-2].quad, look.cards[i].quad)
        ]
        # Where the top card is seen to be there still, it is the twin of the one below that lies on it, unless a hand
        # was seen to take the top card: the edge of a squared pile looks the same whatever lies on it. Where corners
        # were found wrong, that shows only beside a card that was placed by the change.
        if not was_taken(look) and any(c.stays for c in look.cards):
            known = []
        # A card that another one, surely read, lies on is not open: that one came, or is the old top card, pushed.
        newer = [c for c in look.cards if lies_open(c) and not lay_beside(c)]
        on_it = [c.on_top for c in newer if probability(c.reading, below) < SAME_FACE]
        known = [i for i in known if look.cards[i].on_top > max(on_it, default=0.0)]
        if self.top is not None and below == self.top.card and (look.in_top < LEFT_CLEARLY or was_hardly_taken(look)):
            known = []  # it was pushed on its like: something changed beside it, or no hand went with it
        if known:
            return max(known, key=lambda i: look.cards[i].on_top)
        # Without a sure face below, only a card whose part beside the old top card is seen to have lain there all
        # along, while the rest of the old card's place changed.
        seen = [i for i in stayed if look.cards[i].outside is not None and look.cards[i].on_top > 0.5]
        seen = [i for i in seen if (look.cards[i].beneath or 0.0) > ELSEWHERE or self._lay_half_open(look.cards[i])]
        seen = [i for i in seen if look.in_top >= LEFT_CLEARLY]
        if self.top is not None and any(probability(look.cards[i].reading, self.top.card) >= SAME_FACE for i in seen):
            return None
        # A face that the known pile has not was misread before, and lies untouched, or it has just come.
        laid = [card.card for card in self.cards[:-1]]
        if None not in laid[-2:]:
            lay = [i for i in seen if _is_bare(look.cards[i]) or lay_beside(look.cards[i])]
            seen = [i for i in seen if i in lay or look.cards[i].reading.card in laid]
        return max(seen, key=lambda i: look.cards[i].on_top, default=None)

    def _uncovered(self, look: PileLook) -> int | None:
        """The card that lay below the top card and lies open now, though not where it lay: the pile was straightened
        and its top card taken in one visit."""
        top, below = self.cards[-1].card, self.cards[-2].card if len(self.cards) > 1 else None
        if None in (top, below) or top == below:
            return None
        if any(probability(c.reading, top) >= SAME_FACE for c in look.cards):
            return None
        found = [i for i, c in enumerate(look.cards) if not c.fitted and c.on_top > 0.5 and c.fresh >= FRESH]
        found = [i for i in found if probability(look.cards[i].reading, below) >= CERTAIN]
        return max(found, key=lambda i: look.cards[i].on_top, default=None)

    def _moved(self, look: PileLook) -> int | None:
        """The card that is still on top after a nudge or a squaring up."""
        if self.top is None or self.top.card is None:
            return None
        same = [i for i, c in enumerate(look.cards) if probability(c.reading, self.top.card) >= SAME_FACE]
        if not same:
            return None
        best = max(same, key=lambda i: (not look.cards[i].fitted, newness(look.cards[i])))
        card = look.cards[best]
        others = [c for i, c in enumerate(look.cards) if i not in same and has_come(c)]
        others = [c for c in others if not is_guess(c)]
        if others and (card.fresh < UNTOUCHED or any(c.on_top > card.on_top for c in others)):
            return None  # the card is the old one, where it was, and another came
        if any(is_newest(c) and self._is_new_face(c) and c.on_top > card.on_top and (c.outside or 0.0) > ELSEWHERE
               for i, c in enumerate(look.cards) if i not in same):  # fmt: skip
            return None  # another that the pile had not lies open
        if card.fitted and any(not c.fitted and is_told(c) and c.on_top > card.on_top and c.fresh > card.fresh
                               for i, c in enumerate(look.cards) if i not in same):  # fmt: skip
            return None  # the old one was pushed aside, and another face lies open where something changed
        under = [look.cards[i] for i in self._under(look, best)]
        if any(self._is_new_face(c) and (old_stayed(c) or card.turned) for c in under):
            return None  # a twin came, and another card under it
        found = [i for i in same if not look.cards[i].fitted]
        below = self.cards[-2].card if len(self.cards) > 1 else None
        tells = not (self._is_squared_on_its_like() or was_not_brought(look)), below != self.top.card
        seen = [look.cards[i] for i in found or same]
        twin = any(is_twin(c, *tells) or (c.explains >= TWIN_EXPLAINS and self._still_shows(c, below)) for c in seen)
        return None if twin else best

    def _is_squared_on_its_like(self) -> bool:
        """The card below has the top card's colour and may lie exactly under it: where the top card is pushed, the edge
        of that one is left, and it looks as if nothing had gone."""
        if len(self.cards) < 2 or self.cards[-1].card is None or self.cards[-1].quad is None:
            return False
        below = self.cards[-2]
        like = below.card is not None and below.card.colour is self.cards[-1].card.colour
        return like and same_place(below.quad, self.cards[-1].quad)

    def _still_shows(self, card: CardLook, beneath: Card | None) -> bool:
        """The old top card's colour still shows beside this one, and is not that of the card `beneath`, which would
        lie open there."""
        if self.top is None or self.top.card is None or beneath is None or card.rest is None:
            return False
        if 1 - card.covers < CORNERS_OFF:
            return False
        return card.fresh >= FRESH and card.rest < UNTOUCHED and beneath.colour is not self.top.card.colour

    def is_disputed(self, look: PileLook, index: int) -> bool:
        """Another card, found in nearly the same place, shows another face as clearly."""
        chosen = look.cards[index]
        return any(
            card.reading.card not in (None, chosen.reading.card)
            and card.explains >= RIVAL_EXPLAINS
            and card.fresh >= FRESH
            and card.open < UNDER_OPEN
            and card.reading.confidence >= CERTAIN
            for i, card in enumerate(look.cards)
            if i != index
        )

    # What follows from a verdict -----------------------------------------------------------------------------

    def landed(self, card: Card | None, quad: Quad, guess: bool) -> None:
        """A card lies on top now. guess: its face is one."""
        self.cards.append(PiledCard(card, quad, guess))

    def removed(self, top: CardLook | None) -> PiledCard:
        """The top card went; `top` is what lies open now. Returns what went."""
        gone = self.cards.pop()
        if top is None:
            return gone
        if self.cards:
            below = self.cards[-1]
            guess = below.guess and is_doubtful(top)
            self.cards[-1] = PiledCard(top.reading.card or below.card, top.quad, guess)
        else:
            self.cards.append(PiledCard(top.reading.card, top.quad, is_doubtful(top)))
        return gone

    def moved(self, top: CardLook) -> None:
        """The top card lies where `top` was seen, those below it anywhere; all where they lay if it is untouched."""
        old = self.cards[-1]
        if lies_untouched(top) and same_place(old.quad, top.quad):
            return
        self.cards = [replace(card, quad=None) for card in self.cards[:-1]] + [replace(old, quad=top.quad)]

    def taken(self, but_top: bool) -> PiledCard | None:
        """The pile went; but_top: all but its top card. Returns what is left."""
        self.cards = self.cards[-1:] if but_top else []
        return self.top

    def reread(self, depth: int, card: Card | None) -> None:
        """A better look at the card `depth` below the top (0 is the top), which is a guess no more."""
        if depth < len(self.cards):
            index = -1 - depth
            self.cards[index] = replace(self.cards[index], card=card, guess=False)

    def reset(self, cards: Sequence[PiledCard] = ()) -> None:
        """Forgets the pile; `cards` is what lies there now."""
        self.cards = list(cards)
