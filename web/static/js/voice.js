// The referee aloud: speech of the browser, short sounds, vibration. Every one of them has its text on the screen.
import { boot, drawing, h, t } from "./dom.js";
import { sheet } from "./say.js";

export const LANGUAGES = { en: "English", de: "Deutsch", es: "Español" };
const KEY = "referee.voice", BACKLOG = 2;
const TUNES = { // [hertz, seconds from the start, seconds long]
  call: [[440, 0, 0.16], [330, 0.18, 0.24]],
  ask: [[520, 0, 0.12], [660, 0.14, 0.16]],
  uno: [[660, 0, 0.09], [880, 0.1, 0.09], [1100, 0.2, 0.18]],
  took: [[880, 0, 0.07], [1175, 0.08, 0.12]],
  won: [[523, 0, 0.14], [659, 0.15, 0.14], [784, 0.3, 0.14], [1047, 0.45, 0.35]],
};
const settings = { voice: false, sounds: false, buzz: true, volume: 0.8, brief: true, ...kept() };
let audio = null;

function kept() {
  try {
    return JSON.parse(localStorage.getItem(KEY)) ?? {};
  } catch {
    return {}; // private windows keep nothing
  }
}

function set(name, value) {
  settings[name] = value;
  try {
    localStorage.setItem(KEY, JSON.stringify(settings));
  } catch { /* it holds until the page is left */ }
}

function speak(text, language) {
  if (!window.speechSynthesis) return;
  if (speechSynthesis.pending) speechSynthesis.cancel(); // what is said late is said too late
  const words = new SpeechSynthesisUtterance(text);
  words.lang = language;
  words.volume = settings.volume;
  speechSynthesis.speak(words);
}

function play(tune) {
  audio ??= new AudioContext();
  audio.resume();
  for (const [hertz, from, long] of TUNES[tune]) {
    const tone = audio.createOscillator(), loud = audio.createGain(), at = audio.currentTime + from;
    tone.frequency.value = hertz;
    loud.gain.setValueAtTime(0, at);
    loud.gain.linearRampToValueAtTime(settings.volume * 0.4, at + 0.015);
    loud.gain.linearRampToValueAtTime(0, at + long);
    tone.connect(loud).connect(audio.destination);
    tone.start(at);
    tone.stop(at + long);
  }
}

const tuneOf = (item) => ({ uno_ok: "uno", hand_over: "won", game_over: "won" })[item.code] ?? ({ call: "call", ask: "ask" })[item.tier];

/** Says what is new on the board: `news` are rulings with the text to be said; `mine` tells whether one is about this phone's player. */
export function tell(news, language, mine) {
  const worth = news.filter((item) => item.tier === "call" || ["hand_over", "game_over", "uno_ok"].includes(item.code) || (!settings.brief && item.tier === "ask"));
  if (!worth.length) return;
  if (settings.sounds && tuneOf(worth.at(-1))) play(tuneOf(worth.at(-1)));
  if (settings.voice) for (const item of worth.slice(-BACKLOG)) speak(item.said, language);
  const tapped = navigator.userActivation?.hasBeenActive; // before the first tap a browser reports the try as an error
  if (settings.buzz && tapped && worth.some(mine)) navigator.vibrate?.([80, 60, 80]);
}

/** A short sign that something was taken, for who looks at the table and not at the phone. */
export function cue() {
  if (settings.sounds) play("took");
  if (settings.buzz) navigator.vibrate?.(60);
}

/** The button that opens the settings. */
export function voiceButton(example) {
  const sign = () => drawing("0 0 24 24", `<g fill="none" stroke="currentColor" stroke-width="2" stroke-linecap="round" stroke-linejoin="round"><path d="M4 9.500v5h3.500L12 18.500v-13L7.500 9.500z"/><path d="${settings.voice || settings.sounds ? "M15.500 9a4 4 0 0 1 0 6M18 6.500a8 8 0 0 1 0 11" : "M16 9.500l5 5m0-5-5 5"}"/></g>`);
  const button = h("button", { class: "chip voice", type: "button", "aria-label": t("voice.title"), "data-key": "voice", onclick: () => open() }, sign());
  const open = () => sheet(t("voice.title"), (close) => {
    const box = (name) => h("label", { class: "switch" }, h("input", { type: "checkbox", checked: settings[name], onchange: (event) => {
      set(name, event.target.checked);
      button.replaceChildren(sign());
      if (event.target.checked && name === "sounds") play("uno");
      if (event.target.checked && name === "voice") speak(example().text, example().language);
    } }), h("span", {}, h("b", {}, t("voice." + name)), h("small", {}, t("voice." + name + "_note"))));
    return [
      window.speechSynthesis ? box("voice") : null, box("sounds"), navigator.vibrate ? box("buzz") : null, box("brief"),
      h("label", { for: "volume" }, t("voice.volume")), h("input", { id: "volume", type: "range", min: 0, max: 1, step: 0.05, value: settings.volume, oninput: (event) => set("volume", Number(event.target.value)) }),
      h("h3", {}, t("voice.language")), h("div", { class: "choices" }, Object.entries(LANGUAGES).map(([code, name]) =>
        h("a", { class: "act small", href: "/language/" + code, hreflang: code, lang: code, "aria-current": code === boot.language && "true" }, name))),
      h("button", { class: "act strong", type: "button", onclick: close }, t("voice.done")),
    ];
  });
  return button;
}
