import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { readAdapterConfig } from './adapter-config.ts'
import { readModelConfig } from './read-model-config.ts'
import type { ModelConfig } from './model-config.ts'
import { ModelFileError } from './model-file-error.ts'

/** How a model is trained whose weights are brought from elsewhere. */
export interface BaseOfWeights {
  id: string
  folder: string
  adapter: { rank: number; alpha: number } | null
}

/**
 * Checks that training could continue from the weights in a folder: an adapter of the rank and alpha with which models from this base are trained, or
 * whole weights of its shape if those are trained.
 * @throws ModelFileError naming the key that does not match, with both values
 */
export function assertFitsModel(folder: string, base: BaseOfWeights): void {
  if (!existsSync(join(folder, 'adapter_config.json'))) return assertSameShape(folder, base)
  if (!base.adapter) throw misfit(`models from "${base.id}" are trained as a whole, and this is an adapter; bring all weights`)
  const { rank, alpha } = readAdapterConfig(folder)
  assertEqual('adapter_config.json', 'r', { found: rank, wanted: base.adapter.rank }, base)
  assertEqual('adapter_config.json', 'lora_alpha', { found: alpha, wanted: base.adapter.alpha }, base)
}

function assertSameShape(folder: string, base: BaseOfWeights): void {
  const found = readModelConfig(folder)
  if (base.adapter) {
    throw misfit(
      `models from "${base.id}" are trained with adapters, and these are the weights of a whole model; set "adapter": null in the heddle.json of the base model to train all weights, or serve these as a base model of their own, from HEDDLE_BASE_MODELS_DIR`,
    )
  }
  const wanted = readModelConfig(base.folder)
  for (const [key, name] of Object.entries(configKeys) as [keyof ModelConfig, string][])
    assertEqual('config.json', name, { found: found[key], wanted: wanted[key] }, base)
}

const configKeys: Readonly<Record<keyof ModelConfig, string>> = {
  family: 'model_type',
  vocabularySize: 'vocab_size',
  width: 'hidden_size',
  layers: 'num_hidden_layers',
  heads: 'num_attention_heads',
  keyValueHeads: 'num_key_value_heads',
  headWidth: 'head_dim',
  feedForwardWidth: 'intermediate_size',
  contextLength: 'max_position_embeddings',
  ropeTheta: 'rope_theta',
  ropeScaling: 'rope_scaling',
  normEpsilon: 'rms_norm_eps',
  tiedEmbeddings: 'tie_word_embeddings',
  biases: 'attention_bias',
  queryKeyNorm: 'model_type',
  unrotatedLayers: 'no_rope_layers',
}

function assertEqual(file: string, key: string, { found, wanted }: { found: unknown; wanted: unknown }, base: BaseOfWeights): void {
  const [ours, theirs] = [found, wanted].map((value) => (typeof value === 'string' ? value : JSON.stringify(value)))
  if (ours !== theirs) throw misfit(`"${key}" in ${file} is ${ours}; models from "${base.id}" need ${theirs}`)
}

const misfit = (message: string) => new ModelFileError('unsupported', message)
