// All lines through the origin that separate a few examples: a cone of weights, a random one of it, and the largest margin.

import { button, handle, slider } from "../framework/controls.js";
import { frame } from "../framework/frame.js";
import { cumulative } from "../framework/normal.js";
import { clamp, fixed, linear, steps } from "../framework/scale.js";
import { area, axes, chart, clip, html, label, line, svg } from "../framework/svg.js";

// Examples and their classes; place : of the random separator in the cone, from 0 to 1.
export const initial = {
  points: [[2.2, 0.4], [-2.4, -0.2], [0.6, 1.8], [-1.0, -1.6], [0.9, -0.8], [-0.4, -0.9]],
  classes: [1, -1, 1, -1, 1, -1],
  place: 0.15,
};
const MEAN = [1, 0.5]; // of class +; class - has its negative, and both are normal with variance one in all directions
const RADIUS = Math.hypot(...MEAN);
const BEST = Math.atan2(MEAN[1], MEAN[0]);
const PARTS = 400; // of the integral over the cone

// Everything that is drawn. Angles are in radians; w has the direction (cos, sin) of its angle.
export function model({ points, classes, place }) {
  const rows = points.map(([x, y], i) => [classes[i] * x, classes[i] * y]); // a = y x: w separates if all a · w > 0
  const cone = coneOf(rows);
  const result = { rows, cone, best: { angle: BEST, error: errorAt(BEST) }, random: null, margin: null, mean: null };
  if (cone === null) return result;
  const [first, last] = cone;
  const angle = first + place * (last - first);
  const nearest = nearestOfHull(rows);
  const widest = near(Math.atan2(nearest[1], nearest[0]), (first + last) / 2);
  return {
    ...result,
    random: { angle, error: errorAt(angle) },
    margin: { angle: widest, error: errorAt(widest), width: Math.hypot(...nearest) },
    mean: simpson(errorAt, first, last) / (last - first),
  };
}

// The angles at which the open cone {w : a · w > 0 for all rows a} begins and ends; null if it is empty.
function coneOf(rows) {
  if (rows.some((row) => Math.hypot(...row) < 1e-9)) return null;
  const angles = rows.map(([x, y]) => Math.atan2(y, x)).sort((a, b) => a - b);
  // The rows lie within the half plane of some w only if a gap of more than half a turn is between two neighbours.
  for (let i = 0; i < angles.length; i++) {
    const next = i + 1 < angles.length ? angles[i + 1] : angles[0] + 2 * Math.PI;
    if (next - angles[i] <= Math.PI + 1e-12) continue;
    const middle = (angles[i] + next) / 2 - Math.PI;
    const half = (next - angles[i] - Math.PI) / 2;
    return [near(middle, BEST) - half, near(middle, BEST) + half];
  }
  return null;
}

// The same direction, as an angle within half a turn of another.
function near(angle, other) {
  return angle - 2 * Math.PI * Math.round((angle - other) / (2 * Math.PI));
}

// The point of the convex hull that is nearest to the origin: it has the direction of the largest margin, and its length.
function nearestOfHull(rows) {
  let best = rows[0];
  for (const [ax, ay] of rows) {
    for (const [bx, by] of rows) {
      const [dx, dy] = [bx - ax, by - ay];
      const share = clamp(-(ax * dx + ay * dy) / (dx * dx + dy * dy || 1), 0, 1);
      const point = [ax + share * dx, ay + share * dy];
      if (Math.hypot(...point) < Math.hypot(...best)) best = point;
    }
  }
  return best;
}

// The probability of a wrong class: for a fresh example y x · w is normal with mean |MEAN| cos(angle to MEAN) and variance one.
function errorAt(angle) {
  return cumulative(-RADIUS * Math.cos(angle - BEST), 0, 1);
}

function simpson(f, low, high) {
  const sum = steps(low, high, PARTS + 1).reduce((total, x, k) => total + (k === 0 || k === PARTS ? 1 : k % 2 ? 4 : 2) * f(x), 0);
  return (sum * (high - low)) / (3 * PARTS);
}

const COLOURS = { 1: "blue", "-1": "vermillion" };
const SIGNS = { 1: "+", "-1": "−" };
const NAMES = "ABCDEF";
const LIMIT = 3;

