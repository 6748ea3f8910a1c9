import { countHeldOut } from './sft-batches.ts'
import { defaultLearningRate, resolveSftConfig, type SftConfig } from './sft-config.ts'

/** What a job is expected to do, before its examples are tokenized: none is too long then. */
export interface SftEstimate {
  /** One for all gradient steps, before the schedule, or one for each. */
  learningRate: number | readonly number[]
  /** Examples that are not learned. */
  heldOut: number
  /** Gradient steps of all passes, if none ends the job early; null where tokens fill them. */
  steps: number | null
}

export function estimateSft(
  config: SftConfig,
  { examples, learningRates }: { examples: number; learningRates: { rl: number; sft: number } },
): SftEstimate {
  const settings = resolveSftConfig(config)
  const heldOut = settings.heldOutRows > 0 ? Math.min(settings.heldOutRows, examples) : countHeldOut(examples, settings.heldOut)
  return {
    learningRate: config.learning_rate ?? defaultLearningRate(settings, { learningRates }),
    heldOut,
    steps: settings.packedLength === null ? Math.ceil((examples - heldOut) / settings.batchSize) * settings.epochs : null,
  }
}
