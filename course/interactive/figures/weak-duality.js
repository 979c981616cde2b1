// The dual as a line below the values of constraint and objective: two problems, one convex, one with a gap.

import { button, handle, slider } from "../framework/controls.js";
import { frame } from "../framework/frame.js";
import { clamp, fixed, linear, steps } from "../framework/scale.js";
import { area, axes, chart, clip, html, label, line, svg } from "../framework/svg.js";

// problem : which one; beta : the multiplier; level : the constraint is g(w) ≤ level
export const initial = { problem: "convex", beta: 0.3, level: 0 };

// Of each: f, its derivative, g, w where g = u, w for which f + beta g is smallest, and all local minima of f.
const PROBLEMS = {
  // minimise w²/2 subject to 1 - w ≤ level
  convex: {
    f: (w) => w ** 2 / 2,
    slope: (w) => w,
    g: (w) => 1 - w,
    at: (u) => 1 - u,
    smallest: (beta) => [beta],
    valleys: [0],
  },
  // minimise (w² - 1)² + w/4 subject to -w ≤ level
  valleys: {
    f: (w) => (w ** 2 - 1) ** 2 + w / 4,
    slope: (w) => 4 * w * (w ** 2 - 1) + 1 / 4,
    g: (w) => -w,
    at: (u) => -u,
    smallest: (beta) => (beta === 1 / 4 ? [1, -1] : [valley(1 / 4 - beta, beta > 1 / 4 ? 2 : -2)]),
    valleys: [valley(1 / 4, 2), valley(1 / 4, -2)],
  },
};
const GRID = steps(-1.5, 1.8, 166);
const BETAS = steps(0, 1.5, 151);

// Everything that is drawn.
export function model({ problem, beta, level }) {
  const { f, g, smallest } = PROBLEMS[problem];
  const dual = (each) => f(smallest(each)[0]) + each * (g(smallest(each)[0]) - level);
  const best = bestMultiplier(problem, level);
  const solution = cheapest(problem, level);
  return {
    // Where the line touches, f + beta g is smallest.
    touched: smallest(beta).map((w) => ({ w, f: f(w), g: g(w), slackness: beta * (g(w) - level) })),
    dual: dual(beta),
    best: { beta: best, dual: dual(best) },
    primal: { w: solution, value: f(solution) },
    u: GRID,
    curve: GRID.map((u) => f(PROBLEMS[problem].at(u))),
    values: GRID.map((u) => f(cheapest(problem, u))),
    betas: BETAS,
    duals: BETAS.map(dual),
  };
}

// The w with g(w) ≤ level for which f is smallest, so that v(level) is f there.
function cheapest(problem, level) {
  const { f, g, at, valleys } = PROBLEMS[problem];
  const allowed = [at(level), ...valleys.filter((w) => g(w) <= level)];
  return allowed.reduce((best, w) => (f(w) < f(best) ? w : best));
}

// The multiplier of the highest dual value. Both g fall with slope one, so that the line that touches at w has beta = f'(w).
function bestMultiplier(problem, level) {
  const { slope, at } = PROBLEMS[problem];
  const beta = Math.max(0, slope(at(level)));
  return problem === "valleys" && Math.abs(level) <= 1 ? 1 / 4 : beta;
}

// The root of 4 w³ - 4 w + slope = 0 that is nearest to `from`, beyond which the cubic does not bend: Newton's method.
function valley(slope, from) {
  let w = from;
  for (let k = 0; k < 60; k++) w -= (4 * w ** 3 - 4 * w + slope) / (12 * w ** 2 - 4);
  return w;
}

// The multiplier of the supporting line that has the given height at u = GRIP, left of all points that lines touch.
const GRIP = -1.4;
export function multiplierAt(problem, height) {
  const { f, g, smallest } = PROBLEMS[problem];
  let [low, high] = [0, 1.5];
  for (let k = 0; k < 50; k++) {
    const middle = (low + high) / 2;
    const [w] = smallest(middle);
    if (f(w) + middle * (g(w) - GRIP) < height) low = middle;
    else high = middle;
  }
  return (low + high) / 2;
}

const LIMITS = { beta: [0, 1.5], level: [-0.5, 1.4] };
const TEXTS = { convex: ["w²/2", "1 − w ≤ c"], valleys: ["(w² − 1)² + w/4", "−w ≤ c"] };

