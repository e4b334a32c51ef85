"""Cases and logs in the vocabulary of `conformance/examples.json`, and the answers `referee judge` prints for them."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from referee.cards import Card, Colour, Deck, Rank
from referee.event_json import decode
from referee.events import Answer, Discard, GameStarted, Join, Rename, TurnUp
from referee.rules import case_check, tournaments
from referee.rules.game import start as begin_game
from referee.rules.log import Replay
from referee.rules.options import Options
from referee.rules.position import Position
from referee.rules.rulings import Ruling
from referee.rules.scoring import card_points, count_hand
from referee.rules.setup import MOST_PLAYERS

Json = Any


def judge(case: Mapping[str, Json]) -> dict[str, Json]:
    """The answer to one case. Raises ValueError that names the field and what was expected."""
    if not isinstance(case, dict):
        raise ValueError(f"holds {case!r:.40}: expected an object")
    kind = case.get("kind", "play")
    if not isinstance(kind, str) or kind not in KINDS:
        raise ValueError(f"kind is {kind!r}: expected one of {', '.join(KINDS)}")
    options = Options.of(_text(case, "preset", "official_108"), _object(case, "options"))
    try:
        return {"id": case.get("id"), **KINDS[kind](case, options)}
    except (KeyError, TypeError, AttributeError, IndexError) as error:
        raise ValueError(f"the {kind} case has not the form of conformance/examples.json: {error!r}") from None


def judge_log(entries: Sequence[Mapping[str, Json]]) -> dict[str, Json]:
    """The answer to an exported log: one event object an entry, numbered by `number` or by its place from 1."""
    game = Replay()
    for place, entry in enumerate(entries, 1):
        number = entry.get("number", entry.get("seq", place))
        data = entry.get("event", entry)
        try:
            case_check.whole(number, "number")
            if not isinstance(data, dict):
                raise ValueError(f"event is {data!r}: expected an object")
            event = decode(data)
            if isinstance(event, GameStarted) and game.position is None:
                begin_game(event, number)  # the log passes over a game that cannot begin; here it is told why
            game.append(number, event)
        except ValueError as error:
            raise ValueError(f"event {place}: {error}") from None
    if game.position is None:
        raise ValueError("the log holds no game_started event, or takes it back")
    return {"id": None, **state(game.position), "verdicts": verdicts(game)}


# --- play -----------------------------------------------------------------------------------------------------------


def _play(case: Mapping[str, Json], options: Options) -> dict[str, Json]:
    begin = opening(case, options)
    first = begin_game(begin, -1)
    game = Replay()
    game.append(-1, begin)
    t = 0.0
    people, card = list(begin.players), None
    for place, data in enumerate(_list(case, "events")):
        event = case_check.read_event(data, place, people, card)
        if isinstance(event, Discard | TurnUp):
            card = place
        if isinstance(event, Answer) and not event.question and game.position is not None and game.position.open:
            event = replace(event, question=game.position.questions[0].kind)  # the one that is shown
        if isinstance(event, Join | Rename):
            people.append(event.player if isinstance(event, Join) else event.to)
        t = max(t, event.t)  # a case's events apply in list order
        game.append(place, event if event.t == t else replace(event, t=t))
    position = game.position
    assert position is not None
    out = state(position)
    start = {name: count.best for name, count in first.hands.items()}
    out["hand_delta"] = {name: n - start[name] for name, n in out["hands"].items() if name in start}
    out["verdicts"] = verdicts(game)
    return out


def opening(case: Mapping[str, Json], options: Options) -> GameStarted:
    """The event that sets the case's table up."""
    players = case_check.names(_list(case, "players"))
    given = _object(case, "start")
    hands = case_check.start(given, players)
    middle = given.get("phase", "opening") != "opening"
    try:
        return GameStarted(
            players=players,
            dealer=_told(case.get("dealer"), given.get("dealer"), players[-1]),
            preset=_text(case, "preset", "official_108"),
            options=_object(case, "options"),
            hands=hands,
            scores=case_check.numbers(_object(given, "scores"), "scores"),
            first=_told(*(given.get(name) for name in ("first_player", "first", "youngest", "chosen"))),
            turn=given.get("turn") if middle else None,
            top=case_check.card(given.get("top"), "top"),
            colour=case_check.colour(given.get("colour"), "colour"),
            direction=given.get("direction", 1),
            draw_pile=given.get("draw_pile"),
        )
    except ValueError as error:
        raise ValueError(f"start: {error}") from None


