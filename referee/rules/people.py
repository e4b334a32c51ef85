"""What the people at the table say and do besides playing: colours, targets, counts, comings and goings, answers,
overrulings (RULES 6.5, 9, 11, 12, 13)."""

from __future__ import annotations

from referee.cards import Card, Colour
from referee.events import (
    Answer,
    Catch,
    Count,
    Discard,
    NameColour,
    Override,
    Pause,
    Points,
    Resume,
    Suggestion,
    Target,
    TopSeen,
    Uno,
)
from referee.rules import challenge, drift, early, effects, hand, landing, plays, uno, wrong
from referee.rules.draft import (
    Draft,
    ask,
    debt,
    faces_seen,
    following,
    forgive,
    gain,
    lay_wrong,
    owe,
    pay,
    restore,
    rule,
    seat,
    set_count,
    settle,
    turn_to,
)
from referee.rules.position import (
    CHALLENGE,
    CHOOSE_TARGET,
    NAME_COLOUR,
    NOBODY,
    TURN,
    WD4,
    LastPlay,
    Phase,
    Question,
)
from referee.rules.rulings import Code, Reason, Tier

DISPUTED_S = 10.0
"""Seconds in which a suggestion that one phone reported may be confirmed or disputed (RULES 6.7). Too small: the second
report of one suggestion costs again; too large: the next suggestion goes free."""
AFTER = (Phase.HAND_OVER, Phase.SCORED, Phase.GAME_OVER)
BETWEEN = (Phase.OPENING, *AFTER)
COLOUR_DUE = (NAME_COLOUR, CHOOSE_TARGET, WD4, CHALLENGE)
"""Where a colour may be named that nobody has named yet."""


def press(d: Draft, event: Uno) -> None:
    """The UNO button."""
    who = seat(d, event.by)
    if d.phase is Phase.HAND_OVER and (event.by is None or who == d.tally.winner):
        # RULES 9: who calls with the last card may have drawn unseen, and hold one more.
        hand.played_on(d)
    if d.phase in AFTER:
        return
    if event.by is None or who != NOBODY:
        uno.call(d, who, event.t)


def catch(d: Draft, event: Catch) -> None:
    """Somebody says that a player forgot to call."""
    who = seat(d, event.on) if event.on is not None else uno.suspect(d)
    if d.phase not in AFTER and who != NOBODY:
        uno.catch(d, seat(d, event.by), who, event.t)


def name_colour(d: Draft, event: NameColour) -> None:
    """A colour is named for a wild."""
    who = seat(d, event.by)
    if d.phase is Phase.OPENING and who != NOBODY:
        d.loose = d.loose._replace(named=(who, event.colour, event.t))
        plays.wild_was_played(d)
    if d.phase in BETWEEN:
        return
    wrong.plays_wild(d, who)
    waiting = d.namer_id != NOBODY and d.phase in COLOUR_DUE
    if not waiting and d.colour is None and d.top is not None and d.top.rank.is_wild:
        waiting = who == NOBODY or d.namer_id in (NOBODY, who)
    picked = d.loose.picked
    if picked is not None and picked.before.namer_id != NOBODY and who in (NOBODY, picked.before.namer_id):
        # RULES 12: of the wild that is just being put straight, or laid after all.
        d.loose = d.loose._replace(named=(picked.before.namer_id, event.colour, event.t))
        return
    if not waiting or (who not in (NOBODY, d.namer_id) and d.namer_id != NOBODY):
        rule(d, Code.NOT_ENTITLED, who, reason=Reason.WILD, tier=Tier.NOTE)
        last = d.last
        drew = d.loose.kept == d.laid - 1 and last is not None and who != NOBODY and following(d, who) == last.who
        if waiting and drew and last is not None:
            # RULES 7.2: who drew names the colour of a wild that the next player seems to have laid: whose was it?
            names = d.setup.names
            d.open += (Question("who_played", names[last.who], (names[who], names[last.who]), last.ref, d.t),)
        elif who == d.turn_id and (d.phase in (Phase.TURN, Phase.DRAWN) or d.pending):
            # RULES 9: who names a colour has played a wild, and it was not seen.
            d.doubt = True
            wilds = ("W+4",) if d.pending else ("W", "W+4")
            ask(d, "which_card", who, (*wilds, drift.NO_CARD), landing.UNREAD_ASK_S)  # the eye may yet see it
        if not waiting and who != NOBODY:
            d.loose = d.loose._replace(named=(who, event.colour, event.t))
        return
    d.colour = event.colour
    settle(d, "name_colour")
    if d.phase is NAME_COLOUR:
        d.phase = TURN
    if d.phase is TURN:
        d.namer_id = NOBODY


