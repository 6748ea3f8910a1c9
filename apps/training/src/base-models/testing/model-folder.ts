import { cpSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseModelConfig } from '../../checkpoint-files/config-file.ts'
import { writeSafetensors } from '../../checkpoint-files/safetensors.ts'
import { expectedTensors } from '../expected-tensors.ts'
import { shippedModelsFolder } from '../shipped-models.ts'

/** `config.json` of a model that is as small as one can be. */
export const tinyConfig = {
  model_type: 'llama',
  hidden_size: 16,
  intermediate_size: 24,
  num_hidden_layers: 1,
  num_attention_heads: 2,
  num_key_value_heads: 1,
  vocab_size: 512,
  max_position_embeddings: 64,
  tie_word_embeddings: true,
}

interface Changes {
  config?: Record<string, unknown>
  /** Other shapes of tensors, or those of further ones; null leaves the tensor out. */
  shapes?: Record<string, readonly number[] | null>
  /** Texts of additional or replaced files. */
  files?: Record<string, string>
}

/** Writes a folder with a model whose weights are zero, and the tokenizer of ours. */
export function writeModelFolder(directory: string, id: string, { config, shapes = {}, files = {} }: Changes = {}): string {
  const folder = join(directory, id)
  mkdirSync(folder, { recursive: true })
  for (const name of ['tokenizer.json', 'tokenizer_config.json']) cpSync(join(shippedModelsFolder, 'heddle-nano', name), join(folder, name))
  writeFileSync(join(folder, 'config.json'), JSON.stringify({ ...tinyConfig, ...config }))
  const expected = expectedTensors(parseModelConfig(tinyConfig, 'config.json')).map(({ name, shape }) => [name, shape] as const)
  const tensors = Object.entries({ ...Object.fromEntries(expected), ...shapes }).flatMap(([name, shape]) => {
    return shape ? [{ name, shape, read: () => new Float32Array(shape.reduce((product, size) => product * size, 1)) }] : []
  })
  writeSafetensors(join(folder, 'model.safetensors'), tensors)
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text)
  return folder
}
