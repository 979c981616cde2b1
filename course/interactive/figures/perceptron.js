// The perceptron, example by example.

import { button, handle, slider } from "../framework/controls.js";
import { frame } from "../framework/frame.js";
import { clamp, fixed, linear } from "../framework/scale.js";
import { axes, chart, clip, html, label, line, svg } from "../framework/svg.js";

// Points in the plane and their classes, in the order in which they are visited; steps : how many visits were made.
export const initial = {
  points: [[3, -1], [-3, 0], [0, 1], [-3, -1], [-1, 2], [-2, 1]],
  classes: [1, -1, 1, -1, 1, -1],
  steps: 0,
};
const NAMES = "ABCDEF";
const MAX_PASSES = 12;

// The perceptron from w = 0, b = 0: if y (w · x + b) ≤ 0, w ← w + y x and b ← b + y. It stops after a whole pass
// without a mistake, or after MAX_PASSES.
// Gives back every visit, [w1, w2, b] before and after it, and what Novikoff's theorem says about these points.
export function model({ points, classes }) {
  const examples = points.map(([x, y], i) => [x, y, 1].map((value) => classes[i] * value));
  const visits = [];
  let [theta, mistakes, quiet] = [[0, 0, 0], 0, 0];
  while (visits.length < MAX_PASSES * points.length && quiet < points.length) {
    const i = visits.length % points.length;
    const score = dot(theta, examples[i]); // y (w · x + b)
    const mistake = score <= 0;
    const after = mistake ? theta.map((value, k) => value + examples[i][k]) : theta;
    mistakes += mistake ? 1 : 0;
    quiet = mistake ? 0 : quiet + 1;
    visits.push({ i, score, mistake, before: theta, after, mistakes });
    theta = after;
  }
  const best = widest(examples);
  const radius = Math.max(...examples.map((each) => Math.hypot(...each)));
  return {
    visits,
    converged: quiet >= points.length,
    theta,
    radius,
    margin: best === null ? null : 1 / Math.hypot(...best),
    bound: best === null ? null : radius ** 2 * dot(best, best),
  };
}

function dot(a, b) {
  return a.reduce((sum, value, k) => sum + value * b[k], 0);
}

// The shortest v with v · e ≥ 1 for all examples e = y (x, 1), so that 1 / |v| is the largest margin of a (w, b) of
// length one; null if there is none. At the optimum v is a combination, with weights ≥ 0, of at most three examples
// that hold with equality: try all.
function widest(examples) {
  let best = null;
  for (const active of subsets(examples.length)) {
    const rows = active.map((i) => [...active.map((j) => dot(examples[i], examples[j])), 1]);
    const weights = solve(rows);
    if (weights === null || weights.some((value) => value < -1e-9)) continue;
    const v = [0, 1, 2].map((k) => active.reduce((sum, i, n) => sum + weights[n] * examples[i][k], 0));
    if (examples.some((each) => dot(v, each) < 1 - 1e-7)) continue;
    if (best === null || dot(v, v) < dot(best, best)) best = v;
  }
  return best;
}

function* subsets(count) {
  for (let i = 0; i < count; i++) {
    yield [i];
    for (let j = i + 1; j < count; j++) {
      yield [i, j];
      for (let k = j + 1; k < count; k++) yield [i, j, k];
    }
  }
}

// Linear equations with their right-hand side as the last column, by elimination with pivots; null if singular.
function solve(rows) {
  const size = rows.length;
  const scale = Math.max(...rows.flat().map(Math.abs));
  for (let k = 0; k < size; k++) {
    let pivot = k;
    for (let r = k + 1; r < size; r++) if (Math.abs(rows[r][k]) > Math.abs(rows[pivot][k])) pivot = r;
    if (Math.abs(rows[pivot][k]) < 1e-10 * scale) return null;
    [rows[k], rows[pivot]] = [rows[pivot], rows[k]];
    for (let r = 0; r < size; r++) {
      if (r === k) continue;
      const factor = rows[r][k] / rows[k][k];
      for (let c = k; c <= size; c++) rows[r][c] -= factor * rows[k][c];
    }
  }
  return rows.map((row, k) => row[size] / row[k]);
}

const COLOURS = { 1: "blue", "-1": "vermillion" };
const SIGNS = { 1: "+", "-1": "−" };
const LIMIT = 3.8;

