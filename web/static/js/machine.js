// The machine: camera, buttons, lamp. What is kept is in force after the referee has started again.
import { $, boot, h, t } from "./dom.js";
import { deckLink } from "./parts.js";
import { pinForm } from "./pin.js";
import { post, tapping, toast } from "./say.js";

const ASK_MS = 1000, LANGUAGES = { en: "English", de: "Deutsch", es: "Español" };
const changes = {};

const idOf = (field) => "field-" + field.name.replace(".", "-");
const unitOf = (field) => boot.phrases["unit." + field.unit] ?? field.unit;

/** Whether a number, or each of several, lies within the field's bounds. */
const fits = (field, value) => field.low === null || [value].flat().every((one) => one >= field.low && one <= field.high);

const same = (a, b) => JSON.stringify(a) === JSON.stringify(b);

/** A value as people write it. */
function written(value) {
  if (Array.isArray(value)) return value.length ? value.join(", ") : t("machine.none");
  if (typeof value === "boolean") return t(`value.${value}`);
  return LANGUAGES[value] ?? String(value);
}

/** The input of a field. `set` takes what was entered, as the configuration has it. */
function entry(field, id, now, set) {
  const props = { id, "aria-describedby": id + "-note" };
  if (field.kind === "true or false" || field.choices.length) {
    const values = field.choices.length ? field.choices : [true, false];
    return h("select", { ...props, onchange: (event) => set(values[event.target.selectedIndex]) }, values.map((value) => h("option", { selected: value === now }, written(value))));
  }
  if (Array.isArray(now)) return h("input", { ...props, inputmode: "numeric", autocomplete: "off", value: now.join(", "), onchange: (event) => set(event.target.value.split(/[\s,;]+/).filter(Boolean).map(Number)) });
  if (typeof now === "number") return h("input", { ...props, type: "number", inputmode: "decimal", min: field.low, max: field.high, step: "any", value: now, onchange: (event) => set(Number(event.target.value)) });
  return h("input", { ...props, autocomplete: "off", autocapitalize: "off", spellcheck: "false", list: id + "-list", value: now, onchange: (event) => set(event.target.value.trim()) });
}

function row(field) {
  const id = idOf(field), shown = h("small", { hidden: true }), unit = field.unit ? ` (${unitOf(field)})` : "";
  const box = h("div", { class: "option" }, h("label", { for: id }, t("machine." + field.name) + unit), h("small", { id: id + "-note" }, t(`machine.${field.name}.note`)),
    entry(field, id, field.value, (value) => {
      if (same(value, field.value)) delete changes[field.name];
      else changes[field.name] = value;
      mark();
    }),
    field.name === "camera.source" && h("datalist", { id: id + "-list" }, h("option", { value: "pi" }), boot.machine.cameras.map((one) => h("option", { value: one.source }, one.name))), shown);
  const mark = () => {
    const value = changes[field.name] ?? field.value;
    box.classList.toggle("changed", field.name in changes);
    shown.hidden = same(value, field.default);
    shown.textContent = t("setup.usual", { value: written(field.default) });
  };
  mark();
  return box;
}

/** Waits until the referee answers again after its new start, then goes on. */
async function comeBack(next) {
  for (;;) {
    await new Promise((done) => setTimeout(done, ASK_MS));
    try {
      const answer = await fetch("/api/machine");
      if (answer.ok && (await answer.json()).started !== boot.machine.started) return location.assign(next);
    } catch { /* it is not there yet */ }
  }
}

async function keep() {
  if (!Object.keys(changes).length) {
    toast(t("machine.nothing"));
    return false;
  }
  const wrong = boot.machine.fields.find((field) => field.name in changes && !fits(field, changes[field.name]));
  if (wrong) {
    toast(t("machine.range", { field: t("machine." + wrong.name), low: wrong.low, high: wrong.high, unit: unitOf(wrong) }), "bad");
    $(idOf(wrong)).focus();
    return false;
  }
  const kept = await post("/api/machine", { fields: changes });
  if (!kept) return false;
  fetch("/api/machine/restart", { method: "POST", headers: { "Content-Type": "application/json" }, body: "{}" }).catch(() => null); // its answer may be cut off
  $("main").replaceChildren(h("p", { class: "lead", role: "status" }, t("machine.restarting")), kept.set_up_again && h("p", {}, t("machine.set_up_again")));
  await comeBack(kept.set_up_again ? "/setup" : "/machine");
  return true;
}

function draw() {
  const sections = [...new Set(boot.machine.fields.map((field) => field.name.split(".")[0]))];
  $("main").replaceChildren(
    h("p", {}, t("machine.lead")),
    h("div", { class: "options" }, sections.map((section) => h("fieldset", {}, h("legend", {}, t("machine." + section)), boot.machine.fields.filter((field) => field.name.startsWith(section + ".")).map(row)))),
    h("section", {}, h("h2", {}, t("machine.wiring")), h("a", { href: "/machine/wiring.svg" }, h("img", { class: "wiring", src: "/machine/wiring.svg", alt: t("machine.wiring_alt") }))),
    deckLink(),
    h("div", { class: "go" }, h("div", {}, h("button", { class: "act strong", type: "button", "data-key": "keep", onclick: tapping(keep) }, t("machine.keep")))));
}

if (boot.machine) draw();
else $("main").replaceChildren(...[pinForm(boot.board.unclaimed)].flat());
