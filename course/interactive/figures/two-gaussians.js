// Two normal classes on a line: densities, posterior and log odds.

import { button, checkbox, handle, slider } from "../framework/controls.js";
import { frame } from "../framework/frame.js";
import { cumulative, density } from "../framework/normal.js";
import { clamp, fixed, linear, steps } from "../framework/scale.js";
import { area, axes, chart, clip, html, label, line } from "../framework/svg.js";

export const initial = { means: [-1, 1], widths: [1, 1], prior: 0.5 };
const GRID = steps(-6, 6, 241);

// Everything that is drawn. state : means and widths of the classes 0 and 1, prior = p(y = 1)
export function model({ means, widths, prior }) {
  const shares = [1 - prior, prior];
  const precision = widths.map((width) => 1 / width ** 2);
  // log p(1 | x) / p(0 | x) = a x² + w x + b
  const a = (precision[0] - precision[1]) / 2;
  const w = means[1] * precision[1] - means[0] * precision[0];
  const b =
    Math.log(prior / (1 - prior)) +
    Math.log(widths[0] / widths[1]) +
    (means[0] ** 2 * precision[0] - means[1] ** 2 * precision[1]) / 2;
  // What one width for both classes would give, their pooled variance: always a straight line.
  const pooled = shares[0] * widths[0] ** 2 + shares[1] * widths[1] ** 2;
  const shared = {
    w: (means[1] - means[0]) / pooled,
    b: Math.log(prior / (1 - prior)) + (means[0] ** 2 - means[1] ** 2) / (2 * pooled),
  };
  const boundaries = roots(a, w, b);
  const logOdds = GRID.map((x) => (a * x + w) * x + b);
  return {
    a,
    w,
    b,
    shared,
    boundaries,
    error: bayesError({ means, widths, shares }, boundaries, (x) => (a * x + w) * x + b > 0),
    x: GRID,
    joint: shares.map((share, j) => GRID.map((x) => share * density(x, means[j], widths[j]))),
    logOdds,
    posterior: logOdds.map(logistic),
    logistic: GRID.map((x) => logistic(shared.w * x + shared.b)),
  };
}

function logistic(z) {
  return 1 / (1 + Math.exp(-z));
}

// Where a x² + w x + b = 0, in order. The form of the two roots loses no digits where a is small.
export function roots(a, w, b) {
  if (a === 0) return w === 0 ? [] : [-b / w];
  const discriminant = w * w - 4 * a * b;
  if (discriminant <= 0) return [];
  const q = -(w + (w < 0 ? -1 : 1) * Math.sqrt(discriminant)) / 2;
  return [q / a, b / q].sort((left, right) => left - right);
}

// The probability of the class that is not chosen, interval by interval.
function bayesError({ means, widths, shares }, boundaries, choosesOne) {
  const ends = [-Infinity, ...boundaries, Infinity];
  let error = 0;
  for (let k = 0; k + 1 < ends.length; k++) {
    const [low, high] = [ends[k], ends[k + 1]];
    const middle = boundaries.length === 0 ? 0 : k === 0 ? high - 1 : high === Infinity ? low + 1 : (low + high) / 2;
    const other = choosesOne(middle) ? 0 : 1;
    const below = (end) => cumulative(end, means[other], widths[other]);
    const above = (end) => cumulative(-end, -means[other], widths[other]);
    // The difference of two numbers near one loses digits: take it in the other tail.
    error += shares[other] * (low > means[other] ? above(low) - above(high) : below(high) - below(low));
  }
  return error;
}

const COLOURS = ["vermillion", "blue"];
const LIMITS = { means: [-3, 3], widths: [0.4, 2.5], prior: [0.02, 0.98] };

