// The phone of a player: what is possible now, big enough for a thumb.
import { $, boot, drawing, h, show, t, worded } from "./dom.js";
import { appealBox, sayOutcome } from "./appeal.js";
import { askAboutClaims } from "./claims.js";
import { COLOURS, colourName, face, shape } from "./cards.js";
import { deckHint } from "./deck_hint.js";
import { showHand } from "./hands.js";
import { follow } from "./live.js";
import { announce, byPhone, challenger, doubted, eyeChip, handIsOver, handLine, hasGame, optionLabel, phaseLine, photoAsked, pile, playerList, playerNamed, questionNow, restedNote, ruling, troubleChip, whoActs } from "./parts.js";
import { post, sheet, tapping, toast } from "./say.js";
import { addCard, advised, correctCard, handSizes, misreading, pickCard, repairs, showRuling } from "./repair.js";
import { roundLine, sides, standings, together } from "./teams.js";
import { voiceButton } from "./voice.js";

let me = boot.me;
let actingFor = null; // a host may tap for somebody without a phone
let board = boot.board;
let seats = "";

const self = () => actingFor ?? (me.plays ? me.name : null);

/** Says an action in the name of this phone's player; what is refused may be, because the phone is somebody else by now. */
async function act(name, body = {}) {
  const by = self();
  const done = await post("/api/act/" + name, by && by !== me.name ? { by, ...body } : body);
  if (!done) whoAmI();
  return done;
}

/** Enters a card that was laid, and shows what lies there now. */
async function lay(name, body) {
  const done = await act(name, body);
  if (done) window.scrollTo(0, 0);
  return done;
}

function button(key, label, work, kind = "") {
  return h("button", { class: "act " + kind, type: "button", "data-key": key, onclick: tapping(work) }, label);
}

function colourButtons(send) {
  return h("div", { class: "colours", role: "group", "aria-label": t("act.colour") },
    COLOURS.map((c) => h("button", { class: "act colour " + c, type: "button", "data-key": "colour" + c, onclick: tapping(() => send(c)) }, shape(c), h("span", {}, colourName(c)))));
}

const YES_NO = ["yes", "no"];
const PERSONAL = ["name_colour", "target", "challenge_result", "custom_rule"]; // others may answer, after a second thought

function questionBox(q) {
  if (!q || !(me.plays || me.host)) return [];
  if (board.actions[self()]?.includes("colour") && q.kind === "name_colour") return [];
  const answer = (value) => act("answer", { question: q.id, value });
  const options = q.kind === "custom_rule" ? ["done"] : q.options.length ? q.options : YES_NO;
  let choices;
  if (q.kind === "name_colour") choices = colourButtons(answer);
  else if (q.kind === "how_many") choices = handSizes(null, answer);
  else if (q.kind === "which_card") choices = whichCard(q, answer);
  else if (q.kind === "other_table") choices = h("div", { class: "points-list", role: "group", "aria-label": t("points.elsewhere") }, board.elsewhere.map((p) => pointsOf(p)));
  else choices = h("div", { class: "choices" }, options.map((option) => button("q" + option, optionLabel(q.kind, option), () => answer(option))));
  const others = PERSONAL.includes(q.kind) && q.player && q.player !== self();
  return h("div", { class: "ask-box" }, h("p", {}, h("b", { "aria-hidden": "true" }, "?"), h("span", {}, q.text)), photoAsked(board, q),
    others ? h("details", {}, h("summary", {}, t("answer.for", { name: q.player })), choices) : choices);
}

function whichCard(q, answer) {
  const play = board.plays.find((item) => item.ref === q.ref);
  const guesses = q.options.length ? q.options : [...new Set([...(play && play.card !== "?" ? [play.card] : []), ...(play?.alternatives ?? []).map(([card]) => card)])].slice(0, 4);
  const words = guesses.filter((guess) => guess === "none");
  return h("div", { class: "choices which_card" }, guesses.filter((guess) => guess !== "none").map((card) => button("q" + card, face(card), () => answer(card))),
    words.map((word) => button("q" + word, t("answer.none"), () => answer(word))),
    button("qcard", t("answer.choose_card"), () => pickCard(t("answer.choose_card"), board.wilds, answer)));
}

