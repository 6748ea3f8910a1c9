import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { expectedTensors } from '../../../base-models/expected-tensors.ts'
import { estimateMemory } from '../../../base-models/memory-estimate.ts'
import { parseModelConfig, toConfigFile } from '../../../checkpoint-files/config-file.ts'
import { readModelConfig } from '../../../checkpoint-files/read-model-config.ts'
import { countParameters } from '../../../checkpoint-files/model-config.ts'
import { modelFamilies } from '../../../checkpoint-files/model-families.ts'
import { openTensorFiles } from '../../../checkpoint-files/tensor-files.ts'
import { gradientErrors } from '../../../testing/reference-training.ts'
import { plainSampling } from '../../plain-sampling.ts'
import type { AdapterSettings, TokenSequence } from '../../engine.ts'
import { KernelMemory } from '../kernels/kernel-memory.ts'
import { initialiseAdapter } from '../model/initialise.ts'
import { allocateAdapter, allocateModel, loadModel, modelBytes } from '../model/model-weights.ts'
import { bytesOf, layOutModel, listBaseParameters, type MatrixFormat, type ModelParameters } from '../model/parameters.ts'
import { score } from '../passes/score.ts'
import { createSoloTeam } from '../sampling/decode-team.ts'
import { Sampler } from '../sampling/sampler.ts'
import { createTrainedModel } from '../training/trained-model.ts'
import { Trainer } from '../training/trainer.ts'
import { finish, finishWithWaits } from '../work.ts'
import { readTrainingState, writeTrainingState } from '../training/training-state.ts'

// Tiny random models and what Transformers computes with them: families.py.
const folder = join(import.meta.dirname, 'families')
const names = readdirSync(folder).toSorted()
const folderOf = (name: string) => join(folder, name)

interface Recorded {
  tokens: number[]
  coefficients: number[]
  log_probabilities: number[]
}

function recorded(name: string) {
  const sequences = JSON.parse(readFileSync(join(folderOf(name), 'expected.json'), 'utf8')) as Recorded[]
  const batch: TokenSequence[] = sequences.map(({ tokens }) => ({
    tokens: Int32Array.from(tokens),
    scored: Uint8Array.from(tokens, (_, i) => (i > 0 ? 1 : 0)),
  }))
  return {
    batch,
    expected: sequences.flatMap(({ log_probabilities: values }) => values),
    coefficients: sequences.map(({ coefficients }) => Float32Array.of(0, ...coefficients)),
  }
}

function load(name: string) {
  const memory = new KernelMemory(64 * 1024 * 1024, 'plain')
  return { memory, base: loadModel(memory, folderOf(name)).model }
}

function startTraining(name: string, adapter: AdapterSettings | null) {
  const { memory, base } = load(name)
  const trained = createTrainedModel(memory, { base, adapter, seed: 3n })
  return { memory, trained, trainer: new Trainer(memory, trained) }
}

test('every family has a recorded model', () => {
  expect(new Set(names.map((name) => readModelConfig(folderOf(name)).family))).toEqual(new Set(modelFamilies))
})

test.each(names)('%s: log-probabilities are those of Transformers', (name) => {
  const { memory, base } = load(name)
  const { batch, expected } = recorded(name)
  const { logProbabilities } = finish(score({ memory, model: base, allocate: (bytes) => memory.allocateDirty(bytes) }, batch))
  const differences = logProbabilities.flatMap((values) => Array.from(values.slice(1))).map((value, i) => Math.abs(value - expected[i]!))
  expect(differences).toHaveLength(expected.length)
  expect(Math.max(...differences)).toBeLessThan(1e-4)
  expect(differences.reduce((sum, value) => sum + value, 0) / differences.length).toBeLessThan(1e-5)
})

test.each(names)('%s: gradients of every weight are those of Transformers', (name) => {
  const { memory, trained, trainer } = startTraining(name, null)
  const { batch, coefficients } = recorded(name)
  finish(trainer.forward(batch))
  finish(trainer.backward(coefficients))
  const files = openTensorFiles(folderOf(name), 'gradients')
  expect(trained.trainable.map((parameter) => parameter.name).toSorted()).toEqual(
    expectedTensors(trained.model.config)
      .map((tensor) => tensor.name)
      .toSorted(),
  )
  for (const { name: parameter, worst } of gradientErrors({ memory, trained }, (own) => files.read(own.name, own.shape)))
    expect(worst, parameter).toBeLessThan(1e-4)
  files.close()
})

test.each(names)('%s: a sampler gives its tokens the log-probabilities of the trainer', (name) => {
  const { memory, base } = load(name)
  const { model } = allocateAdapter(memory, base, { rank: 4, alpha: 8 })
  finish(initialiseAdapter(memory, model, 2n))
  const prompt = recorded(name).batch[0]!.tokens.slice(0, 40)
  const sampled = sample(memory, model, prompt)
  const tokens = Int32Array.from([...prompt, ...sampled.map(({ token }) => token)])
  const scored = Uint8Array.from(tokens, (_, i) => (i >= prompt.length ? 1 : 0))
  const { logProbabilities } = finish(
    score({ memory, model, allocate: (bytes) => memory.allocateDirty(bytes) }, [{ tokens, scored }]),
  )
  for (const [i, { logProbability }] of sampled.entries()) {
    expect(Math.abs(logProbability - logProbabilities[0]![prompt.length + i]!)).toBeLessThan(1e-4)
  }
})

