// The big screen: readable from three metres, touched by nobody.
import { $, boot, h, show, t } from "./dom.js";
import { appealStrip } from "./appeal.js";
import { follow } from "./live.js";
import { announce, eyeChip, handIsOver, handLine, hasGame, phaseLine, photoAsked, pile, playerList, questionNow, ruling, troubleChip, whoActs } from "./parts.js";
import { roundLine, sides, standings } from "./teams.js";
import { voiceButton } from "./voice.js";

const RULINGS = 3, CALL_STAYS = 6, CALL_PLAYS = 3; // of this many rulings, and until this many cards have landed

function invitation(board) {
  return h("div", { class: "invitation" },
    h("img", { src: "/qr.svg", alt: t("join.qr") }),
    h("div", {},
      h("h2", {}, t("board.scan")),
      h("p", { class: "address" }, boot.address.replace("http://", "")),
      h("p", { class: "muted" }, t("join.same_network")),
      h("p", { class: "code" }, t("claim.board", { code: boot.code })),
      board.unclaimed ? h("p", { class: "unready" }, t("host.none_board")) : !boot.ready && h("p", { class: "unready" }, t("service.not_set_up")),
      board.people.length ? h("p", { class: "here" }, t("board.here", { names: board.people.join(", ") })) : null));
}

/** The newest of this hand first, but what was announced stays a while in front of the few notes that follow from it. */
function newest(board) {
  const rulings = board.rulings.filter((item) => item.hand === board.hand), since = board.plays[CALL_PLAYS - 1]?.ref ?? 0;
  const announced = rulings.slice(0, CALL_STAYS).find((item) => item.tier !== "note" && !item.overruled && item.ref >= since);
  return announced ? [announced, ...rulings.filter((item) => item !== announced)] : rulings;
}

function news(board, question) {
  const parts = [];
  const appeal = appealStrip(board);
  if (appeal) parts.push(appeal);
  else if (board.paused) parts.push(h("p", { class: "strip pause" }, t("board.paused")));
  else if (question) parts.push(h("p", { class: "strip ask" }, h("b", {}, "?"), h("span", {}, question.text), photoAsked(board, question)));
  const sorted = newest(board), wide = Boolean(sorted[0]?.photo && sorted[0].tier === "call");
  const shown = sorted.slice(0, RULINGS - parts.length - (wide ? 1 : 0));
  parts.push(shown.length ? h("ul", { class: "rulings" }, shown.map((item) => ruling(board, item))) : h("p", { class: "muted" }, t("ruling.none")));
  return parts;
}

function draw(board) {
  const game = hasGame(board), question = questionNow(board, () => draw(board));
  document.body.className = `board ${game ? "game" : "lobby"} force-${game && !handIsOver(board) ? board.colour ?? "none" : "none"}`;
  $("hand").textContent = game ? roundLine(board) ?? handLine(board) : "";
  show("eye", [board.paused, board.eye.state, board.eye.detail, board.troubles], () => [eyeChip(board), troubleChip(board)]);
  show("pile", [game, board.top, board.colour, board.pending, board.direction, board.draw_pile, game || [board.people, board.unclaimed]],
    () => (game ? [pile(board), h("div", { class: "join-small" }, h("img", { src: "/qr.svg", alt: t("join.qr") }), h("p", {}, t("board.join_at"), h("b", {}, boot.address.replace("http://", "")), h("b", {}, t("claim.board", { code: boot.code }))))] : invitation(board)));
  show("players", [board.players, phaseLine(board), whoActs(board), board.phase, board.winner, board.game_winner, board.wd4, board.question?.player, board.elsewhere],
    () => (game ? [h("div", { class: "tv-line" }, h("h2", { class: "phase" + (handIsOver(board) ? " won" : "") }, phaseLine(board)),
      h("p", { class: "heads", "aria-hidden": "true" }, h("span", {}, t("board.cards")), h("span", {}, t("board.points")))), sides(board), playerList(board), standings(board)] : []));
  show("news", [board.rulings, board.hand, question, board.paused, board.plays, board.appeal], () => (game ? news(board, question) : []));
  announce(board);
}

$("voice").replaceChildren(voiceButton(() => ({ text: t("app.name"), language: boot.board.lang })));

follow(draw);
