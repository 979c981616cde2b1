// Two normal classes with one covariance: how many examples GDA and logistic regression need.

import { button, handle, slider } from "../framework/controls.js";
import { frame } from "../framework/frame.js";
import { cumulative, density } from "../framework/normal.js";
import { clamp, fixed, linear, logarithmic, short, steps } from "../framework/scale.js";
import { area, axes, chart, clip, html, label, line, svg } from "../framework/svg.js";

// delta : distance of the class means, in standard deviations; n : features; m : examples. Both classes are equally frequent.
export const initial = { delta: 2.5, n: 10, m: 500 };
const POINT = 0.01; // of error above the best
const FEATURES = [2, 3, 5, 7, 10, 15, 20, 30, 50, 70, 100];
const LIMITS = { delta: [1, 4], m: [10, 10000] };
const EXAMPLES = steps(1, 4, 121).map((power) => 10 ** power);
const MODELS = ["gda", "logistic"];

// Everything that is drawn. Efron (1975): for many examples the error is bayes + n · rate / m, with a rate of each model.
export function model({ delta, n, m }) {
  const { bayes, rates, least } = constants(delta);
  const error = (name, size) => bayes + (n * rates[name]) / size;
  const ofBoth = (value) => Object.fromEntries(MODELS.map((name) => [name, value(name)]));
  return {
    bayes,
    errors: ofBoth((name) => error(name, m)),
    efficiency: rates.gda / rates.logistic,
    needed: ofBoth((name) => (n * rates[name]) / POINT),
    reliable: ofBoth((name) => (n + 2) * least[name]),
    curves: ofBoth((name) => EXAMPLES.map((size) => error(name, size))),
  };
}

// What depends on the distance alone: the error of the best rule; m / n times the excess errors; and how many examples for
// each of n + 2 parameters it takes until these come within a third of simulated ones. Logistic regression has no maximum
// where a hyperplane separates the examples, and needs a distance from there.
export function constants(delta) {
  const [A0, kappa] = [information(delta), existence(delta)];
  const factor = density(delta / 2, 0, 1) / (4 * delta);
  return {
    bayes: cumulative(-delta / 2, 0, 1),
    rates: { gda: factor * (4 + delta ** 2), logistic: factor / A0 },
    least: { gda: 10, logistic: Math.max(10, 2.5 / kappa) },
    kappa,
  };
}

// A0 = E[p (1 - p)], the information of an example about the intercept. Sums over an even grid are as good as exact here.
function information(delta) {
  const grid = steps(-10, 10, 201);
  const sum = grid.reduce((total, x) => total + density(x, 0, 1) / Math.cosh((delta * x) / 2), 0);
  return (Math.exp(-(delta ** 2) / 8) / 4) * sum * (grid[1] - grid[0]);
}

// The n / m above which a hyperplane separates the classes, if both are large, so that logistic regression has no maximum:
// min over r in (-delta/2, 0) of E[(r + Z)+²] / (1 - 4 r² / delta²), with Z normal. By golden sections.
function existence(delta) {
  const value = (r) => ((1 + r * r) * cumulative(r, 0, 1) + r * density(r, 0, 1)) / (1 - ((2 * r) / delta) ** 2);
  const golden = (Math.sqrt(5) - 1) / 2;
  let [low, high] = [-delta / 2, 0];
  for (let k = 0; k < 60; k++) {
    const inner = [high - golden * (high - low), low + golden * (high - low)];
    if (value(inner[0]) < value(inner[1])) high = inner[1];
    else low = inner[0];
  }
  return value((low + high) / 2);
}

const NAMES = { gda: "GDA", logistic: "logistic regression" };
const COLOURS = { gda: "blue", logistic: "orange" }; // as in the pictures of the notes
const ORANGE = "light-dark(#966400, #e69f00)"; // legible as text on light and on dark
const DISTANCES = steps(...LIMITS.delta, 61);

