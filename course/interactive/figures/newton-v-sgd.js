// Three ways up the log likelihood of a logistic regression with two parameters.

import { button, checkbox, handle, slider } from "../framework/controls.js";
import { contour } from "../framework/contour.js";
import { frame, reducedMotion } from "../framework/frame.js";
import { clamp, fixed, linear, logarithmic, short, steps } from "../framework/scale.js";
import { axes, chart, clip, html, label, line, path, svg } from "../framework/svg.js";

// Height in centimetres and sex (1 = man) of every 22nd adult of Howell's census of the !Kung.
export const PEOPLE = [
  [152, 1], [147, 0], [159, 0], [149, 0], [151, 0], [167, 1], [156, 0], [149, 1],
  [156, 0], [163, 1], [148, 0], [158, 1], [157, 1], [161, 1], [146, 0], [161, 1],
];
const ROWS = PEOPLE.map(([height, man]) => [(height - 155) / 8, man]);
export const BATCHES = [1, 2, 4, 8, 16];
export const initial = { start: [-1.5, 0.5], step: 1, batch: 1, passes: 5, halve: false, seed: 1 };
const FAR = 30; // a parameter beyond it is off every map, and the Hessian there is zero to rounding

// log(1 + e^z) without overflow
function softplus(z) {
  return Math.max(z, 0) + Math.log1p(Math.exp(-Math.abs(z)));
}

export function logLikelihood([b, w]) {
  return ROWS.reduce((sum, [x, y]) => sum + y * (b + w * x) - softplus(b + w * x), 0);
}

// Gradient and Hessian of the log likelihood of these rows.
function derivatives([b, w], rows) {
  const gradient = [0, 0];
  const hessian = [0, 0, 0]; // bb, bw, ww
  for (const [x, y] of rows) {
    const p = 1 / (1 + Math.exp(-(b + w * x)));
    const q = 1 / (1 + Math.exp(b + w * x)); // 1 - p has no digits left where p is near one
    const residual = y ? q : -p;
    gradient[0] += residual;
    gradient[1] += residual * x;
    hessian[0] -= p * q;
    hessian[1] -= p * q * x;
    hessian[2] -= p * q * x * x;
  }
  return { gradient, hessian };
}

// θ - H⁻¹ ∇ℓ; with `halve` the step is halved until ℓ does not fall.
function newtonStep(theta, halve) {
  const { gradient, hessian } = derivatives(theta, ROWS);
  const [bb, bw, ww] = hessian;
  const determinant = bb * ww - bw * bw;
  const direction = [
    (bw * gradient[1] - ww * gradient[0]) / determinant,
    (bw * gradient[0] - bb * gradient[1]) / determinant,
  ];
  let share = 1;
  const there = () => theta.map((value, k) => value + share * direction[k]);
  const least = logLikelihood(theta) - 1e-12; // at the maximum, rounding decides which of two values is larger
  while (halve && share > 1e-6 && logLikelihood(there()) < least) share /= 2;
  return there();
}

// θ + t times the mean gradient of the rows
function gradientStep(theta, rows, step) {
  const { gradient } = derivatives(theta, rows);
  return theta.map((value, k) => value + (step * gradient[k]) / rows.length);
}

// Orders of the rows, a new one for each pass: Lehmer's generator, and the shuffle of Fisher and Yates.
function shuffles(seed) {
  let number = seed;
  return () => {
    const order = [...ROWS];
    for (let k = order.length - 1; k > 0; k--) {
      number = (number * 48271) % 2147483647;
      const other = number % (k + 1);
      [order[k], order[other]] = [order[other], order[k]];
    }
    return order;
  };
}

// The paths of three methods, each of so many passes over the data. Newton's method and gradient ascent make one step
// in a pass, stochastic gradient ascent one for each batch.
// state : start [b, w], step, batch (of BATCHES), passes, halve (Newton's steps), seed (of the orders)
export function model({ start, step, batch, passes, halve, seed }) {
  const paths = { newton: [start], gradient: [start], stochastic: [start] };
  const shuffle = shuffles(seed);
  let left = null;
  for (let pass = 1; pass <= passes; pass++) {
    if (left === null) {
      paths.newton.push(newtonStep(paths.newton.at(-1), halve));
      if (!paths.newton.at(-1).every((value) => Math.abs(value) <= FAR)) left = pass;
    }
    paths.gradient.push(gradientStep(paths.gradient.at(-1), ROWS, step));
    const order = shuffle();
    for (let k = 0; k < order.length; k += batch) {
      paths.stochastic.push(gradientStep(paths.stochastic.at(-1), order.slice(k, k + batch), step));
    }
  }
  const each = ROWS.length / batch;
  const ends = { ...paths, stochastic: paths.stochastic.filter((_, k) => k % each === 0) }; // after each pass
  const values = Object.fromEntries(Object.entries(ends).map(([name, points]) => [name, points.map(logLikelihood)]));
  return { paths, ends, values, left };
}