def state(position: Position) -> dict[str, Json]:
    """What a case may expect of a position."""
    exposed = position.exposed
    due: dict[str, int] = {}
    for owed in position.dues:
        due[owed.player] = due.get(owed.player, 0) + owed.n
    questions = position.questions
    return {
        "phase": "paused" if position.paused else position.phase.value,
        "turn": position.turn,
        "direction": position.direction,
        "colour": position.colour.value if position.colour is not None else None,
        "top": str(position.top) if position.top is not None else None,
        "due": due,
        "pending": position.pending,
        "hands": {name: count.best for name, count in position.hands.items()},
        "hands_between": {name: [count.lo, count.hi] for name, count in position.hands.items()},
        "uno_exposed": exposed[-1] if exposed else None,
        "winner": position.winner,
        "game_winner": position.game_winner,
        "scores": position.scores,
        "dealer": position.dealer,
        "draw_pile": position.draw_pile,
        "ask": questions[0].kind if questions else None,
        "questions": [question.kind for question in questions],
    }


def verdicts(game: Replay) -> list[dict[str, Json]]:
    """Every ruling with the number of its event; those the table overruled say so."""
    return [
        {"at": filed.number, **verdict(filed.ruling), **({"overruled": True} if filed.overruled else {})}
        for filed in game.rulings
    ]


def verdict(ruling: Ruling) -> dict[str, Json]:
    """A ruling as JSON; fields that say nothing are left out."""
    out: dict[str, Json] = {"verdict": ruling.code.value}
    if ruling.player is not None:
        out["player"] = ruling.player
    if ruling.n:
        out["n"] = ruling.n
    if ruling.reason is not None:
        out["reason"] = ruling.reason.value
    if ruling.winner is not None:
        out["winner"] = ruling.winner
    if ruling.colour is not None:
        out["colour"] = ruling.colour.value
    if ruling.by is not None:
        out["by"] = ruling.by
    if ruling.cards:
        out["cards"] = [str(card) for card in ruling.cards]
    return {**out, "tier": ruling.tier.value, "section": ruling.section}


# --- the other kinds ------------------------------------------------------------------------------------------------


def _deck(case: Mapping[str, Json], options: Options) -> dict[str, Json]:
    deck = _deck_of(_object(case, "given"), options)
    count = {rank: sum(n for card, n in deck.copies.items() if card.rank is rank) for rank in Rank}
    words = {
        "skip": Rank.SKIP,
        "reverse": Rank.REVERSE,
        "draw_two": Rank.DRAW_TWO,
        "wild": Rank.WILD,
        "wild_draw_four": Rank.WILD_DRAW_FOUR,
        "wild_shuffle_hands": Rank.WILD_SHUFFLE_HANDS,
        "wild_swap_hands": Rank.WILD_SWAP_HANDS,
        "wild_customizable": Rank.WILD_CUSTOMIZABLE,
    }
    return {
        "cards": deck.size,
        "0": count[Rank.ZERO],
        "1-9": sum(n for rank, n in count.items() if rank.is_number) - count[Rank.ZERO],
        **{word: count[rank] for word, rank in words.items()},
        "per_colour": sum(n for card, n in deck.copies.items() if card.colour is Colour.RED),
        "number_cards_per_colour": sum(
            n for card, n in deck.copies.items() if card.colour is Colour.RED and card.rank.is_number
        ),
    }


def _deck_of(given: Mapping[str, Json], options: Options) -> Deck:
    name = given.get("deck", options.deck)
    try:
        return Deck(name)
    except ValueError:
        raise ValueError(f"given.deck is {name!r}: expected {', '.join(deck.value for deck in Deck)}") from None


def _deal(case: Mapping[str, Json], options: Options) -> dict[str, Json]:
    given = _object(case, "given")
    players = given.get("players", 2)
    n = len(players) if isinstance(players, list) else players
    if not isinstance(n, int) or not 2 <= n <= MOST_PLAYERS:
        raise ValueError(f"given.players is {players!r}: expected 2 to {MOST_PLAYERS}")
    size = case_check.whole(given.get("hand_size", options.hand_size), "given.hand_size", 1)
    left = _deck_of(given, options).size - n * size - 1
    if left < 0:
        raise ValueError(f"given.players is {n}: {size} cards each and one turned up, {-left} more than the deck has")
    return {"hands": size, "draw_pile": left, "discard_pile": 1}


