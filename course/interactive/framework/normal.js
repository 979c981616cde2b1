// The normal distribution. No DOM.

export function density(x, mean, width) {
  return Math.exp(-0.5 * ((x - mean) / width) ** 2) / (width * Math.sqrt(2 * Math.PI));
}

// P(X ≤ x), accurate in the lower tail too.
export function cumulative(x, mean, width) {
  return complement((mean - x) / (width * Math.SQRT2)) / 2;
}

// erfc(t): from the power series of erf near zero, from the continued fraction of Laplace in the tails.
export function complement(t) {
  if (t < 0) return 2 - complement(-t);
  if (t > 1.5) {
    let fraction = t;
    for (let k = 120; k > 0; k--) fraction = t + k / 2 / fraction;
    return Math.exp(-t * t) / (Math.sqrt(Math.PI) * fraction);
  }
  let [term, sum] = [t, t];
  for (let k = 1; k < 40; k++) {
    term *= (2 * t * t) / (2 * k + 1);
    sum += term;
  }
  return 1 - (2 / Math.sqrt(Math.PI)) * Math.exp(-t * t) * sum;
}
