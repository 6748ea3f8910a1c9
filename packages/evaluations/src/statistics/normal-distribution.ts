const maxDeviation = 38

/**
 * Probability that a standard normal variable is at most `z`. Up to 6 standard deviations by the series of G. Marsaglia, "Evaluating the
 * Normal Distribution", Journal of Statistical Software 11(4), 2004; beyond, by the continued fraction of Laplace for the tail.
 * The absolute error is below 1e-14.
 */
export function normalProbability(z: number): number {
  if (z < -6) return tailBeyond(-z)
  if (z > 6) return 1 - tailBeyond(z)
  let term = z
  let sum = z
  for (let odd = 3; Math.abs(term) > Math.abs(sum) * 1e-17; odd += 2) {
    term *= (z * z) / odd
    sum += term
  }
  return 0.5 + sum * density(z)
}

/** The value that a standard normal variable does not exceed with this probability, by bisection. Infinite at 0 and 1. */
export function normalQuantile(probability: number): number {
  if (probability <= 0) return -Infinity
  if (probability >= 1) return Infinity
  let [low, high] = [-maxDeviation, maxDeviation]
  for (;;) {
    const middle = (low + high) / 2
    if (middle === low || middle === high) return middle
    if (normalProbability(middle) < probability) low = middle
    else high = middle
  }
}

function tailBeyond(z: number): number {
  let fraction = z
  for (let step = 60; step > 0; step--) fraction = z + step / fraction
  return density(z) / fraction
}

function density(z: number): number {
  return Math.exp((-z * z) / 2) / Math.sqrt(2 * Math.PI)
}
