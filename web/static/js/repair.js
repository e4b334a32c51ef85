// Mending what the camera missed or misread: three taps, likely confusions first.
import { h, t } from "./dom.js";
import { COLOURS, RANKS, cardName, colourName, deedLine, face, shape } from "./cards.js";
import { percent, ruleLine, wasRead } from "./parts.js";
import { post, sheet, tapping, toast } from "./say.js";

const LIKELY = 6;
const LARGE_HAND = 15, LARGEST_HAND = 25; // cards
const icon = (text) => h("span", { class: "ico", "aria-hidden": "true" }, text);

/** Whether the table's rules say that advice costs cards. */
export const advised = (board) => Object.values(board.actions).some((taps) => taps.includes("suggestion"));

/** The row of tools under the players. `board()` gives the newest board, `act` says an action. */
export function repairs(board, act) {
  const tool = (key, sign, label, work) => h("button", { class: "tool", type: "button", "data-key": key, onclick: work }, icon(sign), label);
  const paused = board().paused;
  return h("div", { class: "tools" },
    tool("wrong", "✎", t("fix.wrong"), () => correctCard(board, act)),
    tool("missed", "+", t("fix.missed"), () => addCard(t("fix.missed_title"), board, act)),
    tool("undo", "↶", t("fix.undo"), () => undo(board, act)),
    tool("count", "#", t("fix.count"), () => count(board, act)),
    advised(board()) && tool("suggested", "…", t("fix.suggested"), () => suggested(board, act)),
    tool("pause", paused ? "▶" : "Ⅱ", t(paused ? "fix.resume" : "fix.pause"), tapping(() => act(paused ? "resume" : "pause"))));
}

/** Cards that would go where a wrong one lies and are easily read as it: the symbol in the colour in force, the colour with the symbol beneath. */
function fitting(play, { takeback, top, colour }) {
  if (play.card !== takeback?.card || play.card[0] === "W" || !top || !colour) return [];
  return [...new Set([colour + play.card.slice(1), ...(top[0] === "W" ? [] : [play.card[0] + top.slice(1)])])].filter((card) => card !== play.card);
}

/** Cards it may have been, most likely first: what the eye thought of, what would go there, then the same symbol in other colours. */
function likely(play, board) {
  const rank = play.card && play.card !== "?" && play.card[0] !== "W" ? play.card.slice(1) : null;
  const same = rank ? COLOURS.map((c) => c + rank) : [];
  const turned = rank === "6" || rank === "9" ? [play.card[0] + (rank === "6" ? "9" : "6")] : [];
  const all = [...play.alternatives.map(([card]) => card), ...fitting(play, board), ...turned, ...same].filter((card) => card !== play.card);
  return [...new Set(all)].slice(0, LIKELY);
}

/** Colour, then rank: two taps to any card of the deck, `wilds` among them. `send(card)` resolves to something true when it worked. */
function grid(wilds, send) {
  const place = h("div", { class: "picker" });
  const cardButton = (card) => h("button", { class: "pick", type: "button", onclick: tapping(() => send(card)) }, face(card));
  const colours = () => place.replaceChildren(
    h("div", { class: "colours" }, COLOURS.map((c) => h("button", { class: "act colour " + c, type: "button", onclick: () => ranks(c) }, shape(c), h("span", {}, colourName(c))))),
    h("div", { class: "pick-row" }, wilds.map(cardButton)));
  const ranks = (c) => {
    place.replaceChildren(h("button", { class: "act small", type: "button", onclick: colours }, "‹ ", shape(c), colourName(c)),
      h("div", { class: "pick-row" }, RANKS.map((rank) => cardButton(c + rank))));
    place.querySelector(".pick").focus();
  };
  colours();
  return place;
}

/** Asks for any card, or for the other thing that may be said: `or` is its label and what it does. */
export function pickCard(title, wilds, send, or = null) {
  const done = (work) => async (card) => (await work(card)) && (close(), true);
  let close;
  sheet(title, (shut) => {
    close = shut;
    return [grid(wilds, done(send)), or && h("button", { class: "act", type: "button", "data-key": "or", onclick: tapping(done(or[1])) }, or[0])];
  });
}

