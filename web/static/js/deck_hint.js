// Tells a host once in a game that the referee should be shown the deck.
import { h, t } from "./dom.js";
import { cardName } from "./cards.js";
import { post, tapping } from "./say.js";

const MOST = 6; // faces that are named: more make a list that nobody reads

export function deckHint(board, host) {
  const hint = host && board.deck_hint;
  if (!hint) return null;
  const { unsure, of, faces } = hint, cards = faces.slice(0, MOST).map(cardName).join(", ");
  return h("div", { class: "unready deck-hint", role: "status" }, h("p", {}, cards ? t("deck.hint_again", { unsure, of, cards }) : t("deck.hint", { unsure, of })),
    h("a", { class: "act small", href: "/deck" }, t("deck.open")),
    h("button", { class: "act small quiet", type: "button", "data-key": "hush", onclick: tapping(() => post("/api/deck/hush")) }, t("deck.hint_no")));
}
