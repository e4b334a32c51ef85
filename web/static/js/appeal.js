// An open appeal: the ruling that is doubted, its photo, and the votes of the phones.
import { h, t } from "./dom.js";
import { aboutCard } from "./parts.js";
import { post, tapping, toast } from "./say.js";

let last = null; // the appeal that was shown before, to say how it ended

const rulingOf = (board, appeal) => board.rulings.find((item) => item.id === appeal.ruling);

function tally(appeal) {
  const votes = Object.values(appeal.votes);
  return t("appeal.votes", { yes: votes.filter(Boolean).length, no: votes.filter((vote) => !vote).length, needed: appeal.needed });
}

/** The box on a phone. `me` is who holds it. */
export function appealBox(board, me) {
  const appeal = board.appeal, item = appeal && rulingOf(board, appeal);
  if (!item) return [];
  const vote = (overrule) => tapping(() => post("/api/appeal/vote", { overrule }));
  const mine = appeal.votes[me.name];
  const lonely = appeal.voters.length < appeal.needed;
  return h("div", { class: "ask-box appeal" },
    h("p", {}, h("b", { "aria-hidden": "true" }, "!"), h("span", {}, t("appeal.by", { name: appeal.by }))),
    item.photo && h("img", { class: "evidence", src: `/photo/${encodeURIComponent(item.photo)}.jpg`, alt: t("ruling.photo") }),
    h("p", { class: "doubted" }, item.text),
    me.plays || me.host ? h("div", { class: "choices" },
      h("button", { class: "act", type: "button", "data-key": "stands", "aria-pressed": String(mine === false), onclick: vote(false) }, t(aboutCard(item) ? "appeal.card_back" : "appeal.stands")),
      h("button", { class: "act", type: "button", "data-key": "overrule", "aria-pressed": String(mine === true), onclick: vote(true) }, t(aboutCard(item) ? "appeal.card_counts" : "appeal.overrule"))) : null,
    h("p", { class: "muted" }, lonely ? t("appeal.host_decides") : tally(appeal)),
    appeal.by === me.name && h("button", { class: "act small quiet", type: "button", "data-key": "drop", onclick: tapping(() => post("/api/appeal/drop")) }, t("appeal.drop")));
}

/** The line on the big screen. */
export function appealStrip(board) {
  const item = board.appeal && rulingOf(board, board.appeal);
  return item && h("p", { class: "strip ask" }, h("b", {}, "!"), h("span", {}, `${t("appeal.by", { name: board.appeal.by })} ${item.text} `, h("small", {}, tally(board.appeal))));
}

/** Says once how an appeal ended. */
export function sayOutcome(board) {
  const ended = last && board.appeal?.ruling !== last.ruling && rulingOf(board, last);
  if (ended) toast(t(ended.overruled ? "appeal.overruled" : "appeal.stood"));
  last = board.appeal;
}
