// What a reader moves: handles in a chart, sliders, checkboxes, text fields, buttons.

import { html, svg } from "./svg.js";

const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowDown: [0, -1], ArrowUp: [0, 1] };
const LEAPS = { PageDown: -10, PageUp: 10 };

// A point that is dragged by mouse or finger and moved by the arrow keys (with Shift, or Page up and down, ten steps).
// move(x, y) : takes it to a place in pixels; nudge(right, up) : moves it by so many steps
export function handle(chart, { label, colour, move, nudge }) {
  const node = svg(
    "g",
    { class: "pf-handle", role: "slider", tabindex: 0, "aria-label": label, style: `color: var(--${colour})` },
    svg("circle", { class: "pf-reach", r: 18 }),
    svg("circle", { class: "pf-knob", r: 8 }),
  );
  let grip = null;
  const position = (event) => {
    const box = chart.node.getBoundingClientRect();
    return [event.clientX - box.left, event.clientY - box.top];
  };
  let at = [0, 0];
  node.addEventListener("pointerdown", (event) => {
    const [x, y] = position(event);
    grip = [at[0] - x, at[1] - y];
    node.setPointerCapture(event.pointerId);
    node.focus();
    event.preventDefault();
  });
  node.addEventListener("pointermove", (event) => {
    if (!grip) return;
    const [x, y] = position(event);
    move(x + grip[0], y + grip[1]);
  });
  for (const end of ["pointerup", "pointercancel"]) node.addEventListener(end, () => (grip = null));
  node.addEventListener("keydown", (event) => {
    const leap = LEAPS[event.key];
    const [right, up] = ARROWS[event.key] ?? [leap ?? 0, 0];
    if (!right && !up) return;
    const times = event.shiftKey && !leap ? 10 : 1;
    nudge(right * times, up * times);
    event.preventDefault();
    event.stopPropagation();
  });
  chart.handles.append(node);
  // Put it where the state has it, and say its value.
  return (x, y, { now, low, high, text }) => {
    at = [x, y];
    node.setAttribute("transform", `translate(${x.toFixed(1)} ${y.toFixed(1)})`);
    const values = { "aria-valuenow": now, "aria-valuemin": low, "aria-valuemax": high, "aria-valuetext": text };
    for (const [name, value] of Object.entries(values)) node.setAttribute(name, value);
  };
}

// A slider with its name before and its value, as text, behind it. Gives back what sets both.
export function slider(parent, { label, low, high, step = 1, change }) {
  const input = html("input", { type: "range", min: low, max: high, step });
  const output = html("output");
  parent.append(html("label", { class: "pf-slider" }, html("span", {}, label), input, output));
  input.addEventListener("input", () => change(Number(input.value)));
  return (value, text) => {
    input.value = value;
    input.setAttribute("aria-valuetext", text);
    output.textContent = text;
  };
}

export function checkbox(parent, { label, change }) {
  const input = html("input", { type: "checkbox" });
  parent.append(html("label", { class: "pf-checkbox" }, input, html("span", {}, label)));
  input.addEventListener("change", () => change(input.checked));
  return (checked) => (input.checked = checked);
}

export function textField(parent, { label, change }) {
  const input = html("input", { type: "text", spellcheck: "false", autocomplete: "off", maxlength: 200 });
  parent.append(html("label", { class: "pf-text" }, html("span", {}, label), input));
  input.addEventListener("input", () => change(input.value));
  return (text) => {
    if (input.value !== text) input.value = text;
  };
}

export function button(parent, text, press) {
  const node = html("button", { type: "button" }, text);
  node.addEventListener("click", press);
  parent.append(node);
  return node;
}
