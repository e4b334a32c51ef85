// Joining: a name, nothing else.
import { $, boot, h, show, t, worded } from "./dom.js";
import { follow } from "./live.js";
import { byPhone, hasGame } from "./parts.js";
import { keepCode } from "./pin.js";
import { renameForm } from "./rename.js";
import { post, sheet, tapping } from "./say.js";

const { me } = boot;

const scanned = new URLSearchParams(location.search).get("c");
if (scanned) {
  history.replaceState(null, "", "/");
  keepCode(scanned);
}
let waiting = false;

async function join(name, code = null) {
  const answer = await post("/api/join", code === null ? { name } : { name, code }, { quiet: ["name_taken"] });
  if (!answer) return null;
  if (answer.error === "name_taken") {
    taken(answer.name);
    return null;
  }
  location.assign("/play");
  return answer;
}

/** The name is on another phone: who scanned the code or can read it from the big screen gets it, else the host decides. */
function taken(name) {
  const code = worded(h("input", { id: "code", type: "text", inputmode: "numeric", autocomplete: "off", maxlength: 4, pattern: "[0-9]{4}", required: true, "aria-describedby": "code-note" }), t("claim.where"));
  const ask = async () => {
    if (!(await post("/api/claim", { name }))) return null;
    waiting = true;
    document.getElementById("claim-state").textContent = t("claim.waiting");
    return true;
  };
  sheet(t("join.taken", { name }), (close) => [
    h("p", {}, t("join.taken_note")),
    scanned
      ? h("button", { class: "act strong", type: "button", "data-key": "mine", onclick: tapping(() => join(name, scanned)) }, t("join.take"))
      : h("form", { class: "name-form", onsubmit: (event) => { event.preventDefault(); join(name, code.value); } },
        h("label", { for: "code" }, t("claim.code")), h("div", { class: "with" }, code, h("button", { class: "act strong", type: "submit" }, t("join.take"))), h("small", { id: "code-note" }, t("claim.where"))),
    h("div", { class: "choices" },
      h("button", { class: "act", type: "button", "data-key": "ask", onclick: tapping(ask) }, t("claim.ask")),
      h("button", { class: "act", type: "button", onclick: close }, t("join.other_name"))),
    h("p", { id: "claim-state", role: "status" }),
  ]);
}

function form(board) {
  const input = worded(h("input", { id: "name", name: "name", type: "text", maxlength: 16, autocomplete: "nickname", autocapitalize: "words", spellcheck: "false", required: true, enterkeyhint: "go" }), t("error.bad_name"));
  const free = h("form", { class: "name-form", onsubmit: (event) => { event.preventDefault(); join(input.value); } },
    h("label", { for: "name" }, t(hasGame(board) ? "join.name_watch" : "join.name")),
    h("div", { class: "with" }, input, h("button", { class: "act" + (hasGame(board) ? "" : " strong"), type: "submit" }, t("join.go"))));
  if (!hasGame(board)) return [h("p", { class: "lead" }, t(byPhone(board) ? "join.lead_phones" : "join.lead")), free, watch()];
  const seats = board.players.map((p) =>
    h("button", { class: "act seat", type: "button", "data-key": p.name, onclick: tapping(() => join(p.name)) }, p.name, board.people.includes(p.name) && h("small", {}, t("join.has_phone"))));
  return [h("p", { class: "lead" }, t("join.who")), h("div", { class: "choices seats" }, seats), free, watch()];
}

const watch = () => h("p", {}, h("a", { class: "act quiet", href: "/play" }, t("join.watch")));

function present() {
  return [h("p", { class: "lead" }, t("join.you_are", { name: me.name })), boot.code && h("p", { class: "muted" }, t("claim.yours", { code: boot.code })),
    h("div", { class: "choices" }, h("a", { class: "act strong", href: "/play" }, t("join.to_table")),
      h("button", { class: "act", type: "button", "data-key": "rename", onclick: () => sheet(t("host.new_name"), () => renameForm(me.name, () => location.reload())) }, t("host.rename")),
      h("button", { class: "act", type: "button", onclick: tapping(async () => (await post("/api/leave")) && location.reload()) }, t("join.leave")))];
}

if (boot.board.unclaimed) $("join").before(h("p", { class: "unready" }, t("host.none_yet"), " ", h("a", { class: "act small", href: "/host" }, t("host.first_go"))));
else if (!boot.ready) $("join").before(h("p", { class: "unready" }, t("setup.needed"), " ", h("a", { class: "act small", href: "/setup" }, t("setup.open"))));

let changes = boot.board.people_changes;

/** The host has answered: with the name, or without it. */
async function answered(board) {
  if (!waiting || board.people_changes === changes) return;
  changes = board.people_changes;
  const now = await (await fetch("/api/me", { cache: "no-store" })).json();
  if (now.name) location.assign("/play");
  else if (!now.asks) { // the name may have been changed since it was asked for
    document.getElementById("claim-state")?.replaceChildren(t("claim.refused"));
    waiting = false;
  }
}

follow((board) => {
  answered(board);
  if (me.name) show("join", [me.name], present);
  else if (!$("name")?.value) show("join", [board.players.map((p) => p.name), board.people], () => form(board));
});
