import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setFlagsFromString } from 'node:v8'
import '@heddle/testing'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import type { AdapterSettings, TokenSequence } from '../engine/engine.ts'
import { findKernelSet } from '../engine/embedded/kernels/kernels.ts'
import { Trainer } from '../engine/embedded/training/trainer.ts'
import { finish, finishWithWaits } from '../engine/embedded/work.ts'
import { readTrainingState, writeTrainingState } from '../engine/embedded/training/training-state.ts'
import { smallFamilies } from '../testing/small-families.ts'
import { referenceLogProbabilities } from '../testing/reference-model.ts'
import { gradientErrors, referenceGradients, referenceOf, startTestTraining, type TestTraining } from '../testing/reference-training.ts'
import { ScalarTape } from '../testing/scalar-tape.ts'
import { type CheckedLoss, checkedLosses, type SequenceInputs } from './testing/checked-losses.ts'

// As the process of the engine does on Node 20.
if (findKernelSet() === 'plain') setFlagsFromString('--experimental-wasm-relaxed-simd')

let folder: string
beforeAll(() => void (folder = mkdtempSync(join(tmpdir(), 'heddle-losses-'))))
afterAll(() => rmSync(folder, { recursive: true }))

const adapter: AdapterSettings = { rank: 3, alpha: 5 }
const optimizer = { learningRate: 1e-4, beta1: 0.9, beta2: 0.99, epsilon: 1e-8, weightDecay: 0, clip: 1 }

const batch: TokenSequence[] = [9, 7].map((length, sequence) => ({
  tokens: Int32Array.from({ length }, (_, i) => (5 * i + 3 * sequence + i * i) % 21),
  scored: Uint8Array.from({ length }, (_, i) => (i > 1 && i % 4 > 0 ? 1 : 0)),
}))

/** Differences from the log-probabilities of the model: ratios within the bounds, and beyond each of them. */
const drifts = [0.05, -0.5, 0.4, -0.1, 0.6, 0.12, -0.3]
const advantages = [0.7, -1.1, 0.9, 1.3, -0.8]

/** Policies near that of the model, one of which sampled. */
function compareWith(now: readonly Float32Array[]): SequenceInputs[] {
  return now.map((own, sequence) => ({
    mask: batch[sequence]!.scored,
    old: own.map((value, t) => value + drifts[(t + sequence) % drifts.length]!),
    reference: own.map((value, t) => value - drifts[(2 * t + sequence) % drifts.length]!),
    advantages: Float64Array.from(own, (_, t) => advantages[(t + sequence) % advantages.length]!),
    weights: Float64Array.from(own, (_, t) => 0.6 + (t % 3) / 4),
  }))
}

function runStep({ trainer }: TestTraining, { coefficients }: CheckedLoss, compared: readonly SequenceInputs[]): void {
  const { logProbabilities } = finish(trainer.forward(batch))
  finish(trainer.backward(coefficients(logProbabilities, compared)))
  finish(trainer.step(optimizer))
}

const weightsOf = ({ memory, trained }: TestTraining) =>
  trained.trainable.flatMap(({ address, length }) => [...memory.floats(address, length)])

/** A new training of the same model that continues from the state of another. */
async function resume(training: TestTraining, family: string, trains: AdapterSettings | null): Promise<TestTraining> {
  const state = mkdtempSync(join(folder, 'state-'))
  await finishWithWaits(writeTrainingState(training.memory, training.trainer, state))
  const { memory, trained } = startTestTraining(smallFamilies[family]!, trains)
  const steps = finish(readTrainingState(memory, trained, state))
  const trainer = new Trainer(memory, trained)
  trainer.steps = steps
  return { memory, trained, trainer }
}

const families = Object.keys(smallFamilies)
const trainings = [
  { what: 'every weight', trains: null },
  { what: 'adapters', trains: adapter },
]
const everyCase = checkedLosses.flatMap((loss) => families.flatMap((family) => trainings.map((each) => ({ loss, family, ...each }))))
/** Each loss with one family, so that each family comes with adapters and with every weight. */
const few = checkedLosses.map((loss, at) => ({ loss, family: families[at % families.length]!, ...trainings[at % 2]! }))

test.each(inject('long') ? everyCase : few)(
  'a step of $loss.name on $what of $family has the gradients of its formula, goes down them, and resumes to the bit',
  async ({ loss, family, trains }) => {
    const training = startTestTraining(smallFamilies[family]!, trains)
    const { logProbabilities: before } = finish(training.trainer.forward(batch))
    const compared = compareWith(before)
    const coefficients = loss.coefficients(before, compared)
    finish(training.trainer.backward(coefficients))

    const tape = new ScalarTape()
    const model = referenceOf(tape, training)
    const now = batch.map(({ tokens, scored }) => {
      const rows = referenceLogProbabilities(tape, model, [...tokens].slice(0, -1))
      return [...scored.entries()].flatMap(([t, isScored]) => (isScored ? [rows[t - 1]![tokens[t]!]!] : []))
    })
    const errors = gradientErrors(training, referenceGradients(model, tape.gradients(loss.formula(tape, now, compared))))
    for (const { name, largest, worst } of errors) {
      expect(largest, `${name} has a gradient`).toBeGreaterThan(0)
      expect(worst, name).toBeLessThan(1e-4)
    }

    finish(training.trainer.step(optimizer))
    const { logProbabilities: after } = finish(training.trainer.forward(batch))
    const change = coefficients.flatMap((own, s) => Array.from(own, (value, t) => value * (after[s]![t]! - before[s]![t]!)))
    expect(change.reduce((sum, each) => sum + each, 0)).toBeLessThan(0)

    const resumed = await resume(training, family, trains)
    for (const each of [training, resumed]) runStep(each, loss, compared)
    expect(weightsOf(resumed)).toEqual(weightsOf(training))
  },
)