/** Who tells that a card was taken back: its player, the host, and anybody where its player has no phone. */
const mayTakeBack = () => board.takeback && (me.host || board.takeback.player === self() || (me.plays && !board.people.includes(board.takeback.player)));

const liftedButton = () => button("lifted", board.takeback.player === self() ? t("act.lifted") : t("act.lifted_by", { name: board.takeback.player }), () => act("lifted"));

/** "Does green 9 go here, Ben?": it counts, by anybody's word but Ben's; it was taken back; or it was another card. */
function doubtBox(item) {
  if (!item || !(me.plays || me.host)) return [];
  const counts = me.host || board.takeback.player !== self();
  return h("div", { class: "ask-box" }, h("p", {}, h("b", { "aria-hidden": "true" }, "?"), h("span", {}, item.text)), photoAsked(board, item),
    h("div", { class: "choices" },
      counts && button("goes", t("act.goes"), () => (me.host ? act("override", { what: "legal", ref: item.ref }) : act("goes", { ref: item.ref }))),
      mayTakeBack() && liftedButton(),
      h("button", { class: "act", type: "button", "data-key": "other", onclick: () => correctCard(() => board, act, item.ref) }, t("answer.choose_card"))),
    !counts && h("p", { class: "muted" }, t("act.goes_note")));
}

/** Why nothing that happens at the table counts now, and the way on. */
function pausedBox() {
  return h("div", { class: "ask-box pause" }, h("p", {}, t("board.paused")),
    (me.plays || me.host) && h("div", { class: "choices" }, button("go_on", t("fix.resume"), () => act("resume"), "strong")));
}

function context(can, player) {
  const list = [];
  const due = player?.due.reduce((sum, item) => sum + item.n, 0) || (player && player.name === board.turn ? board.pending : 0);
  if (can.includes("colour")) list.push(h("h2", {}, t("act.colour")), colourButtons((colour) => act("colour", { colour })));
  if (can.includes("target")) {
    list.push(h("h2", {}, t("act.target")), h("div", { class: "choices" }, board.players.filter((p) => p.name !== self())
      .map((p) => button("target" + p.name, p.name, () => act("target", { target: p.name })))));
  }
  if (can.includes("challenge_result")) {
    list.push(h("h2", {}, t("act.result", { name: board.wd4?.offender ?? "" })), h("div", { class: "choices" },
      button("guilty", [h("b", {}, t("act.guilty")), h("small", {}, t("act.guilty_note"))], () => act("challenge_result", { guilty: true })),
      button("innocent", [h("b", {}, t("act.innocent")), h("small", {}, t("act.innocent_note"))], () => act("challenge_result", { guilty: false }))));
  }
  const row = [], counts = !board.paused; // while play is paused, nothing that happens at the table does
  const lays = counts && byPhone(board) && hasGame(board) && (me.plays || me.host), first = !["wd4", "challenge", "name_colour", "choose_target"].includes(board.phase);
  const layButton = () => button("lay", t("act.lay"), () => addCard(t("act.lay_title"), () => board, lay), first ? "strong" : "");
  if (lays && first) row.push(layButton());
  if (counts && boot.shows && board.phase === "challenge" && board.wd4 && ([board.wd4.offender, challenger(board)].includes(self()) || me.host)) {
    row.push(button("show", t("hand.show"), () => showHand(board.wd4.offender, board.wilds, challenger(board)), "strong"));
  }
  if (can.includes("challenge")) row.push(button("challenge", t("act.challenge"), () => act("challenge"), "strong"));
  if (counts && can.includes("drew")) row.push(button("drew", due ? t("act.drew_n", { n: due }) : t("act.drew"), () => act("drew", { n: due || 1 })));
  if (can.includes("pass")) row.push(button("pass", t("act.pass"), () => act("pass")));
  if (counts && !doubted(board) && mayTakeBack()) {
    row.push(liftedButton());
    if (me.host) row.push(button("stands", t("host.legal"), () => act("override", { what: "legal" })));
  }
  if (lays && !first) row.push(layButton()); // something else is to be done before the next card
  if (row.length) list.push(h("div", { class: "choices" }, row));
  if (counts && !doubted(board) && (me.plays || me.host)) list.push(...misreading(() => board, act));
  return list;
}