export function build(host) {
  const state = structuredClone(initial);
  const { body, start } = frame(host, {
    title: "The dual tilts a line from below: does it come up to the minimum?",
    instruction:
      "Tilt the line by its handle, or with the arrow keys. Where it crosses the constraint's limit c, it gives a lower " +
      "bound. Then try the problem with two valleys, and move c.",
  });
  const controls = html("div", { class: "pf-controls" });
  const charts = html("div", { class: "pf-charts" });
  const columns = [html("div"), html("div")];
  charts.append(...columns);
  body.append(controls, charts);
  const plane = chart(columns[0], "Values of constraint and objective, and the supporting line below them");
  const bounds = chart(columns[1], "The dual function against the multiplier");
  const numbers = html("table");
  columns[1].append(numbers);
  const set = (change) => update(Object.assign(state, change));
  button(controls, "Convex", () => set({ problem: "convex" }));
  button(controls, "Two valleys", () => set({ problem: "valleys" }));
  button(controls, "Best line", () => setBeta(bestMultiplier(state.problem, state.level)));
  button(controls, "Start again", () => set(initial));
  const showLevel = slider(controls, {
    label: "limit c",
    low: LIMITS.level[0],
    high: LIMITS.level[1],
    step: 0.05,
    change: (level) => set({ level }),
  });
  const setBeta = (beta) => set({ beta: Number(clamp(beta, ...LIMITS.beta).toFixed(2)) });
  let [x, y] = [null, null];
  const showTilt = handle(plane, {
    label: "tilt of the line",
    colour: "vermillion",
    move: (_, pixel) => setBeta(multiplierAt(state.problem, y.invert(pixel))),
    nudge: (right, up) => setBeta(state.beta + 0.05 * (right + up)),
  });
  const showBeta = handle(bounds, {
    label: "multiplier β",
    colour: "vermillion",
    move: (pixel) => setBeta(x.invert(pixel)),
    nudge: (right, up) => setBeta(state.beta + 0.05 * (right + up)),
  });

  const update = start((width) => {
    const result = model(state);
    const each = width >= 680 ? Math.floor((width - 16) / 2) : width;
    for (const column of columns) column.style.width = `${each}px`;
    const range = { low: LIMITS.beta[0], high: LIMITS.beta[1], now: state.beta, text: fixed(state.beta) };
    showLevel(state.level, fixed(state.level));
    const scales = drawPlane(plane, each, state, result);
    y = scales.y;
    showTilt(scales.x(GRIP), y(result.dual - state.beta * (GRIP - state.level)), range);
    const dual = drawBounds(bounds, each, result);
    x = dual.x;
    showBeta(x(state.beta), dual.y(result.dual), range);
    numbers.replaceChildren(...table(state, result));
    return sentence(state, result);
  });
}

function drawPlane(chart, width, { problem, beta, level }, { touched, dual, primal, u, curve, values }) {
  const height = 400;
  const x = linear([-1.5, 1.8], [36, width - 12]);
  const [low, high] = problem === "convex" ? [-1.2, 2.6] : [-0.9, 1.5];
  const y = linear([low, high], [height - 42, 54]);
  const along = (heights) => u.map((each, k) => [x(each), y(heights[k])]);
  const gap = [[x(level), y(dual)], [x(level), y(primal.value)]];
  chart.draw(
    width,
    height,
    axes(x, y, { xTicks: [-1, 0, 1], yTicks: y.ticks(5), xLabel: "u, a value of the constraint g(w)" }),
    label(x.range[0], 14, TEXTS[problem].join(width < 380 ? ",  " : ",  subject to  "), { class: "pf-strong" }),
    label(x.range[0], 36, "objective f(w)", { class: "pf-faint" }),
    label(x.range[1], 36, "v(u)", { class: "pf-strong", "text-anchor": "end", style: "fill: var(--blue)" }),
    clip(x, y, [
      area([...along(values), [x(1.8), y(high)], [x(-1.5), y(high)]], { fill: "var(--blue)", opacity: 0.12 }),
      line([[x(level), y.range[0]], [x(level), y.range[1]]], { stroke: "var(--ink)", "stroke-width": 1.2 }),
      line(along(curve), { stroke: "var(--faint)", "stroke-width": 1.4, "stroke-dasharray": "2 4" }),
      line(along(values), { stroke: "var(--blue)", "stroke-width": 2.8 }),
      line([-1.5, 1.8].map((end) => [x(end), y(dual - beta * (end - level))]), { stroke: "var(--vermillion)", "stroke-width": 2.4 }),
      line(gap, { stroke: "var(--green)", "stroke-width": 4 }),
      ...touched.map((each) => svg("circle", { cx: x(each.g), cy: y(each.f), r: 5, fill: "var(--paper)", stroke: "var(--vermillion)", "stroke-width": 2.5 })),
      mark(x(level), y(primal.value), "blue"),
      mark(x(level), y(dual), "vermillion"),
    ]),
    label(x(level) + 9, y(primal.value) - 9, "p*", { class: "pf-strong", style: "fill: var(--blue)" }),
    label(x(level) - 9, Math.min(y(dual) + 18, y(low) - 4), named("θ", "D"), { class: "pf-strong", "text-anchor": "end", style: "fill: var(--vermillion)" }),
    label(x(level) + 9, (gap[0][1] + gap[1][1]) / 2 + 4, gap[0][1] - gap[1][1] > 26 ? "gap" : "", { style: "fill: var(--green)" }),
    label(x(level) + 5, y.range[1] + 12, "c", { class: "pf-strong" }),
  );
  return { x, y };
}

