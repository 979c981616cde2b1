// The beta distribution. No DOM.

// Lanczos' coefficients of the gamma function, for g = 7.
const LANCZOS = [
  0.99999999999980993, 676.5203681218851, -1259.1392167224028, 771.32342877765313, -176.61502916214059,
  12.507343278686905, -0.13857109526572012, 9.9843695780195716e-6, 1.5056327351493116e-7,
];

// log Γ(z) for z > 0.
export function logGamma(z) {
  if (z < 0.5) return logGamma(z + 1) - Math.log(z);
  let sum = LANCZOS[0];
  for (let k = 1; k < LANCZOS.length; k++) sum += LANCZOS[k] / (z - 1 + k);
  const t = z + 6.5;
  return Math.log(2 * Math.PI) / 2 + (z - 0.5) * Math.log(t) - t + Math.log(sum);
}

export function logBeta(a, b) {
  return logGamma(a) + logGamma(b) - logGamma(a + b);
}

// The density of Beta(a, b) at x, which may be infinite at an end.
export function betaDensity(x, a, b) {
  const power = (base, exponent) => (exponent === 0 ? 0 : exponent * Math.log(base));
  return Math.exp(power(x, a - 1) + power(1 - x, b - 1) - logBeta(a, b));
}

// P(X ≤ x) for X ~ Beta(a, b), by the continued fraction, which converges fast below the mean.
export function betaCumulative(x, a, b) {
  if (x <= 0) return 0;
  if (x >= 1) return 1;
  if (x > (a + 1) / (a + b + 2)) return 1 - betaCumulative(1 - x, b, a);
  const front = Math.exp(a * Math.log(x) + b * Math.log1p(-x) - logBeta(a, b)) / a;
  return front / betaFraction(x, a, b);
}

// 1 + d_1 x / (1 + d_2 x / (1 + ...)), from its end to its beginning.
function betaFraction(x, a, b) {
  let fraction = 1;
  for (let m = 200; m > 0; m--) {
    const even = (m * (b - m)) / ((a + 2 * m - 1) * (a + 2 * m));
    const odd = (-(a + m - 1) * (a + b + m - 1)) / ((a + 2 * m - 2) * (a + 2 * m - 1));
    fraction = 1 + (odd * x) / (1 + (even * x) / fraction);
  }
  return fraction;
}

// The x with P(X ≤ x) = p, by bisection to the last digit.
export function betaQuantile(p, a, b) {
  let [low, high] = [0, 1];
  for (;;) {
    const middle = (low + high) / 2;
    if (middle <= low || middle >= high) return middle;
    if (betaCumulative(middle, a, b) < p) low = middle;
    else high = middle;
  }
}