/** A line to type somebody's points in; `more` comes after it. */
function pointsOf(p, ...more) {
  const key = "points" + p.name;
  const input = worded(h("input", { name: "n", type: "number", inputmode: "numeric", min: 0, max: 999, required: true, "data-key": key }), t("points.range"));
  input.value = document.querySelector(`[data-key="${CSS.escape(key)}"]`)?.value ?? ""; // what is being typed stays
  return h("form", { class: "points", onsubmit: (event) => {
    event.preventDefault();
    const n = Number(input.value);
    act("points", { player: p.name, n }).then((done) => done && toast(t("points.kept", { name: p.name, n })));
  } }, h("label", {}, h("span", {}, p.name, p.points !== null && h("b", { class: "counted" }, ` ✓ ${p.points}`)), input),
  h("button", { class: "act small", type: "submit" }, t("points.keep")), more);
}

/** What somebody with a name who does not play is waiting for. */
const outside = () => me.name !== null && !me.plays && !me.host && h("p", { class: "muted" }, t(board.room ? "play.outside" : "play.outside_next"));

function betweenHands() {
  const open = board.phase === "hand_over";
  const points = board.players.filter((p) => !together(board, p.name, board.winner)).map((p) => pointsOf(p,
    boot.shows && h("button", { class: "act small", type: "button", "data-key": "show" + p.name, onclick: tapping(() => showHand(p.name, board.wilds)) }, t("hand.show"))));
  const next = board.phase === "scored" && button("next", t("act.next_hand"), () => act("next_hand", { ends: board.deal }), "strong");
  const again = board.phase === "game_over" && me.host && h("a", { class: "act strong", href: "/host" }, t("host.new_game"));
  return [open && h("h2", {}, t("points.title")), open && h("p", { class: "muted" }, t("points.note"), board.wilds.length > 2 && ` ${t("points.special")}`), open && h("div", { class: "points-list" }, points), next && h("div", { class: "choices" }, next), again];
}

function dock(can) {
  const uno = h("button", { class: "act uno", type: "button", "data-key": "uno", disabled: !can.includes("uno"), onclick: tapping(() => act("uno")) }, t("act.uno"));
  const caught = h("button", { class: "act catch", type: "button", "data-key": "catch", disabled: !catchable(can).length, onclick: tapping(catchSomebody) }, t("act.catch"));
  return h("div", { class: "dock" }, uno, caught);
}

/** Players that may be caught: actions read "catch:Ana". */
const catchable = (can) => can.filter((item) => item.startsWith("catch:")).map((item) => item.slice(6));

async function catchSomebody() {
  const others = catchable(board.actions[self()] ?? []);
  if (others.length === 1) return act("catch", { on: others[0] });
  sheet(t("act.catch_whom"), (close) => h("div", { class: "choices tall" }, others.map((name) =>
    button("on" + name, name, async () => (await act("catch", { on: name })) && (close(), true)))));
  return null;
}

const hostSign = () => drawing("0 0 24 24", '<g fill="none" stroke="currentColor" stroke-width="2" stroke-linecap="round"><path d="M4 7h9m4 0h3M4 17h3m4 0h9"/><circle cx="15" cy="7" r="2"/><circle cx="9" cy="17" r="2"/></g>');

function whoIsHere() {
  if (me.host && hasGame(board)) {
    const choose = h("select", { "aria-label": t("host.act_for"), "data-key": "acting", onchange: (event) => { actingFor = event.target.value || null; draw(board); } },
      !me.plays && h("option", { value: "" }, t("host.nobody")),
      board.players.map((p) => h("option", { value: p.name, selected: p.name === self() }, p.name)));
    return [choose, h("a", { class: "chip to-host", href: "/host" }, hostSign(), h("span", {}, t("join.host")))];
  }
  if (me.name) return h("a", { class: "chip", href: "/" }, me.name);
  return h("a", { class: "chip strong", href: "/" }, t("play.take_seat"));
}

