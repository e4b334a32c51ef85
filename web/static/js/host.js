// The host: a PIN, then a new game and what only a host may do.
import { boot, h, show, t } from "./dom.js";
import { appealBox, sayOutcome } from "./appeal.js";
import { deedLine } from "./cards.js";
import { askAboutClaims } from "./claims.js";
import { follow } from "./live.js";
import { deckLink, handLine, hasGame, phaseLine, restedNote } from "./parts.js";
import { pinForm } from "./pin.js";
import { renameForm } from "./rename.js";
import { piVoice } from "./pi_voice.js";
import { teamBadge } from "./teams.js";
import { post, sheet, tapping, toast } from "./say.js";

const MOST = 10; // players at one table

const { me, presets, rules } = boot;
let board = boot.board;
let names = boot.board.players.length ? boot.board.players.map((p) => p.name) : [...boot.board.people];
let preset = presets.includes(rules.preset) ? rules.preset : presets[0];
let dealer = null;
let table = 1;
let seat = null; // whose left a newcomer to the running game sits at
let starting = false;
let settingUp = !hasGame(boot.board) || boot.board.phase === "game_over";

/** Options of one's own belong to the preset they were chosen for. */
const own = () => (preset === rules.preset ? rules.options : {});

/** In a tournament at two tables each has a referee, which is told which one it is. */
function whichTable() {
  if (own().tournament !== "eight_player_28_hands") return null;
  return h("section", {}, h("h2", {}, t("host.which_table")), h("div", { class: "choices", role: "radiogroup" }, [1, 2].map((n) =>
    h("button", { class: "act small", type: "button", role: "radio", "aria-checked": String(n === table), "data-key": "table" + n, onclick: () => { table = n; draw(); } }, t("host.table_no", { n })))));
}

function move(from, to) {
  names.splice(to, 0, ...names.splice(from, 1));
  draw();
}

/** Who holds a phone and is none of these. */
const waitingBeside = (players) => board.people.filter((name) => !players.some((other) => other.toLowerCase() === name.toLowerCase()));

function setUp() {
  const waiting = waitingBeside(names);
  const add = h("input", { id: "add", type: "text", maxlength: 16, autocomplete: "off", autocapitalize: "words", spellcheck: "false", "aria-label": t("host.player_name"), placeholder: t("host.player_name"), "data-key": "add" });
  add.value = document.getElementById("add")?.value ?? ""; // somebody may join while the host types
  const put = (name) => {
    const clean = name.trim().replace(/\s+/g, " ");
    if (!clean) return;
    if (names.length >= MOST) toast(t("error.bad_players"), "bad");
    else if (names.some((other) => other.toLowerCase() === clean.toLowerCase())) toast(t("error.same_name"), "bad");
    else {
      names.push(clean);
      document.getElementById("add").value = "";
    }
    draw();
  };
  if (!names.includes(dealer)) dealer = names[0] ?? null;
  const inTeams = (own().teams ?? "none") !== "none";
  const rows = names.map((name, i) => h("li", {},
    h("span", { class: "seat-no" }, i + 1), inTeams && teamBadge(i % 2 + 1), h("b", {}, name), h("span", { class: "acts" },
    h("button", { class: "x", type: "button", "aria-label": t("host.up", { name }), disabled: i === 0, "data-key": "up" + name, onclick: () => move(i, i - 1) }, "↑"),
    h("button", { class: "x", type: "button", "aria-label": t("host.down", { name }), disabled: i === names.length - 1, "data-key": "down" + name, onclick: () => move(i, i + 1) }, "↓"),
    h("button", { class: "x", type: "button", "aria-label": t("host.remove", { name }), onclick: () => { names.splice(i, 1); draw(); } }, "✕"))));
  const choices = presets.map((name) => h("label", { class: "preset" },
    h("input", { type: "radio", name: "preset", value: name, checked: name === preset, onchange: () => { preset = name; draw(); }, "data-key": "preset" + name }),
    h("span", {}, h("b", {}, t("preset." + name)), h("small", {}, t("preset." + name + ".note")))));
  const { game } = board;
  const start = tapping(async () => {
    starting = true;
    const done = await post("/api/game", { players: names, preset, dealer, options: own(), table, after: game });
    starting = false;
    if (done) location.assign("/play");
    return done;
  });
  return [
    h("section", {}, h("h2", {}, t("host.players")), h("p", { class: "muted" }, t(inTeams ? "host.teams_note" : "host.players_note")),
      h("ol", { class: "seat-list" }, rows),
      names.length < MOST && h("form", { class: "with", onsubmit: (event) => { event.preventDefault(); put(add.value); } },
        add, h("button", { class: "act", type: "submit" }, t("host.add"))),
      waiting.length && names.length < MOST ? h("div", { class: "choices" }, waiting.map((name) => h("button", { class: "act small", type: "button", onclick: () => put(name) }, "+ " + name))) : null),
    names.length >= 2 && h("section", {}, h("h2", {}, t("host.dealer")), h("div", { class: "choices", role: "radiogroup" }, names.map((name) =>
      h("button", { class: "act small", type: "button", role: "radio", "aria-checked": String(name === dealer), "data-key": "d" + name, onclick: () => { dealer = name; draw(); } }, name)))),
    h("section", {}, h("h2", {}, t("host.rules")), h("div", { class: "presets" }, choices),
      Object.keys(rules.options).length && preset === rules.preset ? h("p", { class: "muted" }, t("host.own_rules", { n: Object.keys(rules.options).length })) : null),
    whichTable(), phones(), wizard(), voice(),
    h("div", { class: "start stays" }, h("button", { class: "act strong wide", type: "button", disabled: names.length < 2, onclick: start }, t(names.length < 2 ? "host.need_two" : "host.start"))),
    hasGame(board) && h("div", { class: "start" }, h("button", { class: "act quiet wide", type: "button", onclick: () => { settingUp = false; draw(); } }, t(board.phase === "game_over" ? "host.last_game" : "host.keep_game"))),
  ];
}

