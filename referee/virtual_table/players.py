"""People who play whole hands with a real deck, and err now and then; they know what is true.

This is the check on the referee, so it has its own small account of the 108-card rules (RULES 6, preset
`official_108`) and shares no code with `referee.rules`. The people obey what a competent referee would say: an illegal
card is taken back, what is owed is drawn.
"""

from __future__ import annotations

from random import Random
from typing import Any

from referee.cards import Card, Colour, Deck, Rank
from referee.events import Catch, Challenge, ChallengeResult, HandDealt, NameColour, Pass, Points
from referee.virtual_table.habits import HABITS, Mistakes, Restlessness
from referee.virtual_table.script import Level, Script
from referee.virtual_table.timeline import Timeline

NAMES = ("Ana", "Ben", "Cleo", "Dev", "Eva", "Finn", "Gia", "Hugo", "Ida", "Jon")
"""Who sits at the table, clockwise from seat 1."""

HAND_SIZE = 7
TARGET = 500
WILD = Card(Rank.WILD)
WILD_DRAW_FOUR = Card(Rank.WILD_DRAW_FOUR)
LONGEST_S = 4 * 3600.0
"""An evening ends after this many seconds: where every forgotten call is caught, nobody might ever go out."""
PASS_TAP = 0.5
"""Chance that who keeps a drawn card says so on the phone."""


def play(
    seed: int,
    *,
    players: int = 4,
    hands: int = 1,
    level: Level = Level.NORMAL,
    mistakes: Mistakes | None = None,
    habits: Restlessness | None = None,
    seconds: float = LONGEST_S,
) -> Script:
    """A script of `hands` hands, or fewer when somebody reaches 500 points or `seconds` are over.

    The same arguments give the same script. Its truth is a JSON object:
    `seed`, `level`, `deck`, `preset`, `players` (names by seat), `dealer`;
    `events`: `t`, `event` (landed, removed, drew, hover, nudge, square_up, light, shadow, rest, pile_taken), and where
    they apply `card`, `seat`, `n`, `legal`, `top`, `declared`, `turn_up`; `t` of a landing: the hand is gone;
    `rulings`: `t`, `code` (RULES 11), `player`, and where they apply `n`, `reason`, `card`: all that a perfect
    referee says (hand_over and game_over: player is who has won);
    `hands`: `winner`, `points`, and `scores` after the hand.
    """
    if not 2 <= players <= len(NAMES):
        raise ValueError(f"players is {players}: expected 2 to {len(NAMES)}")
    if hands < 1:
        raise ValueError(f"hands is {hands}: expected 1 or more")
    table = _Table(Random(f"players {seed}"), NAMES[:players], mistakes or Mistakes(), habits or HABITS[level], seconds)
    return table.evening(seed, level, hands)