// The maximum, by Newton's method with halved steps.
export function maximum() {
  let theta = [0, 0];
  for (let k = 0; k < 20; k++) theta = newtonStep(theta, true);
  return theta;
}

const BOX = { b: [-4, 4], w: [-3, 6] };
const BEST = maximum();
const TOP = logLikelihood(BEST);
const DEPTHS = [0.25, 1, 2, 4, 8, 16, 32];
const LONGEST = 40; // passes
const PAUSE = 400; // milliseconds from one pass to the next
const FLOOR = 1e-8; // gaps below it are drawn here
const METHODS = [
  ["newton", "Newton", "blue"],
  ["gradient", "gradient ascent", "green"],
  ["stochastic", "SGD", "vermillion"],
];

export function build(host) {
  const state = { ...initial };
  const { body, after, start } = frame(host, {
    title: "Who climbs the likelihood fastest, and who falls off?",
    instruction:
      "Drag the start, or move it with the arrow keys, then step. Near the top Newton wins at once; " +
      "find a start from which it is thrown off the map.",
  });
  const controls = html("div", { class: "pf-controls" });
  const charts = html("div", { class: "pf-charts" });
  const rows = html("tbody");
  body.append(controls, charts);
  after.append(html("table", {}, html("caption", {}, "After the last pass"), head(), rows));
  const map = chart(charts, "Contours of the log likelihood, and three paths");
  const race = chart(charts, "Distance from the largest log likelihood after each pass");
  const change = (changes) => update(Object.assign(state, changes));

  let timer = null;
  const advance = () => {
    change({ passes: Math.min(state.passes + 1, LONGEST) });
    if (state.passes === LONGEST) pause();
  };
  const pause = () => {
    clearInterval(timer);
    timer = null;
    play.textContent = "Play";
  };
  button(controls, "Step", () => {
    pause();
    advance();
  });
  const play = button(controls, "Play", () => {
    if (timer) return pause();
    if (reducedMotion()) return change({ passes: LONGEST });
    if (state.passes === LONGEST) change({ passes: 0 });
    play.textContent = "Pause";
    timer = setInterval(advance, PAUSE);
  });
  button(controls, "Back to the start", () => {
    pause();
    change({ passes: 0 });
  });
  button(controls, "Another order", () => change({ seed: state.seed + 1 }));
  const showStep = slider(controls, {
    label: "step size",
    low: -20,
    high: 30,
    change: (tenths) => change({ step: Number((10 ** (tenths / 20)).toPrecision(2)) }),
  });
  const showBatch = slider(controls, {
    label: "batch",
    low: 0,
    high: BATCHES.length - 1,
    change: (k) => change({ batch: BATCHES[k] }),
  });
  const showHalve = checkbox(controls, {
    label: "halve Newton’s step while ℓ falls",
    change: (halve) => change({ halve }),
  });

  let [x, y] = [null, null];
  const move = (b, w) =>
    change({ start: [Number(clamp(b, ...BOX.b).toFixed(2)), Number(clamp(w, ...BOX.w).toFixed(2))] });
  const startHandle = handle(map, {
    label: "start: intercept and slope",
    colour: "ink",
    move: (left, top) => move(x.invert(left), y.invert(top)),
    nudge: (right, up) => move(state.start[0] + 0.1 * right, state.start[1] + 0.1 * up),
  });

  const levels = contours();
  const update = start((width) => {
    const result = model(state);
    const each = width >= 680 ? Math.floor((width - 16) / 2) : width;
    const height = 380;
    x = linear(BOX.b, [40, each - 12]);
    y = linear(BOX.w, [height - 44, 26]);
    showStep(Math.round(20 * Math.log10(state.step)), short(state.step));
    showBatch(BATCHES.indexOf(state.batch), String(state.batch));
    showHalve(state.halve);
    drawMap(map, x, y, [each, height], levels, result);
    drawRace(race, [each, height], result);
    const [b, w] = state.start;
    startHandle(x(b), y(w), { now: b, low: BOX.b[0], high: BOX.b[1], text: `b = ${fixed(b, 1)}, w = ${fixed(w, 1)}` });
    rows.replaceChildren(...METHODS.map((method) => row(method, result)));
    return sentence(state, result);
  });
}

function contours() {
  const [bs, ws] = [steps(...BOX.b, 61), steps(...BOX.w, 61)];
  const surface = ws.map((w) => bs.map((b) => logLikelihood([b, w])));
  return DEPTHS.map((depth) => contour(surface, bs, ws, TOP - depth));
}

function hills(levels, x, y) {
  return levels.map((segments) => {
    const d = segments.map((ends) => path(ends.map(([b, w]) => [x(b), y(w)]))).join("");
    return svg("path", { d, fill: "none", stroke: "var(--faint)", opacity: 0.75 });
  });
}

