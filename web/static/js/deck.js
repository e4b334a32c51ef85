// The deck: the camera is shown each face once, and what was seen of it is learned.
import { $, boot, h, t } from "./dom.js";
import { cardName, face } from "./cards.js";
import { deckLine, troubleText } from "./parts.js";
import { pinForm } from "./pin.js";
import { post, sheet, tapping, toast } from "./say.js";
import { put } from "./setup_checks.js";
import { View, polygon } from "./setup_view.js";
import { cue } from "./voice.js";

const LOOK_MS = 400, WAIT_MS = 1500, ALL = boot.faces?.length, GOT_MS = 1600;

let state = boot.deck, drawn = null, update = null, timer = 0, asking = false, wanting = false, got = { n: state?.took.length ?? 0, at: -Infinity };

const nameOf = (name) => name || t("deck.usual_name");
const button = (key, label, work, kind = "") => h("button", { class: "act " + kind, type: "button", "data-key": key, onclick: tapping(work) }, label);

/** Asks for something, and shows what the referee answers. */
async function act(word, body = {}) {
  const answer = await post("/api/deck/" + word, body);
  if (answer) take(answer);
  return answer;
}

async function begin() {
  wanting = Boolean(await act("begin"));
  return wanting;
}

async function pause() {
  wanting = false;
  return act("pause");
}

/** Shows this face next, seen or not. */
const showNext = (card) => async () => (await act("again", { face: card })) && (state.looks || begin());

/** Every face, with those that were seen. */
class Faces {
  constructor() {
    this.buttons = boot.faces.map((card) => h("button", { type: "button", "data-key": card, onclick: tapping(showNext(card)) }, face(card, { label: false })));
    this.node = h("section", {}, h("h2", {}, t("deck.grid")), h("p", { class: "muted" }, t("deck.grid_note")), h("div", { class: "all-faces" }, this.buttons));
  }

  update() {
    const seen = new Set(state.seen), next = state.looks ? state.wanted[0] : null;
    boot.faces.forEach((card, i) => {
      const button = this.buttons[i], kinds = [seen.has(card) && "seen", card === next && "next"].filter(Boolean).join(" ");
      button.classList.remove("seen", "next"); // and leave alone what a tap shows
      if (kinds) button.classList.add(...kinds.split(" "));
      button.setAttribute("aria-label", t(card === next ? "deck.face.wanted" : seen.has(card) ? "deck.face.seen" : "deck.face.missing", { card: cardName(card) }));
    });
  }
}

/** How many were seen. */
class Far {
  constructor() {
    this.text = h("b", {});
    this.bar = h("progress", { max: ALL, value: 0, "aria-label": t("deck.bar") });
    this.node = h("div", { class: "far" }, h("p", {}, h("span", {}, t("deck.bar")), this.text), this.bar);
  }

  update() {
    this.text.textContent = t("deck.progress", { n: state.seen.length, all: ALL });
    this.bar.value = state.seen.length;
  }
}

const warnings = () => [state.trouble && h("p", { class: "warn", role: "alert" }, t("deck.trouble." + state.trouble)), state.camera.trouble && h("p", { class: "warn" }, troubleText(state.camera.trouble))];

/** What is in the way of the look, or that it was taken. */
function advice(card) {
  const { facts } = state;
  if (state.hand_shown) return t("setup.hand_shown");
  if (!facts || facts.wanted !== card) return facts ? "" : t("setup.waiting");
  return facts.fault ? t("deck.fault." + facts.fault, { seen: facts.seen ? cardName(facts.seen) : "", wanted: cardName(card) }) : "";
}