export function build(host) {
  const state = structuredClone(initial);
  let seed = 1234567;
  const { body, start } = frame(host, {
    title: "Many lines separate few examples: does it matter which one is taken?",
    instruction:
      "Drag an example, or move it with the arrow keys, and watch the cone of separating weights grow narrow and vanish. " +
      "Draw random separators from it. Test examples are normal around the two ×, with variance one.",
  });
  const controls = html("div", { class: "pf-controls" });
  const charts = html("div", { class: "pf-charts" });
  const columns = [html("div"), html("div")];
  charts.append(...columns);
  body.append(controls, charts);
  const plane = chart(columns[0], "Examples of both classes, and separating lines through the origin");
  const circle = chart(columns[1], "Directions of the weights, and the cone of those that separate the examples");
  const errors = chart(columns[1], "Test error against the direction of the weights");
  const setPlace = (place) => update(Object.assign(state, { place: clamp(place, 0, 1) }));
  button(controls, "Draw at random", () => {
    seed = (seed * 48271) % 2147483647; // Lehmer's generator
    setPlace(seed / 2147483647);
  });
  button(controls, "Start again", () => update(Object.assign(state, structuredClone(initial))));
  const showPlace = slider(controls, { label: "place in the cone", low: 0, high: 1, step: 0.01, change: setPlace });
  let [x, y] = [null, null];
  const move = (i, point) => {
    state.points[i] = point.map((value) => Number(clamp(value, -LIMIT, LIMIT).toFixed(1)));
    update();
  };
  const handles = initial.points.map((_, i) =>
    handle(plane, {
      label: `example ${NAMES[i]}, class ${SIGNS[initial.classes[i]]}`,
      colour: COLOURS[initial.classes[i]],
      move: (px, py) => move(i, [x.invert(px), y.invert(py)]),
      nudge: (right, up) => move(i, [state.points[i][0] + 0.1 * right, state.points[i][1] + 0.1 * up]),
    }),
  );

  const update = start((width) => {
    const result = model(state);
    const each = width >= 680 ? Math.floor((width - 16) / 2) : width;
    for (const column of columns) column.style.width = `${each}px`;
    const square = Math.min(each - 44, 430);
    x = linear([-3.2, 3.2], [30, 30 + square]);
    y = linear([-3.2, 3.2], [34 + square, 34]);
    showPlace(state.place, `${fixed(100 * state.place, 0)} %`);
    drawPlane(plane, x, y, each, state, result);
    drawCircle(circle, each, result);
    drawErrors(errors, each, result);
    state.points.forEach(([u, v], i) => {
      handles[i](x(u), y(v), { low: -LIMIT, high: LIMIT, now: u, text: `${fixed(u, 1)}, ${fixed(v, 1)}` });
    });
    return sentence(state, result);
  });
}

// How each separator is drawn.
const LINES = [
  ["random", { stroke: "var(--faint)", "stroke-width": 2.2, "stroke-dasharray": "7 5" }],
  ["margin", { stroke: "var(--green)", "stroke-width": 3 }],
];

function drawPlane(chart, x, y, width, { points, classes }, { margin, random, cone }) {
  const along = (angle, style) => {
    const [u, v] = [-Math.sin(angle), Math.cos(angle)].map((value) => 6 * value);
    return line([[x(-u), y(-v)], [x(u), y(v)]], style);
  };
  const found = { margin, random };
  const fan = (angle) => [-6 * Math.sin(angle), 6 * Math.cos(angle)].map((value, k) => [x, y][k](value));
  const swept = cone === null ? [] : [1, -1].map((side) =>
    area([[x(0), y(0)], ...steps(...cone, 25).map((angle) => fan(angle + (side < 0 ? Math.PI : 0)))], { fill: "var(--green)", opacity: 0.14 }));
  chart.draw(
    width,
    y.range[0] + 22,
    axes(x, y, { xTicks: [-2, 0, 2], yTicks: [-2, 0, 2] }),
    label(x.range[0], 14, "class +", { class: "pf-strong", style: "fill: var(--blue)" }),
    label(x.range[0] + 58, 14, "class −", { class: "pf-strong", style: "fill: var(--vermillion)" }),
    label(x.range[1], 14, width < 430 ? "× means" : "× means; green: separating lines", { class: "pf-faint", "text-anchor": "end" }),
    clip(x, y, [
      ...swept,
      ...LINES.filter(([name]) => found[name]).map(([name, style]) => along(found[name].angle, style)),
      ...[1, -1].map((sign) => label(x(sign * MEAN[0]), y(sign * MEAN[1]) + 6, "×", { "text-anchor": "middle", style: `fill: var(--${COLOURS[sign]}); font-size: 20px` })),
    ]),
    ...points.map(([u, v], i) => label(x(u) + 12, y(v) - 9, NAMES[i], { class: "pf-strong", style: `fill: var(--${COLOURS[classes[i]]})` })),
  );
}

