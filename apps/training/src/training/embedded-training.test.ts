import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import '@heddle/testing'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { createEmbeddedEngine, type EmbeddedEngine } from '../engine/embedded/embedded-engine.ts'
import type { BaseModel, ModelVersion, TrainingSession } from '../engine/engine.ts'
import type { ModelConfig } from '../checkpoint-files/model-config.ts'
import type { TrainingConfig } from '../objective/settings/training-config.ts'
import type { SequenceTokenizer } from '../sequences/sequence-tokenizer.ts'
import { createTestTokenizer } from '../sequences/testing/test-tokenizer.ts'
import type { TrajectoryGroup } from '../sequences/trajectory.ts'
import { plainSampling } from '../engine/plain-sampling.ts'
import { smallFamilies } from '../testing/small-families.ts'
import { aConfig, writeRandomModel } from '../testing/write-random-model.ts'
import { prepareRl } from './rl/prepare-rl.ts'
import { aRollout, never, recordHooks } from './testing/table-rollouts.ts'
import { trainRl } from './rl/train-rl.ts'
import { planEpochs } from './sft/plan-epochs.ts'
import { prepareSft } from './sft/prepare-sft.ts'
import { trainSft } from './sft/train-sft.ts'
import type { SftConfig } from './sft/sft-config.ts'
import type { TrainingPosition } from './training-run.ts'

const entry = new URL('model-engine-child.js', inject('builtChildren'))
const wanted = 7
let folder: string
let engine: EmbeddedEngine
let models: ReadonlyMap<string, BaseModel>

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'heddle-training-'))
  const configs = Object.entries(smallFamilies).map(([id, config]) => [id, { ...config, vocabularySize: 32, contextLength: 128 }] as const)
  models = new Map([['tiny', aConfig()] as const, ...configs].map(([id, config]) => [id, writeModel(id, config)]))
  engine = createEmbeddedEngine({ entry, baseModels: [...models.values()], memoryBytes: 64 * 2 ** 20, threads: 2 })
})

function writeModel(id: string, config: ModelConfig): BaseModel {
  const ofModel = join(folder, id)
  writeRandomModel(ofModel, { config })
  return {
    id,
    folder: ofModel,
    parameters: 1_000,
    contextLength: 128,
    // Adapters leave the embeddings as they are, and those of a random model say next to nothing.
    adapter: null,
    learningRates: { rl: 5e-2, sft: 1e-2 },
  }
}

afterAll(async () => {
  await engine.close()
  rmSync(folder, { recursive: true })
})

/** Attempts that the engine samples, with the share of the wanted token as their reward. */
async function rollOut(version: ModelVersion, attempts: number, seed: number): Promise<TrajectoryGroup[]> {
  return await Promise.all(
    [1, 2, 3].map(async (prompt) => {
      const seeds = Array.from({ length: attempts }, (_, at) => BigInt(seed * 1000 + prompt * 100 + at))
      const sampled = seeds.map(() => ({ tokens: [] as number[], logprobs: [] as number[] }))
      const request = { version, prompt: Int32Array.of(prompt), settings: { ...plainSampling, maxTokens: 4 }, seeds }
      for await (const some of engine.generate(request, never)) {
        for (const { completion, token, logProbability } of some) {
          sampled[completion]!.tokens.push(token)
          sampled[completion]!.logprobs.push(logProbability)
        }
      }
      const reward = (tokens: readonly number[]) => tokens.filter((token) => token === wanted).length / tokens.length
      return { trajectories: sampled.map((each) => aRollout({ prompt: [prompt], ...each, reward: reward(each.tokens) })) }
    }),
  )
}

const rewardOf = (groups: readonly TrajectoryGroup[]) => {
  const rewards = groups.flatMap(({ trajectories }) => trajectories.map(({ reward }) => reward!))
  return rewards.reduce((sum, reward) => sum + reward, 0) / rewards.length
}

const tokenizer = createTestTokenizer({ vocabularySize: 32 })
const prepared = (groups: readonly TrajectoryGroup[], config: object, step: number) =>
  prepareRl({
    groups,
    config,
    model: models.get('tiny')!,
    tokenizer,
    step,
    deviations: [],
    seed: step,
    isTrainedModel: () => true,
    signal: never,
  })

const versionOf = (id: string): ModelVersion => ({ key: id, baseModel: id, folder: null })
const base = versionOf('tiny')
const aFolder = () => mkdtempSync(join(folder, 'files-'))

async function open(from: ModelVersion, resumeFrom: string | null): Promise<TrainingSession> {
  return await engine.openTraining({ from, adapter: null, seed: 1, resumeFrom }, never)
}

test('the embedded engine samples what it trains on, and jobs raise the reward', async () => {
  const session = await open(base, null)
  let version = base
  const before = rewardOf(await rollOut(base, 32, 99))
  for (let step = 0; step < 9; step++) {
    const { hooks, steps } = recordHooks()
    const job = {
      prepared: await prepared(await rollOut(version, 8, step), {}, step),
      start: version,
      reference: null,
      position: null,
      signal: never,
    }
    await trainRl({ ...job, session, score: engine.score, hooks })
    expect(steps[0]!.metrics['probs_corr']).toBeGreaterThan(0.999)
    expect(steps[0]!.metrics['loss/importance_ratio_mean']).toBeCloseTo(1, 3)
    const checkpoint = aFolder()
    await session.saveCheckpoint(checkpoint, never)
    version = { key: `tiny-${step + 1}`, baseModel: 'tiny', folder: checkpoint }
  }
  await session.close()
  const after = rewardOf(await rollOut(version, 32, 98))
  expect(before).toBeLessThan(0.2)
  expect(after).toBeGreaterThan(before + 0.5)
})

