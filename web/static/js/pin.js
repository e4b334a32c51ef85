// What makes a phone the host's: the PIN, or for the very first host the table's code.
import { h, t, worded } from "./dom.js";
import { post } from "./say.js";

const KEY = "referee.code";

/** The table's code, kept where it was scanned until somebody is host. */
export function keepCode(code) {
  try {
    sessionStorage.setItem(KEY, code);
  } catch { /* then it is typed */ }
}

function scannedCode() {
  try {
    return sessionStorage.getItem(KEY) ?? "";
  } catch {
    return "";
  }
}

/** A box for digits; `wrong` is said of too few. */
const digits = (id, least, most, wrong) => worded(h("input", { id, type: "text", inputmode: "numeric", autocomplete: "off", minlength: least, maxlength: most, required: true, pattern: `[0-9]{${least},${most}}` }), wrong);

function typed() {
  const pin = digits("pin", 4, 6, t("error.bad_pin"));
  return h("form", { class: "pin", onsubmit: async (event) => {
    event.preventDefault();
    if (await post("/api/host", { pin: pin.value })) location.reload();
    else pin.select();
  } }, h("p", { class: "lead" }, t("host.pin_lead")), h("label", { for: "pin" }, t("host.pin")), h("div", { class: "with" }, pin, h("button", { class: "act strong", type: "submit" }, t("join.go"))));
}

function first() {
  const code = digits("first-code", 4, 4, t("claim.where")), pin = digits("first-pin", 4, 6, t("error.bad_pin"));
  code.value = scannedCode();
  const screen = !code.value && h("a", { class: "act small", href: "/board" }, t("host.no_screen"));
  return h("form", { class: "pin", onsubmit: async (event) => {
    event.preventDefault();
    if (await post("/api/host/first", { code: code.value, pin: pin.value })) location.reload();
  } }, h("p", { class: "lead" }, t("host.first_lead")),
  h("label", { for: "first-code" }, t("host.first_code")), code, screen, h("label", { for: "first-pin" }, t("host.first_pin")), pin,
  h("button", { class: "act strong", type: "submit" }, t("host.first_go")));
}

/** The form; the page is loaded again as the host's when it is right. `unclaimed`: nobody has been host yet. */
export function pinForm(unclaimed) {
  return unclaimed ? [first(), h("details", {}, h("summary", {}, t("host.know_pin")), typed())] : typed();
}