def _dealer_draw(case: Mapping[str, Json], options: Options) -> dict[str, Json]:
    given = _object(case, "given")
    draws = next((given[key] for key in ("draws", "cards", "drawn", "rounds", "draw") if key in given), None)
    if draws is None and given and all(isinstance(card, str) for card in given.values()):
        draws = given
    if draws is None:
        raise ValueError("given.draws: missing; it says which card each player drew")
    if isinstance(draws, list) and all(isinstance(one, str) for one in draws):
        draws = dict(zip(_list(case, "players") or _list(given, "given.players"), draws, strict=False))
    elif isinstance(draws, list) and all(isinstance(one, list) and len(one) == 2 for one in draws):
        draws = dict(draws)
    rounds = draws if isinstance(draws, list) else [draws]
    if not rounds or not all(isinstance(one, dict) and one for one in rounds):
        raise ValueError(f"given.draws is {draws!r}: expected each player's card, such as {{'A': 'R7', 'B': 'BS'}}")
    read = [{name: _card(card, f"given.draws.{name}") for name, card in one.items()} for one in rounds]
    dealer, tied = tournaments.high_card(read)
    values = {name: card.rank.points if card.rank.is_number else 0 for name, card in read[-1].items()}
    return {"dealer": dealer, "tied": tied, "tie": tied, "redraw": tied, "draw_again": tied, "values": values}


def _score(case: Mapping[str, Json], options: Options) -> dict[str, Json]:
    given = _object(case, "given")
    hands = _points(options, given)
    scores = case_check.numbers(_object(given, "given.scores"), "given.scores")
    groups = _groups(given)
    seated = [player for group in groups.values() for player in group]
    winner = _winner(given, hands, [*scores, *seated])
    players = dict.fromkeys([*given.get("players", ()), *scores, *hands, winner, *seated])
    duel = next((given[key] for key in ("heads_up", "duel") if given.get(key) is not None), len(players) == 2)
    if not isinstance(duel, bool):
        raise ValueError(f"given.heads_up is {duel!r}: expected true or false")
    side = {player: place for place, group in enumerate(groups.values()) for player in group} or None
    result = count_hand(options, winner, hands, {name: scores.get(name, 0) for name in players}, side, duel=duel)
    return {
        "points": result.points,
        "totals": result.totals,
        "eliminated": list(result.eliminated),
        "heads_up": result.heads_up,
        "game_winner": result.winner,
        "game_over": result.winner is not None,
    }


def _winner(given: Mapping[str, Json], hands: Mapping[str, int], others: Sequence[str]) -> str:
    """Who won the hand; where the case does not say, the only player without cards."""
    if given.get("winner") is not None:
        return _text(given, "given.winner", "")
    shown = _object(given, "given.hands")
    out = [name for name in dict.fromkeys([*others, *hands]) if not shown.get(name)]
    if len(out) != 1:
        raise ValueError("given.winner: missing; it names the player who went out")
    return out[0]


def _groups(given: Mapping[str, Json]) -> dict[str, list[str]]:
    """The teams of a case by name: lists of players, or objects, or named by the case; {} without teams."""
    groups: Json = next((given[key] for key in ("partners", "teams", "sides") if key in given), {})
    if isinstance(groups, list):
        lists = [group.get("players") if isinstance(group, dict) else group for group in groups]
        groups = {"+".join(map(str, players or ())): players for players in lists}
    if not isinstance(groups, dict) or not all(
        isinstance(group, list) and all(isinstance(player, str) for player in group) for group in groups.values()
    ):
        raise ValueError(f"given.partners is {groups!r}: expected the teams, each a list of players")
    return groups


def _team(case: Mapping[str, Json], options: Options) -> dict[str, Json]:
    given = _object(case, "given")
    groups = _groups(given)
    if not groups:
        raise ValueError("given.partners: missing; it lists the teams, each a list of players")
    first = case_check.whole(given.get("first_team", 0), "given.first_team")
    if first >= len(groups):
        raise ValueError(f"given.first_team is {first}: expected a team's place, 0 to {len(groups) - 1}")
    order = tournaments.play_order(list(groups.values()), first)
    seats = given.get("seats", order)
    side = {player: place for place, group in enumerate(groups.values()) for player in group}
    well = tournaments.seated_well(seats, side) and (options.teams != "partners" or len(seats) == 4)
    out: dict[str, Json] = {"play_order": order, "valid_seating": well}
    if "winner" in given:
        if given["winner"] not in side:
            raise ValueError(f"given.winner is {given['winner']!r}: expected one of {', '.join(side)}")
        hands = _points(options, given)
        scores = case_check.numbers(_object(given, "given.scores"), "given.scores")
        result = count_hand(options, given["winner"], hands, {name: scores.get(name, 0) for name in seats}, side)
        names = dict(enumerate(groups))
        own = side[given["winner"]]
        out["team_points"] = {
            name: result.points[given["winner"]] if team == own else 0 for team, name in names.items()
        }
        out |= {"winning_team": names[own], "points": result.points, "totals": result.totals}
        out["game_winner"] = names[own] if result.winner is not None else None
    return out