export function build(host) {
  host.style.setProperty("--orange", ORANGE);
  const state = structuredClone(initial);
  const overDistance = DISTANCES.map(constants);
  const { body, start } = frame(host, {
    title: "How many examples do GDA and logistic regression need?",
    instruction:
      "Both models are right here. Move the classes apart, add features, and drag the number of examples m, or move it " +
      "with the arrow keys.",
  });
  const controls = html("div", { class: "pf-controls" });
  const charts = html("div", { class: "pf-charts" });
  const columns = [html("div"), html("div")];
  charts.append(...columns);
  body.append(controls, charts);
  const learning = chart(columns[0], "Expected error of both models against the number of examples");
  const needs = chart(columns[1], "Examples needed for each feature against the distance of the classes");
  const showDelta = slider(controls, {
    label: "distance Δ",
    low: LIMITS.delta[0],
    high: LIMITS.delta[1],
    step: 0.05,
    change: (delta) => update(Object.assign(state, { delta })),
  });
  const showFeatures = slider(controls, {
    label: "features n",
    low: 0,
    high: FEATURES.length - 1,
    change: (place) => update(Object.assign(state, { n: FEATURES[place] })),
  });
  button(controls, "Start again", () => update(Object.assign(state, initial)));
  let x = null;
  const setSize = (m) => update(Object.assign(state, { m: Math.round(clamp(m, ...LIMITS.m)) }));
  const showSize = handle(learning, {
    label: "examples m",
    colour: "ink",
    move: (pixel) => setSize(x.invert(pixel)),
    nudge: (right, up) => setSize(state.m * 10 ** ((right + up) / 20)),
  });

  const update = start((width) => {
    const result = model(state);
    const wide = width >= 680;
    const widths = wide ? [Math.floor(0.58 * (width - 16)), Math.floor(0.42 * (width - 16))] : [width, width];
    columns.forEach((column, k) => (column.style.width = `${widths[k]}px`));
    x = logarithmic(LIMITS.m, [46, widths[0] - 16]);
    showDelta(state.delta, fixed(state.delta));
    showFeatures(FEATURES.indexOf(state.n), String(state.n));
    const y = drawLearning(learning, x, widths[0], state, result);
    drawNeeds(needs, widths[1], wide ? 330 : 270, state, result, overDistance);
    showSize(x(state.m), y.range[0], { low: LIMITS.m[0], high: LIMITS.m[1], now: state.m, text: `${state.m} examples` });
    return sentence(state, result);
  });
}

function drawLearning(chart, x, width, { m }, { bayes, errors, needed, reliable, curves }) {
  const height = 330;
  const y = linear([100 * (bayes - 0.5 * POINT), 100 * (bayes + 5 * POINT)], [height - 42, 52]);
  const [bottom, top] = y.range;
  const within = 100 * (bayes + POINT);
  const right = needed.gda < 300; // where there is more room for words
  const across = (value, style) => line([[x.range[0], y(value)], [x.range[1], y(value)]], style);
  const grey = area([[x.range[0], bottom], [x.range[0], top], [x(reliable.gda), top], [x(reliable.gda), bottom]], {
    fill: "var(--faint)",
    opacity: 0.16,
  });
  const drawn = MODELS.flatMap((name) => {
    const style = { stroke: `var(--${COLOURS[name]})` };
    const points = EXAMPLES.map((size, k) => [x(size), y(100 * curves[name][k])]);
    const first = EXAMPLES.findIndex((size) => size >= reliable[name]);
    return [
      line(points.slice(0, first + 1), { ...style, "stroke-width": 1.3, "stroke-dasharray": "3 4" }),
      line(points.slice(first), { ...style, "stroke-width": 2.8 }),
      line([[x(needed[name]), y(within)], [x(needed[name]), bottom]], { ...style, "stroke-width": 1.2 }),
      dot(x(needed[name]), y(within), name, 4.5),
      dot(x(m), y(100 * errors[name]), name, 6),
    ];
  });
  chart.draw(
    width,
    height,
    axes(x, y, { xTicks: x.ticks(5), yTicks: y.ticks(5), xLabel: "examples m" }),
    ...names(x.range[0]),
    label(x.range[0], 34, "expected error, %", { class: "pf-faint" }),
    label(x.range[1], 34, width < 320 ? "grey: too few" : width < 420 ? "grey: m too small" : "grey, dotted: m too small for the formula", { class: "pf-faint", "text-anchor": "end" }),
    grey,
    across(100 * bayes, { stroke: "var(--ink)", "stroke-width": 1.2 }),
    label(x.range[1], y(100 * bayes) + 15, "the best rule", { "text-anchor": "end" }),
    across(within, { stroke: "var(--green)", "stroke-width": 1.5, "stroke-dasharray": "6 4" }),
    label(x.range[right ? 1 : 0], y(within) - 6, width < 360 ? "+ 1 point" : "1 point above the best", { "text-anchor": right ? "end" : "start", style: "fill: var(--green)" }),
    clip(x, y, [line([[x(m), bottom], [x(m), top]], { stroke: "var(--ink)", "stroke-width": 1.2, "stroke-dasharray": "2 4" }), ...drawn]),
  );
  return y;
}

