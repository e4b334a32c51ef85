// A phone that lost its seat asks for it back; whoever is host is asked wherever the host's phone is.
import { h, t } from "./dom.js";
import { post, sheet, tapping } from "./say.js";

const asked = new Map();

/** Asks the host about every name that another phone claims, once; closes the question when it is settled. */
export function askAboutClaims(board, me) {
  for (const [name, box] of asked) {
    if (me.host && board.claims.includes(name)) continue;
    asked.delete(name);
    box.close();
  }
  if (!me.host) return;
  for (const name of board.claims) {
    if (asked.has(name) || name === me.name) continue;
    const answer = (give) => tapping(() => post("/api/claim/answer", { name, give }));
    asked.set(name, sheet(t("claim.asks", { name }), () => [h("p", {}, t("claim.note")), h("div", { class: "choices" },
      h("button", { class: "act strong", type: "button", "data-key": "give", onclick: answer(true) }, t("claim.give", { name })),
      h("button", { class: "act", type: "button", "data-key": "refuse", onclick: answer(false) }, t("claim.refuse")))]));
  }
}
