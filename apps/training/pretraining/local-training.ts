import { mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { parseModelConfig } from '../src/checkpoint-files/config-file.ts'
import { countParameters } from '../src/checkpoint-files/model-config.ts'
import { writeSafetensors } from '../src/checkpoint-files/safetensors.ts'
import { openTensorFiles } from '../src/checkpoint-files/tensor-files.ts'
import { plainSampling } from '../src/engine/plain-sampling.ts'
import type { ForwardResult, OptimizerSettings, SampledToken, TokenSequence } from '../src/engine/engine.ts'
import { KernelMemory } from '../src/engine/embedded/kernels/kernel-memory.ts'
import { findKernelSet } from '../src/engine/embedded/kernels/kernels.ts'
import { initialiseModel } from '../src/engine/embedded/model/initialise.ts'
import { allocateModel, loadModel } from '../src/engine/embedded/model/model-weights.ts'
import type { ModelParameters } from '../src/engine/embedded/model/parameters.ts'
import { createSoloTeam } from '../src/engine/embedded/sampling/decode-team.ts'
import { Sampler } from '../src/engine/embedded/sampling/sampler.ts'
import { syncPath } from '../src/checkpoint-files/sync-path.ts'
import { writeCheckpoint, writeJson } from '../src/engine/embedded/training/checkpoint.ts'
import { createTrainedModel, type TrainedModel } from '../src/engine/embedded/training/trained-model.ts'
import { Trainer } from '../src/engine/embedded/training/trainer.ts'
import { finish, finishWithWaits } from '../src/engine/embedded/work.ts'
import { specialTokenId } from './model-files/special-tokens.ts'

/** What pretraining needs of a model under training. */
export interface LocalTraining {
  readonly parameters: number
  forward(batch: readonly TokenSequence[]): ForwardResult
  backward(coefficients: readonly Float32Array[]): void
  step(settings: OptimizerSettings): number
  /** One completion of each prompt, without its end. Null for one that does not end. */
  complete(prompts: readonly Int32Array[], options: { temperature: number; maxTokens: number; seed: bigint }): (number[] | null)[]
  /** Writes the weights as other tools load them. */
  saveWeights(folder: string): Promise<void>
  /** Replaces the folder by one from which training continues exactly. */
  saveState(folder: string): Promise<void>
}

export interface LocalTrainingOptions {
  /** The contents of `config.json`. */
  config: unknown
  /** Of random weights. */
  seed: bigint
  /** A folder that `saveState` wrote; null begins at random weights. */
  resumeFrom: string | null
}

const maxMemoryBytes = 1024 ** 3

/** Trains every weight of a model in this thread, on the kernels of the embedded engine. */
export function createLocalTraining({ config, seed, resumeFrom }: LocalTrainingOptions): LocalTraining {
  const memory = new KernelMemory(maxMemoryBytes, findKernelSet())
  const base = resumeFrom === null ? allocateModel(memory, parseModelConfig(config, 'config.json')) : loadModel(memory, resumeFrom)
  if (resumeFrom === null) initialiseModel(memory, base.model, seed)
  const trained = createTrainedModel(memory, { base: base.model, adapter: null, seed })
  memory.free(base.block)
  const trainer = new Trainer(memory, trained)
  if (resumeFrom !== null) trainer.steps = readMoments(memory, trained, resumeFrom)
  return {
    parameters: countParameters(trained.model.config),
    forward: (batch) => finish(trainer.forward(batch)),
    backward: (coefficients) => finish(trainer.backward(coefficients)),
    step: (settings) => finish(trainer.step(settings)),
    complete: (prompts, options) => completeAll(memory, trained.model, { prompts, ...options }),
    saveWeights: (folder) => finishWithWaits(writeCheckpoint(memory, trained, { folder, baseModel: '' })),
    saveState: (folder) =>
      replaceFolder(folder, async (temporary) => {
        await finishWithWaits(writeCheckpoint(memory, trained, { folder: temporary, baseModel: '' }))
        writeMoments(memory, trained, temporary)
        writeJson(join(temporary, 'state.json'), { steps: trainer.steps })
      }),
  }
}

/** The model of a folder, to inspect its answers. */
export function loadCompletingModel(folder: string): Pick<LocalTraining, 'complete'> {
  const memory = new KernelMemory(maxMemoryBytes, findKernelSet())
  const { model } = loadModel(memory, folder)
  return { complete: (prompts, options) => completeAll(memory, model, { prompts, ...options }) }
}

const moments = ['firstMoments', 'secondMoments'] as const

function writeMoments(memory: KernelMemory, trained: TrainedModel, folder: string): void {
  const length = trained.gradientBytes / 4
  const tensors = moments.map((name) => ({ name, shape: [length], read: () => memory.floats(trained[name], length) }))
  writeSafetensors(join(folder, 'moments.safetensors'), tensors)
}

/** Returns the number of steps made. */
function readMoments(memory: KernelMemory, trained: TrainedModel, folder: string): number {
  const length = trained.gradientBytes / 4
  const files = openTensorFiles(folder, 'moments')
  try {
    for (const name of moments) memory.floats(trained[name], length).set(files.read(name, [length]))
  } finally {
    files.close()
  }
  return (JSON.parse(readFileSync(join(folder, 'state.json'), 'utf8')) as { steps: number }).steps
}

async function replaceFolder(folder: string, write: (temporary: string) => Promise<void>): Promise<void> {
  const temporary = `${folder}.new`
  rmSync(temporary, { recursive: true, force: true })
  mkdirSync(temporary, { recursive: true })
  await write(temporary)
  rmSync(folder, { recursive: true, force: true })
  renameSync(temporary, folder)
  syncPath(dirname(folder))
}

interface Completions {
  prompts: readonly Int32Array[]
  temperature: number
  maxTokens: number
  seed: bigint
}

function completeAll(memory: KernelMemory, model: ModelParameters, options: Completions): (number[] | null)[] {
  const end = specialTokenId('<|im_end|>')
  const sampler = new Sampler(memory, model, createSoloTeam(memory))
  try {
    const tokens = new Map(
      options.prompts.map((prompt, index) => {
        const seed = options.seed + BigInt(index)
        const settings = { ...plainSampling, temperature: options.temperature, maxTokens: options.maxTokens, stopTokens: [end] }
        return [sampler.add({ prompt, settings, seed, constraint: null }), [] as SampledToken['token'][]] as const
      }),
    )
    while (!sampler.isIdle) {
      for (const sampled of sampler.step()) {
        if ('error' in sampled) throw sampled.error
        tokens.get(sampled.completion)?.push(sampled.token.token)
      }
    }
    return [...tokens.values()].map((sampled) => (sampled.at(-1) === end ? sampled.slice(0, -1) : null))
  } finally {
    sampler.close()
  }
}
