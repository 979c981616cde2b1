// Elements, and what charts are made of: axes, lines, areas, labels.

function maker(create) {
  return (tag, attributes = {}, ...children) => {
    const node = create(tag);
    for (const [name, value] of Object.entries(attributes)) {
      if (value !== undefined && value !== false) node.setAttribute(name, value);
    }
    node.append(...children);
    return node;
  };
}

export const html = maker((tag) => document.createElement(tag));
export const svg = maker((tag) => document.createElementNS("http://www.w3.org/2000/svg", tag));

// A drawing with a layer that is drawn anew each time and one of handles, which stay, so that they keep the focus.
// Screen readers hear of the handles and of the figure's text; lines and ticks say nothing to them.
export function chart(parent, label) {
  const drawn = svg("g", { "aria-hidden": "true" });
  const handles = svg("g");
  const node = svg("svg", { role: "group", "aria-label": label }, drawn, handles);
  parent.append(node);
  const draw = (width, height, ...children) => {
    node.setAttribute("viewBox", `0 0 ${width} ${height}`);
    node.setAttribute("width", width);
    node.setAttribute("height", height);
    drawn.replaceChildren(...children);
  };
  return { node, handles, draw };
}

export function line(points, attributes) {
  return svg("path", { fill: "none", "stroke-width": 2.2, "stroke-linejoin": "round", d: path(points), ...attributes });
}

export function area(points, attributes) {
  return svg("path", { d: `${path(points)}Z`, ...attributes });
}

export function path(points) {
  return points.map(([x, y], k) => `${k ? "L" : "M"}${x.toFixed(1)} ${y.toFixed(1)}`).join("");
}

export function label(x, y, text, attributes) {
  return svg("text", { x: x.toFixed(1), y: y.toFixed(1), ...attributes }, text);
}

// Grid lines with their numbers. x and y are scales; `format` turns a tick into text.
export function axes(x, y, { xTicks = x.ticks(6), yTicks = y.ticks(4), xFormat = String, yFormat = String, xLabel, yLabel }) {
  const [left, right] = x.range;
  const [bottom, top] = y.range;
  const group = svg("g", { class: "pf-axes" });
  for (const tick of xTicks) {
    group.append(svg("line", { x1: x(tick), x2: x(tick), y1: bottom, y2: top }));
    group.append(label(x(tick), bottom + 17, minus(xFormat(tick)), { "text-anchor": "middle" }));
  }
  for (const tick of yTicks) {
    group.append(svg("line", { x1: left, x2: right, y1: y(tick), y2: y(tick) }));
    group.append(label(left - 7, y(tick) + 4, minus(yFormat(tick)), { "text-anchor": "end" }));
  }
  group.append(line([[left, top], [left, bottom], [right, bottom]], { class: "pf-frame", "stroke-width": 1 }));
  if (xLabel) group.append(label((left + right) / 2, bottom + 36, xLabel, { "text-anchor": "middle" }));
  if (yLabel) group.append(label(left, top - 10, yLabel, {}));
  return group;
}

function minus(text) {
  return text.replace("-", "−");
}

// What is drawn inside the rectangle of two scales, cut off at its edges.
export function clip(x, y, children) {
  const [left, right] = x.range;
  const [bottom, top] = y.range;
  const [width, height] = [right - left, bottom - top];
  const view = { x: left, y: top, width, height, viewBox: `${left} ${top} ${width} ${height}` };
  return svg("svg", { class: "pf-clip", ...view }, ...children);
}
