import type { LossSettings } from '../settings/rl-settings.ts'
import type { SequenceTokens } from '../rl-loss.ts'

/**
 * The loss of a row as the document of the objective writes it, term by term and without derivatives. Where the document stops a gradient, `frozen` is read
 * instead of `now`: log-probabilities at the point where the gradient is taken.
 */
export function lossByDefinition(row: readonly SequenceTokens[], frozen: readonly ArrayLike<number>[], settings: LossSettings): number {
  const places = row.flatMap((tokens, s) => Array.from(tokens.mask).flatMap((sampled, t) => (sampled === 1 ? [{ tokens, s, t }] : [])))
  const distances = places.map(({ tokens, s, t }) => {
    if (tokens.reference === null) return 0
    const old = tokens.old[t]!
    const compared = settings.klSource === 'sample' && Number.isFinite(old) ? old : frozen[s]![t]!
    return compared - tokens.reference[t]!
  })
  const meanDistance = distances.reduce((sum, distance) => sum + distance, 0) / places.length
  const losses = places.map(({ tokens, s, t }, at) => {
    const beta = tokens.reference === null ? 0 : settings.klCoefficient
    const drift = Number.isFinite(tokens.old[t]!) ? frozen[s]![t]! - tokens.old[t]! : 0
    const advantage = tokens.advantages[t]! - settings.kimiTau * drift + beta * (meanDistance - distances[at]!)
    const ratio = ratioByDefinition(tokens, t, { now: tokens.now, frozen: frozen[s]!, settings })
    const held = ratioByDefinition(tokens, t, { now: frozen[s]!, frozen: frozen[s]!, settings })
    const bounded = (value: number) => Math.min(Math.max(value, 1 - settings.epsilon), 1 + settings.epsilonHigh)
    const loss =
      settings.lossFunction === 'ppo'
        ? -Math.min(ratio * advantage, bounded(ratio) * advantage)
        : -bounded(held) * advantage * tokens.now[t]!
    return loss * mismatch(tokens, t, frozen[s]!, settings) * tokens.weights[t]!
  })
  return losses.reduce((sum, loss) => sum + loss, 0) / places.length
}

function ratioByDefinition(
  tokens: SequenceTokens,
  t: number,
  { now, frozen, settings }: { now: ArrayLike<number>; frozen: ArrayLike<number>; settings: LossSettings },
): number {
  // A missing old value is the current one without gradient.
  const difference = (at: number) => now[at]! - (Number.isFinite(tokens.old[at]!) ? tokens.old[at]! : frozen[at]!)
  const sampled = Array.from(tokens.mask).flatMap((mask, at) => (mask === 1 ? [at] : []))
  const clip = (value: number) => Math.min(Math.max(value, -20), 20)
  const token = Math.exp(clip(difference(t)))
  const sequence = Math.exp(clip(sampled.reduce((sum, at) => sum + difference(at), 0) / sampled.length))
  const ratio = {
    token,
    sequence,
    average: (token + sequence) / 2,
    geometric_average: Math.sqrt(token * sequence),
  }[settings.level]
  const capped = Math.min(ratio, settings.ratioCap ?? Infinity)
  return settings.maskRatio && !(capped > 1 - settings.epsilon && capped < 1 + settings.epsilonHigh) ? 0 : capped
}

function mismatch(tokens: SequenceTokens, t: number, frozen: ArrayLike<number>, { truncation }: LossSettings): number {
  if (truncation === null || tokens.original === null) return 1
  const recomputed = Number.isFinite(tokens.old[t]!) ? tokens.old[t]! : frozen[t]!
  const sent = Number.isFinite(tokens.original[t]!) ? tokens.original[t]! : frozen[t]!
  return Math.min(Math.exp(recomputed - sent), truncation)
}
