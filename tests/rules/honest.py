"""A table at which nobody cheats unseen: real cards in real hands, played by whatever the referee says may be played.

The cards are kept here and counted here, so that what the referee believes can be held against what lies on the table.
"""

from __future__ import annotations

from random import Random

from referee.cards import Card, Colour, Deck, Rank
from referee.event_json import encode
from referee.events import (
    Challenge,
    Discard,
    Draw,
    Event,
    GameStarted,
    HandDealt,
    Lift,
    NameColour,
    Pass,
    Reshuffle,
    ReturnOpening,
    Show,
    Target,
    TurnUp,
    Undo,
    Uno,
)
from referee.rules import Code, Phase, Position, Reason, Replay, can_play, why_not
from referee.rules.notation import write

SLOW_S = 4.0
"""Seconds between events: more than any window within which two of them would be one thing."""
READY = (Phase.TURN, Phase.DRAWN)
ACCUSES = {Code.ILLEGAL_CARD, Code.OUT_OF_TURN, Code.DRAW_FIRST, Code.MUST_DRAW, Code.OVERDRAWN, Code.DRAW_OUT_OF_TURN}


class HonestTable:
    """Players, their cards, both piles, and the referee that is told of every act."""

    def __init__(self, game: GameStarted, seed: int) -> None:
        self.random = Random(seed)
        self.game = Replay()
        self.number = 0
        self.t = 0.0
        self.game.append(0, game)
        self.names = game.players
        self.cards = [card for card, n in Deck(self.position.options.deck).copies.items() for _ in range(n)]
        self.hands: dict[str, list[Card]] = {}
        self.pile: list[Card] = []
        self.discards: list[Card] = []
        self.deal()

    @property
    def position(self) -> Position:
        position = self.game.position
        assert position is not None
        return position

    def tell(self, event: Event) -> list[Code]:
        """Tell the referee; what it says to that."""
        said = len(self.game.rulings)
        self.number += 1
        self.game.append(self.number, event)
        return [filed.ruling.code for filed in self.game.rulings[said:]]

    def story(self) -> str:
        """The last acts and rulings, and where the game stands: what a failing test prints."""
        acts = [f"{number} {encode(event)}" for number, event in self.game.events[-8:]]
        last = self.game.rulings[-4:]
        said = [f"{filed.number} says {filed.ruling.code.value} {filed.ruling.player}" for filed in last]
        return "\n".join(["", *acts, *said, write(self.position)])

    def now(self) -> float:
        self.t += SLOW_S
        return self.t

    # --- dealing ----------------------------------------------------------------------------------------------------

    def deal(self) -> None:
        """Shuffle, deal, and turn up first cards until one stays."""
        size = self.position.options.hand_size
        pack = list(self.cards)
        self.random.shuffle(pack)
        players = self.position.players
        self.hands = {name: [pack.pop() for _ in range(size)] for name in players}
        self.pile = pack
        while self.position.phase is Phase.OPENING:
            card = self.pile.pop()
            self.tell(TurnUp(t=self.now(), card=card))
            if self.position.phase is Phase.OPENING:
                self.pile.insert(self.random.randrange(len(self.pile)), card)
                self.tell(ReturnOpening(t=self.now()))
            else:
                self.discards = [card]

    def next_hand(self) -> list[Code]:
        said = self.tell(HandDealt(t=self.now()))
        self.deal()
        return said

    # --- what comes next ------------------------------------------------------------------------------------------

    def go_on(self) -> list[Code]:
        """One act of a player who knows the rules; what the referee says to it."""
        position = self.position
        someone = position.setup.names
        if position.phase is Phase.NAME_COLOUR or (position.phase is Phase.WD4 and position.colour is None):
            return self.name_colour(someone[position.namer_id], self.random.choice(list(Colour)))
        if position.phase is Phase.CHOOSE_TARGET:
            name = someone[position.target_id]
            return self.choose(name, self.random.choice([other for other in self.hands if other != name]))
        if position.phase is Phase.HAND_OVER:
            return self.count_hands()
        if position.phase is Phase.SCORED:
            return self.next_hand()
        return self.take_turn() if position.phase is not Phase.GAME_OVER else []

    def take_turn(self) -> list[Code]:
        """The player in turn plays, draws or challenges; or somebody jumps in, or pays a debt."""
        position, name = self.position, self.position.turn
        assert name is not None
        chance = self.random.random
        debtor = next((due.player for due in position.dues if due.player != name), None)
        if debtor is not None and chance() < 0.5 and position.phase in READY and self.left():
            return self.draw(debtor, min(self.owes(debtor), self.left()))
        jumper = self.jumper()
        if jumper is not None and chance() < 0.5:
            return self.lay(jumper, self.discards[-1])
        if position.phase is Phase.WD4 and position.wd4 is not None and position.wild4.drawn == 0 and chance() < 0.3:
            return self.challenge(*reversed(position.wd4))
        cards = self.playable(name)
        if cards and chance() < 0.9:
            said = self.uno(name) if len(self.hands[name]) == 2 and chance() < 0.7 else []
            return said + self.lay(name, self.random.choice(cards))
        if position.phase is Phase.DRAWN:
            return self.keep(name)
        return self.draw(name, min(self.owes(name) or position.pending or 1, self.left()))

    def jumper(self) -> str | None:
        """Somebody else who holds the card that lies on top, where that may be played out of turn."""
        position, top = self.position, self.discards[-1]
        if position.options.jump_in == "off" or position.phase is not Phase.TURN or position.begun:
            return None
        if position.pending or any(due.reason is Reason.DRAW_TWO for due in position.dues):
            return None
        return next(
            (
                name
                for name, hand in self.hands.items()
                if name != position.turn and top in hand and not top.rank.is_wild and not self.owes(name)
            ),
            None,
        )

    def count_hands(self) -> list[Code]:
        """What is owed is drawn, then everybody but the winner shows."""
        said: list[Code] = []
        for due in self.position.dues:
            said += self.draw(due.player, min(due.n, self.left()))
        for name in self.hands:
            if name != self.position.winner:
                said += self.show(name)
        return said

    # --- what may be done now -----------------------------------------------------------------------------------------

    def owes(self, name: str) -> int:
        return sum(due.n for due in self.position.dues if due.player == name)

    def playable(self, name: str) -> list[Card]:
        return [card for card in dict.fromkeys(self.hands.get(name, ())) if can_play(self.position, card, name)]

    def unplayable(self, name: str) -> list[Card]:
        return [card for card in dict.fromkeys(self.hands.get(name, ())) if why_not(self.position, card, name)]

    def left(self) -> int:
        """Cards that can still be drawn, after a reshuffle too."""
        return len(self.pile) + len(self.discards) - 1

    # --- acts ---------------------------------------------------------------------------------------------------------

    def draw(self, name: str, n: int) -> list[Code]:
        """Draw n cards, by way of a reshuffle where the pile is short."""
        said: list[Code] = []
        while n:
            if not self.pile:
                top = self.discards.pop()
                self.pile, self.discards = self.discards, [top]
                self.random.shuffle(self.pile)
                self.tell(Reshuffle(t=self.now()))
            now = min(n, len(self.pile))
            if not now:
                break
            self.hands[name] += [self.pile.pop() for _ in range(now)]
            n -= now
            said += self.tell(Draw(t=self.now(), by=name, n=now))
        return said

    def lay(self, name: str, card: Card) -> list[Code]:
        """Play a card, and whatever hands do because of it."""
        before = self.position
        self.hands[name].remove(card)
        self.discards.append(card)
        said = self.tell(Discard(t=self.now(), card=card, by=name))
        if self.position.phase is Phase.TAKEBACK or not self.hands[name]:
            return said
        if before.options.seven_zero and card.rank is Rank.ZERO:
            order = [who for who in self.names if who in self.hands][:: before.direction]
            held = [self.hands[who] for who in order]
            self.hands = dict(zip(order, held[-1:] + held[:-1], strict=True))
        elif card.rank is Rank.WILD_SHUFFLE_HANDS:
            self.shuffle_hands(name)
        elif self.position.phase is not Phase.CHOOSE_TARGET and swaps(before, card) and len(self.hands) == 2:
            self.swap(name, next(other for other in self.hands if other != name))
        return said

    def shuffle_hands(self, name: str) -> None:
        seats = [who for who in self.names if who in self.hands]
        place = seats.index(name)
        order = seats[place + 1 :] + seats[: place + 1]
        all_cards = [card for hand in self.hands.values() for card in hand]
        self.random.shuffle(all_cards)
        self.hands = {who: all_cards[k :: len(order)] for k, who in enumerate(order)}

    def swap(self, one: str, other: str) -> None:
        self.hands[one], self.hands[other] = self.hands[other], self.hands[one]

    def choose(self, name: str, other: str) -> list[Code]:
        self.swap(name, other)
        return self.tell(Target(t=self.now(), by=name, target=other))

    def blunder(self, name: str, card: Card) -> list[Code]:
        """Play a wrong card and take it back."""
        said = self.tell(Discard(t=self.now(), card=card, by=name))
        assert self.position.phase is Phase.TAKEBACK, f"{name} may not play {card}, and nothing was said"
        self.tell(Lift(t=self.now(), card=card, by=name))
        return said

    def name_colour(self, name: str, colour: Colour) -> list[Code]:
        return self.tell(NameColour(t=self.now(), by=name, colour=colour))

    def challenge(self, name: str, offender: str) -> list[Code]:
        """Doubt the Wild Draw Four; if the referee lets that stand, the offender's hand is shown."""
        said = self.tell(Challenge(t=self.now(), by=name))
        return said + self.show(offender) if self.position.phase is Phase.CHALLENGE else said

    def uno(self, name: str) -> list[Code]:
        return self.tell(Uno(t=self.now(), by=name))

    def keep(self, name: str) -> list[Code]:
        return self.tell(Pass(t=self.now(), by=name))

    def show(self, name: str) -> list[Code]:
        return self.tell(Show(t=self.now(), by=name, cards=tuple(self.hands[name])))

    def undo_and_redo(self) -> None:
        """Undo the last event, and the undoing."""
        self.tell(Undo(t=self.t, ref=self.number))
        self.tell(Undo(t=self.t, ref=self.number))


def swaps(position: Position, card: Card) -> bool:
    """Does the card make its player swap hands?"""
    return card.rank is Rank.WILD_SWAP_HANDS or (position.options.seven_zero and card.rank is Rank.SEVEN)
