// Two normal classes in the plane: the line of LDA, the conic of QDA, and what is seen along Fisher's direction.

import { button, checkbox, handle, slider } from "../framework/controls.js";
import { contour } from "../framework/contour.js";
import { frame } from "../framework/frame.js";
import { density } from "../framework/normal.js";
import { clamp, fixed, linear, steps } from "../framework/scale.js";
import { area, axes, chart, clip, html, label, line } from "../framework/svg.js";

// Of each class: its mean, and its ellipse by the two half axes and the angle of the first, in degrees.
export const initial = {
  means: [[-1.5, -0.5], [1.5, 0.5]],
  ellipses: [{ long: 1.6, short: 0.7, angle: 45 }, { long: 1.6, short: 0.7, angle: 45 }],
  prior: 0.5,
};
const RANGE = 5;
const SIDE = steps(-RANGE, RANGE, 71);
const ANGLES = 720;

// Everything that is drawn. state : means and ellipses of the classes 0 and 1, prior = p(y = 1)
export function model({ means, ellipses, prior }) {
  const covariances = ellipses.map(covariance);
  const shares = [1 - prior, prior];
  const pooled = mix(covariances, shares);
  const centre = Math.log(prior / (1 - prior));
  // LDA: log odds = theta · x + offset
  const theta = times(inverse(pooled), subtract(means[1], means[0]));
  const offset = centre - dot(theta, means[0].map((value, k) => (value + means[1][k]) / 2));
  // QDA: log odds = x · A x + b · x + c
  const precisions = covariances.map(inverse);
  const A = [0, 1, 2].map((k) => (precisions[0][k] - precisions[1][k]) / 2);
  const b = subtract(times(precisions[1], means[1]), times(precisions[0], means[0]));
  const c =
    centre +
    Math.log(determinant(covariances[0]) / determinant(covariances[1])) / 2 +
    (dot(means[0], times(precisions[0], means[0])) - dot(means[1], times(precisions[1], means[1]))) / 2;
  const length = Math.hypot(...theta);
  const axis = length > 0 ? theta.map((value) => value / length) : [1, 0];
  return {
    covariances,
    pooled,
    theta,
    offset,
    A,
    b,
    c,
    conic: conic(A),
    // Seen along theta each class is normal again, and LDA cuts at one point.
    projected: means.map((mean, j) => ({ mean: dot(axis, mean), width: Math.sqrt(dot(axis, times(covariances[j], axis))) })),
    cut: length > 0 ? -offset / length : null,
    errors: {
      lda: error({ means, ellipses, shares }, { A: [0, 0, 0], b: theta, c: offset }),
      qda: error({ means, ellipses, shares }, { A, b, c }),
    },
  };
}

// Symmetric matrices as [xx, xy, yy].
function covariance({ long, short, angle }) {
  const [cos, sin] = [Math.cos((angle * Math.PI) / 180), Math.sin((angle * Math.PI) / 180)];
  const [p, q] = [long ** 2, short ** 2];
  return [p * cos * cos + q * sin * sin, (p - q) * cos * sin, p * sin * sin + q * cos * cos];
}

function mix(matrices, shares) {
  return [0, 1, 2].map((k) => shares[0] * matrices[0][k] + shares[1] * matrices[1][k]);
}

function determinant([xx, xy, yy]) {
  return xx * yy - xy * xy;
}

function inverse([xx, xy, yy]) {
  const all = determinant([xx, xy, yy]);
  return [yy / all, -xy / all, xx / all];
}

function times([xx, xy, yy], [x, y]) {
  return [xx * x + xy * y, xy * x + yy * y];
}

function dot([a, b], [x, y]) {
  return a * x + b * y;
}

function subtract([a, b], [x, y]) {
  return [a - x, b - y];
}

// What the boundary x · A x + b · x + c = 0 is, by the signs of A.
function conic(A) {
  const size = Math.abs(A[0]) + Math.abs(A[1]) + Math.abs(A[2]);
  if (size < 1e-9) return "line";
  const all = determinant(A) / size ** 2;
  return Math.abs(all) < 1e-9 ? "parabola" : all > 0 ? "ellipse" : "hyperbola";
}

