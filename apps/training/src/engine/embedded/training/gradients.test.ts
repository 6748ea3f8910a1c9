import { setFlagsFromString } from 'node:v8'
import { expect, test } from 'vitest'
import type { ModelConfig } from '../../../checkpoint-files/model-config.ts'
import { type ReferenceModel, referenceLogProbabilities } from '../../../testing/reference-model.ts'
import {
  gradientErrors,
  referenceGradients,
  referenceOf,
  startTestTraining,
  type TestTraining,
} from '../../../testing/reference-training.ts'
import { type Scalar, ScalarTape } from '../../../testing/scalar-tape.ts'
import { aConfig } from '../../../testing/write-random-model.ts'
import type { TokenSequence, TrainedSequence } from '../../engine.ts'
import { findKernelSet } from '../kernels/kernels.ts'
import { createRandom, nextNormal } from '../random.ts'
import { finish } from '../work.ts'

// As the process of the engine does on Node 20.
if (findKernelSet() === 'plain') setFlagsFromString('--experimental-wasm-relaxed-simd')

const grouped = aConfig({ vocabularySize: 21, feedForwardWidth: 24, contextLength: 64, ropeTheta: 1_000 })
const untied = { ...grouped, tiedEmbeddings: false, keyValueHeads: 1, heads: 2 }
/** All that families add, at once. */
const everything: ModelConfig = {
  ...grouped,
  ropeScaling: { factor: 4, lowFrequencyFactor: 1, highFrequencyFactor: 4, originalContextLength: 32 },
  biases: { queriesKeysValues: true, attentionOutput: true, feedForward: true },
  queryKeyNorm: true,
  unrotatedLayers: [1],
}

const random = createRandom(11n)
const aToken = () => Math.floor(random.next() * 21)
function aSequence(length: number): TokenSequence {
  return {
    tokens: Int32Array.from({ length }, aToken),
    scored: Uint8Array.from({ length }, (_, i) => (i > 1 && i % 4 > 0 ? 1 : 0)),
  }
}

/** Longer than a block of the attention, shorter than the kernels' rows, and one of which nothing is scored. */
const batch = [aSequence(35), aSequence(3), { tokens: Int32Array.of(1, 2), scored: Uint8Array.of(0, 0) }, aSequence(6)]
const coefficients = batch.map(({ scored }) => Float32Array.from(scored, (isScored) => (isScored ? nextNormal(random) : 0)))

/** Tokens that follow nothing, several of some positions and of the end, or none. */
const withTargets: TrainedSequence[] = [
  batch[1]!,
  { ...aSequence(12), targets: { positions: Int32Array.of(1, 1, 1, 4, 7, 7, 12, 12), tokens: Int32Array.from({ length: 8 }, aToken) } },
  { ...aSequence(4), targets: { positions: new Int32Array(), tokens: new Int32Array() } },
  batch[3]!,
]

test.each([
  ['every weight', grouped, null],
  ['every weight, with embeddings of their own', untied, null],
  ['adapters', grouped, { rank: 3, alpha: 5 }],
])('so are those of targets that do not follow, where several may have one position: %s', (_, config, adapter) => {
  const training = startTestTraining(config, adapter)
  const { trainer } = training
  const { logProbabilities } = finish(trainer.forward(withTargets))
  const factors = logProbabilities.map((values) => values.map((value) => (value === 0 ? 0 : nextNormal(random))))
  finish(trainer.backward(factors))
  const tape = new ScalarTape()
  const model = referenceOf(tape, training)
  const terms: Scalar[] = []
  for (const [s, { tokens, scored, targets }] of withTargets.entries()) {
    const rows = referenceLogProbabilities(tape, model, [...tokens])
    const pairs = targets
      ? Array.from(targets.positions, (position, i) => [position, targets.tokens[i]!, i] as const)
      : [...scored.entries()].flatMap(([i, isScored]) => (isScored ? [[i, tokens[i]!, i] as const] : []))
    for (const [position, token, i] of pairs) {
      const expected = rows[position - 1]![token]!
      expect(Math.abs(logProbabilities[s]![i]! - tape.valueOf(expected))).toBeLessThan(1e-5)
      terms.push(tape.multiply(tape.constant(factors[s]![i]!), expected))
    }
  }
  assertGradients(training, model, tape.gradients(tape.sum(terms)))
})

test.each([
  ['every weight, with grouped heads and tied embeddings', grouped, null],
  ['every weight, with embeddings of their own', untied, null],
  ['every weight, with what the families add', everything, null],
  ['adapters whose rank is not a multiple of 8', grouped, { rank: 3, alpha: 5 }],
  ['adapters, with what the families add', everything, { rank: 3, alpha: 5 }],
])('the gradients of %s agree with those of a plain model in double precision', (_, config, adapter) => {
  const training = startTestTraining(config, adapter)
  const { trainer } = training
  const { logProbabilities, entropies } = finish(trainer.forward(batch))
  finish(trainer.backward(coefficients))

  const tape = new ScalarTape()
  const model = referenceOf(tape, training)
  const terms: Scalar[] = []
  for (const [s, { tokens, scored }] of batch.entries()) {
    const rows = referenceLogProbabilities(tape, model, [...tokens].slice(0, -1))
    for (const [i, isScored] of scored.entries()) {
      if (!isScored) continue
      const row = rows[i - 1]!
      const entropy = row.reduce((sum, scalar) => sum - Math.exp(tape.valueOf(scalar)) * tape.valueOf(scalar), 0)
      expect(Math.abs(logProbabilities[s]![i]! - tape.valueOf(row[tokens[i]!]!))).toBeLessThan(1e-5)
      expect(Math.abs(entropies[s]![i]! - entropy)).toBeLessThan(1e-5)
      terms.push(tape.multiply(tape.constant(coefficients[s]![i]!), row[tokens[i]!]!))
    }
  }
  assertGradients(training, model, tape.gradients(tape.sum(terms)))
})

function assertGradients(training: TestTraining, model: ReferenceModel, expected: ArrayLike<number>): void {
  for (const { name, largest, worst } of gradientErrors(training, referenceGradients(model, expected))) {
    expect(largest, `${name} has a gradient`).toBeGreaterThan(0)
    expect(worst, name).toBeLessThan(1e-5)
  }
}
