import { expect, test } from 'vitest'
import { logSoftmax } from '../training/testing/table-policy.ts'
import { distillationObjective } from './distillation-loss.ts'
import { firstDifference } from './testing/objective-vectors.ts'
import vectors from './vectors/gkd.json' with { type: 'json' }

const wide = { epsilon: 1, epsilonHigh: 1e9 }

/** What one token contributes, where the student was `old` when it sampled. */
function ofToken(token: number, { now, old, teacher }: Record<'now' | 'old' | 'teacher', readonly number[]>, bounds = wide) {
  const values = { now: [now[token]!], old: [old[token]!], reference: [teacher[token]!], original: null }
  const unused = { advantages: new Float64Array(1), weights: Float64Array.of(1) }
  const { loss, coefficients, ratios } = distillationObjective({ mask: Uint8Array.of(1), ...values, ...unused }, bounds, {
    sampledTokens: 1,
  })
  return { loss, coefficient: coefficients[0]!, ratio: ratios[0]! }
}

/** Expectations over a token that `old` samples: of the loss, and of its gradient by the logits of the student. */
function expectationOf(policies: Record<'now' | 'old' | 'teacher', readonly number[]>) {
  const { now, old } = policies
  let loss = 0
  const gradient = now.map(() => 0)
  for (const [token, logProbability] of old.entries()) {
    const share = Math.exp(logProbability)
    const each = ofToken(token, policies)
    loss += share * each.loss
    for (const [at, value] of now.entries()) gradient[at]! += share * each.coefficient * (Number(at === token) - Math.exp(value))
  }
  return { loss, gradient }
}

test.each(vectors.cases)('the expectation of loss and gradient over tokens is the reverse divergence of GKD: $name', (row) => {
  const now = logSoftmax(row.student)
  const teacher = logSoftmax(row.teacher)
  const onPolicy = expectationOf({ now, old: now, teacher })
  expect(firstDifference([onPolicy.loss], [row.expect.loss])).toBeNull()
  expect(firstDifference(onPolicy.gradient, row.expect.gradient)).toBeNull()
  const uniform = now.map(() => -Math.log(now.length))
  const offPolicy = expectationOf({ now, old: uniform, teacher })
  expect(firstDifference([offPolicy.loss], [row.expect.loss])).toBeNull()
  expect(firstDifference(offPolicy.gradient, row.expect.gradient)).toBeNull()
})

test('the ratio is clipped as a constant, and is 1 where the sampler is not known', () => {
  const policies = { now: [-1], old: [-3], teacher: [-2] }
  expect(ofToken(0, policies, { epsilon: 1, epsilonHigh: 4 })).toEqual({ loss: 5, coefficient: 5, ratio: 5 })
  expect(ofToken(0, { ...policies, old: [Number.NaN] })).toEqual({ loss: 1, coefficient: 1, ratio: 1 })
  expect(ofToken(0, { ...policies, old: [1] }, { epsilon: 0.2, epsilonHigh: 4 }).ratio).toBe(0.8)
})

test('tokens of the prompt have no part in it, and the loss is a mean over the sampled tokens of the row', () => {
  const unused = { original: null, advantages: new Float64Array(3), weights: new Float64Array(3) }
  const tokens = { mask: Uint8Array.of(0, 1, 1), now: [-9, -1, -2], old: [-9, -1, -2], reference: [0, -2, -1], ...unused }
  const { loss, coefficients } = distillationObjective(tokens, wide, { sampledTokens: 4 })
  expect(loss).toBe(0)
  expect([...coefficients]).toEqual([0, 0.25, -0.25])
})
