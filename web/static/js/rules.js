// What this table plays by, in words: what people ask about first, what is not as usual, and all the rest.
import { $, boot, h, t } from "./dom.js";
import { hasGame } from "./parts.js";
import { GROUPS, valueText } from "./setup_rules.js";

const ASKED = ["hand_size", "draw_rule", "drawn_card", "stacking", "jump_in", "seven_zero", "wd4_restriction", "wd4_challenge", "uno_penalty", "uno_window", "illegal_play_penalty", "scoring", "target"];
const { preset, options, options_shown: all, presets } = boot.rules;
const ofPreset = presets.find((one) => one.name === preset)?.values ?? {};
const valueOf = (one) => options[one.name] ?? ofPreset[one.name] ?? one.default;
const special = (one) => valueOf(one) !== one.default;

const list = (some) => h("dl", {}, some.map((one) => h("div", { class: special(one) && "special" },
  h("dt", {}, t("option." + one.name)), h("dd", {}, valueText(valueOf(one))), h("dd", {}, t(`option.${one.name}.note`)))));

const first = all.filter((one) => special(one) || ASKED.includes(one.name));
$("main").replaceChildren(
  h("section", {}, h("p", { class: "muted" }, t(hasGame(boot.board) ? "rules.now" : "rules.next")), h("h2", {}, t("preset." + preset)), h("p", {}, t(`preset.${preset}.note`))),
  h("section", {}, first.some(special) ? h("p", { class: "muted" }, t("rules.special")) : "", list(first)),
  h("details", {}, h("summary", {}, t("rules.all")), GROUPS.map((group) => [h("h3", {}, t("group." + group)), list(all.filter((one) => one.group === group))])),
);
