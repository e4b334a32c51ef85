// The PIN that makes a phone the host's.
import { h, t } from "./dom.js";
import { post } from "./say.js";

/** The form; the page is loaded again as the host's when the PIN is right. */
export function pinForm() {
  const pin = h("input", { id: "pin", type: "text", inputmode: "numeric", autocomplete: "off", maxlength: 6, required: true, pattern: "[0-9]{6}" });
  return h("form", { class: "pin", onsubmit: async (event) => {
    event.preventDefault();
    if (await post("/api/host", { pin: pin.value })) location.reload();
    else pin.select();
  } }, h("p", { class: "lead" }, t("host.pin_lead")), h("label", { for: "pin" }, t("host.pin")), h("div", { class: "with" }, pin, h("button", { class: "act strong", type: "submit" }, t("join.go"))));
}
