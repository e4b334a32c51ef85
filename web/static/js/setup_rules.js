// Deck and rules: a preset, and every rule in words that can be changed.
import { boot, h, t } from "./dom.js";
import { post, tapping } from "./say.js";

export const GROUPS = ["setup", "turn", "effects", "wd4", "uno", "penalties", "house", "exhaustion", "scoring", "teams", "referee"];

/** A value of a rule as people say it. */
export function valueText(value) {
  if (typeof value === "number") return String(value);
  return t(`value.${value}`);
}

export function rulesStep(wizard) {
  const { options_shown: options } = boot.rules, presets = Object.fromEntries(boot.rules.presets.map((one) => [one.name, one.values]));
  let preset = boot.rules.preset, changes = { ...boot.rules.options };
  const usual = (option) => presets[preset][option.name] ?? option.default;
  const note = h("small", { role: "status" }), list = h("div", { class: "options" });
  const reset = h("button", { class: "act wide", type: "button", onclick: () => { changes = {}; draw(); } }, t("setup.reset"));

  function row(option) {
    const now = changes[option.name] ?? usual(option), id = "option-" + option.name, changed = now !== usual(option);
    const set = (value) => {
      if (value === usual(option)) delete changes[option.name];
      else changes[option.name] = value;
      draw();
      list.querySelector("#" + id)?.focus();
    };
    const field = option.values.length
      ? h("select", { id, onchange: (event) => set(option.values[event.target.selectedIndex]) }, option.values.map((value) => h("option", { selected: value === now }, valueText(value))))
      : h("input", { id, type: "number", inputmode: "decimal", min: option.least, step: option.name.endsWith("_s") ? "any" : 1, required: true, value: now,
        onchange: ({ target }) => (target.checkValidity() ? set(Number(target.value)) : draw()) }); // what will not do is not taken
    return h("div", { class: "option" + (changed ? " changed" : "") }, h("label", { for: id }, t("option." + option.name)), h("small", {}, t(`option.${option.name}.note`)), field,
      changed && h("small", {}, t("setup.usual", { value: valueText(usual(option)) })));
  }

  function draw() {
    const n = Object.keys(changes).length;
    note.textContent = n ? t("setup.changed", { n }) : "";
    reset.hidden = !n;
    list.replaceChildren(...GROUPS.map((group) => h("fieldset", {}, h("legend", {}, t("group." + group)), options.filter((one) => one.group === group).map(row))));
  }

  const choices = boot.rules.presets.map(({ name }) => h("label", { class: "preset" },
    h("input", { type: "radio", name: "preset", value: name, checked: name === preset, onchange: () => { preset = name; draw(); } }),
    h("span", {}, h("b", {}, t("preset." + name)), h("small", {}, t("preset." + name + ".note")))));
  const keep = h("button", { class: "act strong", type: "button", "data-key": "keep", onclick: tapping(async () => {
    if (!(await post("/api/setup/rules", { preset, options: changes }))) return null;
    Object.assign(boot.rules, { preset, options: changes });
    wizard.settled.add("rules");
    wizard.next();
    return true;
  }) }, t("setup.keep"));
  draw();
  return { main: keep, nodes: [h("p", {}, t("setup.rules_lead")), h("div", { class: "presets" }, choices), h("details", {}, h("summary", {}, t("setup.rules_all"), " ", note), reset, list)] };
}
