import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { readJsonFile } from '../checkpoint-files/read-json-file.ts'
import type { AdapterSettings, BaseModel } from '../engine/engine.ts'
import { BaseModelError } from './base-model-error.ts'

/** Name of the file with the training settings of a model; folders from elsewhere have none. */
const settingsFile = 'heddle.json'

export interface TrainingSettings {
  adapter: AdapterSettings | null
  learningRates: BaseModel['learningRates']
}

const rate = z.number().positive().max(1)

const SettingsFile = z.strictObject({
  learning_rates: z.strictObject({ rl: rate, sft: rate }).optional(),
  adapter: z.strictObject({ rank: z.number().int().min(1).max(256), alpha: z.number().positive().max(1_024) }).nullish(),
})

const defaultAdapter: AdapterSettings = { rank: 8, alpha: 16 }

/**
 * Largest models to which a pair of rates applies. Two rates for reinforcement learning were measured: that of the smallest on heddle-nano, and that
 * up to 200 million on SmolLM2-135M-Instruct, which a tenth of it taught nothing in five jobs. The others are common for adapters of that size.
 */
const defaultRates: readonly { parameters: number; rates: TrainingSettings['learningRates'] }[] = [
  { parameters: 500_000, rates: { rl: 2e-3, sft: 5e-3 } },
  { parameters: 3_000_000, rates: { rl: 1e-3, sft: 2e-3 } },
  { parameters: 50_000_000, rates: { rl: 5e-4, sft: 1e-3 } },
  { parameters: 200_000_000, rates: { rl: 1e-3, sft: 2e-4 } },
  { parameters: 1_000_000_000, rates: { rl: 1e-4, sft: 2e-4 } },
  { parameters: Infinity, rates: { rl: 1e-5, sft: 1e-4 } },
]

/**
 * Reads `heddle.json` of a model folder: `{"learning_rates": {"rl", "sft"}, "adapter": {"rank", "alpha"} | null}`, where null trains every weight.
 * Defaults depend on the size of the model; without one they are those of the largest.
 * @throws BaseModelError naming the invalid key
 */
export function readTrainingSettings(folder: string, parameters: number | null): TrainingSettings {
  const path = join(folder, settingsFile)
  const file = existsSync(path) ? parseSettings(path) : {}
  const rates = file.learning_rates ?? defaultRates.find((each) => (parameters ?? Infinity) <= each.parameters)?.rates
  return { adapter: file.adapter === undefined ? defaultAdapter : file.adapter, learningRates: rates ?? { rl: 1e-5, sft: 1e-4 } }
}

function parseSettings(path: string): z.output<typeof SettingsFile> {
  const parsed = SettingsFile.safeParse(readJsonFile(path))
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  throw new BaseModelError(`"${issue?.path.join('.') ?? ''}" in ${path} does not fit: ${issue?.message ?? 'it has the wrong type'}`)
}
