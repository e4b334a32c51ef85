// Partners and tournaments: who plays with whom, and how the sides stand.
import { h, t } from "./dom.js";

const letter = (team) => "ABCDE"[team - 1];

/** The team of a player, by its letter. */
export const teamBadge = (team) => h("span", { class: "badge team t" + team, role: "img", "aria-label": t("team.name", { team: letter(team) }) }, letter(team));

const mates = (board, player) => (player?.team ? board.players.filter((one) => one.team === player.team) : player ? [player] : []);
const playerNamed = (board, name) => board.players.find((player) => player.name === name);

/** Whether both are on the same side; a player alone is one. */
export const together = (board, name, other) => mates(board, playerNamed(board, name)).some((one) => one.name === other);

/** "Ana", in a team "Ana + Cleo". */
export const sideOf = (board, name) => mates(board, playerNamed(board, name)).map((one) => one.name).join(" + ") || name;

/** How the teams stand. In a tournament partners change, and everybody has points of one's own. */
export function sides(board) {
  const teams = [...new Set(board.players.map((player) => player.team))].filter(Boolean);
  if (!teams.length || board.tournament) return [];
  const score = (players) => (board.scoring === "winner_takes" ? Math.max(...players.map((one) => one.score)) : players.reduce((sum, one) => sum + one.score, 0));
  const rows = teams.map((team) => board.players.filter((player) => player.team === team)).map((players) =>
    h("li", { class: players.some((one) => one.name === (board.game_winner ?? board.winner)) && "won" }, teamBadge(players[0].team),
      h("span", {}, players.map((one) => one.name).join(" + ")), board.scoring !== "none" && h("b", { role: "img", "aria-label": t("player.points", { n: score(players) }) }, score(players))));
  return h("ul", { class: "sides", "aria-label": t("team.sides") }, rows);
}

/** Which round and hand of the tournament it is, and at which table. */
export const roundLine = ({ tournament }) => tournament && t("tournament.round", tournament);

/** Everybody in the tournament by points, those at the other table too. */
export function standings(board) {
  if (!board.elsewhere.length) return [];
  const all = [...board.players.map((one) => [one, false]), ...board.elsewhere.map((one) => [one, true])].sort(([a], [b]) => b.score - a.score);
  return [h("h2", {}, t("tournament.standings")), h("ol", { class: "standings" }, all.map(([one, away]) =>
    h("li", {}, h("span", {}, one.name, away && [" ", h("small", {}, t("tournament.away"))]), h("b", { role: "img", "aria-label": t("player.points", { n: one.score }) }, one.score))))];
}
