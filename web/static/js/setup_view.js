// The camera's picture with what was found on it, and things on it that can be dragged by finger, mouse or keyboard.
import { h } from "./dom.js";

const SVG = "http://www.w3.org/2000/svg";

/** An element of an SVG. */
export function s(tag, props = {}, ...children) {
  const node = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(props)) if (value !== null && value !== undefined && value !== false) node.setAttribute(name, value);
  node.append(...children.filter(Boolean));
  return node;
}

/** A point through a 3 x 3 homography. */
export function through(m, [x, y]) {
  const w = m[2][0] * x + m[2][1] * y + m[2][2];
  return [(m[0][0] * x + m[0][1] * y + m[0][2]) / w, (m[1][0] * x + m[1][1] * y + m[1][2]) / w];
}

/** The inverse of a 3 x 3 matrix. */
export function inverse([[a, b, c], [d, e, f], [g, i, k]]) {
  const det = a * (e * k - f * i) - b * (d * k - f * g) + c * (d * i - e * g);
  return [[(e * k - f * i) / det, (c * i - b * k) / det, (b * f - c * e) / det],
    [(f * g - d * k) / det, (a * k - c * g) / det, (c * d - a * f) / det],
    [(d * i - e * g) / det, (b * g - a * i) / det, (a * e - b * d) / det]];
}

export const cornersOf = ([x, y, w, d]) => [[x, y], [x + w, y], [x + w, y + d], [x, y + d]];
export const polygon = (points, kind) => s("polygon", { class: kind, points: points.map((p) => p.map((v) => v.toFixed(1)).join(",")).join(" ") });

/** The picture. `rim`: how much is shown outside it on every side, as a share of its width; `source`: its address. */
export class View {
  constructor(label, waiting, rim = 0, source = "/api/setup/picture.jpg") {
    this.rim = rim;
    this.source = source;
    this.image = s("image", { preserveAspectRatio: "none" });
    this.layer = s("g");
    this.top = s("g");
    this.svg = s("svg", { role: "group", "aria-label": label, hidden: "" }, this.image, this.layer, this.top);
    this.node = h("figure", { class: "view" }, h("p", { class: "waiting" }, waiting), this.svg);
    this.shown = null;
    this.size = null;
  }

  /** Shows the picture number `n` of `size`; loads it aside first, so that nothing flickers. */
  update(n, size) {
    if (!size || n === this.shown) return;
    this.shown = n;
    this.fit(size);
    const next = new Image();
    next.onload = () => {
      if (this.shown === n) this.image.setAttribute("href", next.src);
      this.svg.removeAttribute("hidden");
      this.node.querySelector(".waiting")?.remove();
    };
    next.src = `${this.source}?n=${n}`;
  }

  fit([w, height]) {
    if (this.size && this.size[0] === w && this.size[1] === height) return;
    this.size = [w, height];
    const rim = w * this.rim;
    this.svg.setAttribute("viewBox", `${-rim} ${-rim} ${w + 2 * rim} ${height + 2 * rim}`);
    this.image.setAttribute("width", w);
    this.image.setAttribute("height", height);
  }

  draw(...marks) {
    this.layer.replaceChildren(...marks.flat(3).filter(Boolean));
  }

  /** Pixels of the picture under the pointer. */
  point(event) {
    const at = new DOMPoint(event.clientX, event.clientY).matrixTransform(this.svg.getScreenCTM().inverse());
    return [at.x, at.y];
  }

  /** A thing to drag. at: [x, y] pixels; onmove([x, y]) while it goes; returns its node with `put([x, y])`. */
  handle(at, { label, kind = "", text = "", radius = 38 }, onmove) {
    const grip = s("circle", { class: "grip", r: radius });
    const node = s("g", { class: "handle " + kind, tabindex: 0, role: "button", "aria-label": label },
      s("circle", { class: "reach", r: Math.max(90, radius * 1.3) }), grip, text && s("text", { "font-size": radius }));
    if (text) node.lastChild.textContent = text;
    let where = at, grabbed = null;
    const put = (point) => {
      where = point;
      node.setAttribute("transform", `translate(${point[0].toFixed(1)} ${point[1].toFixed(1)})`);
    };
    const move = (point) => {
      const [w, height] = this.size, rim = w * this.rim;
      put([Math.min(w + rim, Math.max(-rim, point[0])), Math.min(height + rim, Math.max(-rim, point[1]))]);
      onmove(where);
    };
    node.addEventListener("pointerdown", (event) => {
      const here = this.point(event);
      grabbed = [where[0] - here[0], where[1] - here[1]];
      node.setPointerCapture(event.pointerId);
      node.focus({ preventScroll: true });
      event.preventDefault();
    });
    node.addEventListener("pointermove", (event) => {
      if (!grabbed) return;
      const here = this.point(event);
      move([here[0] + grabbed[0], here[1] + grabbed[1]]);
    });
    for (const end of ["pointerup", "pointercancel"]) node.addEventListener(end, () => { grabbed = null; });
    node.addEventListener("keydown", (event) => {
      const step = event.shiftKey ? 20 : 3;
      const by = { ArrowLeft: [-step, 0], ArrowRight: [step, 0], ArrowUp: [0, -step], ArrowDown: [0, step] }[event.key];
      if (!by) return;
      event.preventDefault();
      move([where[0] + by[0], where[1] + by[1]]);
    });
    put(at);
    node.put = put;
    this.top.append(node);
    return node;
  }
}
