// Steps that decide where things are: the table, the piles, the seats. Each keeps what it settled at once.
import { h, t } from "./dom.js";
import { post, tapping } from "./say.js";
import { adviceList, put, troubleOf } from "./setup_checks.js";
import { View, cornersOf, inverse, polygon, s, through } from "./setup_view.js";

const SEAT_RIM = 0.18, SEAT_REACH = [1.45, 1.75], LEAST = 2, MOST = 10;
const clone = (value) => JSON.parse(JSON.stringify(value));
const middleOf = ([x, y, w, d]) => [x + w / 2, y + d / 2];

/** A calibration's piles on the picture: the places, and a card in the middle of each. */
function pileMarks(calibration) {
  const m = calibration.table_to_image, [cw, cd] = calibration.card_mm;
  return [["discard", calibration.discard_zone_mm], ["draw", calibration.draw_zone_mm]].map(([name, zone]) => {
    const [x, y] = middleOf(zone);
    return [polygon(cornersOf(zone).map((p) => through(m, p)), "zone " + name),
      polygon(cornersOf([x - cw / 2, y - cd / 2, cw, cd]).map((p) => through(m, p)), `card-line ${name}-line`)];
  });
}

// --- the table -------------------------------------------------------------------------------------------------------

export function tableStep(wizard) {
  const view = new View(t("setup.preview"), t("setup.waiting")), said = h("div", { role: "status" }), more = h("div", { class: "more" });
  const lead = h("p", {});
  let found = null, corners = null, handles = [];
  const use = h("button", { class: "act strong", type: "button", "data-key": "use", disabled: true, onclick: tapping(keep) }, t("setup.use_mat"));

  async function keep() {
    let calibration = found;
    if (corners) {
      const answer = await post("/api/setup/corners", { corners, size: size() });
      calibration = answer?.calibration;
    }
    if (!calibration) return null;
    const before = wizard.state.calibration;
    if (before) calibration = { ...calibration, seats: seatsFor(calibration, before.seats.length) };
    return (await wizard.keep(calibration)) && (wizard.next(), true);
  }

  function size() {
    const chosen = more.querySelector("select").value;
    if (chosen !== "own") return chosen;
    return ["length", "width"].map((name) => 10 * Number(more.querySelector(`[name=${name}]`).value));
  }

  function byCorners() {
    const [w, d] = view.size ?? [1280, 720];
    corners = [[0.3, 0.28], [0.7, 0.28], [0.7, 0.72], [0.3, 0.72]].map(([x, y]) => [x * w, y * d]);
    const outline = () => view.draw(polygon(corners, "area"));
    handles = corners.map((at, i) => view.handle(at, { label: t("setup.corner", { n: i + 1 }), kind: "corner" }, (point) => { corners[i] = point; outline(); }));
    outline();
    const own = h("div", { class: "fields", hidden: true },
      ["length", "width"].map((name) => h("label", {}, t(`setup.${name}_cm`), h("input", { name, type: "number", inputmode: "numeric", min: 5, max: 500, value: name === "length" ? 120 : 80 }))));
    const select = h("select", { id: "size", onchange: () => { own.hidden = select.value !== "own"; } },
      ["a4", "letter", "own"].map((one) => h("option", { value: one }, t("setup.size_" + one))));
    lead.textContent = t("setup.corners_lead");
    more.replaceChildren(h("label", { for: "size" }, t("setup.size")), select, own,
      h("button", { class: "act wide", type: "button", "data-key": "mat", onclick: byMat }, t("setup.with_mat")));
    use.textContent = t("setup.use_corners");
    use.disabled = false;
    said.facts = null;
    said.replaceChildren();
  }

  function byMat() {
    corners = null;
    handles.forEach((one) => one.remove());
    lead.textContent = t("setup.table_lead");
    const file = (paper, name) => h("a", { class: "act", href: `/setup/mat-${paper}.pdf` }, t("setup.mat_file", { paper: name }));
    more.replaceChildren(h("div", { class: "choices" }, file("a4", "A4"), file("letter", "Letter")),
      h("button", { class: "act quiet wide", type: "button", "data-key": "corners", onclick: byCorners }, t("setup.no_printer")));
    use.textContent = t("setup.use_mat");
    use.disabled = !found;
    if (wizard.state && wizard.looked === "table") step.update(wizard.state);
  }

  const step = {
    main: use,
    nodes: [lead, view.node, said, more],
    update(state) {
      view.update(state.n, state.facts?.size);
      if (corners) return;
      const mat = state.facts?.mat, trouble = troubleOf(state);
      found = mat?.calibration ?? null;
      use.disabled = !found;
      const shown = found ?? state.calibration;
      view.draw((mat?.markers ?? []).map((quad) => polygon(quad, "mark")), shown && pileMarks(shown));
      put(said, [trouble, mat?.advice, mat?.residual_mm, mat?.markers.length], () => {
        if (trouble) return h("ul", { class: "advice" }, h("li", {}, trouble));
        if (!found) return adviceList(mat.advice);
        const list = adviceList(mat.advice);
        list.prepend(h("li", { class: "good" }, t("setup.mat_found", { n: mat.markers.length, mm: mat.residual_mm.toFixed(1) })));
        return list;
      });
    },
  };
  byMat();
  return step;
}

// --- the piles -------------------------------------------------------------------------------------------------------

const tableFirst = (wizard) => ({ look: "table", update() {}, nodes: [h("p", { class: "lead" }, t("setup.table_first")), h("button", { class: "act strong wide", type: "button", onclick: () => wizard.go("table") }, t("setup.to_table"))] });

