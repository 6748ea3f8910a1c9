import { join } from 'node:path'
import { z } from 'zod'
import { linearNames } from './model-tensors.ts'
import { ModelFileError } from './model-file-error.ts'
import { readJsonFile } from './read-json-file.ts'

/** Rank of low-rank adapters; more would save nothing. */
export const maxAdapterRank = 1_024

export const adapterConfigName = 'adapter_config.json'

/** Contents of PEFT's `adapter_config.json`; other keys do not affect the adapter's result. */
const AdapterFile = z.object({
  peft_type: z.literal('LORA'),
  r: z.number().int().positive().max(maxAdapterRank),
  lora_alpha: z.number().positive(),
  bias: z.literal('none').default('none'),
  use_dora: z.literal(false).default(false),
  use_rslora: z.literal(false).default(false),
  fan_in_fan_out: z.literal(false).default(false),
  modules_to_save: z.null().optional(),
})

/** Rank and alpha of the adapter in a folder. @throws ModelFileError naming the key that does not fit */
export function readAdapterConfig(folder: string): { rank: number; alpha: number } {
  const path = join(folder, adapterConfigName)
  return parseAdapterConfig(readJsonFile(path), path)
}

/** @param path names it in errors @throws ModelFileError naming the key that does not fit */
export function parseAdapterConfig(content: unknown, path: string): { rank: number; alpha: number } {
  const parsed = AdapterFile.safeParse(content)
  if (parsed.success) return { rank: parsed.data.r, alpha: parsed.data.lora_alpha }
  const [issue] = parsed.error.issues
  throw new ModelFileError('unsupported', `"${issue?.path.join('.') ?? ''}" in ${path} is not supported: ${issue?.message ?? ''}`)
}

/** The content of `adapter_config.json`. */
export function toAdapterFile(adapter: { rank: number; alpha: number }, baseModel: string): Record<string, unknown> {
  return {
    peft_type: 'LORA',
    task_type: 'CAUSAL_LM',
    base_model_name_or_path: baseModel,
    r: adapter.rank,
    lora_alpha: adapter.alpha,
    lora_dropout: 0,
    bias: 'none',
    fan_in_fan_out: false,
    target_modules: [...linearNames],
  }
}
