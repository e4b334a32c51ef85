// Pieces that the phone and the big screen share.
import { $, boot, drawing, h, t } from "./dom.js";
import { tell } from "./voice.js";
import { backs, cardName, colourInForce, face, shape } from "./cards.js";
import { sideOf, teamBadge, together } from "./teams.js";

const EYE = {
  watching: '<path d="M2 12s4-7 10-7 10 7 10 7-4 7-10 7S2 12 2 12z"/><circle cx="12" cy="12" r="3.200"/>',
  hand: '<path d="M7 13V6.500a1.500 1.500 0 0 1 3 0V4.500a1.500 1.500 0 0 1 3 0v2a1.500 1.500 0 0 1 3 0v2a1.500 1.500 0 0 1 3 0V15c0 4-3 6.500-6.500 6.500S7.500 19 4.500 14.500c-.8-1.500 1-2.600 2-1.500z"/>',
  blind: '<path d="M4 4l16 16M9.500 5.400A9 9 0 0 1 12 5c6 0 10 7 10 7a17 17 0 0 1-3.200 3.900M6 7.300C3.500 9.200 2 12 2 12s4 7 10 7a9 9 0 0 0 4-.9"/>',
  paused: '<path d="M8 5v14M16 5v14"/>',
  trouble: '<path d="M12 3.500 22 20.500H2zM12 10v4.500m0 2.700v.2"/>',
  phones: '<rect x="6.500" y="2.500" width="11" height="19" rx="2.500"/><path d="M11 18h2"/>',
};

/** Whether nothing is watched, on purpose: the cards are entered on the phones. */
export const byPhone = (board) => board.eye.detail === "no_camera";

/** A trouble of camera, buttons or lamp and what to do about it, in the language of this phone. */
export const troubleText = (trouble) => (boot.phrases["trouble." + trouble.code] ? t("trouble." + trouble.code, trouble.facts) : `${trouble.what}. ${trouble.remedy}`);

/** Which deck is read, of `all` faces. */
export function deckLine(deck, all) {
  if (!deck) return t("deck.shipped");
  const name = deck.name || t("deck.usual_name");
  return deck.used ? t("deck.in_use", { name, n: deck.faces, all }) : t("deck.unused", { name });
}

/** The way to the page about the deck, with the one in use; none where there is no camera. */
export const deckLink = () => boot.decks && h("a", { class: "act", href: "/deck" }, t("deck.open"), h("small", {}, deckLine(boot.deck, boot.faces)));

const chip = (kind, ...words) => h("p", { class: "eye " + kind, role: "status" },
  drawing("0 0 24 24", `<g fill="none" stroke="currentColor" stroke-width="2" stroke-linecap="round" stroke-linejoin="round">${EYE[kind]}</g>`), h("span", {}, words));

const KINDS = { clear: "watching", hand: "hand", paused: "paused", no_camera: "phones", not_set_up: "trouble", being_set_up: "trouble", deck_shown: "trouble" };

/** Whether the referee watches, in a word that is always in sight. host: leads to the set-up that is missing. */
export function eyeChip(board, host = false) {
  const { detail, state } = board.eye, told = board.paused ? "paused" : detail in KINDS ? detail : state, kind = KINDS[told] ?? "blind";
  const head = t("eye." + told), why = kind === "blind" && detail && h("small", {}, t("service." + detail));
  return chip(kind, host && told === "not_set_up" ? h("a", { href: "/setup" }, head) : head, why);
}

/** What else is wrong, with what to do about it. */
export const troubleChip = (board) => (board.troubles?.length ? chip("trouble", h("small", {}, troubleText(board.troubles[0]))) : null);

/** What to do with a hand that was left in its middle, hours or days ago, until something happens in it. */
export const restedNote = (board, host) => board.rested && !["scored", "game_over"].includes(board.phase) && h("p", { class: "unready" }, t(host ? "host.rested" : "play.rested"));

export const hasGame = (board) => board.players.length > 0;
export const handIsOver = (board) => ["hand_over", "scored", "game_over"].includes(board.phase);
export const playerNamed = (board, name) => board.players.find((player) => player.name === name);

/** Whether a ruling is about a card, which goes back or counts. */
export const aboutCard = (item) => ["illegal_card", "out_of_turn", "draw_first"].includes(item.code);

/** What the referee asks about the card that lies there, which counts or goes back; null where it asks nothing of the kind. */
export function doubted(board) {
  const item = board.takeback && board.rulings.find(aboutCard);
  return item?.tier === "ask" && !item.overruled && item.cards[0] === board.takeback.card ? item : null;
}

