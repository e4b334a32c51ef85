// Afterwards: earlier games, their score sheets and figures, and every hand play by play.
import { $, boot, h, locale, t } from "./dom.js";
import { deedLine } from "./cards.js";
import { totalsChart } from "./chart.js";
import { figuresTable, overGames, table } from "./figures.js";
import { replayOf } from "./replay.js";

const date = (wall) => new Date(wall * 1000).toLocaleString(locale, { dateStyle: "medium", timeStyle: "short" });
const minutes = (seconds) => t("history.minutes", { n: Math.max(1, Math.round(seconds / 60)) });
const NEWEST = 8; // games in sight; more would push everybody's figures out of it
const link = (href, text, kind = "act") => h("a", { class: kind, href }, text);

// --- all games -------------------------------------------------------------------------------------------------------

function gameRow(game) {
  const result = h("small", {}, "…");
  const row = h("li", {}, h("a", { class: "row", href: `/history/${game.game}` },
    h("span", {}, h("b", {}, game.players.join(", ")), h("small", {}, `${date(game.wall)} · ${t("preset." + game.preset)}`), result)));
  return { row, result };
}

function told(game) {
  const ahead = game.scoring === "cumulative_low" || game.scoring === "elimination" ? -1 : 1; // fewest or most points first
  const totals = Object.entries(game.totals).sort((a, b) => ahead * (b[1] - a[1])).map(([name, points]) => `${name}\u00a0${points}`).join(", ");
  return [t(game.hands === 1 ? "history.one_hand" : "history.hands", { n: game.hands }), game.winner ? t("history.won_by", { name: game.winner }) : null, totals].filter(Boolean).join(" · ");
}

/** Every game is read once; the Pi takes a moment for each, so the bar shows how far it is. */
async function readAll(rows, place) {
  const bar = h("progress", { max: rows.length, value: 0, "aria-label": t("history.reading") });
  place.replaceChildren(h("p", { class: "muted" }, t("history.reading")), bar);
  for (const [game, result] of rows) {
    const answer = await fetch(`/api/games/${game.game}`).catch(() => null);
    result.textContent = answer?.ok ? told(await answer.json()) : t("error.other");
    bar.value += 1;
  }
  const answer = await fetch("/api/statistics").catch(() => null);
  if (answer?.ok) place.replaceChildren(...overGames(await answer.json()));
  else place.replaceChildren(h("p", { class: "muted" }, t("error.offline")));
}

function allGames() {
  if (!boot.games.length) return [h("p", { class: "lead" }, t("history.none")), link("/play", t("join.to_table"), "act strong")];
  const rows = boot.games.map((game) => ({ game, ...gameRow(game) }));
  const place = h("div", { "aria-live": "polite" });
  readAll(rows.map(({ game, result }) => [game, result]), place);
  const list = (some) => h("ul", { class: "undo-list" }, some.map(({ row }) => row));
  return [
    h("section", {}, h("h2", {}, t("history.games")), list(rows.slice(0, NEWEST)),
      rows.length > NEWEST && h("details", {}, h("summary", {}, t("history.earlier", { n: rows.length - NEWEST })), list(rows.slice(NEWEST)))),
    h("section", {}, h("h2", {}, t("history.figures")), place),
    boot.me.host && h("section", {}, h("h2", {}, t("history.keep")), h("p", { class: "muted" }, t("history.keep_note")), link("/api/backup.zip", t("history.backup"))),
  ];
}

// --- one game --------------------------------------------------------------------------------------------------------

function oneGame() {
  const game = boot.game, names = Object.keys(game.totals), record = game.record;
  const sheet = table(t("history.sheet"), [t("history.hand_no"), ...names, t("history.cards"), t("history.time")], game.sheet.map((hand, i) => {
    const before = game.sheet[i - 1]?.totals ?? {};
    return [link(`/history/${game.game}/${hand.hand}`, [hand.hand, h("span", { "aria-hidden": "true" }, " ▶"), h("span", { class: "unseen" }, t("history.watch"))], "act small"), ...names.map((name) => {
      const gained = (hand.totals[name] ?? 0) - (before[name] ?? 0);
      const total = h("span", { class: hand.winner === name ? "won" : "" }, hand.totals[name] ?? "", gained ? h("small", {}, ` +${gained}`) : null);
      return gained || hand.winner === name ? total : { same: total };
    }), hand.plays, minutes(hand.seconds)];
  }), "by-hand");
  return [
    h("section", {}, h("p", { class: "lead" }, `${date(game.wall)} · ${t("preset." + game.preset)}`), h("p", { class: "muted" }, told(game)),
      game.sheet.length > 1 && totalsChart(game.sheet, names, game.scoring === "none" ? null : game.target)),
    h("section", {}, h("h2", {}, t("history.sheet")), sheet),
    h("section", {}, h("h2", {}, t("history.figures")), figuresTable(boot.figures)),
    h("section", {}, h("h2", {}, t("history.record")), h("p", { class: "muted" }, t("history.record_note")),
      h("dl", { class: "record" }, ["plays", "unsure", "corrected", "calls", "overturned", "asked"].map((key) => h("div", {}, h("dt", {}, t("record." + key)), h("dd", {}, record[key]))))),
    h("section", {}, h("h2", {}, t("history.keep")), h("div", { class: "choices" },
      link(`/api/games/${game.game}/scores.csv`, t("history.csv")), link(`/api/games/${game.game}/log.json`, t("history.log")))),
  ];
}

// --- one hand --------------------------------------------------------------------------------------------------------

function oneHand() {
  const { game, story } = boot, last = game.sheet.length;
  const other = (n, text) => (n >= 1 && n <= last ? link(`/history/${game.game}/${n}`, text, "act small") : null);
  return [
    h("section", {}, h("h2", {}, t("history.hand_of", { n: story.hand })), story.winner && h("p", { class: "muted" }, t("history.won_by", { name: story.winner })),
      story.steps.length ? replayOf(story.steps, deedLine) : h("p", { class: "muted" }, t("history.empty_hand"))),
    h("nav", { class: "choices", "aria-label": t("history.other_hands") }, other(story.hand - 1, t("history.before")), other(story.hand + 1, t("history.after"))),
  ];
}

const parts = boot.story ? oneHand() : boot.game ? oneGame() : allGames();
$("back").href = boot.story ? `/history/${boot.game.game}` : boot.game ? "/history" : "/play";
$("back").textContent = boot.story ? t("history.to_game") : boot.game ? t("history.to_all") : t("host.back");
$("main").replaceChildren(...parts.flat(9).filter(Boolean));
