// Naive Bayes on four documents: what the smoothing constant does to both event models.

import { button, checkbox, slider, textField } from "../framework/controls.js";
import { frame } from "../framework/frame.js";
import { clamp, fixed, linear, short, signed } from "../framework/scale.js";
import { area, axes, chart, html, label, line, svg } from "../framework/svg.js";

export const CLASSES = ["China", "Japan"];
export const TRAINING = [
  ["Chinese Beijing Chinese", "China"],
  ["Chinese Chinese Shanghai", "China"],
  ["Chinese Macao", "China"],
  ["Tokyo Japan Chinese", "Japan"],
];
export const VOCABULARY = ["Chinese", "Beijing", "Shanghai", "Macao", "Tokyo", "Japan"];
export const UNSEEN = "Osaka";
export const initial = { alpha: 1, text: "Chinese Chinese Chinese Tokyo Japan", unseen: false };

// The words of a text, whatever their case; a word has two letters or more.
function words(text) {
  return text.match(/[\p{L}\p{N}_]{2,}/gu) ?? [];
}

function count(text, vocabulary) {
  const found = words(text).map((word) => word.toLowerCase());
  return vocabulary.map((word) => found.filter((each) => each === word.toLowerCase()).length);
}

function sum(values) {
  return values.reduce((total, value) => total + value, 0);
}

// What the training documents say of each class, for a vocabulary.
function train(vocabulary) {
  return CLASSES.map((name) => {
    const rows = TRAINING.filter(([, of]) => of === name).map(([document]) => count(document, vocabulary));
    const tokens = vocabulary.map((_, n) => sum(rows.map((row) => row[n]))); // N_jn
    const holding = vocabulary.map((_, n) => rows.filter((row) => row[n] > 0).length); // M_jn
    return { documents: rows.length, length: sum(tokens), tokens, holding };
  });
}

const VOCABULARIES = [VOCABULARY, [...VOCABULARY, UNSEEN]];
const TRAINED = VOCABULARIES.map(train);
const PRIOR = TRAINED[0].map(({ documents }) => documents / TRAINING.length);

// Estimates, terms of the log odds and posterior of both event models.
// state : alpha (not negative), text (the document), unseen (whether a seventh word, never seen, is in the vocabulary)
// A posterior that is 0/0 is null.
export function model({ alpha, text, unseen }) {
  const vocabulary = VOCABULARIES[Number(unseen)];
  const known = vocabulary.map((word) => word.toLowerCase());
  const counts = count(text, vocabulary);
  const ignored = words(text).filter((word) => !known.includes(word.toLowerCase()));
  return { vocabulary, counts, ignored, priorTerm: Math.log(PRIOR[0] / PRIOR[1]), ...answers(counts, alpha) };
}

function answers(x, alpha) {
  const classes = TRAINED[x.length - VOCABULARY.length];
  const beta = classes.map(({ tokens, length }) => tokens.map((N) => (N + alpha) / (length + alpha * x.length)));
  const phi = classes.map(({ documents, holding }) => holding.map((M) => (M + alpha) / (documents + 2 * alpha)));
  const absent = classes.map(({ documents, holding }) =>
    holding.map((M) => (documents - M + alpha) / (documents + 2 * alpha)),
  );
  // log p(word n of the document | class j): a word that does not occur is no event for the multinomial model
  const multinomial = beta.map((b) => b.map((p, n) => (x[n] ? x[n] * Math.log(p) : 0)));
  const bernoulli = phi.map((f, j) => f.map((p, n) => Math.log(x[n] ? p : absent[j][n])));
  return {
    multinomial: { estimates: beta, ...posterior(multinomial) },
    bernoulli: { estimates: phi, ...posterior(bernoulli) },
  };
}

function posterior(logs) {
  const joint = logs.map((each, j) => Math.log(PRIOR[j]) + sum(each));
  const possible = joint.some((value) => value > -Infinity);
  const odds = joint[0] - joint[1];
  return {
    joint,
    terms: logs[0].map((value, n) => value - logs[1][n]),
    odds,
    posterior: possible ? [1 / (1 + Math.exp(-odds)), 1 / (1 + Math.exp(odds))] : null,
  };
}

// Positions of the slider: the first is α = 0, the others are twentieths of a decade, from 0.001 to 1000.
const LAST = 121;
const alphaAt = (position) => (position === 0 ? 0 : Number((10 ** ((position - 1) / 20 - 3)).toPrecision(3)));
const positionOf = (alpha) => (alpha === 0 ? 0 : Math.round(20 * (Math.log10(alpha) + 3)) + 1);
const GAP = -10; // where α = 0 stands on the axis, apart from the logarithmic part
const MODELS = [
  ["multinomial", "blue"],
  ["bernoulli", "vermillion"],
];
const NAMES = { multinomial: "multinomial", bernoulli: "Bernoulli" };

