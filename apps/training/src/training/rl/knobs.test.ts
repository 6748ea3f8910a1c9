import { TrainingConfig as Config } from '@heddle/core-api/types'
import { seededRandom } from '@heddle/testing'
import { expect, test } from 'vitest'
import type { TrainingConfig } from '../../objective/settings/training-config.ts'
import { copyTable, createTable, TableSession } from '../testing/table-policy.ts'
import { aRollout, never, prepare, recordHooks, rollOut, scoreTables, version } from '../testing/table-rollouts.ts'
import { trainRl } from './train-rl.ts'

/** Weights that the job begins with, those that sampled, and a reference: all differ, so that every ratio does. */
const start = createTable(4, (previous, next) => Math.sin(previous * 4 + next))
const sampler = createTable(4, (previous, next) => 0.6 * Math.sin(previous * 4 + next) + 0.3 * Math.cos(next))
const reference = createTable(4, (previous, next) => Math.cos(previous + next))

const random = seededRandom(3)
const sampled = rollOut(sampler, { prompts: [0, 1, 2, 3], attempts: 4, length: 3, random, reward: () => random() })
const unscored = [1, 0].map((reward) => aRollout({ prompt: [0], tokens: [reward, 2], logprobs: null, reward }))
const groups = [...sampled, { trajectories: unscored }]
/** Reward deviations of earlier jobs, from which a line falls. */
const deviations = [0.5, 0.4, 0.45, 0.3].map((rewardStdDev, at) => ({ step: at + 1, rewardStdDev }))
const usual: TrainingConfig = { packed_sequence_length: 16, logprob_calculation_chunk_size: 8, learning_rate: 0.1, seed: 5 }

/** What a job does with a config. */
async function outcomeOf(config: TrainingConfig) {
  const prepared = await prepare(groups, { ...usual, ...config }, { deviations })
  const session = new TableSession(copyTable(start))
  const { score } = scoreTables({ start, reference })
  await trainRl({
    prepared,
    session,
    score,
    start: version('start'),
    reference: prepared.settings.teacher !== null || prepared.settings.loss.klCoefficient > 0 ? version('reference') : null,
    position: null,
    hooks: recordHooks().hooks,
    signal: never,
  })
  const { klReference, plotTensors } = prepared.settings
  return { weights: [...session.table.logits], klReference, plotTensors }
}

interface Knob {
  /** What changes with it; `nothing` but memory. */
  changes: 'weights' | 'klReference' | 'plotTensors' | 'nothing'
  to: TrainingConfig[keyof TrainingConfig]
  /** What it needs to have an effect. */
  beside?: TrainingConfig
  /** A value that is refused with 400. */
  refused?: TrainingConfig[keyof TrainingConfig]
}

const penalty = { kl_penalty_coef: 0.4 }
const knobs: Record<keyof TrainingConfig, Knob> = {
  advantage_balance: { changes: 'weights', to: 0.5, refused: 2 },
  allow_training_without_logprobs: { changes: 'weights', to: true },
  distillation_teacher: { changes: 'weights', to: 'reference' },
  epsilon: { changes: 'weights', to: 0.05, refused: -1 },
  epsilon_high: { changes: 'weights', to: 0.05, refused: -1 },
  importance_sampling_level: { changes: 'weights', to: 'sequence', refused: 'word' },
  kimi_k2_tau: { changes: 'weights', to: 0.3 },
  kl_penalty_coef: { changes: 'weights', to: 0.4, refused: -1 },
  kl_penalty_reference_step: { changes: 'klReference', to: 3, beside: penalty, refused: -1 },
  kl_penalty_source: { changes: 'weights', to: 'sample', beside: penalty, refused: 'learner' },
  kl_penalty_step_lag: { changes: 'klReference', to: 2, beside: penalty, refused: 0 },
  kl_ref_adapter_path: { changes: 'klReference', to: 'wandb-artifact:///e/p/m:step3', beside: penalty, refused: '/etc/passwd' },
  learning_rate: { changes: 'weights', to: 0.3, refused: -1 },
  logprob_calculation_chunk_size: { changes: 'nothing', to: 16, refused: 0 },
  loss_fn: { changes: 'weights', to: 'ppo', refused: 'grpo' },
  mask_prob_ratio: { changes: 'weights', to: true, beside: { epsilon_high: 0.05 } },
  max_negative_advantage_importance_sampling_weight: { changes: 'weights', to: 0.8 },
  normalize_advantages: { changes: 'weights', to: false },
  num_trajectories_learning_rate_multiplier_power: { changes: 'weights', to: 0.5 },
  packed_sequence_length: { changes: 'weights', to: 8, refused: 12 },
  plot_tensors: { changes: 'plotTensors', to: true },
  ppo: { changes: 'weights', to: true },
  precalculate_logprobs: { changes: 'weights', to: true },
  scale_learning_rate_by_reward_std_dev: { changes: 'weights', to: true },
  scale_rewards: { changes: 'weights', to: false },
  seed: { changes: 'weights', to: 6, refused: -1 },
  truncated_importance_sampling: { changes: 'weights', to: 0.9, beside: { precalculate_logprobs: true } },
}

test('there is a row for each field that the wire has', () => {
  expect(Object.keys(knobs).toSorted()).toEqual(Object.keys(Config.shape).toSorted())
})

test.each(Object.entries(knobs))('%s changes what the table says, and nothing else', async (name, { changes, to, beside = {} }) => {
  const [without, withIt] = [await outcomeOf(beside), await outcomeOf({ ...beside, [name]: to })]
  const differing = (['weights', 'klReference', 'plotTensors'] as const).filter(
    (part) => JSON.stringify(without[part]) !== JSON.stringify(withIt[part]),
  )
  expect(differing).toEqual(changes === 'nothing' ? [] : [changes])
})

const refusals = Object.entries(knobs).flatMap(([name, { refused }]) => (refused === undefined ? [] : [[name, refused] as const]))

test.each(refusals)('%s %j is refused, by its name and value', async (name, refused) => {
  const message = expect.stringMatching(new RegExp(`${name}.*${String(refused)}`))
  await expect(prepare(groups, { ...usual, [name]: refused })).rejects.toMatchObject({ status: 400, message })
})