export function build(host) {
  const state = structuredClone(initial);
  let same = true;
  const { body, start } = frame(host, {
    title: "Two normal classes: when is the posterior a logistic curve?",
    instruction:
      "Drag the handles, or move them with the arrow keys: the upper ones are the means, the outer ones the widths. " +
      "Then let the widths differ.",
  });
  const charts = html("div", { class: "pf-charts" });
  const controls = html("div", { class: "pf-controls" });
  const columns = [html("div"), html("div")];
  charts.append(...columns);
  body.append(controls, charts);
  const densities = chart(columns[0], "Densities of both classes, each times its prior");
  const posterior = chart(columns[0], "Posterior of class 1");
  const odds = chart(columns[1], "Log odds of class 1 against class 0");
  const numbers = html("table");
  columns[1].append(numbers);

  const round = (value, [low, high]) => Number(clamp(value, low, high).toFixed(2));
  const setMean = (j, value) => {
    state.means[j] = round(value, LIMITS.means);
    update();
  };
  const setWidth = (j, value) => {
    state.widths[j] = round(value, LIMITS.widths);
    if (same) state.widths[1 - j] = state.widths[j];
    update();
  };
  let [x, y] = [null, null];
  const side = [-1, 1]; // the handle of a width stands on the outer side of its class
  const meanHandles = [0, 1].map((j) =>
    handle(densities, {
      label: `mean of class ${j}`,
      colour: COLOURS[j],
      move: (pixel) => setMean(j, x.invert(pixel)),
      nudge: (right, up) => setMean(j, state.means[j] + 0.05 * (right + up)),
    }),
  );
  const widthHandles = [0, 1].map((j) =>
    handle(densities, {
      label: `width of class ${j}`,
      colour: COLOURS[j],
      move: (pixel) => setWidth(j, side[j] * (x.invert(pixel) - state.means[j])),
      nudge: (right, up) => setWidth(j, state.widths[j] + 0.05 * (side[j] * right + up)),
    }),
  );
  const showPrior = slider(controls, {
    label: "prior of class 1",
    low: LIMITS.prior[0],
    high: LIMITS.prior[1],
    step: 0.01,
    change: (prior) => update(Object.assign(state, { prior })),
  });
  const showSame = checkbox(controls, {
    label: "one width for both classes",
    change: (checked) => {
      same = checked;
      if (same) setWidth(0, Math.sqrt((state.widths[0] ** 2 + state.widths[1] ** 2) / 2));
    },
  });
  button(controls, "Start again", () => {
    same = true;
    update(Object.assign(state, structuredClone(initial)));
  });

  const update = start((width) => {
    const result = model(state);
    const each = width >= 680 ? Math.floor((width - 16) / 2) : width;
    for (const column of columns) column.style.width = `${each}px`;
    x = linear([-6, 6], [40, each - 12]);
    showPrior(state.prior, fixed(state.prior));
    showSame(same);
    y = drawDensities(densities, x, each, result);
    drawPosterior(posterior, x, each, result);
    drawOdds(odds, x, each, result);
    numbers.replaceChildren(...table(result));
    [0, 1].forEach((j) => {
      const [mean, sigma] = [state.means[j], state.widths[j]];
      const share = [1 - state.prior, state.prior][j];
      const at = (point) => y(share * density(point, mean, sigma));
      const range = ([low, high], now) => ({ low, high, now, text: fixed(now) });
      meanHandles[j](x(mean), at(mean), range(LIMITS.means, mean));
      const edge = mean + side[j] * sigma;
      widthHandles[j](x(edge), at(edge), range(LIMITS.widths, sigma));
    });
    return sentence(state, result);
  });
}

function marks(result, x, y) {
  const style = { stroke: "var(--ink)", "stroke-width": 1.2, "stroke-dasharray": "2 4" };
  const seen = result.boundaries.filter((boundary) => Math.abs(boundary) < 6);
  return seen.map((boundary) => line([[x(boundary), y.range[0]], [x(boundary), y.range[1]]], style));
}

function along(result, x, y, values) {
  return result.x.map((point, k) => [x(point), y(values[k])]);
}

function dashed({ a }, width) {
  return a === 0 ? "" : width < 300 ? "- - pooled" : "dashed: pooled";
}

