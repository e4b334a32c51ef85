// The wizard: one step at a time, each of them left and come back to at will.
import { $, boot, h, t } from "./dom.js";
import { byPhone } from "./parts.js";
import { pinForm } from "./pin.js";
import { post } from "./say.js";
import { seatsStep, pilesStep, tableStep } from "./setup_table.js";
import { buttonsStep, cameraStep, cardsStep } from "./setup_checks.js";
import { rulesStep } from "./setup_rules.js";

const ASK_MS = 700, KEPT = "setup.kept";
const STEPS = { camera: cameraStep, table: tableStep, piles: pilesStep, seats: seatsStep, cards: cardsStep, buttons: buttonsStep, rules: rulesStep, done: doneStep };
const BY_PHONE = byPhone(boot.board), BY_CAMERA = ["camera", "table", "piles", "seats", "cards"];
const NAMES = Object.keys(STEPS).filter((name) => !(BY_PHONE && BY_CAMERA.includes(name)));

/** What every step shares: what the referee said last, what is settled, and the ways on. */
export const wizard = {
  state: null,
  settled: new Set(),
  go,
  next: () => go(NAMES[Math.min(NAMES.indexOf(current) + 1, NAMES.length - 1)]),
  /** Keeps a calibration; true when the referee watches with it. */
  async keep(calibration) {
    const answer = await post("/api/setup/calibration", calibration);
    if (!answer) return false;
    wizard.state.calibration = calibration;
    wizard.state.ready = answer.ready;
    wizard.settled.add(current);
    return true;
  },
};

let current = NAMES[0], step = null, timer = 0, asking = false;

/** Steps that were passed over. Where the table was known before, its piles and seats are as they were then. */
function leftOut() {
  const { calibration, buttons = [] } = wizard.state ?? {}, { settled } = wizard;
  const before = calibration && !settled.has("table");
  const done = { table: before, piles: before, seats: before && calibration.seats.length > 1, buttons: !buttons.length };
  return NAMES.filter((name) => name !== "done" && !settled.has(name) && !done[name]);
}

function doneStep() {
  const ready = wizard.state?.ready ?? boot.ready, open = ready ? leftOut() : [];
  post("/api/setup/end");
  return {
    nodes: [h("p", { class: "lead" }, t(ready ? "setup.done_lead" : "setup.done_not_yet")),
      open.length ? h("div", { class: "left-out" }, h("h3", {}, t("setup.left_out")), h("div", { class: "choices" }, open.map((name) =>
        h("button", { class: "act small", type: "button", "data-key": "to-" + name, onclick: () => go(name) }, t("setup." + name))))) : null,
      h("div", { class: "choices tall" }, ready
        ? [h("a", { class: "act strong", href: "/host" }, t("setup.start_game")), h("a", { class: "act", href: "/" }, t("join.invite")), !BY_PHONE && h("a", { class: "act", href: "/deck" }, t("deck.open"))]
        : h("button", { class: "act strong", type: "button", onclick: () => go("table") }, t("setup.to_table")))],
  };
}

function go(name) {
  current = name;
  sessionStorage.setItem(KEPT, JSON.stringify({ name, settled: [...wizard.settled] }));
  step = STEPS[name](wizard);
  const at = NAMES.indexOf(name);
  const dots = NAMES.map((one, i) => h("button", { type: "button", class: wizard.settled.has(one) ? "ok" : null, "aria-current": one === name && "step", "aria-label": `${i + 1}. ${t("setup." + one)}`, onclick: () => go(one) }, i + 1));
  const buttons = [at > 0 && h("button", { class: "act", type: "button", "data-key": "back", onclick: () => go(NAMES[at - 1]) }, t("setup.back")),
    name !== "done" && (step.main ?? h("button", { class: "act strong", type: "button", "data-key": "next", onclick: wizard.next }, t("setup.next")))];
  $("main").replaceChildren(h("nav", { class: "steps", "aria-label": t("setup.steps") }, dots),
    h("section", { id: "step" }, h("h2", { tabindex: -1 }, h("small", {}, t("setup.step", { n: at + 1, all: NAMES.length })), t("setup." + name)), BY_PHONE && at === 0 && h("p", { class: "muted" }, t("setup.no_camera")), step.nodes),
    h("div", { class: "go" }, h("div", {}, buttons)));
  dots[at].scrollIntoView({ block: "nearest", inline: "center" });
  window.scrollTo(0, 0);
  if (wizard.state && step.update && (step.look ?? "table") === wizard.looked) step.update(wizard.state);
  ask();
}

/** Asks what the camera sees, for as long as somebody looks at this page. */
async function ask() {
  clearTimeout(timer);
  if (asking || !step?.update || document.visibilityState === "hidden") return;
  asking = true;
  const look = step.look ?? "table", asked = step;
  try {
    const answer = await fetch("/api/setup?look=" + look, { cache: "no-store" });
    if (answer.status === 403) location.reload();
    else if (answer.ok) {
      const state = await answer.json();
      wizard.state = state;
      wizard.looked = look;
      if (asked === step) step.update(state);
    }
  } catch {
    // the network is away for a moment: the next question tells
  } finally {
    asking = false;
    timer = setTimeout(ask, asked === step ? ASK_MS : 0);
  }
}

document.addEventListener("visibilitychange", ask);
// Whoever leaves for the game wants it watched at once, not when the referee has given the phone up.
window.addEventListener("pagehide", () => step && fetch("/api/setup/end", { method: "POST", headers: { "Content-Type": "application/json" }, body: "{}", keepalive: true }).catch(() => null));
if (boot.me.host) {
  const kept = JSON.parse(sessionStorage.getItem(KEPT) ?? "{}");
  kept.settled?.forEach((name) => wizard.settled.add(name));
  go(NAMES.includes(kept.name) && kept.name !== "done" ? kept.name : NAMES[0]);
} else $("main").replaceChildren(...[pinForm(boot.board.unclaimed)].flat());