export function build(host) {
  const state = structuredClone(initial);
  const { body, start } = frame(host, {
    title: "The perceptron learns from its mistakes only",
    instruction:
      "Visit the examples one by one. Then drag a point, or move it with the arrow keys, to make the gap narrow or to " +
      "close it.",
  });
  const controls = html("div", { class: "pf-controls" });
  const charts = html("div", { class: "pf-charts" });
  const columns = [html("div"), html("div")];
  charts.append(...columns);
  body.append(controls, charts);
  const plane = chart(columns[0], "Examples of both classes, and the line before and after the last visit");
  const count = chart(columns[1], "Mistakes so far against visits");
  const numbers = html("table");
  columns[1].append(numbers);
  let result = null;
  const go = (steps) => update(Object.assign(state, { steps: clamp(steps, 0, result.visits.length) }));

  button(controls, "Next example", () => go(state.steps + 1));
  button(controls, "Next mistake", () => {
    const next = result.visits.findIndex((visit, k) => k >= state.steps && visit.mistake);
    go(next < 0 ? result.visits.length : next + 1);
  });
  button(controls, "Back", () => go(state.steps - 1));
  button(controls, "Start again", () => update(Object.assign(state, structuredClone(initial))));
  const showSteps = slider(controls, { label: "visits", low: 0, high: MAX_PASSES * initial.points.length, change: go });
  let [x, y] = [null, null];
  const place = (i, point) => {
    state.points[i] = point.map((value) => Number(clamp(value, -LIMIT, LIMIT).toFixed(1)));
    result = model(state);
    go(state.steps);
  };
  const handles = initial.points.map((_, i) =>
    handle(plane, {
      label: `example ${NAMES[i]}, class ${SIGNS[initial.classes[i]]}`,
      colour: COLOURS[initial.classes[i]],
      move: (px, py) => place(i, [x.invert(px), y.invert(py)]),
      nudge: (right, up) => place(i, [state.points[i][0] + 0.1 * right, state.points[i][1] + 0.1 * up]),
    }),
  );

  const update = start((width) => {
    result = model(state);
    const each = width >= 680 ? Math.floor((width - 16) / 2) : width;
    for (const column of columns) column.style.width = `${each}px`;
    const square = Math.min(each - 44, 430);
    x = linear([-4, 4], [30, 30 + square]);
    y = linear([-4, 4], [34 + square, 34]);
    showSteps(state.steps, `${state.steps} of ${result.visits.length}`);
    drawPlane(plane, x, y, each, state, result);
    drawCount(count, each, state, result);
    numbers.replaceChildren(...table(state, result));
    state.points.forEach(([u, v], i) => {
      const text = `${fixed(u, 1)}, ${fixed(v, 1)}`;
      handles[i](x(u), y(v), { low: -LIMIT, high: LIMIT, now: u, text });
    });
    return sentence(state, result);
  });
}

function drawPlane(chart, x, y, width, { points, classes, steps }, { visits }) {
  const visit = steps > 0 ? visits[steps - 1] : null;
  const now = visit ? visit.after : [0, 0, 0];
  const ring = visit
    ? [svg("circle", { cx: x(points[visit.i][0]), cy: y(points[visit.i][1]), r: 15, fill: "none", stroke: "var(--ink)", "stroke-width": 2, "stroke-dasharray": visit.mistake ? undefined : "3 3" })]
    : [];
  chart.draw(
    width,
    y.range[0] + 22,
    axes(x, y, { xTicks: [-4, -2, 0, 2, 4], yTicks: [-4, -2, 0, 2, 4] }),
    label(x.range[0], 14, "class +", { class: "pf-strong", style: "fill: var(--blue)" }),
    label(x.range[0] + 58, 14, "class −", { class: "pf-strong", style: "fill: var(--vermillion)" }),
    label(x.range[1], 14, "○ visited   - - line before", { class: "pf-faint", "text-anchor": "end" }),
    clip(x, y, [
      ...(visit && visit.mistake ? boundary(x, y, visit.before, { stroke: "var(--faint)", "stroke-dasharray": "6 5" }) : []),
      ...boundary(x, y, now, { stroke: "var(--green)", "stroke-width": 3 }),
      ...normal(x, y, now),
    ]),
    ...ring,
    // The letter of an example beside it, so that the order of visits can be followed.
    ...points.map(([u, v], i) => label(x(u) + 12, y(v) - 9, NAMES[i], { class: "pf-strong", style: `fill: var(--${COLOURS[classes[i]]})` })),
  );
}

// The line w · x + b = 0, if there is one.
function boundary(x, y, [w1, w2, b], style) {
  const length = Math.hypot(w1, w2);
  if (length < 1e-9) return [];
  const foot = [(-b * w1) / length ** 2, (-b * w2) / length ** 2];
  const ends = [-30, 30].map((t) => [x(foot[0] - (t * w2) / length), y(foot[1] + (t * w1) / length)]);
  return [line(ends, style)];
}