function draw(next) {
  board = next;
  const game = hasGame(board), over = handIsOver(board);
  if (actingFor && !playerNamed(board, actingFor)) actingFor = null;
  const player = playerNamed(board, self());
  const can = (player && board.actions[player.name]) || [];
  const mine = game && !over && self() !== null && whoActs(board) === self();
  document.body.className = `play force-${game && !over ? board.colour ?? "none" : "none"}${mine ? " mine" : ""}${board.paused ? " paused" : ""}`;
  show("eye", [board.paused, board.eye.state, board.eye.detail, me.host], () => eyeChip(board, me.host));
  show("trouble", [board.troubles, board.deck_hint, board.rested, board.phase, me.host], () => [troubleChip(board), restedNote(board, me.host), deckHint(board, me.host)]); // not in the bar, which stays and would fill the screen
  show("who", [me, actingFor, board.players.map((p) => p.name)], whoIsHere);
  const question = questionNow(board, () => draw(board)), doubt = doubted(board);
  show("question", [question, question?.kind === "other_table" && board.elsewhere, board.appeal, board.paused, doubt, board.takeback, board.people, me, self(), can],
    () => (board.appeal ? appealBox(board, me) : board.paused ? [pausedBox(), questionBox(question)] : question ? questionBox(question) : doubtBox(doubt)));
  show("pile", [game, phaseLine(board, self()), board.top, board.colour, board.pending, board.direction, board.draw_pile, board.phase, board.turn, board.winner, board.wd4, board.question?.player, self()],
    () => (game ? [h("h1", { class: "phase" + (mine ? " mine" : "") }, phaseLine(board, self())), h("div", { class: "table" }, pile(board))] : lobby()));
  // What people are typing is left alone: points depend on the phase only.
  if (over) show("actions", [board.phase, board.players.map((p) => [p.name, p.points]), me, self(), board.room], () => (player || me.host ? betweenHands() : [outside()]));
  else show("actions", [board.phase, board.paused, byPhone(board), can, player?.due, board.pending, board.turn, board.wd4, board.takeback, doubt, board.people, me, self(), board.players.map((p) => p.name), board.room], () => (game ? [outside(), context(can, player)] : context(can, player)));
  show("players", [board.players, whoActs(board), board.phase, board.winner, board.game_winner, board.tournament, board.elsewhere, board.hand, board.preset, self()],
    () => (game ? [h("a", { class: "muted of-rules", href: "/rules", "data-key": "rules" }, roundLine(board) ?? handLine(board)), sides(board), playerList(board, self()), standings(board)] : []));
  show("repairs", [game, me, board.paused, self(), advised(board)], () => (game && (me.plays || me.host) ? repairs(() => board, act) : []));
  show("news", [board.rulings, board.plays, board.hand], () => (game ? news() : []));
  show("dock", [game, Boolean(player), can.includes("uno"), catchable(can), over], () => (game && player && !over ? dock(can) : []));
  announce(board, self());
  sayOutcome(board);
}

/** What was ruled, newest first, with a line where an earlier hand begins. */
function news() {
  const list = board.rulings.map((item, i) => [item.hand !== (board.rulings[i - 1]?.hand ?? board.hand) && h("li", { class: "of-hand" }, h("h3", {}, t("history.hand_of", { n: item.hand }))),
    ruling(board, item, (it) => showRuling(it, () => board, act, me))]);
  return [h("h2", {}, t("board.rulings")), list.length ? h("ul", { class: "rulings" }, list) : h("p", { class: "muted" }, t("ruling.none"))];
}

function lobby() {
  return h("div", { class: "lobby" }, h("h1", {}, t("play.no_game")), h("p", { class: "muted" }, t("play.no_game_note")),
    board.people.length ? h("p", {}, t("board.here", { names: board.people.join(", ") })) : null,
    h("a", { class: "act strong", href: "/host" }, t("host.set_up")));
}

async function whoAmI() {
  const answer = await fetch("/api/me", { cache: "no-store" }).catch(() => null);
  if (answer?.ok) {
    me = await answer.json();
    draw(board);
  }
}

$("voice").replaceChildren(voiceButton(() => ({ text: phaseLine(board), language: board.lang })));

follow((next) => {
  const now = JSON.stringify([next.people_changes, next.players.map((p) => p.name)]);
  if (seats && seats !== now) whoAmI(); // a seat may have changed hands
  seats = now;
  askAboutClaims(next, me);
  draw(next);
});