/** Whether the table is set up, and the ways to the wizard and to the machine. */
function wizard() {
  if (!boot.wizard && !boot.machine && !boot.decks) return null;
  return h("section", {}, h("h2", {}, t("host.table")), !boot.ready && h("p", { class: "lead" }, t("setup.needed")),
    boot.wizard && h("a", { class: "act" + (boot.ready ? "" : " strong"), href: "/setup" }, t("setup.open")),
    deckLink(),
    boot.machine && h("a", { class: "act", href: "/machine" }, t("machine.open")));
}

/** The way to the settings of the referee's own voice. */
function voice() {
  return boot.voice && h("section", {}, h("h2", {}, t("pi_voice.title")), h("button", { class: "act", type: "button", "data-key": "voice", onclick: tapping(piVoice) }, t("host.change")));
}

/** Everybody who holds a name: another name, or the host's role. */
function phones() {
  if (!board.people.length) return null;
  return h("section", {}, h("h2", {}, t("host.phones")), boot.code && h("p", { class: "muted" }, t("claim.yours", { code: boot.code })),
    h("ul", { class: "seat-list" }, board.people.map((name) => h("li", {}, h("b", {}, name), h("button", { class: "act small", type: "button", "data-key": "phone" + name, onclick: () => phone(name) }, t("host.change"))))));
}

function phone(name) {
  const held = board.people.includes(name);
  sheet(name, (close) => [
    renameForm(name, (to) => {
      names = names.map((one) => (one === name ? to : one));
      close();
      draw();
    }),
    held && name !== me.name && h("button", { class: "act wide", type: "button", "data-key": "pass", onclick: tapping(async () => (await post("/api/host/pass", { name })) && (location.assign("/play"), true)) }, t("host.pass", { name })),
    held && name !== me.name && h("button", { class: "act wide", type: "button", "data-key": "release", onclick: tapping(async () => (await post("/api/host/release", { name })) && (close(), toast(t("host.released", { name })), true)) }, t("host.release")),
  ]);
}

