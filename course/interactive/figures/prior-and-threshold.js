// A filter whose log odds are normal in both classes: prior, threshold, costs, ROC curve, precision and recall.

import { button, handle, slider } from "../framework/controls.js";
import { frame } from "../framework/frame.js";
import { cumulative, density } from "../framework/normal.js";
import { clamp, fixed, linear, short, steps } from "../framework/scale.js";
import { area, axes, chart, clip, html, label, line, svg } from "../framework/svg.js";

export const initial = { prior: 0.13, cut: 0, distance: 2.5, cost: 10 };
const MESSAGES = 1000;
const GRID = steps(-14, 14, 281);
const CUTS = steps(-8, 8, 161);

// Everything that is shown. state : prior = p(spam); cut, on the log odds: a message is stopped where they are at least
// as high; distance of two normal classes of unit width on a line, of which the log odds are a linear function;
// cost of a ham that is lost, where a spam message that gets through costs 1
export function model({ prior, cut, distance, cost }) {
  const centre = Math.log(prior / (1 - prior));
  // A class lies distance / 2 from the middle, where the log odds are `centre`; they change by `distance` a unit.
  const means = [centre - distance ** 2 / 2, centre + distance ** 2 / 2];
  const at = (value) => operatingPoint({ prior, distance, cost, means }, value);
  const along = CUTS.map(at);
  return {
    means,
    ...at(cut),
    threshold: logistic(cut),
    auc: cumulative(distance / Math.SQRT2, 0, 1),
    best: { cut: Math.log(cost), threshold: cost / (1 + cost), ...at(Math.log(cost)) },
    joint: [GRID.map((h) => (1 - prior) * density(h, means[0], distance)), GRID.map((h) => prior * density(h, means[1], distance))],
    along,
    roc: steps(-5, distance + 5, 121).map((x) => [cumulative(-x, 0, 1), cumulative(distance - x, 0, 1)]),
  };
}

// What a cut comes to. cost : expected, of a thousand messages
function operatingPoint({ prior, distance, cost, means }, cut) {
  const [fpr, tpr] = means.map((mean) => cumulative(-cut, -mean, distance));
  const missed = cumulative(cut, means[1], distance);
  const [lost, caught] = [MESSAGES * (1 - prior) * fpr, MESSAGES * prior * tpr];
  return {
    fpr,
    tpr,
    precision: lost + caught > 0 ? caught / (lost + caught) : null,
    lost,
    caught,
    through: MESSAGES * prior * missed,
    cost: cost * lost + MESSAGES * prior * missed,
  };
}

function logistic(z) {
  return 1 / (1 + Math.exp(-z));
}

const [HAM, SPAM] = ["blue", "vermillion"];
const COSTS = [1, 2, 5, 10, 20, 50, 100];
const PRIORS = [0.01, 0.99];