// An arrow at right angles to the line, to the side of the class +.
function normal(x, y, [w1, w2, b]) {
  const length = Math.hypot(w1, w2);
  if (length < 1e-9) return [];
  const [u, v] = [w1 / length, w2 / length];
  const foot = [(-b / length) * u, (-b / length) * v];
  const tip = [foot[0] + 0.9 * u, foot[1] + 0.9 * v];
  const barb = (side) => [x(tip[0] - 0.25 * u + 0.15 * side * v), y(tip[1] - 0.25 * v - 0.15 * side * u)];
  const style = { stroke: "var(--green)", "stroke-width": 2.2 };
  return [line([[x(foot[0]), y(foot[1])], [x(tip[0]), y(tip[1])]], style), line([barb(1), [x(tip[0]), y(tip[1])], barb(-1)], style)];
}

function drawCount(chart, width, { steps }, { visits, bound }) {
  const height = 220;
  const highest = Math.max(5, visits.at(-1).mistakes);
  const x = linear([0, Math.max(16, visits.length)], [34, width - 14]);
  const y = linear([0, 1.2 * highest], [height - 42, 34]);
  const path = [[x(0), y(0)]];
  visits.slice(0, steps).forEach((visit, k) => path.push([x(k + 1), y(path.length ? visit.mistakes - (visit.mistake ? 1 : 0) : 0)], [x(k + 1), y(visit.mistakes)]));
  const text = bound === null ? "no line separates the classes" : `Novikoff: at most ${Math.floor(bound + 1e-9)} mistakes`;
  chart.draw(
    width,
    height,
    axes(x, y, { xTicks: x.ticks(5), yTicks: y.ticks(4).filter(Number.isInteger), xLabel: "visits" }),
    label(x.range[0], 14, "mistakes so far", { class: "pf-strong", style: "fill: var(--green)" }),
    label(x.range[1], 14, text, { class: "pf-faint", "text-anchor": "end" }),
    line(path, { stroke: "var(--green)", "stroke-width": 3 }),
    svg("circle", { cx: path.at(-1)[0], cy: path.at(-1)[1], r: 6, fill: "var(--green)", stroke: "var(--paper)" }),
  );
}

function table({ steps }, { visits, radius, margin }) {
  const visit = steps > 0 ? visits[steps - 1] : null;
  const theta = visit ? visit.after : [0, 0, 0];
  const mistakes = visit ? visit.mistakes : 0;
  const row = (name, ...values) => html("tr", {}, html("th", { scope: "row" }, name), ...values.map((value) => html("td", {}, value)));
  return [
    html("caption", {}, "Novikoff's two inequalities, for θ = (w, b)"),
    html("tbody", {},
      row("w, b", theta.map((value) => fixed(value, 1)).join(", ")),
      row("mistakes M", String(mistakes)),
      row("at least M γ", margin === null ? "γ does not exist" : fixed(mistakes * margin)),
      row("length |θ|", fixed(Math.hypot(...theta))),
      row("at most √M R", fixed(Math.sqrt(mistakes) * radius)),
    ),
  ];
}

function sentence({ points, steps }, { visits, converged, margin, radius, bound }) {
  const places = points.map(([u, v], i) => `${NAMES[i]} (${fixed(u, 1)}, ${fixed(v, 1)})`).join(", ");
  const separable = margin === null ? "No line separates these points: mistakes never end." : `Largest margin γ = ${fixed(margin)}, R = ${fixed(radius)}: at most (R/γ)² = ${fixed(bound, 1)} mistakes.`;
  if (steps === 0) return `Before the first example w = (0, 0) and b = 0. ${separable} Examples: ${places}.`;
  const { i, score, mistake, after, mistakes } = visits[steps - 1];
  const [w1, w2, b] = after.map((value) => fixed(value, 1));
  const done = steps === visits.length ? (converged ? "A whole pass without a mistake: done." : `Stopped after ${MAX_PASSES} passes.`) : "";
  return [
    `Visit ${steps}, example ${NAMES[i]}: y (w · x + b) = ${fixed(score)}, ${mistake ? "a mistake" : "right, nothing changes"}.`,
    `Now w = (${w1}, ${w2}), b = ${b}; ${mistakes} ${mistakes === 1 ? "mistake" : "mistakes"} so far.`,
    done,
    separable,
    `Examples: ${places}.`,
  ].filter(Boolean).join(" ");
}