function looking() {
  const view = new View(t("setup.preview"), t("setup.waiting"), 0, "/api/deck/picture.jpg"), faces = new Faces(), far = new Far();
  const card = h("div", {}), words = h("div", {}), said = h("div", { class: "say", role: "status" }), wanted = h("div", { class: "wanted" }, card, h("div", {}, words, said)), warned = h("div", { class: "warnings" });
  const skip = button("skip", t("deck.skip"), () => act("skip", { face: state.wanted[0] }));
  const again = button("last", t("deck.last_again"), () => act("again", { face: state.took.at(-1) }));
  return {
    nodes: [view.node, wanted, warned, far.node, faces.node, h("div", { id: "enough" })],
    bar: [skip, again, button("pause", t("deck.pause"), pause, "strong")],
    update() {
      const next = state.wanted[0], { facts } = state, fresh = performance.now() - got.at < GOT_MS;
      view.update(state.n, facts?.size);
      view.draw(facts?.quad && polygon(facts.quad, !facts.fault || facts.fault === "same" ? "read sure" : "read"));
      put(card, next, () => next && face(next, { label: false }));
      put(words, next, () => next && [h("small", {}, t("deck.show")), h("b", {}, cardName(next))]);
      const text = advice(next), took = fresh && state.took.at(-1);
      put(said, [took, text], () => [took && h("p", { class: "took" }, "✓ ", t("deck.took", { card: cardName(took) })), !took && text && h("p", {}, text)]);
      wanted.classList.toggle("got", fresh);
      put(warned, [state.trouble, state.camera.trouble], warnings);
      again.hidden = !state.took.length;
      put($("enough"), state.seen.length, () => state.seen.length && [button("finish", t("deck.finish", { n: state.seen.length, all: ALL }), () => act("finish"), "wide"), h("p", { class: "muted" }, t("deck.finish_note"))]);
      faces.update();
      far.update();
    },
  };
}

/** Asks once more before something is forgotten. */
const sure = (word, note, after = () => true) => () => {
  sheet(t("deck." + (word === "restart" ? "start_over" : word)), (close) => [h("p", {}, note()), h("div", { class: "choices" },
    button("sure", t("deck." + (word === "restart" ? "start_over" : word)), async () => (await act(word)) && (close(), after(), true), "strong"),
    h("button", { class: "act", type: "button", onclick: close }, t("play.close")))]);
  return null;
};

function resting() {
  const faces = new Faces(), far = new Far(), about = h("section", {}), main = h("div", {}), warned = h("div", { class: "warnings" }), more = h("div", { class: "choices" });
  const name = h("input", { id: "deck-name", maxlength: 24, autocomplete: "off", spellcheck: "false", value: nameOf(state.name) });
  const rename = async () => {
    const answer = await act("name", { name: name.value });
    if (answer) toast(t("deck.renamed", { name: answer.name }));
    return answer;
  };
  name.addEventListener("change", rename);
  const start = async () => (state.name || (await act("name", { name: name.value }))) && begin();
  return {
    nodes: [about, warned, h("section", {}, h("label", { for: "deck-name" }, t("deck.name")), name), far.node, faces.node, more],
    bar: [main],
    update() {
      const { deck: used, open, seen, wanted } = state, complete = !wanted.length;
      put(about, [used, open, complete], () => [h("p", { class: "lead" }, t("deck.lead")), h("p", {}, t("deck.how")), h("p", { class: "muted" }, deckLine(used, ALL)),
        complete && open && h("p", { class: "lead good" }, t("deck.all_seen"))]);
      put(warned, [state.playing, state.trouble, state.camera.trouble], () => [h("p", state.playing ? { class: "warn" } : { class: "muted" }, t(state.playing ? "deck.playing" : "deck.not_watching")), warnings()]);
      put(main, [complete, open, seen.length > 0], () => {
        const on = (kind) => !complete && button("begin", t(seen.length ? "deck.go_on" : "deck.begin"), start, kind);
        const learn = open && seen.length > 0 && button("finish", complete ? t("deck.finish_all") : t("deck.finish", { n: seen.length, all: ALL }), () => act("finish"), complete ? "strong" : "");
        return [learn, on("strong"), complete && !open && h("a", { class: "act strong", href: "/play" }, t("deck.to_table"))];
      });
      main.className = "pair";
      put(more, [seen.length, Boolean(used)], () => [
        seen.length > 0 && button("restart", t("deck.start_over"), sure("restart", () => t("deck.start_over_note", { n: state.seen.length })), "small"),
        used && button("forget", t("deck.forget"), sure("forget", () => t("deck.forget_note"), () => toast(t("deck.forgotten"))), "small")]);
      if (document.activeElement !== name) name.value = nameOf(state.name);
      faces.update();
      far.update();
    },
  };
}