function names(left) {
  return MODELS.map((name, k) => label(left + 46 * k, 14, NAMES[name], { class: "pf-strong", style: `fill: var(--${COLOURS[name]})` }));
}

function dot(cx, cy, name, r) {
  return svg("circle", { cx, cy, r, fill: `var(--${COLOURS[name]})`, stroke: "var(--paper)", "stroke-width": 1.5 });
}

function drawNeeds(chart, width, height, { delta, n }, { needed }, overDistance) {
  const x = linear(LIMITS.delta, [34, width - 14]);
  const y = linear([0, 50], [height - 42, 52]);
  const drawn = MODELS.flatMap((name) => {
    const points = DISTANCES.map((each, k) => [x(each), y(overDistance[k].rates[name] / POINT)]);
    const fails = overDistance.findIndex(({ rates, least }) => (n * rates[name]) / POINT < (n + 2) * least[name]);
    const last = fails < 0 ? DISTANCES.length : fails;
    const style = { stroke: `var(--${COLOURS[name]})` };
    return [
      line(points.slice(0, last), { ...style, "stroke-width": 2.8 }),
      line(points.slice(Math.max(0, last - 1)), { ...style, "stroke-width": 1.3, "stroke-dasharray": "3 4" }),
      dot(x(delta), y(needed[name] / n), name, 6),
    ];
  });
  chart.draw(
    width,
    height,
    axes(x, y, { xTicks: [1, 2, 3, 4], xLabel: "distance Δ of the class means" }),
    label(x.range[0], 14, "examples per feature", { class: "pf-strong" }),
    label(x.range[0], 34, "needed to be within 1 point", { class: "pf-faint" }),
    line([[x(delta), y.range[0]], [x(delta), y.range[1]]], { stroke: "var(--ink)", "stroke-width": 1.2, "stroke-dasharray": "2 4" }),
    ...drawn,
  );
}

function percent(share) {
  return `${fixed(100 * share, 1)} %`;
}

function sentence({ delta, n, m }, { bayes, errors, needed, reliable, efficiency }) {
  const both = (text) => `GDA ${text("gda")}, logistic regression ${text("logistic")}`;
  const doubtful = MODELS.filter((name) => Math.min(m, needed[name]) < reliable[name]).map((name) => NAMES[name]);
  return [
    `Δ = ${fixed(delta)}, n = ${n} features, m = ${m} examples. Best error ${percent(bayes)}; ${both((name) => percent(errors[name]))}.`,
    `To be within 1 point of the best, GDA needs about ${short(Math.round(needed.gda), 3)} examples, logistic regression about ${short(Math.round(needed.logistic), 3)}: Efron's efficiency is ${fixed(efficiency)}.`,
    `The formula is for m far above n, here from about ${short(reliable.gda, 2)} (GDA) and ${short(reliable.logistic, 2)} (logistic regression) on${doubtful.length ? `: do not trust it for ${doubtful.join(" and ")}` : ""}.`,
  ].join(" ");
}