export function build(host) {
  const state = { ...initial };
  const { body, after, start } = frame(host, {
    title: "One document, two event models: where does each change its mind?",
    instruction: "Move α, or drag in the first chart. Type a document of your own, from the words of the table.",
  });
  const controls = html("div", { class: "pf-controls" });
  const charts = html("div", { class: "pf-charts" });
  const rows = html("tbody");
  body.append(controls, charts);
  after.append(html("table", {}, html("caption", {}, "Estimated probability of each word"), head(), rows));
  const change = (changes) => update(Object.assign(state, changes));

  const showText = textField(controls, { label: "Document", change: (text) => change({ text }) });
  button(controls, "The textbook’s", () => change({ text: initial.text }));
  for (const text of ["Tokyo Tokyo", "Beijing Tokyo"]) button(controls, text, () => change({ text }));
  const showAlpha = slider(controls, { label: "α", low: 0, high: LAST, change: (at) => change({ alpha: alphaAt(at) }) });
  const showUnseen = checkbox(controls, {
    label: `add ${UNSEEN}, a word never seen`,
    change: (unseen) => change({ unseen }),
  });
  const curves = chart(charts, "Posterior of China against α");
  const bars = chart(charts, "What each word adds to the log odds of China against Japan");

  let x = null;
  let dragging = false;
  const drag = (event) => {
    const position = Math.round(x.invert(event.clientX - curves.node.getBoundingClientRect().left));
    change({ alpha: alphaAt(position < GAP / 2 ? 0 : clamp(position, 1, LAST)) });
  };
  curves.node.classList.add("pf-draggable");
  curves.node.addEventListener("pointerdown", (event) => {
    dragging = true;
    curves.node.setPointerCapture(event.pointerId);
    drag(event);
  });
  curves.node.addEventListener("pointermove", (event) => dragging && drag(event));
  for (const end of ["pointerup", "pointercancel"]) curves.node.addEventListener(end, () => (dragging = false));

  const update = start((width) => {
    const result = model(state);
    const beside = width >= 680;
    const each = beside ? Math.floor((width - 16) / 2) : width;
    x = linear([GAP, LAST], [44, each - 14]);
    showText(state.text);
    showAlpha(positionOf(state.alpha), short(state.alpha, 3));
    showUnseen(state.unseen);
    drawCurves(curves, x, each, state, result);
    drawBars(bars, each, result);
    rows.replaceChildren(...result.vocabulary.map((word, n) => row(word, n, result)));
    return sentence(state, result);
  });
}

function drawCurves(chart, x, width, state, result) {
  const height = 330;
  const y = linear([0, 1], [height - 44, 46]);
  const marks = width < 400 ? [0.01, 1, 100] : [0.001, 0.01, 0.1, 1, 10, 100, 1000];
  const end = { class: "pf-faint", "text-anchor": "end" };
  const at = x(state.alpha === 0 ? GAP : positionOf(state.alpha));
  const parts = [
    axes(x, y, {
      xTicks: [GAP, ...marks.map(positionOf)],
      xFormat: (position) => (position === GAP ? "0" : short(alphaAt(position))),
      yTicks: [0, 0.25, 0.5, 0.75, 1],
      xLabel: "smoothing α (logarithmic; 0 stands apart)",
      yLabel: "posterior of China",
    }),
    line([[x(GAP), y(0.5)], [x(LAST), y(0.5)]], { stroke: "var(--faint)", "stroke-width": 1.2 }),
    label(x(LAST), y(0.5) - 6, "above: China", end),
    label(x(LAST), y(0.5) + 15, "below: Japan", end),
    line([[at, y(0)], [at, y(1)]], { stroke: "var(--ink)", "stroke-width": 1.5 }),
    svg("circle", { cx: at, cy: y(0), r: 6, fill: "var(--ink)" }),
  ];
  const positions = Array.from({ length: LAST }, (_, k) => k + 1);
  const along = positions.map((position) => answers(result.counts, alphaAt(position)));
  const zero = answers(result.counts, 0);
  MODELS.forEach(([name, colour], k) => {
    const stroke = `var(--${colour})`;
    const [limit, now] = [zero[name].posterior, result[name].posterior];
    parts.push(line(along.map((one, n) => [x(positions[n]), y(one[name].posterior[0])]), { stroke }));
    if (limit) parts.push(svg("circle", { cx: x(GAP), cy: y(limit[0]), r: 4, fill: stroke }));
    if (now) parts.push(svg("circle", { cx: at, cy: y(now[0]), r: 6, fill: stroke, stroke: "var(--paper)" }));
    const text = `${NAMES[name]} ${now ? fixed(now[0], 3) : "0/0"}`;
    parts.push(label(x(GAP) + 138 * k, 13, text, { class: "pf-strong", style: `fill: ${stroke}` }));
  });
  chart.draw(width, height, ...parts);
}