// The probability of a wrong class, where class 1 is chosen if x · A x + b · x + c > 0. Around the mean of a class, in
// the directions of its ellipse, the log odds are a parabola in the radius r, whose distribution is 1 - exp(-r²/2):
// exact along each direction, and a mean over directions.
function error({ means, ellipses, shares }, { A, b, c }) {
  let sum = 0;
  for (const j of [0, 1]) {
    if (shares[j] === 0) continue;
    const { long, short, angle } = ellipses[j];
    const [cos, sin] = [Math.cos((angle * Math.PI) / 180), Math.sin((angle * Math.PI) / 180)];
    const mean = means[j];
    const constant = dot(mean, times(A, mean)) + dot(b, mean) + c;
    const slope = [0, 1].map((k) => 2 * times(A, mean)[k] + b[k]);
    let wrong = 0;
    for (let n = 0; n < ANGLES; n++) {
      const phi = (2 * Math.PI * (n + 0.5)) / ANGLES;
      const [u, v] = [long * Math.cos(phi), short * Math.sin(phi)];
      const way = [u * cos - v * sin, u * sin + v * cos];
      wrong += positive(dot(way, times(A, way)), dot(slope, way), constant, j === 0);
    }
    sum += (shares[j] * wrong) / ANGLES;
  }
  return sum;
}

// The probability, of r > 0 with P(r > t) = exp(-t²/2), that p r² + q r + s is above 0 (or, if not `above`, at most 0).
function positive(p, q, s, above) {
  const ends = [0, ...zeros(p, q, s).filter((r) => r > 0), Infinity];
  let found = 0;
  for (let k = 0; k + 1 < ends.length; k++) {
    const middle = ends[k + 1] === Infinity ? ends[k] + 1 : (ends[k] + ends[k + 1]) / 2;
    if ((p * middle + q) * middle + s > 0 === above) found += Math.exp(-(ends[k] ** 2) / 2) - Math.exp(-(ends[k + 1] ** 2) / 2);
  }
  return found;
}

// Where p r² + q r + s = 0, in order.
function zeros(p, q, s) {
  if (Math.abs(p) < 1e-12 * (Math.abs(q) + Math.abs(s))) return q === 0 ? [] : [-s / q];
  const discriminant = q * q - 4 * p * s;
  if (discriminant <= 0) return [];
  const half = -(q + (q < 0 ? -1 : 1) * Math.sqrt(discriminant)) / 2;
  return [half / p, s / half].sort((left, right) => left - right);
}

const COLOURS = ["vermillion", "blue"];
const LIMITS = { mean: [-3, 3], axis: [0.3, 2.5], prior: [0.02, 0.98] };