/** Says which card it really was; `ref` names the play, else the last one. */
export function correctCard(board, act, ref = null) {
  const plays = board().plays;
  let play = plays.find((item) => item.ref === ref) ?? plays[0];
  if (!play) return toast(t("fix.nothing"), "bad");
  sheet(t("fix.wrong_title"), (close) => {
    const place = h("div", {});
    const send = async (card) => {
      if (!(await act("correct", { ref: play.ref, card }))) return null;
      close();
      toast(t("fix.corrected", { card: cardName(card) }));
      return true;
    };
    const by = () => h("select", { id: "played-by", onchange: async (event) => {
      if (await act("correct", { ref: play.ref, player: event.target.value })) close();
    } }, !play.by && h("option", { value: "" }, "?"), board().players.map((p) => h("option", { selected: p.name === play.by }, p.name)));
    const recolour = (c) => h("button", { class: "act colour " + c, type: "button", "data-key": "recolour" + c, onclick: tapping(async () => {
      if (!(await act("correct", { ref: play.ref, colour: c }))) return null;
      close();
      toast(t("fix.recoloured", { colour: colourName(c) }));
      return true;
    }) }, shape(c), h("span", {}, colourName(c)));
    const fill = () => place.replaceChildren(...(play.card[0] === "W" ? [h("h3", {}, t("fix.which_colour")), h("div", { class: "colours named" }, COLOURS.map(recolour))] : []),
      ...(wasRead(play) ? [h("p", { class: "muted" }, t("fix.was_read", { card: cardName(play.card), p: percent(play.confidence) }))] : []),
      h("div", { class: "pick-row" }, likely(play, board()).map((card) => h("button", { class: "pick", type: "button", onclick: tapping(() => send(card)) }, face(card)))),
      h("h3", {}, t("fix.another")), grid(board().wilds, send),
      h("h3", {}, h("label", { for: "played-by" }, t("fix.who"))), by());
    const strip = h("div", { class: "strip-plays", role: "group", "aria-label": t("fix.which_play") }, plays.slice(0, 8).map((item) =>
      h("button", { class: "pick mini", type: "button", "aria-pressed": String(item.ref === play.ref), onclick: (event) => {
        play = item;
        for (const other of strip.children) other.setAttribute("aria-pressed", String(other === event.currentTarget));
        fill();
      } }, face(item.card), h("small", {}, item.by ?? "?"))));
    fill();
    return [strip, place];
  });
  return null;
}

/** A card that was only seen and is called wrong: what was read, and what would go there instead, for one tap. */
export function misreading(board, act) {
  const play = board().plays.find((item) => item.standing === "illegal");
  if (!play || !wasRead(play) || play.card !== board().takeback?.card) return [];
  const was = (card) => h("button", { class: "act", type: "button", "data-key": "was" + card, onclick: tapping(() => act("correct", { ref: play.ref, card })) }, face(card));
  const other = h("button", { class: "act", type: "button", "data-key": "other", onclick: () => correctCard(board, act, play.ref) }, t("answer.choose_card"));
  return [h("p", { class: "muted" }, t("fix.was_read", { card: cardName(play.card), p: percent(play.confidence) })),
    h("div", { class: "choices which_card" }, fitting(play, board()).map(was), other)];
}

/** Adds a card that landed unseen; `title` asks which. */
export function addCard(title, board, act) {
  sheet(title, (close) => {
    const { players, plays } = board();
    const by = h("select", { id: "missed-by" }, h("option", { value: "" }, t("fix.whose_turn")), players.map((p) => h("option", {}, p.name)));
    const when = h("select", { id: "missed-when" }, h("option", { value: "" }, t("fix.last")),
      plays.slice(1, 7).map((item) => h("option", { value: item.ref }, t("fix.after", { card: cardName(item.card) }))));
    return [
      h("div", { class: "fields" }, h("label", { for: "missed-by" }, t("fix.who"), by), h("label", { for: "missed-when" }, t("fix.when"), when)),
      grid(board().wilds, async (card) => {
        const body = { card, ...(by.value ? { by: by.value } : {}), ...(when.value ? { follows: Number(when.value) } : {}) };
        if (!(await act("missed", body))) return null;
        close();
        toast(t("fix.added", { card: cardName(card) }));
        return true;
      }),
    ];
  });
}

function undo(board, act) {
  sheet(t("fix.undo_title"), (close) => {
    const send = (ref, said) => tapping(async () => {
      if (!(await act("undo", { ref }))) return null;
      close();
      toast(said);
      return true;
    });
    const { undo: last, redo, plays } = board(); // by number: what is shown here is taken back, whatever happened since
    return [
      last ? h("button", { class: "act strong wide", type: "button", "data-key": "last", onclick: send(last.ref, t("fix.undone")) }, t("fix.undo_last"), h("small", {}, deedLine(last)))
        : h("p", { class: "muted" }, t("fix.nothing_yet")),
      redo && h("button", { class: "act wide", type: "button", "data-key": "redo", onclick: send(redo.ref, t("fix.redone")) }, t("fix.redo"), h("small", {}, deedLine(redo))),
      plays.length ? h("h3", {}, t("fix.undo_play")) : null,
      h("ul", { class: "undo-list" }, plays.slice(0, 8).map((item) => h("li", {},
        h("button", { class: "row", type: "button", onclick: send(item.ref, t("fix.undone")) }, face(item.card), h("span", {}, cardName(item.card), h("small", {}, item.by ?? "")))))),
    ].filter(Boolean);
  });
}