/** The phase as people are told it: a card is to be taken back only once that was ruled, not while it is asked; and by some
 * rules who has drawn draws on. */
function phaseTold(board) {
  if (board.phase === "takeback" && board.rulings.find(aboutCard)?.tier !== "call") return "turn";
  return board.phase === "drawn" && board.actions[board.turn]?.includes("drew") && !owed(playerNamed(board, board.turn)) ? "drawing" : board.phase;
}

/** The player who is to do something now. */
export function whoActs(board) {
  const offered = (tap) => Object.keys(board.actions).find((name) => board.actions[name].includes(tap));
  return { takeback: board.takeback?.player, name_colour: offered("colour"), choose_target: offered("target"), wd4: board.wd4?.victim, challenge: board.wd4?.offender,
    hand_over: board.winner, scored: board.winner, game_over: board.game_winner ?? board.winner }[phaseTold(board)] ?? board.turn;
}

/** Which hand this is, by which rules, and how many points end the game. */
export const handLine = (board) => t("board.hand", { n: board.hand, rules: t("preset." + board.preset), target: board.target });

/** Who judges the hand that is shown in a challenge: by some rules others than the victim may challenge. */
export const challenger = (board) => Object.keys(board.actions).find((name) => board.actions[name].includes("challenge_result")) ?? board.wd4?.victim ?? "";

/** What happens now, in one sentence. `me` reads "your turn". */
export function phaseLine(board, me = null) {
  const who = whoActs(board), phase = phaseTold(board);
  if (handIsOver(board) && sideOf(board, who) !== who) return t(`phase.${phase}_team`, { names: sideOf(board, who) });
  const values = { name: who ?? "", offender: board.wd4?.offender ?? "", victim: challenger(board) };
  const mine = me !== null && who === me && boot.phrases["mine." + phase];
  return t((mine ? "mine." : "phase.") + phase, values);
}

/** "7", "3–4", "?" */
function countText(player) {
  const [lo, hi] = player.count ?? [null, null];
  if (lo === null) return "?";
  return lo === hi ? String(lo) : `${lo}–${hi ?? "?"}`;
}

/** Clockwise or counter-clockwise. */
function directionSign(board) {
  const turn = board.direction < 0 ? ' transform="matrix(-1 0 0 1 24 0)"' : "";
  const arrow = drawing("0 0 24 24", `<g fill="none" stroke="currentColor" stroke-width="2.400" stroke-linecap="round" stroke-linejoin="round"${turn}><path d="M20 12a8 8 0 1 1-2.600-5.900M20 3v5h-5"/></g>`);
  return h("p", { class: "direction" }, arrow, h("span", {}, t(board.direction < 0 ? "direction.counter" : "direction.clockwise")));
}

const owed = (player) => player.due.reduce((sum, due) => sum + due.n, 0);

/** What everybody should know about a player, most pressing first. */
function badges(board, player) {
  const list = [];
  if (player.exposed && !handIsOver(board)) list.push(["exposed", t("player.exposed")]);
  else if (countText(player) === "1" && !handIsOver(board)) list.push(["uno", t("player.uno")]);
  if (owed(player)) list.push(["due", t("player.due", { n: owed(player) })]);
  if (board.phase === "hand_over" && player.points !== null) list.push(["counted", `✓ ${player.points}`]);
  if (player.dealer) list.push(["dealer", t("player.dealer")]);
  return list.map(([kind, text]) => h("span", { class: "badge " + kind }, text));
}

/** Players in clockwise order, with the one who is to do something marked. */
export function playerList(board, me = null) {
  const rows = board.players.map((player) => {
    const turn = player.name === whoActs(board) && !handIsOver(board);
    const won = handIsOver(board) && together(board, player.name, board.game_winner ?? board.winner);
    const count = countText(player);
    return h("li", { class: ["player", turn && "turn", won && "won", player.name === me && "me"].filter(Boolean).join(" "), "aria-current": turn },
      h("span", { class: "mark", "aria-hidden": "true" }, turn ? "▶" : won ? "★" : ""),
      h("span", { class: "id" }, player.team && teamBadge(player.team), h("span", { class: "name" }, h("b", {}, player.name), player.name === me && [" ", h("small", {}, t("player.you"))]), badges(board, player)),
      h("span", { class: "count" + (count.length > 1 && count.includes("–") ? " unsure" : ""), role: "img", "aria-label": count === "1" ? t("player.one_card") : t("player.cards", { n: count }) }, backs(), count),
      h("span", { class: "score", role: "img", "aria-label": t("player.points", { n: player.score }) }, player.score));
  });
  return h("ol", { class: `players n${board.players.length}` }, rows);
}

