// Steps that only look: camera and light, twelve cards, the buttons.
import { h, t } from "./dom.js";
import { cardName, face } from "./cards.js";
import { percent, troubleText } from "./parts.js";
import { View, polygon } from "./setup_view.js";

const TWELVE = 12;

/** What to mend, in words; `good` is said when there is nothing. */
export function adviceList(advice, good = null) {
  const rows = advice.map((one) => h("li", {}, t("advice." + one.code, { n: one.n, side: one.side && t("side." + one.side) })));
  if (!rows.length && good) rows.push(h("li", { class: "good" }, good));
  return h("ul", { class: "advice" }, rows);
}

/** Replaces the children of `place` when the facts changed, so that a screen reader is not told twice. */
export function put(place, facts, build) {
  const key = JSON.stringify(facts);
  if (place.facts === key) return;
  place.facts = key;
  place.replaceChildren(...[build()].flat(3).filter(Boolean));
}

/** Why there is no picture, if there is none. */
export function troubleOf(state) {
  const trouble = state.camera.trouble;
  if (trouble) return troubleText(trouble);
  if (state.hand_shown) return t("setup.hand_shown");
  if (state.deck_shown) return t("setup.deck_shown");
  return state.facts ? null : t("setup.waiting");
}

export function cameraStep(wizard) {
  const view = new View(t("setup.preview"), t("setup.waiting")), said = h("div", { role: "status" });
  return {
    nodes: [h("p", {}, t("setup.camera_lead")), view.node, said, h("p", { class: "muted" }, t("setup.not_watching"))],
    update(state) {
      const trouble = troubleOf(state), advice = state.facts?.advice ?? [];
      if (trouble || advice.length) wizard.settled.delete("camera");
      else wizard.settled.add("camera");
      view.update(state.n, state.facts?.size);
      put(said, [trouble, advice], () => (trouble ? h("ul", { class: "advice" }, h("li", {}, trouble)) : adviceList(advice, t("setup.light_good"))));
    },
  };
}

export function cardsStep(wizard) {
  const view = new View(t("setup.preview"), t("setup.waiting"));
  const said = h("div", { role: "status" }), list = h("ul", { class: "read-cards" }), count = h("p", { class: "count", role: "status" });
  const bar = h("meter", { min: 0, max: TWELVE, value: 0, "aria-label": t("setup.cards_seen") });
  let read = new Map();
  const again = h("button", { class: "act small", type: "button", onclick: () => { read = new Map(); list.facts = null; if (wizard.state) step.update(wizard.state); } }, t("setup.again"));
  const step = {
    look: "cards",
    nodes: [h("p", {}, t("setup.cards_lead")), view.node, count, bar, said, h("h3", {}, t("setup.cards_seen")), list, again],
    update(state) {
      const cards = state.facts?.cards ?? [], trouble = troubleOf(state);
      view.update(state.n, state.facts?.size);
      view.draw(cards.map((one) => polygon(one.quad, one.sure ? "read sure" : "read")));
      for (const one of cards) if (one.sure) read.set(one.card, Math.max(one.confidence, read.get(one.card) ?? 0));
      const unsure = cards.filter((one) => !one.sure).map((one) => {
        const [a, b] = [one.card, one.alternatives[0]?.[0]].map((card) => card && cardName(card));
        return b ? t("setup.or", { a, b }) : a;
      });
      const done = read.size >= TWELVE;
      if (done) wizard.settled.add("cards");
      count.textContent = t("setup.cards_count", { n: Math.min(read.size, TWELVE) });
      bar.value = Math.min(read.size, TWELVE);
      put(said, [trouble, unsure, done, state.facts?.advice, cards.length], () => {
        if (trouble) return h("ul", { class: "advice" }, h("li", {}, trouble));
        const rows = (state.facts?.advice ?? []).map((one) => h("li", {}, t("advice." + one.code, { n: one.n, side: one.side && t("side." + one.side) })));
        rows.push(...unsure.map((what) => h("li", {}, t("setup.unsure", { cards: what }))));
        if (done) rows.unshift(h("li", { class: "good" }, t("setup.cards_good")));
        else if (!cards.length) rows.push(h("li", {}, t("setup.cards_none")));
        return h("ul", { class: "advice" }, rows);
      });
      put(list, [...read], () => [...read].map(([card, p]) => h("li", {}, face(card), h("small", {}, percent(p)))));
    },
  };
  return step;
}

export function buttonsStep(wizard) {
  const place = h("div", { role: "status" });
  let first = null;
  return {
    look: "buttons",
    nodes: [h("p", {}, t("setup.buttons_lead")), place],
    update(state) {
      first ??= state.presses.at(-1)?.n ?? 0;
      const fresh = state.presses.filter((one) => one.n > first);
      put(place, [state.buttons, fresh, state.pin_troubles], () => {
        if (!state.buttons.length) return h("p", { class: "lead" }, t("setup.buttons_none"));
        const times = (one) => fresh.filter((press) => press.seat === one.seat && press.role === one.role).length;
        const last = fresh.at(-1), all = state.buttons.every(times);
        if (all) wizard.settled.add("buttons");
        return [
          h("ul", { class: "set-buttons" }, state.buttons.map((one) => {
            const n = times(one), hot = last && last.seat === one.seat && last.role === one.role;
            return h("li", { class: [n && "ok", hot && "flash"].filter(Boolean).join(" ") }, h("span", { class: "tick", "aria-hidden": "true" }, n ? "✓" : "○"),
              h("span", {}, h("b", {}, one.seat === null ? t("setup.button_table") : t("setup.button_seat", { n: one.seat })),
                h("small", {}, t("setup.button_role", { role: t("role." + one.role), pin: one.pin }), " · ", n ? t("setup.pressed", { n }) : t("setup.not_pressed"))));
          })),
          h("ul", { class: "advice" }, state.pin_troubles.map((one) => h("li", {}, troubleText(one))), all && h("li", { class: "good" }, t("setup.buttons_good"))),
        ];
      });
    },
  };
}
