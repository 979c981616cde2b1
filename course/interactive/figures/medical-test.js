// A medical test in natural frequencies: a thousand people, and what a result says about one of them.

import { button, checkbox, slider } from "../framework/controls.js";
import { frame } from "../framework/frame.js";
import { fixed, linear, logarithmic, short } from "../framework/scale.js";
import { axes, chart, html, label, line, svg } from "../framework/svg.js";

export const initial = { prevalence: 0.02, sensitivity: 0.9, specificity: 0.95, second: false, repeat: false };
const PEOPLE = 1000;
const REPEATED = 0.5; // of the false positives, where one cause makes the second test err again

// Everything that is shown, by the number k of positive results: of one test, or of two.
// state : p(ill), P(positive | ill), P(negative | healthy); second : whether there are two tests, which err
// independently given the state of health; repeat : whether half of the false positives come again instead
export function model({ prevalence, sensitivity, specificity, second, repeat }) {
  const likelihood = likelihoods(sensitivity, 1 - specificity, second, repeat);
  const joint = [likelihood[0].map((p) => (1 - prevalence) * p), likelihood[1].map((p) => prevalence * p)];
  const ill = Math.round(PEOPLE * prevalence);
  return {
    likelihood,
    evidence: joint[0].map((p, k) => p + joint[1][k]),
    posterior: joint[1].map((p, k) => ratio(p, p + joint[0][k])),
    likelihoodRatio: likelihood[1].map((p, k) => ratio(p, likelihood[0][k])),
    dots: [divided(PEOPLE - ill, likelihood[0]), divided(ill, likelihood[1])],
  };
}

// p(k positive results | state of health), for the healthy and for the ill
function likelihoods(hit, falseAlarm, second, repeat) {
  if (!second) return [[1 - falseAlarm, falseAlarm], [1 - hit, hit]];
  const both = falseAlarm * (repeat ? REPEATED : falseAlarm);
  const one = 2 * (falseAlarm - both);
  return [[1 - one - both, one, both], [(1 - hit) ** 2, 2 * hit * (1 - hit), hit ** 2]];
}

// 0/0, a result that nobody has, is null.
function ratio(part, whole) {
  return part === 0 && whole === 0 ? null : part / whole;
}

// Whole people in proportion to probabilities: rounded down, and the rest to the largest remainders.
function divided(people, probabilities) {
  const exact = probabilities.map((p) => people * p);
  const whole = exact.map((value) => Math.floor(value + 1e-9));
  const order = exact.map((value, k) => [value - whole[k], k]).sort((a, b) => b[0] - a[0]);
  const left = people - whole.reduce((sum, value) => sum + value, 0);
  for (const [, k] of order.slice(0, left)) whole[k] += 1;
  return whole;
}

// Positions of the slider for the prevalence: twentieths of a decade from 0.1 % to 50 %, in round numbers.
const FIRST = 0.001;
const LAST = 54;
const prevalenceAt = (position) => Number((FIRST * 10 ** (position / 20)).toPrecision(2));
const positionOf = (prevalence) => Math.round(20 * Math.log10(prevalence / FIRST));
const STATES = [
  ["healthy", "blue"],
  ["ill", "vermillion"],
];
const STRENGTH = { 2: [0.25, 1], 3: [0.25, 0.6, 1] }; // opacity of the dots, by the number of positive results
const RESULTS = { 2: ["negative", "positive"], 3: ["negative twice", "positive once", "positive twice"] };