function sample(memory: KernelMemory, model: ModelParameters, prompt: Int32Array) {
  const sampler = new Sampler(memory, model, createSoloTeam(memory))
  sampler.add({ prompt, settings: plainSampling, seed: 5n, constraint: null })
  const tokens: { token: number; logProbability: number }[] = []
  while (!sampler.isIdle) {
    for (const sampled of sampler.step()) {
      if ('error' in sampled) throw sampled.error
      tokens.push(sampled.token)
    }
  }
  expect(tokens).toHaveLength(20)
  return tokens
}

const optimizer = { learningRate: 1e-2, beta1: 0.9, beta2: 0.99, epsilon: 1e-8, weightDecay: 0.1, clip: 1 }

function train(trainer: Trainer, name: string, steps: number): void {
  const { batch, coefficients } = recorded(name)
  for (let step = 0; step < steps; step++) {
    finish(trainer.forward(batch))
    finish(trainer.backward(coefficients))
    finish(trainer.step(optimizer))
  }
}

function weights({ memory, trained }: Pick<ReturnType<typeof startTraining>, 'memory' | 'trained'>): number[] {
  return trained.trainable.flatMap(({ address, length }) => [...memory.floats(address, length)])
}

const adapters: readonly (AdapterSettings | null)[] = [null, { rank: 4, alpha: 8 }]

test.each(names.flatMap((name) => adapters.map((adapter) => ({ name, adapter }))))(
  '$name: training that is resumed continues to the bit, with adapter $adapter',
  async ({ name, adapter }) => {
    const state = mkdtempSync(join(tmpdir(), 'heddle-family-state-'))
    const whole = startTraining(name, adapter)
    train(whole.trainer, name, 2)
    await finishWithWaits(writeTrainingState(whole.memory, whole.trainer, state))
    const between = weights(whole)
    train(whole.trainer, name, 2)

    const { memory, base } = load(name)
    const trained = createTrainedModel(memory, { base, adapter, seed: 4n })
    const steps = finish(readTrainingState(memory, trained, state))
    rmSync(state, { recursive: true })
    const trainer = new Trainer(memory, trained)
    trainer.steps = steps
    train(trainer, name, 2)
    expect(weights({ memory, trained })).toEqual(weights(whole))
    expect(weights(whole)).not.toEqual(between)
  },
)

describe('a model whose file has its matrices in BF16', () => {
  const adapter = { rank: 4, alpha: 8 }
  const { memory, base } = load('qwen2')

  /** Weights of an adapter on `model` after two steps. */
  function adapterOn(model: ModelParameters): number[] {
    const trained = createTrainedModel(memory, { base: model, adapter, seed: 3n })
    const trainer = new Trainer(memory, trained)
    train(trainer, 'qwen2', 2)
    return weights({ memory, trained })
  }

  test('is kept in half the bytes', () => {
    expect(base.layers[0]!.linears.q_proj.weight.format).toBe('BF16')
    const bytesOfMatrices = (format: MatrixFormat) => bytesOf(listBaseParameters(layOutModel(base.config, format)).filter(({ columns }) => columns > 0))
    expect(bytesOfMatrices('BF16')).toBe(bytesOfMatrices('F32') / 2)
    const loaded = new KernelMemory(2 ** 20, 'plain')
    loadModel(loaded, folderOf('qwen2'))
    expect(loaded.usedBytes).toBe(modelBytes(base.config, 'BF16'))
  })

  test('samples and trains an adapter to the bit as in F32', () => {
    const { model } = allocateModel(memory, base.config)
    const widened = listBaseParameters(createTrainedModel(memory, { base, adapter: null, seed: 1n }).model)
    for (const [i, { address, length, format }] of listBaseParameters(model).entries()) {
      expect(format).toBe('F32')
      memory.floats(address, length).set(memory.floats(widened[i]!.address, length))
    }
    const prompt = recorded('qwen2').batch[0]!.tokens.slice(0, 7)
    expect(sample(memory, base, prompt)).toEqual(sample(memory, model, prompt))
    expect(adapterOn(base)).toEqual(adapterOn(model))
  })

  test.each([{ rank: 4, alpha: 8 }, null])('takes the memory that is estimated, to the byte, with adapter %o', (trainedAs) => {
    const { config } = base
    const { weights: ofWeights, training } = estimateMemory({ config, adapter: trainedAs, format: 'BF16' })
    const own = new KernelMemory(ofWeights + training, 'plain')
    const loaded = loadModel(own, folderOf('qwen2'))
    const trainer = new Trainer(own, createTrainedModel(own, { base: loaded.model, adapter: trainedAs, seed: 1n }))
    const length = config.contextLength
    finish(trainer.forward([{ tokens: new Int32Array(length), scored: new Uint8Array(length).fill(1) }]))
    expect(own.usedBytes).toBe(ofWeights + training)
  })
})

test.each(names)('%s: the config.json that a checkpoint gets describes the same model', (name) => {
  const config = readModelConfig(folderOf(name))
  expect(parseModelConfig(toConfigFile(config), 'config.json')).toEqual(config)
})

test.each(names)('%s: has as many parameters as are counted', (name) => {
  const config = readModelConfig(folderOf(name))
  const sizes = expectedTensors(config).map(({ shape }) => shape.reduce((product, size) => product * size, 1))
  expect(countParameters(config)).toBe(sizes.reduce((sum, size) => sum + size, 0))
})
