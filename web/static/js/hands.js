// A hand shown to the camera: what it reads, card by card, until somebody takes it. In a challenge only the challenger sees it.
import { h, t } from "./dom.js";
import { cardName, face } from "./cards.js";
import { pickCard } from "./repair.js";
import { post, sheet, tapping } from "./say.js";

const POLL_MS = 800;
const rankOf = (card) => (card[0] === "W" ? card : card.slice(1));

/** What is still in doubt, in words. */
function doubts(hand) {
  return hand.doubts.map((doubt) => t("hand." + doubt, { n: hand.cards.length, expected: hand.expected ? [...new Set(hand.expected)].join("–") : "", places: hand.separate.join(", ") }));
}

/** Opens the sheet in which `player` shows the hand; wilds: of the deck; challenger: who judges it in a challenge. */
export async function showHand(player, wilds, challenger = null) {
  if (!(await post("/api/hand/begin", { player }))) return null;
  let timer = 0, taken = false, looksOn = false, drawn = null, worth = {}, mine = null; // `mine`: the cards as a person put them right; the camera is not asked any more
  const picture = h("img", { class: "evidence", alt: t("hand.picture", { name: player }), hidden: true });
  const place = h("div", { class: "shown", "aria-live": "polite" });
  const box = sheet(t("hand.title", { name: player }), (close) => {
    const take = async () => {
      if (!(await post("/api/hand/accept", mine ? { cards: mine } : {}))) return null;
      taken = true;
      close();
      return true;
    };
    const put = (cards, i, ...instead) => {
      mine = [...cards];
      mine.splice(i, 1, ...instead);
      draw({ cards: mine, doubts: [], separate: [], settled: !mine.includes("?") });
      return true;
    };
    const change = (cards, i) => pickCard(t("hand.which"), wilds, async (card) => put(cards, i, card),
      i < cards.length && [t("hand.none"), async () => put(cards, i)]);
    const draw = (hand) => {
      if (JSON.stringify(hand) === drawn) return; // asked anew again and again, and whoever uses the keyboard stays where they are
      drawn = JSON.stringify(hand);
      const focused = place.contains(document.activeElement) ? document.activeElement.dataset.key : null;
      worth = hand.worth ?? worth; // of each rank by the rules of this table
      const points = hand.cards.reduce((sum, card) => sum + (worth[rankOf(card)] ?? 0), 0);
      place.replaceChildren(...[
        h("div", { class: "pick-row" }, hand.cards.map((card, i) => h("button", { class: "pick" + (hand.separate.includes(i + 1) ? " doubt" : ""), type: "button", "data-key": "card" + i, "aria-label": t("hand.change", { card: cardName(card) }), onclick: () => change(hand.cards, i) }, face(card, { label: false }))),
          h("button", { class: "act small", type: "button", "data-key": "add", onclick: () => change(hand.cards, hand.cards.length) }, t("hand.add"))),
        ...doubts(hand).map((text) => h("p", { class: "muted" }, text)),
        h("div", { class: "choices" },
          h("button", { class: "act strong", type: "button", "data-key": "take", disabled: !hand.cards.length || hand.cards.includes("?"), onclick: tapping(take) }, challenger ? t("hand.judge") : t("hand.take", { n: points })))].filter(Boolean));
      if (focused) place.querySelector(`[data-key="${focused}"]`)?.focus();
    };
    const ask = async () => {
      if (mine) return;
      const answer = await fetch("/api/hand", { cache: "no-store" }).catch(() => null);
      const hand = answer?.ok ? (await answer.json()).hand : null;
      if (mine) return;
      if (!hand) {
        if (answer?.ok) close();
      } else if (looksOn = Boolean(hand.hidden)) place.replaceChildren(h("p", { class: "lead" }, t("hand.hidden", { name: challenger ?? "" })));
      else {
        picture.hidden = false;
        picture.src = `/api/hand/picture.jpg?at=${Date.now()}`;
        draw(hand);
      }
    };
    timer = setInterval(ask, POLL_MS);
    ask();
    return [h("p", { class: "muted" }, t("hand.how")), picture, place];
  });
  picture.addEventListener("error", () => { picture.hidden = true; });
  box.addEventListener("close", () => {
    clearInterval(timer);
    if (!taken && !looksOn) post("/api/hand/cancel");
  });
  return true;
}