/** Every one with every family; usually each with one family. */
const withFamilies = <Case>(cases: readonly Case[]) => {
  const families = Object.keys(smallFamilies)
  const crossing = cases.flatMap((each) => families.map((family) => ({ ...each, family })))
  return inject('long') ? crossing : cases.map((each, at) => ({ ...each, family: families[at % families.length]! }))
}

const rewardJobs: { what: string; given: TrainingConfig }[] = [
  { what: 'rewards with the loss of CISPO', given: {} },
  { what: 'rewards with the loss of PPO', given: { loss_fn: 'ppo', epsilon: 0.1, epsilon_high: 0.3, mask_prob_ratio: true } },
  { what: 'rewards with the ratio of GSPO', given: { loss_fn: 'ppo', importance_sampling_level: 'sequence' } },
  {
    what: 'rewards with both kinds of ratios',
    given: { importance_sampling_level: 'geometric_average', kimi_k2_tau: 0.1, advantage_balance: 0.2 },
  },
  { what: 'rewards with a penalty', given: { kl_penalty_coef: 0.1, precalculate_logprobs: true, truncated_importance_sampling: 2 } },
  { what: 'a teacher', given: { distillation_teacher: 'other' } },
]

test.each(withFamilies(rewardJobs))(
  'a job on $what that continues from a recovery point ends at the same weights of $family, bit for bit',
  async ({ given, family }) => {
    const start = versionOf(family)
    const config = { ...given, packed_sequence_length: 16, logprob_calculation_chunk_size: 16 }
    const rows = await prepared(await rollOut(start, 6, 5), config, 0)
    expect(rows.rows.length).toBeGreaterThan(2)
    const whole = await open(start, null)
    const saved: { position: TrainingPosition; state: string }[] = []
    const hooks = {
      onGradientStep: () => {},
      keepBest: async () => {},
      async saveRecoveryPoint(position: TrainingPosition) {
        const state = aFolder()
        await whole.saveState(state, never)
        saved.push({ position, state })
        return 0
      },
    }
    const fixed = {
      prepared: rows,
      score: engine.score,
      start,
      reference: versionOf(family === 'Mistral' ? 'Qwen3' : 'Mistral'),
      signal: never,
    }
    await trainRl({ ...fixed, session: whole, position: null, hooks, limits: { recoverySteps: 2, recoveryShare: 1 } })
    const expected = await filesOf(whole)

    const { position, state } = saved[0]!
    const resumed = await open(start, state)
    await trainRl({ ...fixed, session: resumed, position, hooks: recordHooks().hooks })
    expect(position.nextStep).toBe(2)
    expect((await filesOf(resumed)).equals(expected)).toBe(true)
  },
)

const fineTunings: { what: string; config: SftConfig; lineOf: (at: number) => object }[] = [
  { what: 'conversations, some held out', config: { held_out: 0.25, early_stop: 3, epochs: 3 }, lineOf: conversation },
  { what: 'packed conversations', config: { packed_sequence_length: 40, epochs: 4 }, lineOf: conversation },
  {
    what: 'preference pairs',
    config: { dpo: { beta: 0.3, label_smoothing: 0.1, reference: 'start' }, epochs: 2 },
    lineOf: (at) => ({ prompt: asked(at), chosen: [answer(at)], rejected: [answer(at + 1)] }),
  },
]

test.each(withFamilies(fineTunings))(
  'fine-tuning on $what that continues from a recovery point ends at the same weights of $family, bit for bit',
  async ({ config, lineOf, family }) => {
    const start = versionOf(family)
    const lines = Array.from({ length: 8 }, (__, at) => JSON.stringify(lineOf(at)))
    const shared = { batch_size: 2, shuffle: true, schedule: 'cosine' as const, warmup: 0.2, learning_rate: 0.02 }
    const plan = async () =>
      planEpochs(
        await prepareSft({ lines, config: { ...shared, ...config }, model: models.get(family)!, tokenizer: smallTokenizer, signal: never }),
        3,
      )
    const whole = await open(start, null)
    const saved: { position: TrainingPosition; state: string }[] = []
    const hooks = {
      onGradientStep: () => {},
      keepBest: async () => {},
      async saveRecoveryPoint(position: TrainingPosition) {
        const state = aFolder()
        await whole.saveState(state, never)
        saved.push({ position: structuredClone(position), state })
        return 0
      },
    }
    const reference = { score: engine.score, version: start }
    const limits = { recoverySteps: 3, recoveryShare: 1, recoveryBytesPerSecond: Infinity }
    await trainSft({ prepared: await plan(), session: whole, position: null, signal: never, hooks, limits, reference })
    const expected = await filesOf(whole)
    expect(saved.length).toBeGreaterThan(1)
    for (const { position, state } of saved) {
      const resumed = await open(start, state)
      await trainSft({ prepared: await plan(), session: resumed, position, signal: never, hooks: recordHooks().hooks, reference })
      expect((await filesOf(resumed)).equals(expected)).toBe(true)
    }
  },
)

/** Tokens of the vocabulary of these models alone. */
const smallTokenizer: SequenceTokenizer = {
  ...tokenizer,
  encode: (text) => Int32Array.from(text, (character) => character.codePointAt(0)! % 32),
  render: ({ messages }) => messages.map(({ role, content }) => `<${role}>${content as string}|`).join(''),
}
function asked(at: number) {
  return [{ role: 'user', content: `q${at}` }]
}
function answer(at: number) {
  return { role: 'assistant', content: `a${at * at}` }
}
function conversation(at: number) {
  return { messages: [...asked(at), answer(at)] }
}

async function filesOf(session: TrainingSession): Promise<Buffer> {
  const target = aFolder()
  await session.saveCheckpoint(target, never)
  await session.close()
  return readFileSync(join(target, 'model.safetensors'))
}
