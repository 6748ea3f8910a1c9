import type { ModelConfig, RotaryScaling } from '../model-config.ts'

/** Name of the tensor with a divisor of each rotary frequency. */
export const rotaryFactorsName = 'rope_freqs.weight'

/** By what the scaling of Llama 3.1 divides each rotary frequency. */
export function rotaryFactors(
  { headWidth, ropeTheta }: Pick<ModelConfig, 'headWidth' | 'ropeTheta'>,
  scaling: RotaryScaling,
): Float32Array {
  const { factor, lowFrequencyFactor, highFrequencyFactor, originalContextLength } = scaling
  return Float32Array.from({ length: headWidth / 2 }, (_, pair) => {
    const wave = 2 * Math.PI * ropeTheta ** ((2 * pair) / headWidth)
    if (wave < originalContextLength / highFrequencyFactor) return 1
    if (wave > originalContextLength / lowFrequencyFactor) return factor
    const kept = (originalContextLength / wave - lowFrequencyFactor) / (highFrequencyFactor - lowFrequencyFactor)
    return 1 / ((1 - kept) / factor + kept)
  })
}
