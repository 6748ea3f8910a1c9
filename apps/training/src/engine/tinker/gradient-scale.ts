import { EngineError } from '../engine.ts'
import type { Datum } from './protobuf/messages.ts'

/** How a server adds up the losses of an optimizer step: all of them, or the mean over datums of the means over their targets. */
export type GradientScale = 'sum' | 'mean'

/** Operations on a model that is discarded after the measurement. */
export interface MeasuredModel {
  /** Log-probabilities of the targets. */
  forward(datum: Datum): Promise<Float32Array>
  /** Computes one gradient with these datums, changes no weight, and returns its norm. */
  gradientNorm(data: readonly Datum[]): Promise<number>
}

const length = 8

/**
 * Determines how a server aggregates gradients, from three of them: of a datum whose second half has no advantages, of the same datum twice, and of
 * its first half alone. A sum doubles, then is unchanged; a mean is unchanged, then doubles.
 * @throws EngineError `unsupported` if it is neither: training would be wrong by an unknown factor
 */
export async function measureGradientScale({ forward, gradientNorm }: MeasuredModel): Promise<GradientScale> {
  const logProbabilities = await forward(aDatum(length, new Float32Array(length)))
  const whole = aDatum(length, logProbabilities)
  const once = await gradientNorm([whole])
  const twice = (await gradientNorm([whole, whole])) / once
  const half = (await gradientNorm([aDatum(length / 2, logProbabilities.slice(0, length / 2))])) / once
  if (isAbout(twice, 2) && isAbout(half, 1)) return 'sum'
  if (isAbout(twice, 1) && isAbout(half, 2)) return 'mean'
  throw new EngineError(
    'unsupported',
    `the training server adds losses up in a way that is not known (the same datum twice: ${twice.toFixed(3)} times the gradient, half of it: ${half.toFixed(3)} times), so it cannot be trained on`,
  )
}

/** What to multiply coefficients by, so that the gradient is that of their sum. */
export function scaleOf(scale: GradientScale, { datums, targets }: { datums: number; targets: number }): number {
  return scale === 'sum' ? 1 : datums * targets
}

/** The same tokens however long; advantages on the first half of the whole. */
function aDatum(targets: number, logprobs: Float32Array): Datum {
  const tokens = Int32Array.from({ length: targets }, (_, at) => (at % 5) + 1)
  const advantages = Float32Array.from({ length: targets }, (_, at) => (at < length / 2 ? 1 : 0))
  return { tokens, targets: tokens.map((token) => token + 1), floats: { logprobs, advantages } }
}

function isAbout(value: number, expected: number): boolean {
  return Math.abs(value - expected) < 0.05 * expected
}