class _Table:
    """The hands, the piles and the turn, and what everybody does about them."""

    def __init__(
        self, rng: Random, names: tuple[str, ...], mistakes: Mistakes, habits: Restlessness, seconds: float
    ) -> None:
        self.rng, self.names, self.mistakes, self.habits, self.seconds = rng, names, mistakes, habits, seconds
        self.n = len(names)
        self.line = Timeline(rng, habits)
        self.scores = [0] * self.n
        self.finished: list[dict[str, Any]] = []
        self.dealer = rng.randrange(self.n)
        self.hands: list[list[Card]] = []
        self.pack: list[Card] = []
        self.pile: list[Card] = []
        self.colour = Colour.RED
        self.turn = 0
        self.direction = 1
        self.forgot: int | None = None
        self.strayed: int | None = None
        self.kept: int | None = None  # drew, keeps the card and has not said so: could still be about to play it

    # --- an evening and a hand --------------------------------------------------------------------------------------

    def evening(self, seed: int, level: Level, hands: int) -> Script:
        first_dealer = self.dealer
        for number in range(hands):
            if number:
                self._collect()
            else:
                self._shuffle_and_deal()
                stack = len(self.pack)
            self._play_hand()
            if self._time_is_over or max(self.scores) >= TARGET:
                break
            self.dealer = (self.dealer + 1) % self.n
        line = self.line
        truth: dict[str, Any] = {
            "level": level.value,
            "seed": seed,
            "deck": Deck.CLASSIC_108.value,
            "players": list(self.names),
            "dealer": self.names[first_dealer],
            "preset": "official_108",
            "events": sorted(line.events, key=lambda e: e["t"]),
            "rulings": sorted(line.rulings, key=lambda r: r["t"]),
            "hands": self.finished,
        }
        return Script(
            seed=seed,
            level=level,
            players=self.names,
            dealer=self.names[first_dealer],
            preset="official_108",
            stack=stack,
            actions=tuple(sorted(line.actions, key=lambda a: a.begin)),
            inputs=tuple(sorted(line.inputs, key=lambda i: i.t)),
            truth=truth,
            duration_s=round(line.now + 2.0, 3),
        )

    @property
    def _time_is_over(self) -> bool:
        return self.line.now >= self.seconds

    def _shuffle_and_deal(self) -> None:
        self.pack = list(Deck.CLASSIC_108.copies.elements())  # type: ignore[attr-defined]
        self.rng.shuffle(self.pack)
        self.hands = [[self.pack.pop() for _ in range(HAND_SIZE)] for _ in range(self.n)]
        self.pile = []
        self.direction = 1
        self.forgot = None
        self.kept = None

    def _collect(self) -> None:
        """Both piles are picked up and a new draw pile comes to the table."""
        seat = self.dealer + 1
        self.line.take_pile(seat, None)
        self.line.take_stack(seat)
        self._shuffle_and_deal()
        self.line.wait(1.5, 2.5)
        self.line.put_stack(seat, len(self.pack))
        name = self.names[self.dealer]
        self.line.tap(self.line.now + self.rng.uniform(0.4, 1.0), name, HandDealt(dealer=name))

    def _play_hand(self) -> None:
        self._turn_up()
        while all(self.hands) and not self._time_is_over:
            self._take_turn()
        if not all(self.hands):
            self._score()

    def _turn_up(self) -> None:
        """The first card and its effect (RULES 6.2)."""
        seat = self.dealer + 1
        first = (self.dealer + 1) % self.n
        while True:
            card = self.pack.pop()
            t = self.line.lay(seat, card).end
            declared: dict[str, Any] = {}
            if card == WILD:
                self.colour = self._favourite(first)
                declared = {"declared": self.colour.value}
            self.line.event(t, "landed", card=str(card), seat=seat, turn_up=True, **declared)
            if card != WILD_DRAW_FOUR:
                break
            self.line.ruling(t, "redraw_opening", None, card=str(card))
            self.line.take_back(seat, card, None, (1.2, 2.0))
            self.pack.insert(self.rng.randrange(len(self.pack)), card)
        self.pile = [card]
        self.turn = first
        if card == WILD:
            self._name_colour(first, t)
            return
        assert card.colour is not None
        self.colour = card.colour
        if card.rank is Rank.SKIP:
            self.turn = self._after(first)
        elif card.rank is Rank.REVERSE:
            self.direction = -1
            self.turn = self.dealer
        elif card.rank is Rank.DRAW_TWO:
            self._owe("forced_draw", t, first, 2, "draw_two")
            self.turn = self._after(first)

    def _score(self) -> None:
        winner = next(p for p in range(self.n) if not self.hands[p])
        total = 0
        for step in range(1, self.n):
            p = (winner + step) % self.n
            points = sum(card.points for card in self.hands[p])
            total += points
            name = self.names[p]
            t = self.line.tap(self.line.now + self.rng.uniform(0.8, 1.6), name, Points(player=name, n=points, by=name))
        self.scores[winner] += total
        scores = dict(zip(self.names, self.scores, strict=True))
        self.finished.append({"winner": self.names[winner], "points": total, "scores": scores})
        if self.scores[winner] >= TARGET:
            self.line.ruling(t, "game_over", self.names[winner])

    # --- a turn -----------------------------------------------------------------------------------------------------

    def _after(self, p: int) -> int:
        return (p + self.direction) % self.n

    def _matches(self, card: Card) -> bool:
        """RULES 6.3: the colour in force, or the number or symbol of the top card; a wild always."""
        return card.is_wild or card.colour is self.colour or card.rank is self.pile[-1].rank

    def _chance(self, p: float) -> bool:
        return self.rng.random() < p

    def _favourite(self, p: int) -> Colour:
        """The colour somebody names: mostly the one most held."""
        held = [card.colour for card in self.hands[p] if card.colour is not None]
        if not held or self._chance(0.2):
            return self.rng.choice(list(Colour))
        return max(Colour, key=held.count)

    def _choices(self, p: int) -> list[Card]:
        """What p is willing to play: matching cards, wilds mostly when nothing else goes, bluffs now and then."""
        hand = self.hands[p]
        plain = [card for card in hand if not card.is_wild and self._matches(card)]
        wilds = [card for card in hand if card == WILD]
        follows = any(card.colour is self.colour for card in hand)
        fours = [card for card in hand if card == WILD_DRAW_FOUR and (not follows or self._chance(self.mistakes.bluff))]
        if plain and not self._chance(0.15):
            return plain if not (follows and fours) else fours
        return plain + wilds + fours

    def _take_turn(self) -> None:
        p, exposed = self.turn, self.forgot
        self.forgot = None
        choices = self._choices(p)
        if exposed is None:  # one thing at a time: an open UNO exposure is not mixed with other trouble
            self._restless_moment(p)
            self._err_before_playing(p)
            self._take_back_a_legal_card(p, choices)
        if not choices or self._chance(self.mistakes.renege):
            self._draw_and_perhaps_play(p)
        else:
            self._play(p, self.rng.choice(choices))
        if exposed not in (None, p):
            self._catch_late(exposed)

    def _draw_and_perhaps_play(self, p: int) -> None:
        self.kept = None
        if not self._draw(p, 1):
            self.turn = self._after(p)
            return
        card = self.hands[p][-1]
        honest = card != WILD_DRAW_FOUR or not any(c.colour is self.colour for c in self.hands[p])
        if self._matches(card) and honest and self._chance(0.85):
            self._play(p, card)
            return
        if self._chance(PASS_TAP):
            name = self.names[p]
            self.line.tap(self.line.now + self.rng.uniform(0.2, 0.8), name, Pass(by=name))
        else:
            self.kept = p
        self.turn = self._after(p)

    def _play(self, p: int, card: Card) -> None:
        """A legal card (or a Wild Draw Four that may be a bluff), the call, and its effects (RULES 6.4 to 6.6)."""
        hand = self.hands[p]
        before = self.colour
        hand.remove(card)
        extra = self._slips_along(p, card)
        reach = self.line.lay(p + 1, card, *([extra] if extra else []))
        t = reach.end
        guilty = card == WILD_DRAW_FOUR and bool(hand) and any(c.colour is before for c in hand)
        self.pile.append(card)
        self.colour = card.colour or self._favourite(p)
        declared = {"declared": self.colour.value} if card.is_wild and hand else {}
        self.line.event(t, "landed", card=str(card), seat=p + 1, legal=True, **declared)
        self.strayed = None
        if extra is not None:
            self.line.event(t, "landed", card=str(extra), seat=p + 1, legal=False)
            self.line.ruling(t, "out_of_turn", self.names[p], card=str(extra))
            self.line.take_back(p + 1, extra, card, (1.5, 2.5))
        kept, self.kept = self.kept, None
        victim = self._after(p)
        owed = {Rank.DRAW_TWO: (2, "draw_two"), Rank.WILD_DRAW_FOUR: (4, "wd4")}.get(card.rank)
        if not hand:
            if owed:
                self._owe("forced_draw", t, victim, *owed)
            self.line.ruling(t, "hand_over", self.names[p])
            return
        if owed:
            self.line.ruling(t, "forced_draw", self.names[victim], n=owed[0], reason=owed[1])
        if card.is_wild:
            self._name_colour(p, t)
        if len(hand) == 1:
            self._call_or_forget(p, reach.begin if kept is None else t, t)
        if card.rank is Rank.WILD_DRAW_FOUR:
            self._settle_draw_four(p, victim, guilty)
        elif card.rank is Rank.DRAW_TWO:
            self._draw(victim, 2)
            self.turn = self._after(victim)
        elif card.rank is Rank.SKIP or (card.rank is Rank.REVERSE and self.n == 2):
            self.turn = self._after(victim)
        elif card.rank is Rank.REVERSE:
            self.direction = -self.direction
            self.turn = self._after(p)
        else:
            self.turn = victim

    def _name_colour(self, p: int, t: float) -> None:
        name = self.names[p]
        self.line.tap(t + self.rng.uniform(0.3, 1.3), name, NameColour(by=name, colour=self.colour))

    def _settle_draw_four(self, offender: int, victim: int, guilty: bool) -> None:
        """RULES 6.5: accept, or challenge and let the offender's hand decide."""
        line, rng = self.line, self.rng
        if self._chance(self.mistakes.challenge):
            name = self.names[victim]
            t = line.tap(line.now + rng.uniform(0.7, 1.6), name, Challenge(by=name))
            line.ruling(t, "challenge_open", self.names[offender])
            t = line.tap(t + rng.uniform(1.5, 3.0), name, ChallengeResult(by=name, guilty=guilty))
            line.ruling(t, "guilty" if guilty else "innocent", self.names[offender])
            if guilty:
                self._owe("penalty", t, offender, 4, "guilty")
                self.turn = victim
                return
            self._owe("penalty", t, victim, 6, "innocent")
        else:
            self._refused_challenge(offender, victim)
            self._draw(victim, 4)
        self.turn = self._after(victim)

    def _refused_challenge(self, offender: int, victim: int) -> None:
        others = [q for q in range(self.n) if q not in (offender, victim)]
        if others and self._chance(self.mistakes.refused_challenge):
            name = self.names[self.rng.choice(others)]
            t = self.line.tap(self.line.now + self.rng.uniform(0.5, 1.2), name, Challenge(by=name))
            self.line.ruling(t, "challenge_refused", name)

    # --- UNO --------------------------------------------------------------------------------------------------------

    def _call_or_forget(self, p: int, reach_begin: float, landed: float) -> None:
        """RULES 6.6: the call comes as the card goes down or soon after, or not at all."""
        line, rng, name = self.line, self.rng, self.names[p]
        if not self._chance(self.mistakes.forgotten_uno):
            t = line.press(rng.uniform(reach_begin + 0.1, landed + 0.7), p + 1)
            line.ruling(t, "uno_ok", name)
            if self._chance(self.mistakes.false_catch):
                by = self.names[self._someone_else(p)]
                t = line.tap(max(t, landed) + rng.uniform(0.5, 1.0), by, Catch(by=by, on=name))
                line.ruling(t, "catch_safe", name)
        elif self._chance(self.mistakes.caught):
            by = self.names[self._someone_else(p)]
            t = line.tap(max(line.now, landed + 0.4) + rng.uniform(0.1, 1.0), by, Catch(by=by, on=name))
            line.ruling(t, "catch_ok", name)
            self._owe("penalty", t, p, 2, "uno")
        else:
            self.forgot = p

    def _catch_late(self, p: int) -> None:
        """Somebody remembers after the next player has begun."""
        still_one = all(self.hands) and len(self.hands[p]) == 1 and self.forgot is None
        if still_one and self._chance(self.mistakes.caught_late):
            by = self.names[self._someone_else(p)]
            t = self.line.tap(self.line.now + self.rng.uniform(0.3, 0.8), by, Catch(by=by, on=self.names[p]))
            self.line.ruling(t, "catch_late", self.names[p])

    def _someone_else(self, p: int) -> int:
        return self.rng.choice([q for q in range(self.n) if q != p])

    # --- drawing ----------------------------------------------------------------------------------------------------

    def _owe(self, code: str, t: float, p: int, n: int, reason: str) -> None:
        self.line.ruling(t, code, self.names[p], n=n, reason=reason)
        self._draw(p, n)

    def _draw(self, p: int, n: int) -> int:
        """p draws n cards, or what is left (RULES 6.9); how many is returned."""
        drawn = 0
        together = n > 1 and self._chance(self.habits.several_a_visit)
        while drawn < n:
            if not self.pack and not self._reshuffle(p):
                break
            take = min(n - drawn, len(self.pack)) if together else 1
            self.line.draw(p + 1, take, (0.15, 0.4) if drawn else None)
            for _ in range(take):
                self.hands[p].append(self.pack.pop())
            drawn += take
        return drawn

    def _reshuffle(self, p: int) -> bool:
        """The discard pile without its top card becomes the draw pile; False when there is nothing under it."""
        if len(self.pile) < 2:
            return False
        top = self.pile.pop()
        t = self.line.take_pile(p + 1, top)
        self.line.ruling(t, "reshuffled", None)
        self.pack, self.pile = self.pile, [top]
        self.rng.shuffle(self.pack)
        self.line.wait(1.0, 2.0)
        self.line.put_stack(p + 1, len(self.pack))
        return True

    # --- trouble ----------------------------------------------------------------------------------------------------

    def _restless_moment(self, p: int) -> None:
        """What happens at tables besides play."""
        h, line = self.habits, self.line
        seat = self.rng.randrange(self.n) + 1
        if self._chance(h.light):
            line.light()
        if self._chance(h.shade):
            line.shade(seat)
        if self._chance(h.rest):
            line.rest(seat)
        if self._chance(h.hover):
            line.hover(p + 1, self.rng.choice(self.hands[p]))
        if self._chance(h.nudge):
            line.nudge(seat)
        if len(self.pile) > 3 and self._chance(h.square_up):
            line.square_up(seat)

    def _err_before_playing(self, p: int) -> None:
        """A wrong card, a wrong player, a wrong button: each is put right before the turn goes on."""
        line, rng, m = self.line, self.rng, self.mistakes
        if self._chance(m.stray_uno):
            q = rng.randrange(self.n)
            if len(self.hands[q]) > 2:
                line.ruling(line.press(line.now + rng.uniform(0.3, 0.8), q + 1), "uno_void", self.names[q])
        others = [q for q in range(self.n) if q not in (p, self.kept)]
        if others and self._chance(m.out_of_turn):
            q = rng.choice(others)
            card = rng.choice(self.hands[q])
            # Two in a row that fit one other turn are asked about, not ruled (RULES 9): people do not do that here.
            if self.strayed is None or q != self._after(self.strayed):
                self._lay_in_error(q, card, "out_of_turn")
                self.strayed = q
        wrong = [card for card in self.hands[p] if not self._matches(card)]
        if wrong and self._chance(m.illegal):
            self._lay_in_error(p, rng.choice(wrong), "illegal_card")

    def _lay_in_error(self, p: int, card: Card, code: str) -> None:
        t = self.line.lay(p + 1, card).end
        self.line.event(t, "landed", card=str(card), seat=p + 1, legal=False)
        self.line.ruling(t, code, self.names[p], card=str(card))
        self.line.take_back(p + 1, card, self.pile[-1], (1.5, 3.0))

    def _take_back_a_legal_card(self, p: int, choices: list[Card]) -> None:
        """Dropped and picked up again within two seconds, before anybody else does anything: not a play (RULES 12)."""
        numbers = [card for card in choices if card.rank.is_number]
        if len(self.hands[p]) < 4 or not numbers or not self._chance(self.habits.take_back):
            return
        card = self.rng.choice(numbers)
        t = self.line.lay(p + 1, card).end
        self.line.event(t, "landed", card=str(card), seat=p + 1, legal=True)
        self.line.take_back(p + 1, card, self.pile[-1], (0.1, 0.3))

    def _slips_along(self, p: int, card: Card) -> Card | None:
        """A second card that leaves the hand with a number card, on top of it."""
        hand = self.hands[p]
        if len(hand) < 4 or not card.rank.is_number or not self._chance(self.habits.two_at_once):
            return None
        return self.rng.choice(hand)