def _schedule(case: Mapping[str, Json], options: Options) -> dict[str, Json]:
    given = _object(case, "given")
    name = given.get("tournament", options.tournament)
    if name == "none":
        name = "eight_player_28_hands" if given.get("players") in (8, "8") else "four_player_12_hands"
    if name not in tournaments.SCHEDULES:
        raise ValueError(f"given.tournament is {name!r}: expected {', '.join(tournaments.SCHEDULES)}")
    return tournaments.describe(name)


def _tally(case: Mapping[str, Json], options: Options) -> dict[str, Json]:
    given = _object(case, "given")
    lists = (given.get(key) for key in ("round_totals", "rounds", "hands", "results", "totals"))
    told: Json = next((one for one in lists if isinstance(one, list)), None)
    if told is None:
        raise ValueError("given.round_totals: missing; it lists the points of each round by player")
    if not told or not all(isinstance(one, dict) for one in told):
        raise ValueError(f"given.round_totals is {told!r}: expected the points by player, an object for each round")
    totals = tournaments.tally([_partners(one) for one in told])
    best = [name for name, n in totals.items() if n == max(totals.values())]
    return {"totals": totals, "game_winner": best[0] if len(best) == 1 else None, "tied": best if len(best) > 1 else []}


def _partners(one: Mapping[str, Json]) -> dict[str, int]:
    """Points by player: as they are, by partnership ("1-2"), or as the winners of a hand and its points."""
    winners = next((one[key] for key in ("winners", "pair", "partners", "team") if key in one), None)
    if winners is not None:
        return {str(player): case_check.whole(one.get("points"), "given.round_totals: points") for player in winners}
    one = case_check.numbers(one, "given.round_totals")
    return {player: n for names, n in one.items() for player in re.split(r"[-+]", names)}


KINDS: Mapping[str, Callable[[Mapping[str, Json], Options], dict[str, Json]]] = {
    "play": _play,
    "deck": _deck,
    "dealer_draw": _dealer_draw,
    "deal": _deal,
    "score": _score,
    "team": _team,
    "schedule": _schedule,
    "tally": _tally,
}


# --- reading --------------------------------------------------------------------------------------------------------


def _object(data: Mapping[str, Json], field: str) -> dict[str, Json]:
    """The object in that field of `data`, {} where it is not given. field: "options", or "given.hands" as it is named
    from the top of the case."""
    value = data.get(field.rpartition(".")[2])
    if value is not None and not isinstance(value, dict):
        raise ValueError(f"{field} is {value!r}: expected an object")
    return value or {}


def _told(*values: Json) -> Json:
    """The first of these that the case gives."""
    return next((value for value in values if value is not None), None)


def _list(data: Mapping[str, Json], field: str) -> list[Json]:
    value = data.get(field.rpartition(".")[2])
    if value is not None and not isinstance(value, list):
        raise ValueError(f"{field} is {value!r}: expected a list")
    return value or []


def _text(data: Mapping[str, Json], field: str, default: str) -> str:
    value = data.get(field.rpartition(".")[2], default)
    if not isinstance(value, str):
        raise ValueError(f"{field} is {value!r}: expected text")
    return value


def _card(value: Json, field: str) -> Card:
    card = case_check.card(value, field)
    if card is None:
        raise ValueError(f"{field} is {value!r}: expected a card such as R7")
    return card


def _points(options: Options, given: Mapping[str, Json]) -> dict[str, int]:
    """The points of each hand of a case, which gives its cards, or their points."""
    hands = _object(given, "given.hands")
    return {name: _worth(options, cards, f"given.hands.{name}") for name, cards in hands.items()}


def _worth(options: Options, cards: Json, field: str) -> int:
    if isinstance(cards, int) and not isinstance(cards, bool):
        return cards
    if not isinstance(cards, str | list):
        raise ValueError(f"{field} is {cards!r}: expected cards such as R7, or their points")
    hand = cards.split() if isinstance(cards, str) else cards
    return sum(card_points(options, _card(card, field)) for card in hand)
