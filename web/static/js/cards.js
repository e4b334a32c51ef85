// Cards and colours as drawn by us: every colour has a shape as well.
import { drawing, h, t } from "./dom.js";

export const COLOURS = ["R", "Y", "G", "B"];
export const RANKS = ["0", "1", "2", "3", "4", "5", "6", "7", "8", "9", "S", "R", "+2"];
const PAPER = "#fdfcf7", INK = "#171b26";
const PAINT = { R: "#d5302b", Y: "#f2b400", G: "#23934a", B: "#1c6bd0" };
const SHAPE = {
  R: '<circle r="9.500"/>',
  B: '<rect x="-8.500" y="-8.500" width="17" height="17" rx="2"/>',
  G: '<path d="M0-10 10.500 8.500h-21z"/>',
  Y: '<path d="m0-11 3.300 6.900 7.500 1-5.500 5.200 1.400 7.600L0 6l-6.700 3.700 1.400-7.600-5.500-5.200 7.500-1z"/>',
};
const MARK = {
  S: '<circle r="25" fill="none" stroke-width="9"/><path d="M-17 17 17-17" fill="none" stroke-width="9"/>',
  R: '<path d="M-14 24V-6m-11 9 11-15 11 15M14-24V6M3-3 14 12 25-3" fill="none" stroke-width="9" stroke-linejoin="round" stroke-linecap="round"/>',
  "+2": `<rect x="-9" y="-31" width="28" height="42" rx="5" stroke="${PAPER}" stroke-width="3"/><rect x="-20" y="-15" width="28" height="42" rx="5" stroke="${PAPER}" stroke-width="3"/>`,
};
const WILD_MARK = {
  W: "",
  WS: '<path d="M-26-12h42m-13-13 14 13L3 1M26 14h-42m13 13-14-13L-3 1" fill="none" stroke-width="7" stroke-linecap="round" stroke-linejoin="round"/>',
  WX: '<path d="M-26-16h12L12 16h14m-8-9 9 9-9 9M-26 16h12L12-16h14m-8-9 9 9-9 9" fill="none" stroke-width="7" stroke-linecap="round" stroke-linejoin="round"/>',
  WC: '<path d="m-20 22 4-14L12-20l10 10-28 28z" fill="none" stroke-width="7" stroke-linejoin="round"/>',
};

export const colourName = (letter) => t("colour." + letter);

/** "red 7", "Wild Draw Four", "a card that was not read". */
export function cardName(card) {
  if (!card || card === "?") return t("card.unread");
  if (card[0] === "W") return t("rank." + card);
  const rank = card.slice(1);
  return t("card.of_colour", { colour: colourName(card[0]), rank: /^\d$/.test(rank) ? rank : t("rank." + rank) });
}

/** What somebody did, in one line: a step of the history, or what an undo takes back. */
export function deedLine(deed) {
  if (deed.event === "discard" && !deed.by) return cardName(deed.card);
  const values = { name: deed.by ?? t("step.somebody"), card: cardName(deed.card), n: deed.n ?? "?", colour: deed.colour ? colourName(deed.colour) : "" };
  return t("step." + deed.event, values);
}

/** The colour's shape, filled with the colour. */
export function shape(letter, props = {}) {
  return drawing("-12 -12 24 24", `<g fill="${PAINT[letter]}" stroke="${PAPER}" stroke-width="1.200">${SHAPE[letter]}</g>`, props);
}

function number(text, size, fill) {
  const bar = text === "6" || text === "9" ? `<rect x="${-size * 0.24}" y="${size * 0.43}" width="${size * 0.48}" height="${size * 0.08}" fill="${fill}"/>` : "";
  return `<text y="${size * 0.355}" font-size="${size}" font-weight="800" font-family="inherit" text-anchor="middle" fill="${fill}">${text}</text>${bar}`;
}

