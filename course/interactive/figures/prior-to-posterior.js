// A coin: a Beta prior, the likelihood of the tosses, and the posterior that they make.

import { betaDensity, betaQuantile, logBeta } from "../framework/beta.js";
import { button, slider } from "../framework/controls.js";
import { frame } from "../framework/frame.js";
import { clamp, fixed, linear, short, steps } from "../framework/scale.js";
import { area, axes, chart, clip, html, label, line, svg } from "../framework/svg.js";

export const initial = { a: 2, b: 2, heads: 7, tails: 3 };
const TAIL = 0.025; // on either side of the interval
const POINTS = steps(0, 1, 401);

// Prior, likelihood and posterior at every point, and what is read off the posterior.
// state : a, b (of the prior, positive), heads, tails (whole numbers)
// The likelihood is scaled to the area one. Without tosses there is no relative frequency: null.
export function model({ a, b, heads, tails }) {
  const n = heads + tails;
  const [A, B] = [a + heads, b + tails];
  const curve = (first, second) => POINTS.map((phi) => betaDensity(phi, first, second));
  return {
    phi: POINTS,
    prior: curve(a, b),
    likelihood: curve(heads + 1, tails + 1),
    posterior: curve(A, B),
    parameters: [A, B],
    priorMean: a / (a + b),
    frequency: n ? heads / n : null,
    mean: A / (A + B),
    weight: (a + b) / (a + b + n), // of the prior mean in the posterior mean
    interval: [TAIL, 1 - TAIL].map((p) => betaQuantile(p, A, B)),
    logEvidence: logBeta(A, B) - logBeta(a, b),
  };
}

const LIMITS = { shape: [0.5, 20], tosses: [0, 100] };

export function build(host) {
  const state = { ...initial };
  const { body, start } = frame(host, {
    title: "How many tosses does it take to change a prior’s mind?",
    instruction: "Choose a prior, then toss: add heads and tails, one by one or with the sliders.",
  });
  const [priorRow, tossRow, buttonRow] = [0, 1, 2].map(() => html("div", { class: "pf-controls" }));
  const drawing = html("div", { class: "pf-charts" });
  body.append(priorRow, tossRow, buttonRow, drawing);
  const change = (changes) => update(Object.assign(state, changes));
  const add = (name) => change({ [name]: clamp(state[name] + 1, ...LIMITS.tosses) });

  button(buttonRow, "+ heads", () => add("heads"));
  button(buttonRow, "+ tails", () => add("tails"));
  button(buttonRow, "Clear the tosses", () => change({ heads: 0, tails: 0 }));
  button(buttonRow, "Start again", () => change(initial));
  const sliders = [
    [priorRow, "prior a", "a", LIMITS.shape, 0.5],
    [priorRow, "prior b", "b", LIMITS.shape, 0.5],
    [tossRow, "heads", "heads", LIMITS.tosses, 1],
    [tossRow, "tails", "tails", LIMITS.tosses, 1],
  ].map(([row, text, name, [low, high], step]) => {
    const show = slider(row, { label: text, low, high, step, change: (value) => change({ [name]: value }) });
    return () => show(state[name], short(state[name], 3));
  });
  const curves = chart(drawing, "Densities of the prior, the likelihood and the posterior");

  const update = start((width) => {
    const result = model(state);
    for (const show of sliders) show();
    draw(curves, width, result);
    return sentence(state, result);
  });
}

function draw(chart, width, result) {
  const height = 330;
  const highest = Math.max(...result.posterior.slice(4, -4), ...result.likelihood, ...result.prior.slice(4, -4));
  const top = [2, 4, 8, 16].find((limit) => highest <= limit * 0.95) ?? 1.1 * highest;
  const x = linear([0, 1], [34, width - 14]);
  const y = linear([0, top], [height - 62, 50]);
  const points = (values) => result.phi.map((phi, k) => [x(phi), y(Math.min(values[k], 2 * top))]);
  const [low, high] = result.interval;
  const inside = points(result.posterior).filter((_, k) => result.phi[k] >= low && result.phi[k] <= high);
  const edge = (phi) => [x(phi), y(Math.min(betaDensity(phi, ...result.parameters), 2 * top))];
  const shaded = [[x(low), y(0)], edge(low), ...inside, edge(high), [x(high), y(0)]];
  const names = [
    ["prior", "vermillion"],
    ["likelihood", "green"],
    ["posterior", "blue"],
  ];
  chart.draw(
    width,
    height,
    axes(x, y, { xTicks: [0, 0.25, 0.5, 0.75, 1], yTicks: y.ticks(4), xLabel: "probability of heads φ" }),
    ...names.map(([name, colour], k) =>
      label(x(0) + [0, 52, 132][k], 14, name, { class: "pf-strong", style: `fill: var(--${colour})` }),
    ),
    label(x(0), 34, "shaded: 95% of the posterior", { class: "pf-faint" }),
    clip(x, y, [
      area(shaded, { fill: "var(--blue)", opacity: 0.16 }),
      line(points(result.prior), { stroke: "var(--vermillion)", "stroke-dasharray": "7 5" }),
      line(points(result.likelihood), { stroke: "var(--green)", "stroke-dasharray": "2 4" }),
      line(points(result.posterior), { stroke: "var(--blue)", "stroke-width": 3 }),
    ]),
    // Means and relative frequency as marks on the axis.
    ...mark(x, y, result.priorMean, "vermillion"),
    ...mark(x, y, result.frequency, "green"),
    ...mark(x, y, result.mean, "blue"),
    label(x(0), height - 6, "● means, and the relative frequency", { class: "pf-faint" }),
  );
}

function mark(x, y, value, colour) {
  if (value === null) return [];
  return [svg("circle", { cx: x(value), cy: y(0), r: 6, fill: `var(--${colour})`, stroke: "var(--paper)" })];
}

function sentence({ a, b, heads, tails }, result) {
  const plural = (count, one, more) => `${count} ${count === 1 ? one : more}`;
  const [A, B] = result.parameters.map((value) => short(value, 4));
  const [low, high] = result.interval.map((value) => fixed(value, 3));
  const between =
    result.frequency === null
      ? ", as before the first toss"
      : `, between the prior mean ${fixed(result.priorMean, 3)} and the relative frequency ${fixed(result.frequency, 3)} (maximum likelihood)`;
  return (
    `Prior Beta(${short(a, 3)}, ${short(b, 3)}), ${plural(heads, "head", "heads")}, ${plural(tails, "tail", "tails")}: ` +
    `the posterior is Beta(${A}, ${B}). Its mean is ${fixed(result.mean, 3)}${between}; that is also the probability of heads in ` +
    `the next toss. With probability 95%, φ is between ${low} and ${high}.`
  );
}
