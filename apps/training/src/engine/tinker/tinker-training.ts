import { EngineError, type ForwardResult, type OptimizerSettings, type TokenSequence, type TrainingSession } from '../engine.ts'
import { unpackAdapter } from './checkpoint-archive.ts'
import { type GradientScale, scaleOf } from './gradient-scale.ts'
import type { Datum } from './protobuf/messages.ts'
import { writeRemotePaths } from './remote-paths.ts'
import type { ServedModels } from './served-models.ts'
import type { TinkerApi } from './tinker-api.ts'
import type { TinkerModel } from './tinker-model.ts'

export interface TinkerTrainingOptions {
  api: TinkerApi
  model: TinkerModel
  served: ServedModels
  scale: GradientScale
  /** A name that no other saved weights have. */
  newName: () => string
}

interface ForwardPass {
  batch: readonly TokenSequence[]
  /** Log-probabilities of every target, scored or not, as the server returned them. */
  logProbabilities: Float32Array[]
}

/**
 * A training on a server. The server's loss has our gradient if its ratio is 1, so the result of `forward` is sent back with the coefficients. They
 * are sent with the step, because a server that computes means must know how many sequences the step has. Entropies are unknown (NaN): the protocol
 * has none. Clipping is requested from the server, which may ignore it.
 */
export function createTinkerTraining({ api, model, served, scale, newName }: TinkerTrainingOptions): TrainingSession {
  let scored: ForwardPass | null = null
  let waiting: { scored: ForwardPass; coefficients: readonly Float32Array[] }[] = []
  /** Where the weights as they are now can be sampled from. */
  let sampled: string | null = null
  return {
    async forward(batch, signal) {
      if (batch.some(({ targets }) => targets))
        throw new EngineError(
          'unsupported',
          'targets that are not the next token, or several of one position, are not sent to a training server',
        )
      const trained = batch.filter(({ tokens }) => tokens.length > 1)
      const results = await model.forward(trained.map(toDatum), signal)
      const unused = results.values()
      const logProbabilities = batch.map(({ tokens }) => (tokens.length > 1 ? unused.next().value! : new Float32Array()))
      scored = { batch, logProbabilities }
      return toForwardResult(scored)
    },
    async backward(coefficients) {
      if (scored === null) throw new Error('backward without a forward before it')
      waiting.push({ scored, coefficients })
      scored = null
    },
    async step(optimizer: OptimizerSettings, signal) {
      const parts = waiting
      waiting = []
      if (!parts.every(({ coefficients }) => coefficients.every(isFinite))) return { gradientNorm: Number.NaN }
      sampled = null
      await model.backward(weigh(parts, scale), signal)
      return { gradientNorm: await model.step(optimizer, signal) }
    },
    async saveCheckpoint(folder, signal) {
      const name = newName()
      const training = await model.save('training', newName(), signal)
      const sampler = await model.save('sampler', name, signal)
      await unpackAdapter(await api.download(`training_runs/${model.id}/checkpoints/${name}/archive`, signal), folder)
      await writeRemotePaths(folder, { sampler, training })
      sampled = sampler
    },
    async saveState(folder, signal) {
      await writeRemotePaths(folder, { sampler: null, training: await model.save('training', newName(), signal) })
    },
    // The next completions probably sample from this checkpoint.
    close: () => (sampled === null ? model.close() : served.keep(sampled, model)),
  }
}

/** The target of a position is the token after it. */
function toDatum({ tokens }: TokenSequence): Datum {
  const targets = tokens.slice(1)
  return { tokens: tokens.slice(0, -1), targets, floats: { weights: new Float32Array(targets.length).fill(1) } }
}

function weigh(parts: readonly { scored: ForwardPass; coefficients: readonly Float32Array[] }[], scale: GradientScale): Datum[] {
  const all = parts.flatMap(({ scored, coefficients }) =>
    scored.batch.flatMap((sequence, at) =>
      sequence.tokens.length > 1 ? [{ sequence, logprobs: scored.logProbabilities[at]!, coefficients: coefficients[at]! }] : [],
    ),
  )
  return all.map(({ sequence, logprobs, coefficients }) => {
    const { tokens, targets } = toDatum(sequence)
    const factor = scaleOf(scale, { datums: all.length, targets: targets.length })
    const advantages = coefficients.slice(1).map((coefficient, at) => (sequence.scored[at + 1] === 1 ? -coefficient * factor : 0))
    return { tokens, targets, floats: { logprobs, advantages } }
  })
}

function toForwardResult({ batch, logProbabilities }: ForwardPass): ForwardResult {
  return {
    logProbabilities: batch.map(({ scored: marks }, at) => alignScored(marks, (t) => logProbabilities[at]![t - 1]!)),
    entropies: batch.map(({ scored: marks }) => alignScored(marks, () => Number.NaN)),
  }
}

function alignScored(marks: Uint8Array, valueAt: (t: number) => number): Float32Array {
  return Float32Array.from(marks, (mark, t) => (mark === 1 && t > 0 ? valueAt(t) : 0))
}

function isFinite(values: Float32Array): boolean {
  return values.every((value) => Number.isFinite(value))
}