export function build(host) {
  const state = structuredClone(initial);
  let same = true;
  const { body, start } = frame(host, {
    title: "LDA draws a line, QDA a conic: when do they agree?",
    instruction:
      "Drag a mean, or the ends of the axes of an ellipse, or use the arrow keys. Then let the covariances differ.",
  });
  const controls = html("div", { class: "pf-controls" });
  const charts = html("div", { class: "pf-charts" });
  const columns = [html("div"), html("div")];
  charts.append(...columns);
  body.append(controls, charts);
  const plane = chart(columns[0], "Two normal classes and the boundaries of LDA and QDA");
  const projection = chart(columns[1], "Both classes along Fisher's direction");
  const numbers = html("table");
  columns[1].append(numbers);

  const round = (value, [low, high]) => Number(clamp(value, low, high).toFixed(2));
  const setMean = (j, point) => {
    state.means[j] = point.map((value) => round(value, LIMITS.mean));
    update();
  };
  const setEllipse = (j, changes) => {
    const { long, short, angle } = { ...state.ellipses[j], ...changes };
    const turned = Math.round(((angle % 360) + 360) % 360);
    state.ellipses[j] = { long: round(long, LIMITS.axis), short: round(short, LIMITS.axis), angle: turned };
    if (same) state.ellipses[1 - j] = { ...state.ellipses[j] };
    update();
  };
  let [x, y] = [null, null];
  const side = [-1, 1]; // the handles of an ellipse stand on the outer side of its class
  const offset = (j, px, py) => subtract([x.invert(px), y.invert(py)], state.means[j]);
  const meanHandles = [0, 1].map((j) =>
    handle(plane, {
      label: `mean of class ${j}`,
      colour: COLOURS[j],
      move: (px, py) => setMean(j, [x.invert(px), y.invert(py)]),
      nudge: (right, up) => setMean(j, [state.means[j][0] + 0.1 * right, state.means[j][1] + 0.1 * up]),
    }),
  );
  const longHandles = [0, 1].map((j) =>
    handle(plane, {
      label: `first axis of class ${j}: length by up and down, angle by left and right`,
      colour: COLOURS[j],
      move: (px, py) => {
        const [dx, dy] = offset(j, px, py).map((value) => side[j] * value);
        setEllipse(j, { long: Math.hypot(dx, dy), angle: (Math.atan2(dy, dx) * 180) / Math.PI });
      },
      nudge: (right, up) => setEllipse(j, { long: state.ellipses[j].long + 0.1 * up, angle: state.ellipses[j].angle - 5 * right }),
    }),
  );
  const shortHandles = [0, 1].map((j) =>
    handle(plane, {
      label: `second axis of class ${j}`,
      colour: COLOURS[j],
      move: (px, py) => {
        const angle = ((state.ellipses[j].angle + 90) * Math.PI) / 180;
        setEllipse(j, { short: dot(offset(j, px, py), [side[j] * Math.cos(angle), side[j] * Math.sin(angle)]) });
      },
      nudge: (right, up) => setEllipse(j, { short: state.ellipses[j].short + 0.1 * (right + up) }),
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
    label: "one covariance for both classes",
    change: (checked) => {
      same = checked;
      if (same) setEllipse(0, {});
    },
  });
  button(controls, "Across", () => {
    same = false;
    Object.assign(state, structuredClone(initial));
    setEllipse(1, { angle: 135 });
  });
  button(controls, "One inside the other", () => {
    same = false;
    Object.assign(state, { means: [[0, 0], [0, 0]], prior: 0.5 });
    state.ellipses[0] = { long: 0.7, short: 0.5, angle: 0 };
    setEllipse(1, { long: 2, short: 1.6, angle: 0 });
  });
  button(controls, "Start again", () => {
    same = true;
    update(Object.assign(state, structuredClone(initial)));
  });

  const update = start((width) => {
    const result = model(state);
    const each = width >= 680 ? Math.floor((width - 16) / 2) : width;
    for (const column of columns) column.style.width = `${each}px`;
    showPrior(state.prior, fixed(state.prior));
    showSame(same);
    const square = Math.min(each - 44, 440);
    x = linear([-RANGE, RANGE], [30, 30 + square]);
    y = linear([-RANGE, RANGE], [30 + square, 30]);
    drawPlane(plane, x, y, each, state, result);
    drawProjection(projection, each, state, result);
    numbers.replaceChildren(...table(result));
    [0, 1].forEach((j) => {
      const [mean, ellipse] = [state.means[j], state.ellipses[j]];
      const along = (length, turn) => {
        const angle = ((ellipse.angle + turn) * Math.PI) / 180;
        return [x(mean[0] + side[j] * length * Math.cos(angle)), y(mean[1] + side[j] * length * Math.sin(angle))];
      };
      const range = ([low, high], now, text) => ({ low, high, now, text });
      meanHandles[j](x(mean[0]), y(mean[1]), range(LIMITS.mean, mean[0], `${fixed(mean[0])}, ${fixed(mean[1])}`));
      longHandles[j](...along(ellipse.long, 0), range(LIMITS.axis, ellipse.long, `${fixed(ellipse.long)} at ${ellipse.angle} degrees`));
      shortHandles[j](...along(ellipse.short, 90), range(LIMITS.axis, ellipse.short, fixed(ellipse.short)));
    });
    return sentence(state, result);
  });
}

function drawPlane(chart, x, y, width, { means, ellipses }, result) {
  const around = steps(0, 2 * Math.PI, 73);
  const rings = [0, 1].flatMap((j) =>
    [1, 2].map((radius) => {
      const { long, short, angle } = ellipses[j];
      const [cos, sin] = [Math.cos((angle * Math.PI) / 180), Math.sin((angle * Math.PI) / 180)];
      const points = around.map((phi) => {
        const [u, v] = [radius * long * Math.cos(phi), radius * short * Math.sin(phi)];
        return [x(means[j][0] + u * cos - v * sin), y(means[j][1] + u * sin + v * cos)];
      });
      return line(points, { stroke: `var(--${COLOURS[j]})`, "stroke-width": radius === 1 ? 2.2 : 1.2, opacity: radius === 1 ? 1 : 0.6 });
    }),
  );
  const { A, b, c } = result;
  const quadratic = SIDE.map((v) => SIDE.map((u) => dot([u, v], times(A, [u, v])) + dot(b, [u, v]) + c));
  const curve = contour(quadratic, SIDE, SIDE, 0).map((segment) =>
    line(segment.map(([u, v]) => [x(u), y(v)]), { stroke: "var(--green)", "stroke-width": 3.4 }),
  );
  chart.draw(
    width,
    y.range[0] + 22,
    axes(x, y, { xTicks: [-4, -2, 0, 2, 4], yTicks: [-4, -2, 0, 2, 4] }),
    ...["class 0", "class 1"].map((name, j) =>
      label(x.range[0] + 62 * j, 14, name, { class: "pf-strong", style: `fill: var(--${COLOURS[j]})` }),
    ),
    label(x.range[1] - 56, 14, "QDA", { class: "pf-strong", "text-anchor": "end", style: "fill: var(--green)" }),
    label(x.range[1], 14, "- - LDA", { class: "pf-strong", "text-anchor": "end" }),
    clip(x, y, [
      ...rings,
      ...curve,
      ...straight(x, y, means, result),
    ]),
  );
}

// The line of LDA, and theta as an arrow at right angles to it, beside the classes.
function straight(x, y, means, { theta, offset }) {
  const length = Math.hypot(...theta);
  if (!length) return [];
  const axis = theta.map((value) => value / length);
  const middle = means[0].map((value, k) => (value + means[1][k]) / 2);
  const far = (dot(theta, middle) + offset) / length;
  const foot = middle.map((value, k) => value - far * axis[k]); // the point of the line that is nearest to the middle
  const along = axis[0] < 0 ? [axis[1], -axis[0]] : [-axis[1], axis[0]]; // upwards
  const on = (t) => [foot[0] + t * along[0], foot[1] + t * along[1]];
  const begin = on(-3.2);
  const tip = begin.map((value, k) => value + 1.3 * axis[k]);
  const barb = (turn) => {
    const [cos, sin] = [Math.cos(turn), Math.sin(turn)];
    const back = [axis[0] * cos - axis[1] * sin, axis[0] * sin + axis[1] * cos];
    return [x(tip[0] - 0.35 * back[0]), y(tip[1] - 0.35 * back[1])];
  };
  const at = ([u, v]) => [x(u), y(v)];
  const style = { stroke: "var(--ink)", "stroke-width": 2 };
  return [
    line([at(on(-20)), at(on(20))], { ...style, "stroke-dasharray": "6 5" }),
    line([at(begin), at(tip)], style),
    line([barb(0.5), at(tip), barb(-0.5)], style),
    label(at(tip)[0] + 6, at(tip)[1] + 4, "θ", { class: "pf-strong" }),
  ];
}

function drawProjection(chart, width, { prior }, { projected, cut }) {
  const height = 210;
  const x = linear([-7, 7], [16, width - 12]);
  const grid = steps(-7, 7, 201);
  const joint = projected.map(({ mean, width: sigma }, j) => grid.map((t) => [1 - prior, prior][j] * density(t, mean, sigma)));
  const y = linear([0, 1.1 * Math.max(...joint.flat())], [height - 40, 34]);
  const along = (values) => grid.map((t, k) => [x(t), y(values[k])]);
  const less = grid.map((_, k) => Math.min(joint[0][k], joint[1][k]));
  const at = cut !== null && Math.abs(cut) < 7 ? [line([[x(cut), y(0)], [x(cut), 34]], { stroke: "var(--ink)", "stroke-dasharray": "5 4" })] : [];
  chart.draw(
    width,
    height,
    axes(x, y, { yTicks: [], xTicks: [-6, -3, 0, 3, 6], xLabel: "coordinate along θ" }),
    label(x(-7), 16, "seen along θ (Fisher's direction)", { class: "pf-strong" }),
    area([...along(less), [x(7), y(0)], [x(-7), y(0)]], { fill: "var(--ink)", opacity: 0.2 }),
    ...joint.map((values, j) => line(along(values), { stroke: `var(--${COLOURS[j]})` })),
    ...at,
  );
}

function table({ errors, conic: shape }) {
  const row = (name, what, value) =>
    html("tr", {}, html("th", { scope: "row" }, name), html("td", {}, what), html("td", {}, percent(value)));
  const heads = ["rule", "boundary", "error"].map((text) => html("th", { scope: "col" }, text));
  return [
    html("caption", {}, "Errors with the true parameters"),
    html("thead", {}, html("tr", {}, ...heads)),
    html("tbody", {}, row("LDA, pooled Σ", "line", errors.lda), row("QDA (Bayes)", shape, errors.qda)),
  ];
}

function percent(share) {
  return `${fixed(100 * share, 1)} %`;
}

function sentence({ means, ellipses, prior }, { theta, errors, conic: shape }) {
  const pair = (values) => `(${values.map((value) => fixed(value)).join(", ")})`;
  const ellipse = ({ long, short, angle }) => `half axes ${fixed(long)} and ${fixed(short)} at ${angle}°`;
  return [
    `Means ${pair(means[0])} and ${pair(means[1])}; ellipses: ${ellipse(ellipses[0])}, ${ellipse(ellipses[1])}; prior ${fixed(prior)}.`,
    `LDA: θ = ${pair(theta)}, error ${percent(errors.lda)}.`,
    shape === "line"
      ? `The covariances are equal: QDA draws the same line.`
      : `QDA draws ${shape === "ellipse" ? "an" : "a"} ${shape}, error ${percent(errors.qda)}, the smallest possible.`,
  ].join(" ");
}