/** How long the learning still takes, once its pace is known. */
function leftLine(left) {
  if (left === null) return "";
  return left < 90 ? t("deck.left_s", { n: Math.max(10, 10 * Math.ceil(left / 10)) }) : t("deck.left_min", { n: Math.round(left / 60) });
}

function learning() {
  const left = h("p", { class: "left", "aria-live": "off" });
  const said = h("section", { class: "learning", role: "status" }), bar = h("progress", { max: 1, value: 0, "aria-label": t("deck.fitting") }), buttons = h("div", { class: "pair" });
  return {
    nodes: [said, bar, left],
    bar: [buttons],
    update() {
      const { fit } = state, running = fit.state === "running";
      bar.hidden = !running;
      left.textContent = running ? leftLine(fit.left_s) : "";
      if (running) bar.value = fit.share;
      put(said, [fit.state, state.deck], () => {
        if (running) return [h("h2", {}, t("deck.fitting")), h("p", { class: "muted" }, t("deck.fitting_note"))];
        if (fit.state === "failed") return h("p", { class: "warn" }, t("deck.failed." + fit.why));
        return [h("p", { class: "lead" }, t("deck.learned", { name: nameOf(state.deck?.name) })), h("p", { class: "gain" }, t("deck.gain", { n: fit.faces, before: fit.before, now: fit.now }))];
      });
      put(buttons, fit.state, () => [
        fit.state === "failed" && button("retry", t("deck.retry"), () => act("finish"), "strong"),
        button("stop", t(running ? "deck.stop" : "setup.back"), () => act("stop")),
        fit.state === "done" && h("a", { class: "act strong", href: "/play" }, t("deck.to_table"))]);
    },
  };
}

/** What the referee said last. */
function take(next) {
  if (next.took.length > got.n) {
    got = { n: next.took.length, at: performance.now() };
    cue();
    setTimeout(() => draw(), GOT_MS + 30);
  } else got.n = next.took.length;
  state = next;
  if (state.fit || !state.wanted.length) wanting = false;
  draw();
  clearTimeout(timer);
  timer = setTimeout(ask, state.looks ? LOOK_MS : WAIT_MS);
}

function draw() {
  const kind = state.fit ? learning : state.looks ? looking : resting;
  if (kind !== drawn) {
    drawn = kind;
    const made = kind();
    update = made.update;
    $("main").replaceChildren(...made.nodes, h("div", { class: "go" }, h("div", {}, made.bar)));
    window.scrollTo(0, 0);
  }
  update();
}

async function ask() {
  clearTimeout(timer);
  if (asking || document.visibilityState === "hidden") return;
  asking = true;
  let next = null;
  try {
    const answer = await fetch("/api/deck", { cache: "no-store" });
    if (answer.status === 403) location.reload();
    else if (answer.ok) next = await answer.json();
  } catch {
    // the network is away for a moment: the next question tells
  } finally {
    asking = false;
  }
  if (!next) timer = setTimeout(ask, WAIT_MS);
  else if (wanting && !next.looks && !next.fit && next.wanted.length) begin(); // the phone slept, and the referee had given it up
  else take(next);
}

document.addEventListener("visibilitychange", ask);
// Whoever leaves for the game wants it watched at once, not when the referee has given the phone up; and what was learned is told once.
window.addEventListener("pagehide", () => {
  const last = state?.looks ? "pause" : state?.fit?.state === "done" ? "stop" : null;
  if (last) fetch("/api/deck/" + last, { method: "POST", headers: { "Content-Type": "application/json" }, body: "{}", keepalive: true }).catch(() => null);
});
if (boot.me.host) take(state);
else $("main").replaceChildren(...[pinForm(boot.board.unclaimed)].flat());
