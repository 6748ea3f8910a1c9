import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expectedTensors } from '../../base-models/expected-tensors.ts'
import { toAdapterFile } from '../../checkpoint-files/adapter-config.ts'
import type { ModelConfig } from '../../checkpoint-files/model-config.ts'
import { writeSafetensors } from '../../checkpoint-files/safetensors.ts'
import { layOutAdapter, layOutModel, listAdapterParameters } from '../../engine/embedded/model/parameters.ts'
import { aConfig, writeRandomModel } from '../../testing/write-random-model.ts'

export const familyAdapter = { rank: 4, alpha: 8 }

// The prompts of public templates have up to 1,000 tokens.
const size = { vocabularySize: 512, width: 64, feedForwardWidth: 96, headWidth: 16, contextLength: 2_048 }
const scaled = { factor: 8, lowFrequencyFactor: 1, highFrequencyFactor: 4, originalContextLength: 8_192 }
const allBiases = { queriesKeysValues: true, attentionOutput: true, feedForward: true }
const firstBiases = { queriesKeysValues: true, attentionOutput: false, feedForward: false }

/** A small model of each family, with what it adds to the shape of Llama. */
export const trainedFamilies: Readonly<Record<string, ModelConfig>> = {
  llama: aConfig({ ...size, ropeTheta: 500_000, ropeScaling: scaled, tiedEmbeddings: false }),
  'llama-biased': aConfig({ ...size, biases: allBiases }),
  mistral: aConfig({ ...size, family: 'mistral' }),
  qwen2: aConfig({ ...size, family: 'qwen2', biases: firstBiases }),
  qwen3: aConfig({ ...size, family: 'qwen3', headWidth: 32, queryKeyNorm: true }),
  smollm3: aConfig({ ...size, family: 'smollm3', layers: 4, unrotatedLayers: [3] }),
}

/** Numbers that look random and are the same each time, in steps that every format holds. */
const wave = (length: number, largest: number, seed: number) =>
  Float32Array.from({ length }, (_, i) => Math.round(32 * largest * Math.sin((i + 1) * 12.9898 * (seed + 1.37))) / 32)

const numbersIn = (shape: readonly number[]) => shape.reduce((product, each) => product * each, 1)

const isNorm = (name: string) => name.includes('norm')

/** Writes a model of a family with the byte tokenizer into a new folder. */
export function writeFamily(folder: string, name: string): void {
  const config = trainedFamilies[name]!
  writeRandomModel(folder, { config })
  rmSync(join(folder, 'model.safetensors'))
  const tensors = expectedTensors(config).map(({ name: tensor, shape }, seed) => ({
    name: tensor,
    shape,
    read: () => wave(numbersIn(shape), 0.16, seed).map((value) => (isNorm(tensor) ? 1 + value / 2 : value)),
  }))
  writeSafetensors(join(folder, 'model.safetensors'), tensors)
}

/** Writes a model of a family and an adapter of it, which change each other's answers; returns their folders. */
export function writeTrainedFamily(folder: string, name: string): { base: string; checkpoint: string } {
  const [base, checkpoint] = [join(folder, name), join(folder, `${name}-adapter`)]
  writeFamily(base, name)
  mkdirSync(checkpoint)
  const parameters = listAdapterParameters(layOutAdapter(layOutModel(trainedFamilies[name]!, 'F32'), familyAdapter))
  writeSafetensors(
    join(checkpoint, 'adapter_model.safetensors'),
    parameters.map(({ name: tensor, shape }, seed) => ({ name: tensor, shape, read: () => wave(numbersIn(shape), 0.1, seed) })),
  )
  writeFileSync(join(checkpoint, 'adapter_config.json'), JSON.stringify(toAdapterFile(familyAdapter, name)))
  return { base, checkpoint }
}
