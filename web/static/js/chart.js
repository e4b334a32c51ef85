// Lines of totals over the hands of a game. Every line has its own dash and ends in its name, so that no colour is needed to tell them apart.
import { drawing, h, t } from "./dom.js";

const INKS = 10; // colours of lines, .ink0 to .ink9, in history.css
const DASH = ["", "7 4", "2 4", "9 3 2 3", "", "7 4", "2 4", "9 3 2 3", "", "7 4"];
const LINE = 17, H = 300, LEFT = 44, TOP = 12, BOTTOM = 30;
const WIDEST = 640, NARROWEST = 300; // drawn as wide as its place, so that its letters keep their size on a phone
const LETTER = 10, LETTERS = 16; // of a name, pixels; the longest name a player may have
const escaped = (text) => text.replace(/[&<>"]/g, (c) => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" })[c]);

/** A round number near a fifth of `top`. */
function stepOf(top) {
  const rough = Math.max(top, 5) / 5, ten = 10 ** Math.floor(Math.log10(rough));
  return [1, 2, 5, 10].map((n) => n * ten).find((n) => n >= rough);
}

/** Names pushed apart, so that equal totals stay readable. */
function spread(ends) {
  const sorted = [...ends].sort((a, b) => a.y - b.y);
  for (let i = 1; i < sorted.length; i++) sorted[i].label = Math.max(sorted[i].y, sorted[i - 1].label + LINE);
  let room = H - 8; // those pushed out at the foot move up again
  for (const end of sorted.reverse()) {
    end.label = Math.min(end.label, room);
    room = end.label - LINE;
  }
  return ends;
}

/** The chart of `sheet` ([{hand, totals}]) with its target line, and for screen readers what it shows; `said` is the phrase for that. */
export function totalsChart(sheet, names, target, said = "history.chart") {
  const figure = h("figure", { class: "chart" });
  let drawn = 0;
  new ResizeObserver(() => {
    const width = Math.max(NARROWEST, Math.min(WIDEST, Math.round(figure.clientWidth)));
    if (width !== drawn) figure.replaceChildren(picture(sheet, names, target, said, width));
    drawn = width;
  }).observe(figure);
  return figure;
}

function picture(sheet, names, target, said, W) {
  const RIGHT = 16 + Math.min(W / 3, LETTER * Math.min(LETTERS, Math.max(...names.map((name) => name.length))));
  const letters = Math.floor((RIGHT - 16) / LETTER);
  const short = (name) => (name.length > letters ? name.slice(0, letters - 1) + "…" : name);
  const top = Math.max(target ?? 0, ...sheet.flatMap((row) => names.map((name) => row.totals[name] ?? 0)), 5);
  const x = (hand) => LEFT + (W - LEFT - RIGHT) * (sheet.length < 1 ? 0 : hand / sheet.length);
  const y = (points) => TOP + (H - TOP - BOTTOM) * (1 - points / top);
  const rules = [];
  for (let points = 0, step = stepOf(top); points <= top; points += step) {
    rules.push(`<line class="rule" x1="${LEFT}" x2="${W - RIGHT}" y1="${y(points)}" y2="${y(points)}"/><text class="axis" x="${LEFT - 6}" y="${y(points) + 4}" text-anchor="end">${points}</text>`);
  }
  const every = Math.ceil(sheet.length / ((W - LEFT - RIGHT) / 42));
  const hands = sheet.map((row, i) => (i % every ? "" : `<text class="axis" x="${x(i + 1)}" y="${H - 8}" text-anchor="middle">${row.hand}</text>`));
  const goal = target && target <= top ? `<line class="goal" x1="${LEFT}" x2="${W - RIGHT}" y1="${y(target)}" y2="${y(target)}"/>` : "";
  const ends = spread(names.map((name, i) => {
    const points = sheet.map((row, k) => [x(k + 1), y(row.totals[name] ?? 0)]);
    const last = points.at(-1) ?? [x(0), y(0)];
    return { name, i, path: [[x(0), y(0)], ...points].map(([a, b]) => `${a.toFixed(1)},${b.toFixed(1)}`).join(" "), y: last[1], label: last[1], x: last[0] };
  }));
  const lines = ends.map((end) => `<g class="ink${end.i % INKS}" stroke="currentColor" fill="currentColor"><polyline class="line" stroke-dasharray="${DASH[end.i % DASH.length]}" points="${end.path}"/><circle r="4" cx="${end.x}" cy="${end.y}"/><text class="who" stroke="none" x="${W - RIGHT + 10}" y="${end.label + 4}">${escaped(short(end.name))}</text></g>`);
  const told = names.map((name) => `${name} ${sheet.at(-1)?.totals[name] ?? 0}`).join(", ");
  return drawing(`0 0 ${W} ${H}`, rules.join("") + hands.join("") + goal + lines.join(""), { "aria-label": t(said, { totals: told }) });
}
