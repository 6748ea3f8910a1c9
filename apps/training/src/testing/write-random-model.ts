import { copyFileSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { toConfigFile } from '../checkpoint-files/config-file.ts'
import type { FloatFormat } from '../checkpoint-files/float-formats.ts'
import type { ModelConfig } from '../checkpoint-files/model-config.ts'
import { writeSafetensors } from '../checkpoint-files/safetensors.ts'
import { findKernelSet } from '../engine/embedded/kernels/kernels.ts'
import { KernelMemory } from '../engine/embedded/kernels/kernel-memory.ts'
import { initialiseModel } from '../engine/embedded/model/initialise.ts'
import { allocateModel, modelBytes, tensorsOf } from '../engine/embedded/model/model-weights.ts'
import { listBaseParameters } from '../engine/embedded/model/parameters.ts'
import { writeJson } from '../engine/embedded/training/checkpoint.ts'

/** A model so small that a step takes a millisecond; grouped heads, 32 tokens. */
export function aConfig(changes: Partial<ModelConfig> = {}): ModelConfig {
  return {
    family: 'llama',
    vocabularySize: 32,
    width: 16,
    layers: 2,
    heads: 4,
    keyValueHeads: 2,
    headWidth: 8,
    feedForwardWidth: 32,
    contextLength: 128,
    ropeTheta: 10_000,
    ropeScaling: null,
    normEpsilon: 1e-5,
    tiedEmbeddings: true,
    biases: { queriesKeysValues: false, attentionOutput: false, feedForward: false },
    queryKeyNorm: false,
    unrotatedLayers: [],
    ...changes,
  }
}

const tokenizerFolder = fileURLToPath(new URL('../../base-models/heddle-nano/', import.meta.url))

/**
 * Writes the folder of a model with random weights: `config.json`, `model.safetensors`, and the byte tokenizer with its chat template when the vocabulary holds its 512
 * tokens. Equal arguments give equal files.
 */
export function writeRandomModel(
  folder: string,
  {
    config = aConfig({ vocabularySize: 512 }),
    seed = 1n,
    format = 'F32',
  }: { config?: ModelConfig; seed?: bigint; format?: FloatFormat } = {},
): void {
  mkdirSync(folder, { recursive: true })
  const memory = new KernelMemory(modelBytes(config, 'F32') + 4096, findKernelSet())
  const { model } = allocateModel(memory, config)
  initialiseModel(memory, model, seed)
  writeSafetensors(join(folder, 'model.safetensors'), tensorsOf(memory, listBaseParameters(model)), format)
  writeJson(join(folder, 'config.json'), toConfigFile(config))
  if (config.vocabularySize < 512) return
  for (const name of ['tokenizer.json', 'tokenizer_config.json']) copyFileSync(join(tokenizerFolder, name), join(folder, name))
}
