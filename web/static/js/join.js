// Joining: a name, nothing else.
import { $, boot, h, show, t } from "./dom.js";
import { follow } from "./live.js";
import { hasGame } from "./parts.js";
import { post, sheet, tapping } from "./say.js";

const { me } = boot;

async function join(name, take = false) {
  const answer = await post("/api/join", { name, take }, { quiet: ["name_taken"] });
  if (!answer) return null;
  if (answer.error === "name_taken") {
    sheet(t("join.taken", { name: answer.name }), (close) => [
      h("p", {}, t("join.taken_note")),
      h("div", { class: "choices" },
        h("button", { class: "act strong", type: "button", onclick: tapping(() => join(answer.name, true)) }, t("join.take")),
        h("button", { class: "act", type: "button", onclick: close }, t("join.other_name"))),
    ]);
    return null;
  }
  location.assign("/play");
  return answer;
}

function form(board) {
  const input = h("input", { id: "name", name: "name", type: "text", maxlength: 16, autocomplete: "nickname", autocapitalize: "words", spellcheck: "false", required: true, enterkeyhint: "go" });
  const free = h("form", { class: "name-form", onsubmit: (event) => { event.preventDefault(); join(input.value); } },
    h("label", { for: "name" }, t(hasGame(board) ? "join.name_watch" : "join.name")),
    h("div", { class: "with" }, input, h("button", { class: "act" + (hasGame(board) ? "" : " strong"), type: "submit" }, t("join.go"))));
  if (!hasGame(board)) return [h("p", { class: "lead" }, t("join.lead")), free, watch()];
  const seats = board.players.map((p) =>
    h("button", { class: "act seat", type: "button", "data-key": p.name, onclick: tapping(() => join(p.name)) }, p.name, board.people.includes(p.name) && h("small", {}, t("join.has_phone"))));
  return [h("p", { class: "lead" }, t("join.who")), h("div", { class: "choices seats" }, seats), free, watch()];
}

const watch = () => h("p", {}, h("a", { class: "act quiet", href: "/play" }, t("join.watch")));

function present() {
  return [h("p", { class: "lead" }, t("join.you_are", { name: me.name })),
    h("div", { class: "choices" }, h("a", { class: "act strong", href: "/play" }, t("join.to_table")),
      h("button", { class: "act", type: "button", onclick: tapping(async () => (await post("/api/leave")) && location.reload()) }, t("join.leave")))];
}

follow((board) => {
  if (me.name) show("join", [me.name], present);
  else if (!$("name")?.value) show("join", [board.players.map((p) => p.name), board.people], () => form(board));
});