export function build(host) {
  const state = { ...initial };
  const { body, after, start } = frame(host, {
    title: "You test positive: how worried should you be?",
    instruction: "Make the disease rare or common and the test better or worse. Then take a second test.",
  });
  const controls = html("div", { class: "pf-controls" });
  const charts = html("div", { class: "pf-charts" });
  const rows = html("tbody");
  body.append(controls, charts);
  after.append(html("table", {}, html("caption", {}, "What each result says"), head(), rows));
  const change = (changes) => update(Object.assign(state, changes));

  const showPrevalence = slider(controls, {
    label: "prevalence",
    low: 0,
    high: LAST,
    change: (position) => change({ prevalence: prevalenceAt(position) }),
  });
  const showSensitivity = slider(controls, {
    label: "sensitivity",
    low: 500,
    high: 1000,
    step: 5,
    change: (permille) => change({ sensitivity: permille / 1000 }),
  });
  const showSpecificity = slider(controls, {
    label: "specificity",
    low: 500,
    high: 1000,
    step: 5,
    change: (permille) => change({ specificity: permille / 1000 }),
  });
  const showSecond = checkbox(controls, { label: "a second test", change: (second) => change({ second }) });
  const showRepeat = checkbox(controls, {
    label: "half of the false positives repeat",
    change: (repeat) => change({ repeat, second: state.second || repeat }),
  });
  button(controls, "Start again", () => change({ ...initial }));
  const people = chart(charts, "A thousand people, by state of health and by test result");
  const curves = chart(charts, "Probability of being ill after each result, against the prevalence");

  const update = start((width) => {
    const result = model(state);
    const each = width >= 680 ? Math.floor((width - 16) / 2) : width;
    showPrevalence(positionOf(state.prevalence), percent(state.prevalence));
    showSensitivity(Math.round(1000 * state.sensitivity), percent(state.sensitivity));
    showSpecificity(Math.round(1000 * state.specificity), percent(state.specificity));
    showSecond(state.second);
    showRepeat(state.repeat && state.second);
    drawPeople(people, each, result);
    drawCurves(curves, each, state, result);
    rows.replaceChildren(...tableRows(result));
    return sentence(state, result);
  });
}

// Dots from left to right, column by column: the ill first, those with the most positive results before the others.
function drawPeople(chart, width, { dots }) {
  const columns = 50;
  const pitch = (width - 8) / (columns + 1);
  const top = 52;
  const results = dots[0].length;
  const parts = [];
  let begin = 0;
  [1, 0].forEach((health) => {
    const [name, colour] = STATES[health];
    for (let k = results - 1; k >= 0; k--) {
      let d = "";
      for (let n = begin; n < begin + dots[health][k]; n++) {
        d += `M${(4 + pitch * (Math.floor(n / 20) + 1)).toFixed(1)} ${(top + pitch * (n % 20)).toFixed(1)}h0`;
      }
      const opacity = STRENGTH[results][k];
      const dot = { stroke: `var(--${colour})`, "stroke-opacity": opacity, "stroke-width": (0.78 * pitch).toFixed(1) };
      parts.push(svg("path", { fill: "none", "stroke-linecap": "round", d, ...dot }));
      begin += dots[health][k];
    }
    const all = dots[health].reduce((sum, value) => sum + value, 0);
    const text = `${all} ${name}, ${dots[health][results - 1]} of them ${RESULTS[results][results - 1]}`;
    const style = `fill: var(--${colour})`;
    parts.push(label(4 + pitch / 2, health ? 14 : 33, text, { class: "pf-strong", style }));
  });
  const note = results === 3 ? "paler: positive once, palest: never" : "pale: negative";
  parts.push(label(4 + pitch / 2, top + 20 * pitch + 12, note, { class: "pf-faint" }));
  chart.draw(width, Math.ceil(top + 20 * pitch + 20), ...parts);
}

const CURVES = { 2: ["blue", "vermillion"], 3: ["blue", "green", "vermillion"] };