function named(symbol, index, rest = "") {
  const group = svg("tspan", {}, symbol, svg("tspan", { dy: 3, "font-size": 9 }, index));
  group.append(svg("tspan", { dy: -3 }, rest));
  return group;
}

function mark(cx, cy, colour) {
  return svg("circle", { cx, cy, r: 6, fill: `var(--${colour})`, stroke: "var(--paper)", "stroke-width": 1.5 });
}

function drawBounds(chart, width, { best, primal, betas, duals }) {
  const height = 240;
  const x = linear(LIMITS.beta, [36, width - 14]);
  const highest = Math.max(primal.value, best.dual);
  const y = linear([Math.min(highest - 1, ...duals) - 0.05, highest + 0.25], [height - 42, 34]);
  chart.draw(
    width,
    height,
    axes(x, y, { yTicks: y.ticks(4), xLabel: "multiplier β" }),
    label(x.range[0], 14, named("lower bound θ", "D", "(β)"), { class: "pf-strong", style: "fill: var(--vermillion)" }),
    label(x.range[1], 14, `p* = ${fixed(primal.value, 3)}`, { class: "pf-strong", "text-anchor": "end", style: "fill: var(--blue)" }),
    clip(x, y, [
      line([[x(0), y(primal.value)], [x.range[1], y(primal.value)]], { stroke: "var(--blue)", "stroke-dasharray": "6 5" }),
      line(betas.map((beta, k) => [x(beta), y(duals[k])]), { stroke: "var(--vermillion)", "stroke-width": 2.8 }),
      mark(x(best.beta), y(best.dual), "green"),
    ]),
    label(x(Math.min(best.beta, 1.4)), y(best.dual) + 22, "d*", { class: "pf-strong", style: "fill: var(--green)", "text-anchor": "middle" }),
  );
  return { x, y };
}

const TINY = 1e-9;

function table({ level }, { touched }) {
  const row = (name, value) => html("tr", {}, html("th", { scope: "row" }, name), ...touched.map((each) => html("td", {}, value(each))));
  const judged = (value, holds) => `${fixed(value, 3)} ${holds ? "✓" : "✗"}`;
  return [
    html("caption", {}, "Where the line touches"),
    html("tbody", {},
      row("w", ({ w }) => fixed(w, 3)),
      row("f(w)", ({ f }) => fixed(f, 3)),
      row("g(w) − c ≤ 0", ({ g }) => judged(g - level, g - level < TINY)),
      row("β (g(w) − c) = 0", ({ slackness }) => judged(slackness, Math.abs(slackness) < TINY)),
    ),
  ];
}

function sentence({ problem, beta, level }, { touched, dual, best, primal }) {
  const [gap, remains] = [primal.value - dual, primal.value - best.dual];
  const holds = touched.some(({ g, slackness }) => g - level < TINY && Math.abs(slackness) < TINY);
  return [
    `Minimise ${TEXTS[problem].join(" subject to ")}, with c = ${fixed(level)}. The minimum is p* = ${fixed(primal.value, 3)}, at w = ${fixed(primal.w, 3)}.`,
    `The line with β = ${fixed(beta)} touches at w = ${touched.map(({ w }) => fixed(w, 3)).join(" and at w = ")}; its bound is θ_D(β) = ${fixed(dual, 3)}, ${Math.abs(gap) < TINY ? "which is p*" : `${fixed(gap, 3)} below p*`}.`,
    `The best line has β = ${fixed(best.beta)} and d* = ${fixed(best.dual, 3)}: ${Math.abs(remains) < TINY ? "no gap remains" : `a gap of ${fixed(remains, 3)} remains`}.`,
    holds
      ? `Complementary slackness holds: β (g − c) = 0, since ${beta === 0 ? "β = 0" : "g = c"}.`
      : "Complementary slackness fails: the line touches at no point with g ≤ c and β (g − c) = 0.",
  ].join(" ");
}