/** How many cards a hand holds, larger hands behind one tap more; `held` is marked. */
export function handSizes(held, send) {
  const size = (_, n) => h("button", { class: "act", type: "button", "data-key": "size" + n, "aria-pressed": held !== null && String(n === held), onclick: tapping(() => send(n)) }, String(n));
  const sizes = Array.from({ length: LARGEST_HAND + 1 }, size);
  return [h("div", { class: "choices numbers" }, sizes.slice(0, LARGE_HAND)),
    h("details", { open: held >= LARGE_HAND }, h("summary", {}, t("fix.larger")), h("div", { class: "choices numbers" }, sizes.slice(LARGE_HAND)))];
}

function count(board, act) {
  sheet(t("fix.count_title"), (close) => {
    const { players } = board(), place = h("div", {});
    const who = h("select", { id: "count-who", onchange: () => fill() }, players.map((p) => h("option", {}, p.name)));
    const fill = () => place.replaceChildren(...handSizes(players.find((p) => p.name === who.value).best, async (n) => {
      if (!(await act("count", { player: who.value, n }))) return null;
      close();
      toast(t("fix.counted", { name: who.value, n }));
      return true;
    }));
    fill();
    return [h("div", { class: "fields" }, h("label", { for: "count-who" }, t("fix.who_holds"), who)), place];
  });
}

/** The photo of the ruling, taken before and after the card, side by side; without one the cards as we draw them. */
function proof(item) {
  if (!item.photo) return h("div", { class: "pick-row still" }, (item.cards ?? []).map((card) => face(card)));
  return h("figure", { class: "proof" }, h("img", { class: "evidence", src: `/photo/${encodeURIComponent(item.photo)}.jpg`, alt: t("ruling.photo") }),
    h("figcaption", {}, h("span", {}, t("ruling.before")), h("span", {}, t("ruling.after"))));
}

/** A ruling in full, with what may be done about it. */
export function showRuling(item, board, act, me) {
  const play = board().plays.find((one) => one.ref === item.ref);
  const inVain = item.overruled ? [] : board().upheld[item.id] ?? [], mine = inVain.includes(me.name);
  sheet(t("tier." + item.tier), (close) => [
    proof(item),
    h("p", { class: "verdict" }, item.text),
    play && wasRead(play) && h("p", { class: "muted" }, t("ruling.read", { card: cardName(play.card), p: percent(play.confidence) })),
    item.section && h("p", { class: "muted" }, ruleLine(item.section)),
    item.overruled && h("p", { class: "muted" }, t("ruling.overruled")),
    inVain.filter((name) => name !== me.name).map((name) => h("p", { class: "muted" }, t("appeal.in_vain", { name }))),
    mine && h("p", { class: "muted" }, t("appeal.yours_in_vain")),
    (me.plays || me.host) && h("div", { class: "choices" },
      play && h("button", { class: "act", type: "button", onclick: () => { close(); correctCard(board, act, play.ref); } }, t("fix.wrong")),
      me.plays && !me.host && !item.overruled && item.tier !== "note" && !board().appeal && !mine && h("button", { class: "act strong", type: "button", "data-key": "appeal", onclick: tapping(async () => (await post("/api/appeal", { ruling: item.id })) && (close(), window.scrollTo(0, 0), true)) }, t("appeal.open")),
      me.host && !item.overruled && h("button", { class: "act strong", type: "button", onclick: tapping(async () => (await act("override", { what: "void", ref: item.ref, player: item.player ?? null })) && (close(), true)) }, t("ruling.overrule"))),
  ].filter(Boolean));
}

/** Says that somebody told another player what to play. */
function suggested(board, act) {
  sheet(t("fix.suggested_title"), (close) => [h("p", { class: "muted" }, t("fix.suggested_note")),
    h("div", { class: "choices" }, board().players.map((player) => h("button", { class: "act", type: "button", "data-key": "said" + player.name, onclick: tapping(async () =>
      (await act("suggestion", { on: player.name })) && (close(), true)) }, player.name)))]);
}
