"""The rules of UNO for a referee at a real table: what may be played, what follows, and what must be asked.

A library with no dependency but `referee.cards` and `referee.events`. Everything is pure: values in, values out; time
is a field of the events. Sections (6.5) are those of RULES.md.

    from referee.events import Discard, GameStarted, TurnUp
    from referee.rules import apply, start, replay, say

    position = start(GameStarted(players=("Ana", "Ben", "Cy"), dealer="Cy", preset="official_108"))
    position, rulings = apply(position, TurnUp(t=1.0, card=Card.parse("R7")))     # never raises, never refuses
    position.turn, position.colour, position.phase                               # 'Ana', Colour.RED, Phase.TURN

What there is:

* `Options`: the frozen option table (5.1): `Options.of(preset, {name: value})` refuses unknown names and values;
  `OPTIONS` describes each (`title`, `text`, `group`, `values`), `PRESETS` names the sets, `differences(a, b)`.
* `Position`: immutable. Attributes `players` (names, clockwise, those still in), `dealer`, `turn`, `direction`, `top`,
  `colour`, `phase` (a `Phase`; its value is the word of RULES 10), `paused`, `hands` {name: Count(lo, hi, best)},
  `dues` (Due(player, n, reason), ...), `pending`, `exposed` (names), `wd4` (offender, victim) or None, `takeback`
  (player, card) or None, `scores` {name: points}, `hand` (number from 1), `draw_pile` (cards or None), `winner` (of the
  hand), `game_winner`, `questions` (Question(kind, player, options, ref, after), most urgent first), `options`.
* `Ruling`: code (`Code`), player, cards, n, reason (`Reason`), section, tier (`Tier.CALL`, `ASK`, `NOTE`), winner, by.
* `start(game_started) -> Position`, `apply(position, event) -> (Position, tuple[Ruling, ...])`.
* `can_play(position, card, player=None) -> bool`, `why_not(position, card, player=None) -> Why | None`,
  `legal_cards(position, cards, player=None)`, `actions(position) -> {name: ("uno", "catch:Ana", "colour", ...)}`,
  `may_join(phase, setup) -> bool`.
* `replay([(number, event), ...]) -> Replay`: the whole log, sorted by (t, number), with `Correct`, `Undo`, `Override`
  and `Answer` resolved. `game.append(number, event)` goes on from there without starting over when it can.
  `game.position`, `game.rulings` (Filed(number, k, ruling, overruled, hand), oldest first), `game.plays` (Play(number,
  t, card, by, standing, event), oldest first; standing is "legal", "illegal", "unverified", "taken_back", "stands" or
  "opening"),
  `game.vanished` (rulings that the last event undid: "B no longer owes 2").
  Before the first GameStarted `game.position` is None. `names_of(events)`: everybody who plays or has played.
* `say(ruling, lang="en")`, `ask(question, lang="en")`, `card_name(card, lang="en")`:
  sentences in English, German and Spanish.
"""

from referee.rules.game import apply, start
from referee.rules.legality import Why
from referee.rules.log import Replay, replay
from referee.rules.moves import actions, can_play, legal_cards, why_not
from referee.rules.options import OPTIONS, Options, differences
from referee.rules.position import Count, Due, Phase, Position, Question
from referee.rules.presets import ABOUT, PRESETS
from referee.rules.record import Filed, Play
from referee.rules.renaming import names_of
from referee.rules.rulings import Code, Reason, Ruling, Tier
from referee.rules.seating import may_join
from referee.rules.sentences import ask, card_name, say
from referee.rules.setup import MOST_PLAYERS

__all__ = [
    "ABOUT",
    "MOST_PLAYERS",
    "OPTIONS",
    "PRESETS",
    "Code",
    "Count",
    "Due",
    "Filed",
    "Options",
    "Phase",
    "Play",
    "Position",
    "Question",
    "Reason",
    "Replay",
    "Ruling",
    "Tier",
    "Why",
    "actions",
    "apply",
    "ask",
    "can_play",
    "card_name",
    "differences",
    "legal_cards",
    "may_join",
    "names_of",
    "replay",
    "say",
    "start",
    "why_not",
]
