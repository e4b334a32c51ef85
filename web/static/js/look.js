// Before the first paint: where nobody has chosen a look on this device, the page takes the device's own.
const root = document.documentElement, light = window.matchMedia("(prefers-color-scheme: light)");

function follow() {
  root.dataset.theme = light.matches ? "light" : "dark";
  document.querySelector("meta[name=theme-color]").content = light.matches ? "#f1f3f8" : "#0e1118";
}

if ("follow" in root.dataset) {
  follow();
  light.addEventListener?.("change", follow);
}