function drawBars(chart, width, result) {
  const names = ["prior", ...result.vocabulary.map((word, n) => `${word} ×${result.counts[n]}`), "sum"];
  const pitch = 32;
  const height = 26 + names.length * pitch + 40;
  const columns = MODELS.map(([name]) => [result.priorTerm, ...result[name].terms, result[name].odds]);
  const largest = Math.max(...columns.flat().filter(Number.isFinite).map(Math.abs));
  const reach = [2, 4, 8, 16, 32].find((limit) => largest <= limit * 0.85) ?? 1.3 * largest;
  const x = linear([-reach, reach], [96, width - 14]);
  const y = linear([0, names.length], [26, height - 40]);
  const parts = [
    axes(x, linear([0, 1], [height - 40, 26]), {
      yTicks: [],
      xLabel: "contribution to the log odds",
    }),
    label(x(0) - 10, 14, "◀ for Japan", { class: "pf-faint", "text-anchor": "end" }),
    label(x(0) + 10, 14, "for China ▶", { class: "pf-faint" }),
    line([[x.range[0], y(names.length - 1)], [x.range[1], y(names.length - 1)]], { stroke: "var(--faint)", "stroke-width": 1 }),
  ];
  names.forEach((name, k) => {
    const strong = k === 0 || k === names.length - 1 || result.counts[k - 1] > 0;
    const style = `font-style: ${result.vocabulary[k - 1] ? "italic" : "normal"}`;
    parts.push(label(90, y(k) + 21, name, { "text-anchor": "end", class: strong ? "pf-strong" : "pf-faint", style }));
    MODELS.forEach(([, colour], which) => {
      const value = columns[which][k];
      const top = y(k) + 4 + 13 * which;
      const end = Number.isNaN(value) ? x(0) : x(clamp(value, -reach, reach));
      const fill = `var(--${colour})`;
      const corners = [[x(0), top], [end, top], [end, top + 11], [x(0), top + 11]];
      parts.push(area(corners, { fill }));
      const inside = Math.abs(value) === Infinity;
      const outwards = (value < 0 ? -1 : 1) * (inside ? -1 : 1);
      const style = `fill: ${inside ? "var(--paper)" : fill}`;
      const anchor = outwards < 0 ? "end" : "start";
      if (value !== 0) parts.push(label(end + 4 * outwards, top + 10, signed(value), { "text-anchor": anchor, style }));
    });
  });
  parts.push(line([[x(0), y(0)], [x(0), y(names.length)]], { stroke: "var(--ink)", "stroke-width": 1.2 }));
  chart.draw(width, height, ...parts);
}

function head() {
  const of = (text, colour) => html("th", { colspan: 2, scope: "colgroup", style: `color: var(--${colour})` }, text);
  const column = (text) => html("th", { scope: "col" }, text);
  return html(
    "thead",
    {},
    html("tr", {}, html("td"), of("multinomial β", "blue"), of("Bernoulli φ", "vermillion")),
    html("tr", {}, ...["word", ...CLASSES, ...CLASSES].map(column)),
  );
}

function row(word, n, result) {
  const values = MODELS.flatMap(([name]) => result[name].estimates.map((estimates) => fixed(estimates[n], 3)));
  const cells = values.map((text) => html("td", {}, text));
  return html("tr", {}, html("th", { scope: "row", style: "font-style: italic" }, word), ...cells);
}

function sentence({ alpha }, result) {
  const said = MODELS.map(([name]) => {
    const p = result[name].posterior;
    if (!p) return `the ${NAMES[name]} model has no answer, 0/0, since the document is impossible in both classes`;
    const verdict = p[0] === p[1] ? "cannot decide" : `says ${CLASSES[p[0] > p[1] ? 0 : 1]}`;
    return `the ${NAMES[name]} model ${verdict} (posterior of China ${fixed(p[0], 3)})`;
  });
  const ignored = [...new Set(result.ignored)];
  const passed = ignored.length ? ` Not in the vocabulary, and ignored: ${ignored.join(", ")}.` : "";
  return `With α = ${short(alpha, 3)}, ${said.join("; ")}.${passed}`;
}