function drawMap(chart, x, y, [width, height], levels, { paths, ends }) {
  const parts = hills(levels, x, y);
  for (const [name, , colour] of METHODS.toReversed()) {
    const stroke = `var(--${colour})`;
    const place = ([b, w]) => [x(b), y(w)];
    parts.push(line(paths[name].map(place), { stroke, "stroke-width": name === "stochastic" ? 1.3 : 2.4 }));
    for (const point of ends[name].slice(1)) {
      const [cx, cy] = place(point);
      parts.push(svg("circle", { cx, cy, r: 3.6, fill: stroke }));
    }
  }
  const [cx, cy] = [x(BEST[0]), y(BEST[1])];
  parts.push(line([[cx - 6, cy], [cx + 6, cy]], { stroke: "var(--ink)" }));
  parts.push(line([[cx, cy - 6], [cx, cy + 6]], { stroke: "var(--ink)" }));
  chart.draw(
    width,
    height,
    axes(x, y, { xTicks: x.ticks(8), yTicks: y.ticks(9), xLabel: "intercept b" }),
    label(x.range[0], 14, "slope w", { class: "pf-faint" }),
    label(x.range[1], 14, "+ the maximum", { class: "pf-faint", "text-anchor": "end" }),
    clip(x, y, parts),
  );
}

function drawRace(chart, [width, height], { values }) {
  const passes = values.gradient.length - 1;
  const x = linear([0, Math.max(10, passes)], [52, width - 12]);
  const y = logarithmic([FLOOR, 1000], [height - 44, 40]);
  const parts = METHODS.toReversed().map(([name, , colour]) => {
    const points = values[name].map((value, k) => [x(k), y(clamp(TOP - value, FLOOR, 1e6))]);
    const dots = points.map(([cx, cy]) => svg("circle", { cx, cy, r: 3.2, fill: `var(--${colour})` }));
    return svg("g", {}, line(points, { stroke: `var(--${colour})` }), ...dots);
  });
  const names = METHODS.map(([, name, colour], k) =>
    label(52 + [0, 64, 186][k], 30, name, { class: "pf-strong", style: `fill: var(--${colour})` }),
  );
  chart.draw(
    width,
    height,
    axes(x, y, {
      yTicks: [1e-8, 1e-6, 1e-4, 0.01, 1, 100],
      yFormat: (tick) => (tick < 0.01 ? `10${superscript(Math.round(Math.log10(tick)))}` : String(tick)),
      xLabel: "passes over the data",
    }),
    label(52, 12, "ℓ: how far below its maximum?", { class: "pf-faint" }),
    ...names,
    clip(x, y, parts),
  );
}

function superscript(power) {
  return String(power).replace(/./g, (sign) => ({ "-": "⁻" })[sign] ?? "⁰¹²³⁴⁵⁶⁷⁸⁹"[Number(sign)]);
}

function head() {
  const names = ["method", "b", "w", "ℓ", "to the top"];
  return html("thead", {}, html("tr", {}, ...names.map((name) => html("th", { scope: "col" }, name))));
}

function row([name, text, colour], { ends, values }) {
  const [b, w] = ends[name].at(-1);
  const lack = TOP - values[name].at(-1);
  const rough = (value) => value.toExponential(0).replace("+", "").replaceAll("-", "−");
  const number = (value, decimals) =>
    Math.abs(value) < 1e4 ? fixed(value, Math.abs(value) < 100 ? decimals : 0) : rough(value);
  const left = lack < FLOOR ? "< 10⁻⁸" : lack < 1e-3 ? rough(lack) : number(lack, 3);
  const cells = [number(b, 2), number(w, 2), number(values[name].at(-1), 3), left];
  const title = html("th", { scope: "row", style: `color: var(--${colour})` }, text);
  return html("tr", {}, title, ...cells.map((cell) => html("td", {}, cell)));
}

function sentence({ start, passes, batch, step }, { values, left }) {
  const end = (name) => fixed(values[name].at(-1), 2);
  const many = `${passes} ${passes === 1 ? "pass" : "passes"}`;
  const said = [`${many} from b = ${fixed(start[0])}, w = ${fixed(start[1])}, step size ${short(step)}, batch ${batch}:`];
  const [before, after] = values.newton.slice(-2);
  said.push(
    left
      ? `Newton’s step ${left} overshot, from ℓ = ${fixed(before, 1)} to ${fixed(after, 1)}, and left the map;`
      : `Newton is at ℓ = ${end("newton")},`,
  );
  said.push(`gradient ascent at ${end("gradient")}, SGD at ${end("stochastic")}. The maximum is ${fixed(TOP, 2)}.`);
  return said.join(" ");
}
