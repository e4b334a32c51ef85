// Figures of players: of one game, of all together, and how they grew from game to game.
import { h, locale, t } from "./dom.js";
import { totalsChart } from "./chart.js";

const FIGURES = ["games", "games_won", "hands", "hands_won", "points", "plays", "drawn", "uno_calls", "caught", "catches", "wrong_cards", "challenges", "challenges_won", "usual_turn_s"];
const CHARTED = ["points", "games_won", "hands_won", "plays", "drawn", "uno_calls", "caught", "catches", "wrong_cards", "challenges_won", "usual_turn_s"];
const LINES = 10; // more lines in one chart are not told apart

const ROWS = 12; // more rows scroll by themselves, so that what comes after the table stays near

/** Lays a table out row by row, each cell with its heading, where it is wider than its place: nobody then looks for a column. */
function fit(place) {
  let width = 0;
  new ResizeObserver(() => {
    if (place.clientWidth === width) return;
    width = place.clientWidth;
    place.classList.remove("stack");
    place.classList.toggle("stack", place.scrollWidth > width);
  }).observe(place);
  return place;
}

/** A table that scrolls up and down by itself when it is long. kind: a class of it; a cell `{same}` is left out of a row laid out by itself. */
export function table(caption, heads, rows, kind = "") {
  return fit(h("div", { class: `wide-table ${kind}` + (rows.length > ROWS ? " long" : ""), tabindex: 0, role: "region", "aria-label": caption }, h("table", { role: "table" },
    h("thead", { role: "rowgroup" }, h("tr", { role: "row" }, heads.map((text) => h("th", { scope: "col", role: "columnheader" }, text)))),
    h("tbody", { role: "rowgroup" }, rows.map(([first, ...cells]) => h("tr", { role: "row" }, h("th", { scope: "row", role: "rowheader" }, first),
      cells.map((cell, i) => h("td", { role: "cell", "data-head": heads[i + 1], class: cell?.same && "same" }, cell?.same ?? cell))))))));
}

const number = (value) => value?.toLocaleString(locale) ?? "–";

/** A column for each player, a row for each figure that anybody has. */
export function figuresTable(figures) {
  const names = Object.keys(figures);
  const shown = FIGURES.filter((key) => names.some((name) => figures[name][key] && !(key.startsWith("games") && figures[name].games === 1)));
  return table(t("history.figures"), ["", ...names], shown.map((key) => [t("figure." + key), ...names.map((name) => number(figures[name][key]))]));
}

/** What the chart of a figure shows game by game: sums so far, but the usual time of a turn as it was. */
function rowsOf(games, names, figure) {
  const sums = Object.fromEntries(names.map((name) => [name, 0]));
  return games.map((game, i) => {
    for (const name of names) {
      const did = game.players[name]?.[figure];
      if (did !== undefined && did !== null) sums[name] = figure === "usual_turn_s" ? did : sums[name] + did;
    }
    return { hand: i + 1, totals: { ...sums } };
  });
}

function choice(label, options, choose) {
  const box = h("select", { onchange: () => choose(box.value) }, options.map(([value, text]) => h("option", { value }, text)));
  return h("label", { class: "choice" }, label, box);
}

function chartOverGames(games, names) {
  const place = h("div", {});
  const draw = (figure) => place.replaceChildren(totalsChart(rowsOf(games, names, figure), names, null, "history.chart_games"));
  draw(CHARTED[0]);
  return [choice(t("history.chart_of"), CHARTED.map((figure) => [figure, t("figure." + figure)]), draw), place];
}

/** One player's games, a row each. */
function gamesOf(games, names) {
  const place = h("div", {});
  const draw = (name) => {
    const played = games.filter((game) => game.players[name]).reverse();
    const shown = FIGURES.filter((key) => key !== "games" && played.some((game) => game.players[name][key]));
    place.replaceChildren(table(t("history.games_of", { name }), ["", ...shown.map((key) => t("figure." + key))], played.map((game) => [
      h("a", { class: "act small", href: `/history/${game.game}` }, new Date(game.wall * 1000).toLocaleString(locale, { dateStyle: "short", timeStyle: "short" })),
      ...shown.map((key) => number(game.players[name][key]))])));
  };
  draw(names[0]);
  return [choice(t("history.player"), names.map((name) => [name, name]), draw), place];
}

/** All games together: the sums, a chart of any figure, and each player's games. */
export function overGames({ players, games }) {
  const names = Object.keys(players).sort((a, b) => players[b].games - players[a].games);
  return [figuresTable(players),
    games.length > 1 && h("section", {}, h("h3", {}, t("history.over_games")), chartOverGames(games, names.slice(0, LINES))),
    games.length > 1 && h("section", {}, h("h3", {}, t("history.each_game")), gamesOf(games, names)),
    h("div", { class: "choices" }, h("a", { class: "act", href: "/api/statistics.csv" }, t("history.figures_csv")),
      h("a", { class: "act", href: "/api/statistics", download: "uno-statistics.json" }, t("history.figures_json")))].filter(Boolean);
}