function corner(text, mark, letter) {
  const sign = mark && text !== "+2" ? `<g transform="translate(1 0) scale(.3)" fill="#fff" stroke="#fff">${mark}</g>` : `<g transform="translate(${text.length > 1 ? 4 : 0} 0)">${number(text, text.length > 1 ? 20 : 23, "#fff")}</g>`;
  const below = letter ? `<g transform="translate(0 19) scale(.55)" fill="#fff">${SHAPE[letter]}</g>` : "";
  const one = `<g transform="translate(19 22)">${sign}${below}</g>`;
  return `${one}<g transform="rotate(180 56 87)">${one}</g>`;
}

function four(scale) {
  const place = { R: [-1, -1], B: [1, -1], G: [-1, 1], Y: [1, 1] };
  return COLOURS.map((c) => `<g transform="translate(${place[c][0] * 14 * scale} ${place[c][1] * 15 * scale}) scale(${scale})" fill="${PAINT[c]}">${SHAPE[c]}</g>`).join("");
}

function fan() {
  const at = { R: [-12, 6], Y: [-4, -13], G: [5, 2], B: [13, -17] };
  const cards = COLOURS.map((c) => `<g transform="translate(${at[c]})"><rect x="-12" y="-6" width="22" height="33" rx="4" fill="${PAINT[c]}" stroke="${PAPER}" stroke-width="2.500"/><g transform="translate(-1 10.500) scale(.6)" fill="#fff">${SHAPE[c]}</g></g>`);
  return `<g transform="translate(0 -6) scale(1.2)">${cards.join("")}</g>`;
}

/** The face of a card; `named` is the colour named for a wild. Not a copy of anybody's deck. */
export function face(card, { named = null, label = true, props = {} } = {}) {
  const known = card && card !== "?";
  const wild = known && card[0] === "W";
  const letter = known && !wild ? card[0] : null;
  const rank = letter ? card.slice(1) : card;
  const field = letter ? PAINT[letter] : wild ? INK : "#5d6678";
  let middle;
  if (!known) middle = number("?", 78, "#5d6678");
  else if (rank === "W+4") middle = fan();
  else if (wild) middle = WILD_MARK[rank] ? `<g stroke="${INK}" transform="scale(1.050)">${WILD_MARK[rank]}</g>` : four(1.2);
  else {
    const ink = letter === "Y" ? "#8a6100" : field;
    const sign = MARK[rank] ? `<g fill="${ink}" stroke="${ink}" transform="scale(.9)">${MARK[rank]}</g>` : number(rank, 72, ink);
    middle = `<g transform="translate(0 -10)">${sign}</g><g transform="translate(0 36) scale(.85)" fill="${field}">${SHAPE[letter]}</g>`;
  }
  const text = !known ? "?" : rank === "W+4" ? "+4" : wild ? "W" : rank;
  return drawing(
    "0 0 112 174",
    `<rect width="112" height="174" rx="13" fill="${named ? PAINT[named] : PAPER}"/><rect x="6" y="6" width="100" height="162" rx="8" fill="${field}"/>` +
      `<ellipse cx="56" cy="87" rx="39" ry="57" fill="${PAPER}"/><g transform="translate(56 87)">${middle}</g>` +
      corner(text, letter ? MARK[rank] : null, letter),
    { class: "face", ...(label ? { "aria-label": cardName(card) } : {}), ...props },
  );
}

/** A small number of cards in a hand, as a picture of backs. */
export function backs(props = {}) {
  return drawing("0 0 30 26", '<g stroke="currentColor" stroke-width="2" fill="#232b3b"><rect x="4" y="6" width="12" height="17" rx="2.500" transform="rotate(-14 10 14)"/><rect x="14" y="5" width="12" height="17" rx="2.500" transform="rotate(12 20 14)"/></g>', { class: "backs", ...props });
}

/** "colour in force": shape and word. */
export function colourInForce(letter) {
  if (!letter) return h("p", { class: "force none" }, t("colour.none"));
  return h("p", { class: "force " + letter }, shape(letter), h("span", {}, colourName(letter)));
}
