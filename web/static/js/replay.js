// A hand again, play by play: forwards and back with buttons, a slider or the arrow keys.
import { h, t } from "./dom.js";
import { colourInForce, face } from "./cards.js";
import { percent, ruleLine } from "./parts.js";

const PLAY_MS = 1500;

/** The steps of a hand as a small theatre; `line(step)` says what happened in one. */
export function replayOf(steps, line) {
  let at = 0, timer = 0;
  const stage = h("div", { class: "stage", "aria-live": "polite" });
  const slider = h("input", { type: "range", min: 0, max: steps.length - 1, value: 0, "aria-label": t("history.step"), oninput: (event) => { stop(); go(Number(event.target.value)); } });
  const list = h("ol", { class: "steps" }, steps.map((step, i) => h("li", {}, h("button", { class: "row", type: "button", onclick: () => { stop(); go(i); } },
    step.card ? face(step.card, { label: false }) : h("span", { class: "no-card", "aria-hidden": "true" }, "·"),
    h("span", {}, line(step), step.rulings.some((one) => one.tier === "call") && h("small", {}, step.rulings.filter((one) => one.tier === "call").map((one) => one.text).join(" ")))))));
  const control = (label, sign, work) => h("button", { class: "x", type: "button", "aria-label": label, onclick: () => { stop(); work(); } }, sign);
  const run = h("button", { class: "act", type: "button", onclick: () => (timer ? stop() : start()) }, t("history.play"));

  function stop() {
    clearInterval(timer);
    timer = 0;
    run.textContent = t("history.play");
  }
  function start() {
    if (at === steps.length - 1) go(0);
    timer = setInterval(() => (at < steps.length - 1 ? go(at + 1) : stop()), PLAY_MS);
    run.textContent = t("history.halt");
  }
  function go(to) {
    at = Math.min(Math.max(to, 0), steps.length - 1);
    const step = steps[at], after = step.after, turn = after.turn;
    slider.value = at;
    slider.setAttribute("aria-valuetext", line(step));
    stage.replaceChildren(
      h("div", { class: "picture" },
        after.top ? face(after.top, { named: after.top[0] === "W" ? after.colour : null }) : h("div", { class: "face empty" }, t("pile.empty")),
        step.photo && h("img", { class: "evidence", src: `/photo/${encodeURIComponent(step.photo)}.jpg`, alt: t("ruling.photo"), onerror: (event) => event.target.replaceWith(h("p", { class: "muted" }, t("history.photo_gone"))) })),
      h("p", { class: "what" }, h("b", {}, line(step)), step.confidence !== null && step.confidence < 1 && h("small", {}, ` ${percent(step.confidence)}`)),
      h("ul", { class: "said" }, step.rulings.map((one) => h("li", { class: `ruling ${one.tier}${one.overruled ? " overruled" : ""}` }, h("span", { class: "words" }, h("b", {}, one.text), h("small", {}, ruleLine(one.section)))))),
      colourInForce(after.colour),
      h("ul", { class: "counts" }, Object.entries(after.counts).map(([name, [lo, hi]]) => h("li", { class: name === turn ? "turn" : "" }, `${name} `, h("b", {}, lo === hi ? lo : `${lo}–${hi}`)))));
    for (const [i, item] of [...list.children].entries()) item.firstChild.toggleAttribute("aria-current", i === at);
    const row = list.children[at];
    list.scrollTo({ top: row.offsetTop - list.clientHeight / 2, behavior: matchMedia("(prefers-reduced-motion: reduce)").matches ? "auto" : "smooth" });
  }

  document.addEventListener("keydown", (event) => {
    const way = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (!way || event.target === slider || event.altKey || event.ctrlKey || event.metaKey) return;
    stop();
    go(at + way);
  });
  go(0);
  return h("div", { class: "theatre" }, stage,
    h("div", { class: "controls" }, control(t("history.first"), "«", () => go(0)), control(t("history.back"), "‹", () => go(at - 1)), run, control(t("history.on"), "›", () => go(at + 1)), control(t("history.last"), "»", () => go(steps.length - 1))),
    slider, list);
}
