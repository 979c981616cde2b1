// Scales from data to pixels, their ticks, and numbers as text. No DOM.

export function linear([d0, d1], [r0, r1]) {
  const factor = (r1 - r0) / (d1 - d0);
  const scale = (value) => r0 + (value - d0) * factor;
  scale.invert = (pixel) => d0 + (pixel - r0) / factor;
  scale.ticks = (count) => ticks(d0, d1, count);
  scale.range = [r0, r1];
  return scale;
}

export function logarithmic(domain, range) {
  const inner = linear(domain.map(Math.log10), range);
  const scale = (value) => inner(Math.log10(value));
  scale.invert = (pixel) => 10 ** inner.invert(pixel);
  scale.ticks = (count) => powers(...domain, count);
  scale.range = range;
  return scale;
}

// Round numbers from low to high: multiples of 1, 2 or 5 times a power of ten, about `count` of them.
export function ticks(low, high, count = 5) {
  const rough = (high - low) / count;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = power * [1, 2, 5, 10].find((multiple) => rough <= multiple * power * (1 + 1e-9));
  const first = Math.ceil(low / step - 1e-9);
  const last = Math.floor(high / step + 1e-9);
  return Array.from({ length: last - first + 1 }, (_, k) => Number(((first + k) * step).toPrecision(12)));
}

// Powers of ten from low to high: all of them, or every second, third … if there are more than `count`.
export function powers(low, high, count = 7) {
  const first = Math.ceil(Math.log10(low) - 1e-9);
  const last = Math.floor(Math.log10(high) + 1e-9);
  const stride = Math.ceil((last - first + 1) / count);
  return Array.from({ length: Math.floor((last - first) / stride) + 1 }, (_, k) => 10 ** (first + k * stride));
}

// `count` numbers from low to high, evenly spaced.
export function steps(low, high, count) {
  return Array.from({ length: count }, (_, k) => low + ((high - low) * k) / (count - 1));
}

export function clamp(value, low, high) {
  return Math.min(high, Math.max(low, value));
}

// A number with a fixed number of decimals and a true minus sign.
export function fixed(value, decimals = 2) {
  if (!Number.isFinite(value)) return value > 0 ? "∞" : value < 0 ? "−∞" : "0/0";
  const text = value.toFixed(decimals);
  return Number(text) === 0 ? text.replace("-", "") : text.replace("-", "−");
}

export function signed(value, decimals = 2) {
  return (value > 0 ? "+" : "") + fixed(value, decimals);
}

// A number with as many digits as it needs on an axis or beside a slider: 0.001, 0.25, 3.2, 1000.
export function short(value, digits = 2) {
  return String(Number(value.toPrecision(digits))).replace("-", "−");
}