export function build(host) {
  const state = { ...initial };
  const { body, after, start } = frame(host, {
    title: "Prior, costs and threshold: one filter, many points on its curve",
    instruction:
      "Drag the threshold on the log odds, or move it with the arrow keys. Then make spam rare or frequent, and a lost " +
      "message expensive: which curves move, and where is the cheapest threshold?",
  });
  const controls = html("div", { class: "pf-controls" });
  const charts = html("div", { class: "pf-charts" });
  const rows = html("tbody");
  body.append(controls, charts);
  after.append(html("table", {}, html("caption", {}, "Of 1000 messages"), head(), rows));
  const change = (changes) => update(Object.assign(state, changes));
  const setCut = (cut) => change({ cut: Number(clamp(cut, -8, 8).toFixed(2)) });

  const showPrior = slider(controls, {
    label: "proportion of spam",
    low: 100 * PRIORS[0],
    high: 100 * PRIORS[1],
    change: (percent) => change({ prior: percent / 100 }),
  });
  const showCost = slider(controls, {
    label: "cost of a lost message",
    low: 0,
    high: COSTS.length - 1,
    change: (k) => change({ cost: COSTS[k] }),
  });
  const showDistance = slider(controls, {
    label: "distance of the classes",
    low: 0.5,
    high: 4,
    step: 0.1,
    change: (distance) => change({ distance }),
  });
  button(controls, "Cheapest threshold", () => change({ cut: Math.log(state.cost) }));
  button(controls, "Start again", () => change({ ...initial }));
  const densities = chart(charts, "Densities of the log odds of both classes, each times its proportion");
  const costs = chart(charts, "Expected cost against the threshold");
  const roc = chart(charts, "ROC curve");
  const pr = chart(charts, "Precision against recall");
  let x = null;
  const moveCut = handle(densities, {
    label: "threshold on the log odds",
    colour: "ink",
    move: (pixel) => setCut(x.invert(pixel)),
    nudge: (right, up) => setCut(state.cut + 0.1 * (right + up)),
  });

  const update = start((width) => {
    const result = model(state);
    const each = width >= 680 ? Math.floor((width - 16) / 2) : width;
    showPrior(Math.round(100 * state.prior), fixed(state.prior));
    showCost(COSTS.indexOf(state.cost), String(state.cost));
    showDistance(state.distance, fixed(state.distance, 1));
    x = linear([-14, 14], [16, each - 12]);
    const y = drawDensities(densities, x, each, state, result);
    moveCut(x(state.cut), y, { low: -8, high: 8, now: state.cut, text: `${fixed(state.cut)}, a posterior of ${fixed(result.threshold, 3)}` });
    drawCosts(costs, each, state, result);
    drawRoc(roc, each, result);
    drawPrecision(pr, each, state, result);
    rows.replaceChildren(...tableRows(state, result));
    return sentence(state, result);
  });
}

function drawDensities(chart, x, width, { cut }, { joint }) {
  const height = 236;
  const highest = Math.max(...joint.flat());
  const y = linear([0, 1.1 * highest], [height - 40, 42]);
  const along = (values) => GRID.map((h, k) => [x(h), y(values[k])]);
  const part = (values, inside) => {
    const kept = GRID.map((h, k) => [h, values[k]]).filter(([h]) => inside(h));
    if (kept.length < 2) return [];
    return [[x(kept[0][0]), y(0)], ...kept.map(([h, value]) => [x(h), y(value)]), [x(kept.at(-1)[0]), y(0)]];
  };
  const shade = (values, inside, colour) => area(part(values, inside), { fill: `var(--${colour})`, opacity: 0.35 });
  chart.draw(
    width,
    height,
    axes(x, y, { yTicks: [], xLabel: "log odds of spam", xTicks: [-10, -5, 0, 5, 10] }),
    label(x(-14), 14, "ham", { class: "pf-strong", style: `fill: var(--${HAM})` }),
    label(x(14), 14, "spam", { class: "pf-strong", "text-anchor": "end", style: `fill: var(--${SPAM})` }),
    label(x(-14), 32, "shaded: errors", { class: "pf-faint" }),
    ...(part(joint[0], (h) => h >= cut).length ? [shade(joint[0], (h) => h >= cut, HAM)] : []),
    ...(part(joint[1], (h) => h < cut).length ? [shade(joint[1], (h) => h < cut, SPAM)] : []),
    line(along(joint[0]), { stroke: `var(--${HAM})` }),
    line(along(joint[1]), { stroke: `var(--${SPAM})` }),
    line([[x(cut), y(0)], [x(cut), 42]], { stroke: "var(--ink)", "stroke-width": 1.6 }),
    label(x(cut) + (cut > 4 ? -16 : 16), 60, "stopped →", { class: "pf-faint", "text-anchor": cut > 4 ? "end" : "start" }),
  );
  return 56; // the handle stands at the upper end of its line, away from the errors
}

function point(x, y, colour = "ink") {
  return svg("circle", { cx: x, cy: y, r: 6, fill: `var(--${colour})`, stroke: "var(--paper)" });
}

function drawCosts(chart, width, { cut }, result) {
  const height = 236;
  const x = linear([-8, 8], [52, width - 12]);
  const dearest = Math.max(result.cost, 3 * result.best.cost, 1);
  const y = linear([0, 1.15 * dearest], [height - 40, 42]);
  chart.draw(
    width,
    height,
    axes(x, y, { xTicks: [-8, -4, 0, 4, 8], yTicks: y.ticks(3), yFormat: (tick) => short(tick, 3), xLabel: "threshold on the log odds" }),
    label(x(-8), 14, "expected cost of 1000 messages", { class: "pf-strong" }),
    label(x(-8), 32, `least: ${short(result.best.cost, 3)}`, { class: "pf-strong", style: "fill: var(--green)" }),
    clip(x, y, [line(result.along.map((each, k) => [x(CUTS[k]), y(Math.min(each.cost, 3 * dearest))]), { stroke: "var(--ink)" })]),
    point(x(result.best.cut), y(result.best.cost), "green"),
    point(x(cut), y(result.cost)),
  );
}