export function pilesStep(wizard) {
  if (!wizard.state?.calibration) return waiting(wizard, pilesStep);
  const made = clone(wizard.state.calibration), back = inverse(made.table_to_image);
  const view = new View(t("setup.preview"), t("setup.waiting"));
  view.fit(made.image_size);
  const keys = { discard: "discard_zone_mm", draw: "draw_zone_mm" };
  const place = (name, [x, y]) => {
    const [, , w, d] = made[keys[name]];
    made[keys[name]] = [x - w / 2, y - d / 2, w, d].map((v) => Math.round(v * 10) / 10);
  };
  const pixels = (name) => through(made.table_to_image, middleOf(made[keys[name]]));
  const redraw = () => {
    view.draw(pileMarks(made));
    for (const name of Object.keys(keys)) handles[name]?.put(pixels(name));
  };
  const handles = {};
  for (const name of Object.keys(keys)) {
    handles[name] = view.handle(pixels(name), { label: t("setup." + name), text: "✥", radius: 46 }, (point) => { place(name, through(back, point)); view.draw(pileMarks(made)); });
  }
  const wide = { discard: [100, 320], draw: [70, 220] };
  const sizes = Object.keys(keys).map((name) => {
    const [, , w, d] = made[keys[name]], share = d / w;
    return h("label", { class: "range" }, t(`setup.${name}_size`), h("input", { type: "range", min: wide[name][0], max: wide[name][1], step: 5, value: w, name: name + "_size", oninput: (event) => {
      const middle = middleOf(made[keys[name]]), to = Number(event.target.value);
      made[keys[name]] = [0, 0, to, Math.round(to * share)];
      place(name, middle);
      redraw();
    } }));
  });
  const swap = h("button", { class: "act wide", type: "button", onclick: () => {
    const [a, b] = [middleOf(made.discard_zone_mm), middleOf(made.draw_zone_mm)];
    place("discard", b);
    place("draw", a);
    redraw();
  } }, t("setup.swap"));
  redraw();
  return {
    main: keepButton(wizard, () => made),
    nodes: [h("p", {}, t("setup.piles_lead")), view.node, h("p", { class: "legend" }, legend("discard"), " ", legend("draw")), sizes, swap],
    update(state) { view.update(state.n, state.facts?.size); },
  };
}

const legend = (name) => h("span", { class: "key " + name }, t("setup." + name));
const keepButton = (wizard, made) => h("button", { class: "act strong", type: "button", "data-key": "keep", onclick: tapping(async () => (await wizard.keep(made())) && (wizard.next(), true)) }, t("setup.keep"));

/** Until the referee has answered for the first time nobody knows whether the table is known. */
function waiting(wizard, step) {
  if (wizard.state) return tableFirst(wizard);
  return { nodes: [h("p", { class: "muted" }, t("setup.waiting"))], update: () => wizard.go(step === pilesStep ? "piles" : "seats") };
}

// --- the seats -------------------------------------------------------------------------------------------------------

/** Seats round the visible table, clockwise as the camera sees them, the first at the lower edge. */
function seatsFor({ table_mm: [w, d] }, count) {
  return Array.from({ length: count }, (_, k) => {
    const angle = Math.PI / 2 + (2 * Math.PI * k) / count;
    return { seat: k + 1, at_mm: [(w / 2) * (1 + SEAT_REACH[0] * Math.cos(angle)), (d / 2) * (1 + SEAT_REACH[1] * Math.sin(angle))].map((v) => Math.round(v * 10) / 10) };
  });
}

export function seatsStep(wizard) {
  if (!wizard.state?.calibration) return waiting(wizard, seatsStep);
  const made = clone(wizard.state.calibration), back = inverse(made.table_to_image);
  const view = new View(t("setup.preview"), t("setup.waiting"), SEAT_RIM);
  view.fit(made.image_size);
  if (made.seats.length < LEAST) made.seats = seatsFor(made, 4);
  const count = h("b", { role: "status" });
  const inside = ([x, y]) => {
    const [w, d] = made.image_size, rim = w * SEAT_RIM * 0.6;
    return [Math.min(w + rim, Math.max(-rim, x)), Math.min(d + rim, Math.max(-rim, y))];
  };
  const redraw = () => {
    count.textContent = t("setup.players", { n: made.seats.length });
    view.top.replaceChildren();
    for (const seat of made.seats) {
      view.handle(inside(through(made.table_to_image, seat.at_mm)), { label: t("setup.seat", { n: seat.seat }), kind: "seat", text: seat.seat, radius: 58 },
        (point) => { seat.at_mm = through(back, point).map((v) => Math.round(v * 10) / 10); });
    }
    fewer.disabled = made.seats.length <= LEAST;
    more.disabled = made.seats.length >= MOST;
  };
  const change = (by) => () => { made.seats = seatsFor(made, made.seats.length + by); redraw(); };
  const fewer = h("button", { type: "button", "aria-label": t("setup.fewer"), "data-key": "fewer", onclick: change(-1) }, "−");
  const more = h("button", { type: "button", "aria-label": t("setup.more"), "data-key": "more", onclick: change(1) }, "+");
  redraw();
  view.draw(pileMarks(made), s("rect", { class: "rim", x: 0, y: 0, width: made.image_size[0], height: made.image_size[1], fill: "none", stroke: "#364056", "stroke-width": 4 }));
  return {
    main: keepButton(wizard, () => made),
    nodes: [h("p", {}, t("setup.seats_lead")), h("div", { class: "stepper" }, fewer, count, more), view.node],
    update(state) { view.update(state.n, state.facts?.size); },
  };
}
