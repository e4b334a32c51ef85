// Small helpers to build pages. Text from people only ever becomes text nodes, never markup.

export const boot = JSON.parse(document.getElementById("boot").textContent);
export const $ = (id) => document.getElementById(id);

/** How dates are written: as in the phone's own country where it speaks the page's language. */
export const locale = navigator.languages.find((one) => one.startsWith(boot.language)) ?? boot.language;

/** The phrase `key` with its {names} filled in. */
export function t(key, values = {}) {
  return (boot.phrases[key] ?? key).replace(/\{(\w+)\}/g, (whole, name) => values[name] ?? whole);
}

/** An element: h("p", {class: "a", onclick: f}, "text", child, ...). Empty children are left out. */
export function h(tag, props = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(props)) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else node.setAttribute(name, value === true ? "" : value);
  }
  node.append(...children.flat(9).filter((child) => child !== null && child !== undefined && child !== false && child !== ""));
  return node;
}

/** The input, which says `text` where what was typed will not do; the browser would say it in its own language. */
export function worded(input, text) {
  input.addEventListener("invalid", () => input.setCustomValidity(text));
  input.addEventListener("input", () => input.setCustomValidity(""));
  return input;
}

/** An SVG drawn from our own markup. */
export function drawing(viewBox, markup, props = {}) {
  const host = document.createElement("template");
  host.innerHTML = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="${viewBox}">${markup}</svg>`;
  const node = host.content.firstChild;
  if (!props["aria-label"]) node.setAttribute("aria-hidden", "true");
  else node.setAttribute("role", "img");
  for (const [name, value] of Object.entries(props)) node.setAttribute(name, value);
  return node;
}

const shown = new Map();

/** Fills the region `id` when what it depends on has changed, and keeps the keyboard where it was. */
export function show(id, facts, build) {
  const key = JSON.stringify(facts);
  if (shown.get(id) === key) return;
  shown.set(id, key);
  const region = $(id);
  const focused = region.contains(document.activeElement) ? document.activeElement.dataset.key : null;
  region.replaceChildren(...[build()].flat(9).filter(Boolean));
  if (focused) region.querySelector(`[data-key="${CSS.escape(focused)}"]`)?.focus();
}
