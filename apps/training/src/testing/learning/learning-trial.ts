import { randomUUID } from 'node:crypto'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { BaseModel, Engine, ModelVersion } from '../../engine/engine.ts'
import type { TrainingConfig } from '../../objective/settings/training-config.ts'
import { createRandom, type Random } from '../../../pretraining/data/random.ts'
import type { TrajectoryGroup } from '../../sequences/trajectory.ts'
import type { ChatTokenizer } from '../../tokenizer/chat-tokenizer.ts'
import { prepareRl } from '../../training/rl/prepare-rl.ts'
import { trainRl } from '../../training/rl/train-rl.ts'
import { rollOut } from './rollouts.ts'
import { createPrompts, type VerifierTask } from './verifier-tasks.ts'

export interface LearningTrial {
  engine: Engine
  tokenizer: ChatTokenizer
  model: BaseModel
  task: VerifierTask
  seed: number
  /** Jobs of reinforcement learning, one after the other. */
  jobs: number
  /** Prompts of a job, and attempts at each. */
  groups: number
  attempts: number
  maxTokens?: number
  config?: TrainingConfig
  /** Control: rewards are dealt out at random within each group, so that there is nothing to learn. */
  shuffled?: boolean
  onJob?: (meanReward: number) => void
}

export interface LearningOutcome {
  /** Mean rewards of attempts at the same prompts, which are not trained on: with the base model, and after the last job. */
  before: number
  after: number
  /** Mean reward of the rollouts that each job trained on. */
  rewards: number[]
}

/** Prompts of the measurement before and after. */
const measuredPrompts = 32
const measuredSeed = 999

const never = new AbortController().signal

/** Trains an adapter by rollouts and jobs in turn, as a client of the service does, and measures what it has learned. */
export async function runLearningTrial(trial: LearningTrial): Promise<LearningOutcome> {
  const folder = await mkdtemp(join(tmpdir(), 'heddle-learning-'))
  const random = createRandom(trial.seed * 7_919 + 1)
  const rewards: number[] = []
  const keyPrefix = `${randomUUID()}/`
  let version: ModelVersion = { key: `${keyPrefix}0`, baseModel: trial.model.id, folder: null }
  let optimizer: string | null = null
  const measure = async () => (await collect({ ...trial, groups: measuredPrompts }, { version, job: measuredSeed })).meanReward
  try {
    const before = await measure()
    for (let job = 0; job < trial.jobs; job++) {
      const { groups, meanReward } = await collect(trial, { version, job })
      rewards.push(meanReward)
      trial.onJob?.(meanReward)
      const next = { ...version, key: `${keyPrefix}${job + 1}`, folder: await mkdtemp(join(folder, 'step-')) }
      if (
        await train(trial, {
          groups: trial.shuffled ? groups.map((group) => shuffleRewards(group, random)) : groups,
          version,
          optimizer,
          folder: next.folder,
          optimizerFolder: join(next.folder, 'optimizer'),
        })
      ) {
        await trial.engine.unload(version.key)
        version = next
        optimizer = join(next.folder, 'optimizer')
      }
    }
    return { before, after: await measure(), rewards }
  } finally {
    await trial.engine.unload(keyPrefix)
    await rm(folder, { recursive: true, force: true })
  }
}

async function collect(trial: LearningTrial, { version, job }: { version: ModelVersion; job: number }) {
  const { engine, tokenizer, task, seed, attempts, maxTokens = 80 } = trial
  const prompts = createPrompts(task, seed * 1_000 + job, trial.groups)
  const groups = await Promise.all(
    prompts.map((prompt, index) => {
      const first = BigInt((seed * 1_000 + job) * 1_000_000 + index * 1_000)
      return rollOut(prompt, { engine, tokenizer, version, attempts, maxTokens, seed: first, signal: never })
    }),
  )
  const all = groups.flatMap(({ rewards }) => rewards)
  return { groups, meanReward: all.reduce((sum, reward) => sum + reward, 0) / all.length }
}

function shuffleRewards({ trajectories }: TrajectoryGroup, random: Random): TrajectoryGroup {
  const rewards = random.sample(
    trajectories.map(({ reward }) => reward),
    trajectories.length,
  )
  return { trajectories: trajectories.map((trajectory, at) => ({ ...trajectory, reward: rewards[at] })) }
}

interface TrainedJob {
  groups: readonly TrajectoryGroup[]
  version: ModelVersion
  /** As the job before left it; null begins with a fresh one. */
  optimizer: string | null
  /** Where the checkpoint goes. */
  folder: string
  optimizerFolder: string
}

/** Returns whether there was anything to train on. */
async function train(
  { engine, tokenizer, model, config = {}, seed }: LearningTrial,
  { groups, version, optimizer, folder, optimizerFolder }: TrainedJob,
): Promise<boolean> {
  const prepared = await prepareRl({
    groups,
    config,
    model,
    tokenizer,
    step: 0,
    deviations: [],
    seed,
    isTrainedModel: () => true,
    signal: never,
  })
  if (prepared.nothingToTrain) return false
  const session = await engine.openTraining({ from: version, adapter: model.adapter, seed, resumeFrom: optimizer }, never)
  try {
    await trainRl({
      prepared,
      session,
      score: (from, batch, signal) => engine.score(from, batch, signal),
      start: version,
      reference: null,
      position: null,
      hooks: { onGradientStep: () => {}, saveRecoveryPoint: async () => 0, keepBest: async () => {} },
      limits: { recoverySteps: Infinity, recoveryMs: Infinity },
      signal: never,
    })
    await session.saveCheckpoint(folder, never)
    await mkdir(optimizerFolder)
    await session.saveState(optimizerFolder, never)
    return true
  } finally {
    await session.close()
  }
}
