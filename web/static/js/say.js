// Says what the person at the phone did, and what came of it.
import { $, boot, h, t } from "./dom.js";

const NO_ANSWER_MS = 15000; // sooner, and a slow network is called a dead one; later, and a button stays busy for nothing

/** POSTs JSON; resolves to the answer, or to null after showing why it was refused. */
export async function post(path, body = {}, { quiet = [] } = {}) {
  let answer, data;
  try {
    answer = await fetch(path, { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body), signal: AbortSignal.timeout?.(NO_ANSWER_MS) });
    data = await answer.json();
  } catch {
    toast(t("error.offline"), "bad");
    return null;
  }
  if (answer.ok) return data;
  if (quiet.includes(data.error)) return data;
  const known = boot.phrases["error." + data.error];
  // A setting's name is told as the page about the machine calls it.
  const message = data.message?.replace(/[a-z]+\.[a-z_]+/g, (name) => boot.phrases["machine." + name] ?? name);
  toast(known ? t("error." + data.error, { ...data, message }) : data.message || t("error.other"), "bad");
  return null;
}

const SAME_FINGER_MS = 500, SAME_PLACE_PX = 40; // a second tap so soon and so near was meant for what was there before
const NO_TAP = { at: -Infinity, x: 0, y: 0 };
let tap = NO_TAP, tapBefore = tap;

document.addEventListener("click", ({ clientX: x, clientY: y, timeStamp: at }) => {
  tapBefore = tap;
  tap = { at, x, y };
}, true);

/** Whether this is the second tap of a double tap: the page may have put another button under the finger meanwhile. */
const doubled = (event) => event.detail > 0 // 0: by keyboard
  && event.timeStamp - tapBefore.at < SAME_FINGER_MS && Math.hypot(event.clientX - tapBefore.x, event.clientY - tapBefore.y) < SAME_PLACE_PX;

/** A button that shows that it was tapped, waits for the answer, and cannot be tapped twice. */
export function tapping(work) {
  return async (event) => {
    const button = event.currentTarget;
    if (button.getAttribute("aria-disabled") === "true" || doubled(event)) return;
    button.setAttribute("aria-disabled", "true");
    button.classList.add("busy");
    navigator.vibrate?.(12);
    const done = await work();
    button.classList.remove("busy");
    button.setAttribute("aria-disabled", "false");
    if (done) {
      button.classList.add("done");
      setTimeout(() => button.classList.remove("done"), 700);
    } else {
      tap = NO_TAP; // what was refused may be tried again at once
    }
  };
}

/** A line at the foot of the page for a few seconds. kind: "good" or "bad". */
export function toast(text, kind = "good") {
  const line = h("p", { class: "toast " + kind }, text);
  raiseToasts();
  $("toasts").replaceChildren(line);
  setTimeout(() => line.remove(), 4500);
}

/** Puts the toasts into the sheet on top, for a modal sheet covers and mutes all that is outside it. */
function raiseToasts() {
  ([...document.querySelectorAll("dialog[open]")].at(-1) ?? document.body).append($("toasts"));
}

/** A sheet over the page. `fill(close)` gives its content. */
export function sheet(title, fill) {
  const box = h("dialog", { class: "sheet", "aria-labelledby": "sheet-title", onclose: () => { raiseToasts(); box.remove(); } });
  box.addEventListener("click", (event) => event.target === box && box.close());
  const close = () => box.close();
  box.append(
    h("div", { class: "sheet-in" },
      h("header", {}, h("h2", { id: "sheet-title" }, title), h("button", { class: "x", type: "button", "aria-label": t("play.close"), onclick: close }, "✕")),
      fill(close)),
  );
  document.body.append(box);
  box.showModal();
  return box;
}