def choose(d: Draft, event: Target) -> None:
    """A player says with whom hands are swapped."""
    who, other = seat(d, event.by), seat(d, event.target)
    if d.phase is not Phase.CHOOSE_TARGET and other not in (NOBODY, who) and who != NOBODY:
        d.loose = d.loose._replace(chosen=(who, other, event.t))
    if d.phase is not Phase.CHOOSE_TARGET or other in (NOBODY, d.target_id):
        return
    if who not in (NOBODY, d.target_id):
        rule(d, Code.NOT_ENTITLED, who, reason=Reason.SWAP, tier=Tier.NOTE)
        return
    effects.swap(d, d.target_id, other)


def count(d: Draft, event: Count) -> None:
    """Somebody counted a hand."""
    who = seat(d, event.player)
    if who == NOBODY or event.n < 0 or d.phase in (Phase.SCORED, Phase.GAME_OVER):
        return
    rule(d, Code.CORRECTED, who, event.n, tier=Tier.NOTE)
    recount(d, who, event.n, event.t)


def recount(d: Draft, who: int, n: int, t: float) -> None:
    """The hand holds n cards."""
    effects.balance(d, n - d.best[who])
    set_count(d, who, n)
    if d.phase in BETWEEN:
        return
    uno.counted(d, who, t)
    uno.recount(d, who)
    if n == 0 and d.wrong is None:
        if d.last is not None and d.last.who == who and d.turn_id != who:
            effects.was_last(d, who)
        else:
            ask(d, "hand_over", who, ("yes", "no"))


def points(d: Draft, event: Points) -> None:
    """The points in a hand, typed in."""
    who = d.setup.ids.get(event.player, NOBODY)
    if who in d.setup.order and d.phase not in BETWEEN:
        early.points(d, who, max(0, event.n))
    elif who != NOBODY:
        hand.count_points(d, who, max(0, event.n))


def suggest(d: Draft, event: Suggestion) -> None:
    """Somebody suggested a card."""
    speaker = seat(d, event.on if event.on is not None else event.by)
    to = event.extra.get("to")
    if speaker == NOBODY or d.phase in AFTER:
        return
    told, by = d.loose.suggested, seat(d, event.by)
    if told is not None and told[0] == speaker and event.t - told[1] < DISPUTED_S:
        return  # a second phone confirms: one suggestion, one penalty
    d.loose = d.loose._replace(suggested=(speaker, event.t))
    # RULES 6.7: on one phone's word the speaker is asked, who has ten seconds to dispute it.
    tier = Tier.ASK if by not in (NOBODY, speaker) else Tier.CALL
    uno.suggestion(d, speaker, seat(d, to if isinstance(to, str) else None), tier)


# --- pauses ---------------------------------------------------------------------------------------------------------


def pause(d: Draft, event: Pause) -> None:
    """What the camera sees does not count."""
    d.paused = True


def resume(d: Draft, event: Resume) -> None:
    """Play goes on. RULES 12: the top card is compared; where another lies there than before, or one landed meanwhile
    and none was read, the table says what was played."""
    d.paused = False
    unwatched, d.loose = d.loose.unwatched, d.loose._replace(unwatched=False)
    if event.top is not None:
        compare(d, event.top)
    elif unwatched or event.changed:
        ask(d, "which_card")


def top_seen(d: Draft, event: TopSeen) -> None:
    """RULES 12: after a restart the top card that is read is compared with the one remembered. Before the first card is
    turned up, it may be that card, or an old pile's."""
    if event.card is None or not event.sure:
        return
    if d.phase is Phase.OPENING:
        ask(d, "which_card", options=(str(event.card), drift.NO_CARD))
    else:
        compare(d, event.card)


def compare(d: Draft, card: Card) -> None:
    """Another card lies on top than the one remembered: what was played? Where it is the one beneath, the card that was
    remembered was taken back: a wrong one had to be, and of another the table is asked."""
    lies = d.wrong.card if d.wrong is not None else d.top
    if lies is None or card == lies or d.phase in BETWEEN:
        return
    if d.wrong is not None and card == d.top:
        rule(d, Code.INFERRED, d.wrong.who, 1, Reason.LIFT, (d.wrong.card,), Tier.NOTE)
        wrong.take_back(d)
    elif d.wrong is None and d.last is not None and card == d.last.was_top:
        d.doubt = True
        ask(d, "took_back", d.last.who, ("yes", "no"))
    else:
        d.doubt = True
        ask(d, "which_card", options=(str(card), drift.NO_CARD))


# --- answers and overrulings ----------------------------------------------------------------------------------------


