/** Sampled tokens with the same weight: those of one sequence. */
export interface TokenSpan {
  /** Sampled tokens that are in a row, after sequences were cut. */
  tokens: number
  /** Sampled tokens of the whole trajectory, all its histories, before anything was cut. */
  trajectoryTokens: number
  /** Advantage of the trajectory in its group. */
  advantage: number
}

/** Weight of each token of the span. */
export interface SpanWeight {
  weight: number
  advantage: number
}

/** Keeps the weight of a trajectory without tokens finite, as in the reference. */
const smallest = 1e-6

/**
 * Weights and advantages over all sampled tokens of a job. A long trajectory counts as much as a short one, weights average to 1, and so do the
 * absolute weighted advantages. `balance` above 0 weakens trajectories that did worse than their group, below 0 those that did better. Null if there
 * is nothing left to learn from, such as no better trajectory at balance 1.
 */
export function batchWeights(spans: readonly TokenSpan[], balance: number): SpanWeight[] | null {
  const raw = spans.map((span) => 1 / (span.trajectoryTokens + smallest))
  const meanWeight = tokenMean(spans, (_, at) => raw[at]!)
  const balanced = spans.map(({ advantage }) => balanceAdvantage(advantage, balance))
  const weights = raw.map((weight) => weight / meanWeight)
  const magnitude = tokenMean(spans, (_, at) => Math.abs(balanced[at]!) * weights[at]!)
  if (!(magnitude > 0)) return null
  return spans.map((_, at) => ({ weight: weights[at]!, advantage: balanced[at]! / magnitude }))
}

function balanceAdvantage(advantage: number, balance: number): number {
  if (balance > 0 && advantage <= 0) return advantage * (1 - balance) + 0
  if (balance < 0 && advantage >= 0) return advantage * (1 + balance) + 0
  return advantage
}

function tokenMean(spans: readonly TokenSpan[], of: (span: TokenSpan, at: number) => number): number {
  let sum = 0
  let tokens = 0
  for (const [at, span] of spans.entries()) {
    sum += of(span, at) * span.tokens
    tokens += span.tokens
  }
  return tokens === 0 ? 0 : sum / tokens
}

/** Each token counts alike where a teacher takes the place of rewards. Null without any. */
export function distillationWeights(spans: readonly TokenSpan[]): SpanWeight[] | null {
  return spans.length === 0 ? null : spans.map(() => ({ weight: 1, advantage: 0 }))
}
