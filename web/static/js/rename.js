// Another name for somebody who plays or watches; in a running game the whole record follows.
import { h, t } from "./dom.js";
import { post } from "./say.js";

/** A form with the name in it; `done(name)` is called once it has changed. */
export function renameForm(name, done) {
  const input = h("input", { id: "new-name", type: "text", maxlength: 16, required: true, autocomplete: "off", autocapitalize: "words", spellcheck: "false", value: name });
  return h("form", { class: "name-form", onsubmit: async (event) => {
    event.preventDefault();
    const to = input.value.trim();
    if (to === name || await post("/api/rename", { name, to })) done(to);
  } }, h("label", { for: "new-name" }, t("host.new_name")), h("div", { class: "with" }, input, h("button", { class: "act", type: "submit" }, t("host.rename"))));
}