def answer(d: Draft, event: Answer) -> None:
    """The table answers a question. Those that change an earlier event are edits of the log (`log.replay`)."""
    kind, value = event.question.partition(":")[0], event.value
    yes = value is True or value in ("yes", "true")
    asked = d.asked(event.question)
    about = seat(d, asked.player if asked is not None else None)
    named = seat(d, value) if isinstance(value, str) else NOBODY
    if kind == "who_was_first":
        uno.decide(d, value if isinstance(value, str) else None)
    elif kind == "who_played" and d.loose.unplaced is not None:
        if named != NOBODY:
            plays.place(d, named)
    elif kind == "whose_turn":
        whose_turn(d, named)
    elif kind == "how_many" and isinstance(value, int) and not isinstance(value, bool) and about != NOBODY:
        recount(d, about, max(0, value), event.t)
    elif kind == "challenge_result" and d.wild4 is not None and d.phase is Phase.CHALLENGE:
        challenge.decide(d, d.wild4, yes or value == "guilty")
    elif kind == "name_colour" and isinstance(value, str) and value.upper() in ("R", "Y", "G", "B"):
        name_colour(d, NameColour(t=event.t, colour=Colour(value.upper())))
    elif kind == "target" and isinstance(value, str):
        choose(d, Target(t=event.t, target=value))
    elif kind == "did_draw" and about != NOBODY and yes:
        did_draw(d, about)
    elif kind == "hand_over" and yes and d.phase not in BETWEEN:
        winner = about if about != NOBODY else early.likeliest(d)
        if winner != NOBODY:
            early.over(d, winner)
    elif kind == "one_turn_or_two" and yes and d.wrong is not None:
        one_turn(d, event.t)
    elif kind == "play_after_hand_over" and d.phase is Phase.HAND_OVER:
        d.loose = d.loose._replace(ended=True)
    elif kind == "reshuffled" and yes:
        d.seen = faces_seen(d.top)
    d.open = tuple(question for question in d.open if question != asked)  # others of its kind are about others


def one_turn(d: Draft, t: float) -> None:
    """The late second card belongs to the turn before (RULES 6.8, multi-play)."""
    card = d.wrong
    assert card is not None
    wrong.take_back(d)
    forgive(d, card.who, Reason.OUT_OF_TURN)
    landing.go_on(d, Discard(t=t, card=card.card, sure=card.sure), card.who, card.card)


def whose_turn(d: Draft, named: int) -> None:
    """The table says whose turn it is: a card that was set aside as out of turn stands if it is its player's."""
    if named == NOBODY or d.phase in BETWEEN:
        return
    if d.wrong is not None and d.wrong.code is Code.OUT_OF_TURN and d.wrong.who == named:
        drift.was_in_turn(d, named)
        wrong.stand(d, drop_penalty=True)
    elif d.phase in (Phase.TURN, Phase.DRAWN):
        drift.told(d, named)
    elif d.wrong is not None:
        d.turn_id = named


def did_draw(d: Draft, who: int) -> None:
    """The player had drawn what was owed, or one card, unseen."""
    owed = debt(d, who)
    gain(d, who, owed or 1)
    effects.balance(d, owed or 1)
    if owed:
        pay(d, who, owed)
    if d.wrong is not None and d.wrong.who == who and d.wrong.code is Code.DRAW_FIRST:
        wrong.stand(d, drop_penalty=True)
    elif d.loose.passed == who and d.turn_id == who:
        turn_to(d, following(d, who))
        d.loose = d.loose._replace(passed=NOBODY)
    elif d.wild4 is not None and d.wild4.victim == who and d.phase is Phase.WD4 and not d.pending:
        d.wild4 = None
        turn_to(d, following(d, who) if d.setup.wd4_forfeits else who)


def override(d: Draft, event: Override) -> None:
    """The table overrules what lies before it now; an earlier event is edited in the log (`log.replay`)."""
    if event.what == "illegal" and d.wrong is not None:
        # RULES 5.1, enforcement advisory: a player's tap is what makes a wrong card cost cards.
        if not any(owed.ref == d.wrong.ref for owed in d.owed):
            owe(d, Code.PENALTY, d.wrong.who, d.setup.options.illegal_play_penalty, Reason.ILLEGAL_CARD)
    elif event.what == "legal" and d.wrong is not None:
        wrong.stand(d, drop_penalty=True)
    elif event.what == "illegal" and d.last is not None and d.last.card is not None and d.phase not in BETWEEN:
        overrule_play(d, d.last, d.last.card)
    elif event.what == "void":
        who = seat(d, event.player)
        newest = max((owed.ref for owed in d.owed if who in (NOBODY, owed.who)), default=None)
        d.owed = tuple(owed for owed in d.owed if owed.ref != newest or who not in (NOBODY, owed.who))
    elif event.what == "turn":
        whose_turn(d, seat(d, event.player))


def overrule_play(d: Draft, last: LastPlay, card: Card) -> None:
    """The last play was wrong after all: it has to be taken back."""
    restore(d, last)
    lay_wrong(d, last.who, card, Code.ILLEGAL_CARD, True)
    rule(d, Code.ILLEGAL_CARD, last.who, cards=(card,))