function running() {
  const act = (name, body = {}) => tapping(() => post("/api/act/" + name, body));
  const { appeal, paused, undo } = board;
  return [
    appeal && appealBox(board, me),
    h("section", {}, h("h2", {}, handLine(board)), h("p", { class: "lead" }, phaseLine(board)), paused && !appeal && h("p", { class: "unready" }, t("board.paused")), restedNote(board, true),
      h("div", { class: "choices" },
        !appeal && board.phase !== "game_over" && h("button", { class: "act", type: "button", onclick: act(paused ? "resume" : "pause") }, t(paused ? "fix.resume" : "fix.pause")),
        undo && h("button", { class: "act", type: "button", "data-key": "undo", onclick: tapping(async () => (await post("/api/act/undo", { ref: undo.ref })) && (toast(t("fix.undone")), true)) }, t("fix.undo_last"), h("small", {}, deedLine(undo))),
        board.phase === "scored" && h("button", { class: "act", type: "button", onclick: act("next_hand", { ends: board.deal }) }, t("act.next_hand")),
        !["scored", "game_over"].includes(board.phase) && h("button", { class: "act", type: "button", "data-key": "abandon", onclick: abandoning }, t("host.abandon")),
        board.takeback && h("button", { class: "act", type: "button", onclick: act("override", { what: "legal" }) }, t("host.legal")))),
    h("section", {}, h("h2", {}, t("host.players")), h("ul", { class: "seat-list" }, board.players.map((p) => h("li", {}, h("b", {}, p.name), h("span", { class: "acts" },
      h("button", { class: "act small", type: "button", "data-key": "name" + p.name, "aria-label": `${t("host.rename")}: ${p.name}`, onclick: () => phone(p.name) }, t("host.rename")),
      h("button", { class: "act small", type: "button", disabled: board.players.length < 3, onclick: () => leaving(p.name) }, t("host.leaves")))))),
      board.room ? newcomer() : board.phase !== "game_over" && h("p", { class: "muted" }, t(board.players.length < MOST ? "error.no_room" : "host.full"))),
    phones(), wizard(), voice(),
    h("div", { class: "start" }, h("button", { class: "act strong wide", type: "button", onclick: () => { settingUp = true; draw(); } }, t("host.new_game")),
      h("button", { class: "act quiet wide", type: "button", onclick: tapping(async () => (await post("/api/host/end")) && location.assign("/play")) }, t("host.end"))),
  ];
}

/** Somebody sits down at the running game: who, and where. */
function newcomer() {
  const seats = board.players.map((p) => p.name);
  const player = h("input", { id: "newcomer", maxlength: 16, required: true, autocomplete: "off", autocapitalize: "words", spellcheck: "false", "aria-label": t("host.player_name"), placeholder: t("host.player_name"), "data-key": "newcomer" });
  player.value = document.getElementById("newcomer")?.value ?? ""; // the game goes on while the host types
  const after = h("select", { "aria-label": t("host.sits"), "data-key": "after", onchange: () => { seat = after.value; } }, seats.map((name) => h("option", { value: name }, t("host.sits_after", { name }))));
  after.value = seats.includes(seat) ? seat : seats.at(-1);
  const sit = async (name) => {
    const values = { name, after: after.value };
    if (!(await post("/api/act/add_player", { player: name, after: values.after }))) return false;
    seat = null;
    draw();
    toast(t("host.added", values));
    return true;
  };
  const waiting = waitingBeside(seats);
  return [h("form", { class: "with", onsubmit: async (event) => {
    event.preventDefault();
    if (await sit(player.value.trim())) document.getElementById("newcomer").value = "";
  } }, after, player, h("button", { class: "act", type: "submit" }, t("host.add"))),
  waiting.length > 0 && h("div", { class: "choices" }, waiting.map((name) => h("button", { class: "act small", type: "button", "data-key": "sit" + name, onclick: tapping(() => sit(name)) }, "+ " + name)))];
}

function leaving(name) {
  sheet(t("host.leaves_sure", { name }), (close) => [h("p", {}, t("host.leaves_note")), h("div", { class: "choices" },
    h("button", { class: "act strong", type: "button", onclick: tapping(async () => (await post("/api/act/remove_player", { player: name })) && (close(), true)) }, t("host.leaves")),
    h("button", { class: "act", type: "button", onclick: close }, t("play.close")))]);
}

function abandoning() {
  const { deal } = board; // what is thrown away is the hand that was asked about
  sheet(t("host.abandon"), (close) => [h("p", {}, t("host.abandon_note")), h("div", { class: "choices" },
    h("button", { class: "act strong", type: "button", "data-key": "next", onclick: tapping(async () => (await post("/api/act/next_hand", { ends: deal })) && (close(), true)) }, t("act.next_hand")),
    h("button", { class: "act", type: "button", onclick: close }, t("play.close")))]);
}

function draw() {
  if (!me.host) return show("main", board.unclaimed, () => pinForm(board.unclaimed));
  const facts = settingUp ? [names, dealer, preset, table, board.people, board.phase === "game_over"] : [board.hand, board.phase, board.turn, board.paused, board.takeback, board.undo, board.appeal, board.room, seat, board.players.map((p) => p.name), board.people];
  return show("main", [settingUp, facts], () => (settingUp ? setUp() : running()));
}

follow((next) => {
  if (settingUp && next.game !== board.game) { // another host was quicker
    settingUp = false;
    names = next.players.map((p) => p.name);
    if (!starting) toast(t("error.game_begun"));
  }
  board = next;
  askAboutClaims(board, me);
  draw();
  sayOutcome(board);
});