function drawCircle(chart, width, { rows, cone, random, margin }) {
  const [size, top] = [Math.min(width - 30, 220), 44];
  const [cx, cy, r] = [width / 2, top + size / 2, size / 2];
  const at = (angle) => [cx + r * Math.cos(angle), cy - r * Math.sin(angle)];
  const sector = cone === null ? [] : [area([[cx, cy], ...steps(...cone, 49).map((angle) => at(angle))], { fill: "var(--green)", opacity: 0.25 })];
  const arrow = (angle, style) => [
    line([[cx, cy], at(angle)], style),
    svg("circle", { cx: at(angle)[0], cy: at(angle)[1], r: 5, fill: style.stroke }),
  ];
  chart.draw(
    width,
    size + top + 10,
    label(0, 14, "weights w", { class: "pf-strong" }),
    label(width, 14, cone === null ? "no cone: not separable" : `cone of ${degrees(cone[1] - cone[0])}`, { class: "pf-strong", "text-anchor": "end", style: "fill: var(--green)" }),
    label(0, 34, margin ? "largest margin" : "", { style: "fill: var(--green)" }),
    label(width, 34, random ? "- - random" : "", { "text-anchor": "end", class: "pf-faint" }),
    svg("circle", { cx, cy, r, fill: "none", stroke: "var(--grid)", "stroke-width": 1.5 }),
    ...sector,
    // Each example forbids half of the circle: its wall is at right angles to it.
    ...rows.map(([u, v]) => line([at(Math.atan2(v, u) + Math.PI / 2), at(Math.atan2(v, u) - Math.PI / 2)], { stroke: "var(--faint)", "stroke-width": 0.8 })),
    ...(random ? arrow(random.angle, LINES[0][1]) : []),
    ...(margin ? arrow(margin.angle, LINES[1][1]) : []),
  );
}

function drawErrors(chart, width, { cone, random, margin, mean }) {
  const height = 190;
  const turn = (angle) => (angle * 180) / Math.PI;
  const x = linear([turn(BEST) - 180, turn(BEST) + 180], [36, width - 12]);
  const dots = Object.entries({ random, margin }).filter(([, each]) => each);
  const top = dots.some(([, { error }]) => error > 0.5) ? 1 : 0.5;
  const y = linear([0, top], [height - 40, 30]);
  const grid = steps(BEST - Math.PI, BEST + Math.PI, 121);
  const shade = (first, last) => [
    area([[first, y(0)], [first, y(top)], [last, y(top)], [last, y(0)]], { fill: "var(--green)", opacity: 0.2 }),
    line([[first, y(mean)], [last, y(mean)]], { stroke: "var(--faint)", "stroke-dasharray": "7 5" }),
  ];
  chart.draw(
    width,
    height,
    axes(x, y, { xTicks: [-90, 0, 90, 180], yTicks: [0, top / 2, top], xFormat: (tick) => `${tick}°`, xLabel: "direction of w" }),
    label(x.range[0], 14, "test error", { class: "pf-strong" }),
    label(x.range[1], 14, mean === null ? "" : `${width < 330 ? "mean" : "- - mean over the cone:"} ${percent(mean)}`, { "text-anchor": "end", class: "pf-faint" }),
    clip(x, y, [
      ...(cone === null ? [] : shade(...cone.map((angle) => x(turn(angle))))),
      line(grid.map((angle) => [x(turn(angle)), y(errorAt(angle))]), { stroke: "var(--ink)" }),
      ...dots.map(([name, { angle, error }]) => svg("circle", { cx: x(turn(angle)), cy: y(error), r: 6, fill: name === "random" ? "var(--faint)" : "var(--green)", stroke: "var(--paper)", "stroke-width": 1.5 })),
    ]),
  );
}

function degrees(angle) {
  return `${fixed((angle * 180) / Math.PI, 1)}°`;
}

function percent(share) {
  return `${fixed(100 * share, 1)} %`;
}

function sentence({ points }, { cone, random, margin, mean, best }) {
  const places = points.map(([u, v], i) => `${NAMES[i]} (${fixed(u, 1)}, ${fixed(v, 1)})`).join(", ");
  const found =
    cone === null
      ? ["No line through the origin separates the classes: the cone is empty."]
      : [
          `The cone of separating weights is ${degrees(cone[1] - cone[0])} wide.`,
          `The random separator, at ${degrees(random.angle)}, has a test error of ${percent(random.error)}; all in the cone have ${percent(mean)} on average.`,
          `The largest margin, γ = ${fixed(margin.width)} at ${degrees(margin.angle)}, has ${percent(margin.error)}.`,
        ];
  return [...found, `No w has less than ${percent(best.error)}, at ${degrees(best.angle)}. Examples: ${places}.`].join(" ");
}
