// How the referee's own voice speaks, through the loudspeaker of the machine: the host decides.
import { h, t } from "./dom.js";
import { post, sheet, tapping } from "./say.js";
import { LANGUAGES } from "./voice.js";

/** Opens the settings. */
export async function piVoice() {
  const answer = await fetch("/api/voice", { cache: "no-store" }).catch(() => null);
  if (!answer?.ok) return null;
  const now = await answer.json();
  const set = (change) => post("/api/voice", change);
  const box = (name, label, note) => h("label", { class: "switch" }, h("input", { type: "checkbox", checked: now[name], "data-key": "pi" + name, onchange: (event) => set({ [name]: event.target.checked }) }),
    h("span", {}, h("b", {}, t(label)), note && h("small", {}, t(note))));
  const volume = h("input", { id: "pi-volume", type: "range", min: 0, max: 100, step: 5, value: now.volume, onchange: (event) => set({ volume: Number(event.target.value) }) });
  const language = h("select", { id: "pi-language", onchange: (event) => set({ language: event.target.value }) },
    h("option", { value: "", selected: !now.language }, t("pi_voice.table")),
    Object.entries(LANGUAGES).map(([code, name]) => h("option", { value: code, lang: code, selected: now.language === code }, name)));
  sheet(t("pi_voice.title"), () => [h("p", { class: "muted" }, t("pi_voice.note")),
    box("on", "pi_voice.on"), box("brief", "voice.brief", "voice.brief_note"),
    h("label", { for: "pi-volume" }, t("voice.volume")), volume, h("label", { for: "pi-language" }, t("pi_voice.language")), language,
    h("button", { class: "act", type: "button", "data-key": "pitry", onclick: tapping(() => post("/api/voice/try")) }, t("pi_voice.try"))]);
  return true;
}