function drawDensities(chart, x, width, result) {
  const height = 246;
  const highest = Math.max(...result.joint.flat());
  const top = width < 300 ? 48 : 30; // where both do not fit beside each other, the error stands below the names
  const y = linear([0, [0.22, 0.45, 1].find((limit) => highest <= limit)], [height - 32, top]);
  const less = result.x.map((_, k) => Math.min(result.joint[0][k], result.joint[1][k]));
  const bottom = [[x(6), y(0)], [x(-6), y(0)]];
  chart.draw(
    width,
    height,
    axes(x, y, { yTicks: y.ticks(3) }),
    label(x(-6), 14, "class 0", { class: "pf-strong", style: `fill: var(--${COLOURS[0]})` }),
    label(x(-6) + 62, 14, "class 1", { class: "pf-strong", style: `fill: var(--${COLOURS[1]})` }),
    label(x(6), top - 16, `Bayes error ${percent(result.error)}`, { class: "pf-strong", "text-anchor": "end" }),
    ...marks(result, x, y),
    area([...along(result, x, y, less), ...bottom], { fill: "var(--ink)", opacity: 0.28 }),
    ...result.joint.map((values, j) => line(along(result, x, y, values), { stroke: `var(--${COLOURS[j]})` })),
  );
  return y;
}

function drawPosterior(chart, x, width, result) {
  const height = 190;
  const y = linear([0, 1], [height - 40, 22]);
  chart.draw(
    width,
    height,
    axes(x, y, { yTicks: [0, 0.5, 1], xLabel: "x" }),
    label(x(-6), 12, "posterior p(y = 1 | x)", { class: "pf-strong", style: "fill: var(--green)" }),
    label(x(6), 12, dashed(result, width), { class: "pf-faint", "text-anchor": "end" }),
    ...marks(result, x, y),
    line(along(result, x, y, result.logistic), { stroke: "var(--faint)", "stroke-dasharray": "6 5" }),
    line(along(result, x, y, result.posterior), { stroke: "var(--green)", "stroke-width": 3 }),
  );
}

function drawOdds(chart, x, width, result) {
  const height = 240;
  const y = linear([-8, 8], [height - 40, 30]);
  const straight = result.x.map((point) => result.shared.w * point + result.shared.b);
  const curve = result.a === 0 ? "a straight line" : "a parabola";
  chart.draw(
    width,
    height,
    axes(x, y, { yTicks: [-8, -4, 0, 4, 8], xLabel: "x" }),
    label(x(-6), 14, `log odds: ${curve}`, { class: "pf-strong", style: "fill: var(--green)" }),
    label(x(6), 14, dashed(result, width), { class: "pf-faint", "text-anchor": "end" }),
    line([[x(-6), y(0)], [x(6), y(0)]], { stroke: "var(--faint)", "stroke-width": 1.2 }),
    ...marks(result, x, y),
    clip(x, y, [
      line(along(result, x, y, straight), { stroke: "var(--faint)", "stroke-dasharray": "6 5" }),
      line(along(result, x, y, result.logOdds), { stroke: "var(--green)", "stroke-width": 3 }),
    ]),
  );
}

function table({ a, w, b, shared }) {
  const row = (name, ...values) =>
    html("tr", {}, html("th", { scope: "row" }, name), ...values.map((value) => html("td", {}, fixed(value))));
  const heads = ["widths", "a", "w", "b"].map((text) => html("th", { scope: "col" }, text));
  return [
    html("caption", {}, "log odds = a x² + w x + b"),
    html("thead", {}, html("tr", {}, ...heads)),
    html("tbody", {}, row("each class its own", a, w, b), row("one, pooled", 0, shared.w, shared.b)),
  ];
}

function percent(share) {
  return `${fixed(100 * share, 1)} %`;
}

function sentence({ means, widths, prior }, { a, w, b, boundaries, error }) {
  const both = (values) => values.map((value) => fixed(value)).join(" and ");
  const where = both(boundaries);
  const said = [
    `Means ${both(means)}, widths ${both(widths)}, prior p(y = 1) = ${fixed(prior)}.`,
    a === 0
      ? `The posterior is logistic, with w = ${fixed(w)} and b = ${fixed(b)}.`
      : `The log odds are a parabola with a = ${fixed(a)}, so the posterior is not logistic.`,
    where
      ? `Both classes are equally probable at x = ${where}.`
      : b === 0
        ? "Both classes are equally probable everywhere."
        : `Class ${b > 0 ? 1 : 0} is the more probable one everywhere.`,
    `Bayes error: ${percent(error)}.`,
  ];
  return said.join(" ");
}