function drawRoc(chart, width, result) {
  const height = 266;
  const x = linear([0, 1], [44, width - 14]);
  const y = linear([0, 1], [height - 44, 24]);
  chart.draw(
    width,
    height,
    axes(x, y, { xTicks: [0, 0.5, 1], yTicks: [0, 0.5, 1], xLabel: "ham stopped (false positive rate)" }),
    label(x(0), 12, "ROC: spam stopped (true positive rate)", { class: "pf-strong" }),
    line([[x(0), y(0)], [x(1), y(1)]], { stroke: "var(--faint)", "stroke-dasharray": "6 5", "stroke-width": 1.4 }),
    line(result.roc.map(([fpr, tpr]) => [x(fpr), y(tpr)]), { stroke: "var(--ink)" }),
    label(x(1), y(0) - 10, `area ${fixed(result.auc, 3)}`, { class: "pf-faint", "text-anchor": "end" }),
    point(x(result.best.fpr), y(result.best.tpr), "green"),
    point(x(result.fpr), y(result.tpr)),
  );
}

function drawPrecision(chart, width, { prior }, result) {
  const height = 266;
  const x = linear([0, 1], [44, width - 14]);
  const y = linear([0, 1], [height - 44, 24]);
  const drawn = result.along.filter((each) => each.precision !== null);
  chart.draw(
    width,
    height,
    axes(x, y, { xTicks: [0, 0.5, 1], yTicks: [0, 0.5, 1], xLabel: "recall: spam stopped" }),
    label(x(0), 12, "precision: spam among what is stopped", { class: "pf-strong" }),
    line([[x(0), y(prior)], [x(1), y(prior)]], { stroke: "var(--faint)", "stroke-dasharray": "6 5", "stroke-width": 1.4 }),
    label(x(0) + 6, y(prior) + (prior < 0.15 ? -7 : 15), "dashed: stopped at random", { class: "pf-faint" }),
    line(drawn.map((each) => [x(each.tpr), y(each.precision)]), { stroke: "var(--ink)" }),
    ...(result.best.precision === null ? [] : [point(x(result.best.tpr), y(result.best.precision), "green")]),
    ...(result.precision === null ? [] : [point(x(result.tpr), y(result.precision))]),
  );
}

function head() {
  const heads = ["threshold", "spam stopped", "spam missed", "ham lost", "cost"].map((text) => html("th", { scope: "col" }, text));
  return html("thead", {}, html("tr", {}, ...heads));
}

function tableRows({ cut }, result) {
  const row = (name, where, each) => {
    const values = [each.caught, each.through, each.lost, each.cost].map((value) => html("td", {}, fixed(value, 1)));
    return html("tr", {}, html("th", { scope: "row" }, `${name}: ${fixed(where)}`), ...values);
  };
  return [row("yours", cut, result), row("cheapest", result.best.cut, result.best)];
}

function sentence({ prior, cut, distance, cost }, result) {
  const { best } = result;
  const share = (p) => (p === null ? "0/0" : `${fixed(100 * p, 1)} %`);
  return [
    `Proportion of spam ${fixed(prior)}; classes ${fixed(distance, 1)} widths apart; a lost message costs ${cost}.`,
    `Stopped where the log odds are at least ${fixed(cut)}, a posterior of ${fixed(result.threshold, 3)}:`,
    `precision ${share(result.precision)}, recall ${share(result.tpr)}, ham lost ${share(result.fpr)},`,
    `cost ${short(result.cost, 3)} for 1000 messages.`,
    `Cheapest: log odds of ${fixed(best.cut)}, a posterior of ${fixed(best.threshold, 3)}, at a cost of ${short(best.cost, 3)}.`,
  ].join(" ");
}