/** Top card, colour in force, and what falls on the next player. */
export function pile(board) {
  const wild = board.top?.[0] === "W";
  return [
    board.top ? face(board.top, { named: wild ? board.colour : null }) : h("div", { class: "face empty" }, t("pile.empty")),
    h("div", { class: "facts" },
      colourInForce(board.colour),
      board.pending ? h("p", { class: "pending" }, t("pile.pending", { n: board.pending })) : null,
      directionSign(board),
      board.draw_pile !== null && !handIsOver(board) && h("p", { class: "direction stock" }, backs(), h("span", {}, t("pile.left", { n: board.draw_pile })))),
  ];
}

const playOf = (board, ref) => board.plays.find((play) => play.ref === ref);
/** Whether the eye read the card; what people say of a card is certain. */
export const wasRead = (play) => play.confidence < 1;
/** What a ruling rests on, in words. */
export const ruleLine = (section) => t("ruling.rule", { name: t("rule." + section) });
export const percent = (p) => (p > 0.995 && p < 1 ? "99" : Math.round(100 * p)) + "\u00a0%";

const FAULTS = new Set(["illegal_card", "out_of_turn", "draw_first", "catch_ok", "guilty", "penalty"]);
const seen = new Set(boot.board.rulings.map((item) => item.id));

/** A ruling with what it rests on: the photo, else the cards as we draw them. */
export function ruling(board, item, onopen = null) {
  const play = playOf(board, item.ref);
  const proof = item.photo
    ? h("img", { class: "photo", src: `/photo/${encodeURIComponent(item.photo)}.jpg`, alt: t("ruling.photo"), loading: "lazy", decoding: "async" })
    : item.cards?.length ? h("span", { class: "minis" }, item.cards.slice(0, 2).map((card) => face(card))) : h("span", { class: "dot" });
  const facts = [];
  if (item.overruled) facts.push(t("ruling.overruled"));
  if (play && wasRead(play) && item.tier !== "note") facts.push(t("ruling.read", { card: cardName(play.card), p: percent(play.confidence) }));
  const inside = [proof, h("span", { class: "words" }, h("b", {}, item.text), facts.length ? h("small", {}, facts.join(" · ")) : null)];
  const kind = `ruling ${item.tier}${item.tier === "call" && FAULTS.has(item.code) ? " fault" : ""}${item.overruled ? " overruled" : ""}${seen.has(item.id) ? "" : " fresh"}`;
  seen.add(item.id);
  return onopen
    ? h("li", {}, h("button", { class: kind, type: "button", "data-key": item.id, onclick: () => onopen(item) }, inside))
    : h("li", { class: kind }, inside);
}

let said = null, called = "";

/** Reads to screen readers, and aloud, what is new or has changed, so that after a correction only the correction is heard. */
export function announce(board, me = null) {
  const now = new Map(board.rulings.map((item) => [item.id, item.overruled ? t("ruling.withdrawn", { text: item.text }) : item.text]));
  const names = board.players.map((player) => player.name).join("\n");
  const renamed = names !== called && names.split("\n").length === called.split("\n").length; // the same said again is no news
  called = names;
  if (said !== null && !renamed) {
    const news = board.rulings.filter((item) => said.get(item.id) !== now.get(item.id)).reverse().map((item) => ({ ...item, said: now.get(item.id) }));
    for (const item of news) $("announce").append(h("p", {}, item.said));
    while ($("announce").childElementCount > 6) $("announce").firstChild.remove();
    tell(news, board.lang, (item) => me !== null && item.player === me);
  }
  said = now;
}

let redraw = 0;

/** The question to show: none while the table still has a moment to settle it by playing on; then `again` is called. */
export function questionNow(board, again) {
  clearTimeout(redraw);
  const q = board.question;
  if (!q) return null;
  board.heard ??= board === boot.board ? -Infinity : performance.now();
  const wait = (q.after - board.t) * 1000 - (performance.now() - board.heard);
  if (!(wait > 0)) return q;
  redraw = setTimeout(again, wait + 20);
  return null;
}

/** The photo of what a question asks about, where there is one. */
export function photoAsked(board, question) {
  const { photo } = playOf(board, question.ref) ?? {};
  return photo && h("img", { class: "evidence", src: `/photo/${encodeURIComponent(photo)}.jpg`, alt: t("ruling.photo") });
}

/** How an option of a question reads: colours, cards, yes and no, names, numbers. */
export function optionLabel(kind, option) {
  if (kind === "name_colour") return [shape(option), t("colour." + option)];
  if (kind === "which_card") return [face(option)];
  return boot.phrases["answer." + option] ?? String(option);
}