function drawCurves(chart, width, state, result) {
  const height = 300;
  const x = logarithmic([FIRST, 0.5], [44, width - 14]);
  const y = linear([0, 1], [height - 44, 26]);
  const results = result.posterior.length;
  const at = x(state.prevalence);
  const positions = Array.from({ length: LAST + 1 }, (_, position) => prevalenceAt(position));
  const along = positions.map((prevalence) => model({ ...state, prevalence }).posterior);
  const parts = [
    axes(x, y, {
      xTicks: [0.001, 0.01, 0.1, 0.5],
      xFormat: percent,
      yTicks: [0, 0.5, 1],
      yFormat: percent,
      xLabel: "prevalence (logarithmic)",
      yLabel: "probability of being ill",
    }),
    line([[at, y(0)], [at, y(1)]], { stroke: "var(--ink)", "stroke-width": 1.2, "stroke-dasharray": "2 4" }),
  ];
  for (let k = 0; k < results; k++) {
    if (result.posterior[k] === null) continue;
    const stroke = `var(--${CURVES[results][k]})`;
    parts.push(line(along.map((posterior, n) => [x(positions[n]), y(posterior[k])]), { stroke }));
    parts.push(svg("circle", { cx: at, cy: y(result.posterior[k]), r: 6, fill: stroke, stroke: "var(--paper)" }));
  }
  const end = at > width / 2;
  const named = `${RESULTS[results][results - 1]}: ${percent(result.posterior[results - 1])}`;
  const place = [at + (end ? -10 : 10), y(result.posterior[results - 1]) + (end ? -10 : 18)];
  parts.push(label(...place, named, { class: "pf-strong", "text-anchor": end ? "end" : "start" }));
  const prior = line(positions.map((p) => [x(p), y(p)]), { stroke: "var(--faint)", "stroke-dasharray": "6 5" });
  const dashed = width < 420 ? "- - before" : "dashed: before any test";
  chart.draw(width, height, ...parts, prior, label(width - 14, 14, dashed, { class: "pf-faint", "text-anchor": "end" }));
}

function head() {
  const heads = ["result", "of 1000 people", "likelihood ratio", "ill"].map((text) => html("th", { scope: "col" }, text));
  return html("thead", {}, html("tr", {}, ...heads));
}

function tableRows({ evidence, posterior, likelihoodRatio }) {
  const results = posterior.length;
  return RESULTS[results]
    .map((name, k) => {
      const factor = likelihoodRatio[k] === null ? "0/0" : Number.isFinite(likelihoodRatio[k]) ? short(likelihoodRatio[k], 3) : "∞";
      const values = [fixed(PEOPLE * evidence[k], 1), factor, posterior[k] === null ? "0/0" : percent(posterior[k])];
      const mark = html("th", { scope: "row", style: `color: var(--${CURVES[results][k]})` }, name);
      return html("tr", {}, mark, ...values.map((text) => html("td", {}, text)));
    })
    .reverse();
}

// A probability in per cent, with three digits near the ends and none that say nothing.
function percent(p) {
  const value = 100 * p;
  const text = String(Number(value > 99 && value < 100 ? value.toFixed(value > 99.9 ? 3 : 2) : value.toPrecision(3)));
  return `${value > 0 && value < 1e-3 ? "0.001" : text} %`;
}

function sentence({ prevalence, sensitivity, specificity, second, repeat }, { posterior, dots }) {
  const last = posterior.length - 1;
  const positive = dots[0][last] + dots[1][last];
  const after = RESULTS[posterior.length].map((name, k) => {
    const p = posterior[k];
    return p === null ? `${name}: nobody` : `${name}: ${percent(p)}`;
  });
  const errs = repeat ? "half of the false positives come again" : "the tests err independently given the state of health";
  return [
    `Prevalence ${percent(prevalence)}, sensitivity ${percent(sensitivity)}, specificity ${percent(specificity)}.`,
    second ? `Two tests; ${errs}.` : "One test.",
    `Of 1000 people, ${RESULTS[posterior.length][last]}: about ${positive}, of whom ill: about ${dots[1][last]}.`,
    `Probability of being ill: ${after.reverse().join("; ")}.`,
  ].join(" ");
}
