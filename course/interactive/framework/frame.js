// The frame of a figure: title, instruction, what it is made of, and its state in words.

import { html } from "./svg.js";

const QUIET = 400; // milliseconds without a change after which the state is read out

// Put a figure into every place on the page that waits for it. Where the browser is too old, or the figure fails, the
// place stays empty and the picture before it stays visible.
export function mount(name, build) {
  const able = CSS.supports("color", "light-dark(red, blue)") && CSS.supports("selector(:has(a))");
  if (!able) return;
  for (const host of document.querySelectorAll(`.probml-figure[data-figure="${name}"]:not(.mounted)`)) {
    try {
      build(host);
      // Keys are for what has the focus, not for JupyterLab's commands.
      for (const node of host.querySelectorAll("[tabindex], input, button")) node.dataset.lmSuppressShortcuts = "true";
      host.classList.add("mounted");
    } catch (error) {
      host.replaceChildren();
      throw error;
    }
  }
}

// title : what there is to discover; instruction : what to do
// Gives back `body` and `after`, to put things into, above and below the state in words, and `start(draw)`: draw(width) redraws everything and returns
// the state in words; it is called now, when the width changes, and by the function that `start` returns.
export function frame(host, { title, instruction }) {
  const body = html("div", { class: "pf-body" });
  const after = html("div");
  const state = html("p", { class: "pf-state", role: "status", "aria-live": "polite" });
  host.setAttribute("role", "group");
  host.setAttribute("aria-label", title);
  const heading = [html("p", { class: "pf-title" }, title), html("p", { class: "pf-instruction" }, instruction)];
  host.append(...heading, body, state, after);
  const start = (draw) => {
    let [asked, width, timer] = [false, 0, 0];
    const redraw = () => {
      asked = false;
      if (!width) return;
      const begin = performance.now();
      const text = draw(width);
      performance.measure("probml redraw", { start: begin });
      if (state.textContent === text) return;
      state.setAttribute("aria-busy", "true");
      state.textContent = text;
      clearTimeout(timer);
      timer = setTimeout(() => state.removeAttribute("aria-busy"), QUIET);
    };
    const update = () => {
      if (!asked) requestAnimationFrame(redraw);
      asked = true;
    };
    new ResizeObserver(([entry]) => {
      width = Math.floor(entry.contentRect.width);
      update();
    }).observe(body);
    return update;
  };
  return { body, after, start };
}

export function reducedMotion() {
  return matchMedia("(prefers-reduced-motion: reduce)").matches;
}
