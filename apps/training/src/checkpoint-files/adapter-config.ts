import { join } from 'node:path'
import { z } from 'zod'
import { type LinearName, linearNames } from './model-tensors.ts'
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
  target_modules: z.union([z.array(z.string()).min(1), z.literal('all-linear'), z.null()]).optional(),
})

/** An adapter as its files have it: `modules` is absent where all linear layers have one. */
export interface AdapterOfFiles {
  rank: number
  alpha: number
  modules?: readonly LinearName[]
}

/** The adapter in a folder. @throws ModelFileError naming the key that does not fit */
export function readAdapterConfig(folder: string): AdapterOfFiles {
  const path = join(folder, adapterConfigName)
  return parseAdapterConfig(readJsonFile(path), path)
}

/** @param path names it in errors @throws ModelFileError naming the key that does not fit */
export function parseAdapterConfig(content: unknown, path: string): AdapterOfFiles {
  const parsed = AdapterFile.safeParse(content)
  if (parsed.success) {
    const { r, lora_alpha, target_modules } = parsed.data
    return { rank: r, alpha: lora_alpha, ...withModules(Array.isArray(target_modules) ? modulesIn(target_modules, path) : linearNames) }
  }
  const [issue] = parsed.error.issues
  throw new ModelFileError('unsupported', `"${issue?.path.join('.') ?? ''}" in ${path} is not supported: ${issue?.message ?? ''}`)
}

function modulesIn(names: readonly string[], path: string): LinearName[] {
  const unknown = unknownModule(names)
  if (unknown === undefined) return linearNames.filter((name) => names.includes(name))
  throw new ModelFileError(
    'unsupported',
    `"target_modules" in ${path} has ${JSON.stringify(unknown.slice(0, 100))}; supported are ${linearNames.join(', ')}`,
  )
}

/** The first name that is not that of a linear layer of a block. */
export function unknownModule(names: readonly string[]): string | undefined {
  return names.find((name) => !(linearNames as readonly string[]).includes(name))
}

/** The linear layers with these names as adapters have them: in one order, and absent for all. */
export function withModules(names: readonly string[]): Pick<AdapterOfFiles, 'modules'> {
  const modules = linearNames.filter((name) => names.includes(name))
  return modules.length === linearNames.length ? {} : { modules }
}

/** The content of `adapter_config.json`. */
export function toAdapterFile(adapter: AdapterOfFiles, baseModel: string): Record<string, unknown> {
  return {
    peft_type: 'LORA',
    task_type: 'CAUSAL_LM',
    base_model_name_or_path: baseModel,
    r: adapter.rank,
    lora_alpha: adapter.alpha,
    lora_dropout: 0,
    bias: 'none',
    fan_in_fan_out: false,
    target_modules: [...(adapter.modules ?? linearNames)],
  }
}
