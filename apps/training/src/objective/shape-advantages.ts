import type { LossSettings } from './settings/rl-settings.ts'
import type { SequenceTokens } from './sequence-tokens.ts'

/**
 * The mean over the sampled tokens of a row of how far they are from the reference, in nats; reported as `kl_policy_ref`.
 * Null without a penalty or a reference.
 */
export function meanReferenceDistance(row: readonly SequenceTokens[], settings: LossSettings): number | null {
  if (settings.klCoefficient === 0) return null
  let sum = 0
  let count = 0
  for (const tokens of row) {
    if (tokens.reference === null) return null
    for (let t = 0; t < tokens.mask.length; t++) {
      if (tokens.mask[t] === 0) continue
      sum += referenceDistance(tokens, t, settings)
      count++
    }
  }
  return count === 0 ? null : sum / count
}

/**
 * Adds the terms that compare policies to the advantages. None of them has a gradient of its own.
 * Drift from the old policy counts against a token by tau (Kimi K1.5 and K2, Moonshot 2025). Distance from the reference counts by how far it is
 * from the row's mean, so that the terms of a row sum to 0: pressure moves between tokens.
 */
export function shapeAdvantages(
  tokens: SequenceTokens,
  differences: Float64Array,
  { settings, meanDistance }: { settings: LossSettings; meanDistance: number | null },
): Float64Array {
  return tokens.advantages.map((advantage, t) => {
    if (tokens.mask[t] === 0) return 0
    const drift = settings.kimiTau * differences[t]!
    const distance = meanDistance === null ? 0 : meanDistance - referenceDistance(tokens, t, settings)
    return advantage - drift + settings.klCoefficient * distance
  })
}

function referenceDistance({ now, old, reference }: SequenceTokens, t: number, { klSource }: LossSettings): number {
  const sampled = klSource === 'sample' && Number.isFinite(old[t]!) ? old[t]! : now[t]!
  return sampled - reference![t]!
}
