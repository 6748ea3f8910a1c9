import type { ModelVersion } from '../../engine/engine.ts'
import type { TrainingConfig } from '../../objective/settings/training-config.ts'
import { createTestTokenizer } from '../../sequences/testing/test-tokenizer.ts'
import { aChoice } from '../../sequences/testing/token-choices.ts'
import type { Trajectory, TrajectoryGroup } from '../../sequences/trajectory.ts'
import { prepareRl, type PrepareRlInput } from '../rl/prepare-rl.ts'
import type { PreparedRl } from '../rl/prepared-rl.ts'
import type { GradientStep, TrainingHooks, TrainingPosition } from '../training-run.ts'
import { sampleNext, scoreWithTable, type Table } from './table-policy.ts'

export const aTableModel = { id: 'table', contextLength: 64, learningRates: { rl: 0.05, sft: 0.05 } }
export const never = new AbortController().signal

/** A rollout of one choice that carries its tokens. */
export function aRollout({
  prompt,
  tokens,
  logprobs,
  reward,
}: {
  prompt: readonly number[]
  tokens: readonly number[]
  logprobs?: readonly number[] | null
  reward: number
}): Trajectory {
  return { messages_and_choices: [aChoice({ prompt, tokens, ...(logprobs === undefined ? {} : { logprobs }) })], reward }
}

export async function prepare(
  groups: readonly TrajectoryGroup[],
  config: TrainingConfig = {},
  more: Partial<PrepareRlInput> = {},
): Promise<PreparedRl> {
  return await prepareRl({
    groups,
    config,
    model: aTableModel,
    tokenizer: createTestTokenizer(),
    step: 0,
    deviations: [],
    seed: null,
    isTrainedModel: () => true,
    signal: never,
    ...more,
  })
}

/** Attempts at each prompt, sampled from the table. */
export function rollOut(table: Table, { prompts, attempts, length, random, reward }: RolloutOptions): { trajectories: Trajectory[] }[] {
  return prompts.map((prompt) => ({
    trajectories: Array.from({ length: attempts }, () => {
      const tokens: number[] = []
      const logprobs: number[] = []
      for (let at = 0; at < length; at++) {
        const { token, logProbability } = sampleNext(table, tokens.at(-1) ?? prompt, random)
        tokens.push(token)
        logprobs.push(logProbability)
      }
      return aRollout({ prompt: [prompt], tokens, logprobs, reward: reward(tokens) })
    }),
  }))
}

export interface RolloutOptions {
  prompts: readonly number[]
  attempts: number
  length: number
  random: () => number
  reward: (tokens: readonly number[]) => number
}

/** What an engine that knows these tables by name answers to `score`. */
export function scoreTables(tables: Readonly<Record<string, Table>>) {
  const asked: string[] = []
  const score = async (version: ModelVersion, batch: Parameters<typeof scoreWithTable>[1]) => {
    asked.push(version.key)
    return scoreWithTable(tables[version.key]!, batch)
  }
  return { score, asked }
}

export const version = (key: string): ModelVersion => ({ key, baseModel: 'table', folder: null })

/** Keeps what happens, in order. */
export function recordHooks(save: (position: TrainingPosition) => void = () => {}) {
  const steps: GradientStep[] = []
  const positions: TrainingPosition[] = []
  const hooks: TrainingHooks = {
    onGradientStep: (step) => void steps.push(step),
    saveRecoveryPoint: async (position) => {
      positions.push(position)
      save(position)
      return 0
    },
    keepBest: async () => {},
  }
  return { hooks, steps, positions }
}
