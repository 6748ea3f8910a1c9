import { z } from 'zod'
import { Identifier } from '../shapes/identifier.ts'
import { LenientBoolean, LenientInt, LenientNumber } from '../shapes/lenient.ts'
import { orNull } from '../shapes/optional.ts'

const number = (what: string) => orNull(LenientNumber).describe(what)
const integer = (what: string) => orNull(LenientInt).describe(what)
const flag = (what: string) => orNull(LenientBoolean).describe(what)
const text = (what: string) => orNull(Identifier).describe(what)

/** How a policy learns from trajectories. Null is the default of each; unknown keys are ignored. */
export const TrainingConfig = z
  .object({
    advantage_balance: number('-1 to 1: above 0 weakens negative advantages, below 0 positive ones. Null: 0'),
    allow_training_without_logprobs: flag(
      'Train on messages and choices without log-probabilities, with an importance ratio of 1. Null: false',
    ),
    distillation_teacher: text(
      'Learn from the log-probabilities of this model instead of rewards: the id of a base model, or entity/project/name of a model of the same project, optionally with :stepN. Its vocabulary must be that of the model. Null: learn from rewards',
    ),
    epsilon: number('Lower clip of the importance ratio, at least 0. Null: 1, or 0.2 with `ppo`'),
    epsilon_high: number('Upper clip of the importance ratio, at least 0. Null: 4, or `epsilon` with `ppo`'),
    importance_sampling_level: text('`token`, `sequence`, `average` or `geometric_average`. Null: `token`'),
    kimi_k2_tau: number('Subtracts this times the change of the log-probability from the advantage. Null: 0'),
    kl_penalty_coef: number('Strength of the penalty for leaving the reference policy. Null: 0'),
    kl_penalty_reference_step: integer('Checkpoint of the model that is the reference policy'),
    kl_penalty_source: text('`current_learner` or `sample`: whose log-probabilities the penalty compares. Null: `current_learner`'),
    kl_penalty_step_lag: integer('Steps by which the reference policy is behind'),
    kl_ref_adapter_path: text('Checkpoint that is the reference policy, by its name. Null: the base model'),
    learning_rate: number('Null: that of the base model'),
    logprob_calculation_chunk_size: integer(
      'Rows of the vocabulary projection at a time, at most the context of the model. Changes no result. Null: 1024',
    ),
    loss_fn: text('`cispo` or `ppo`. Null: as `ppo` says'),
    mask_prob_ratio: flag('Leave out tokens whose importance ratio is outside the clip. Null: false'),
    max_negative_advantage_importance_sampling_weight: number('Maximum importance ratio where the advantage is negative'),
    normalize_advantages: flag('Divide advantages by the standard deviation of their group. Null: true'),
    num_trajectories_learning_rate_multiplier_power: number(
      'Multiplies the learning rate by the number of trajectories to this power. Null: 0',
    ),
    packed_sequence_length: integer('Tokens of a packed row. Null: the longest sequence, rounded up to a multiple of 2048'),
    plot_tensors: flag('Keep advantages and ratios by token. Null: false'),
    ppo: flag('Clip as PPO does. Null: false'),
    precalculate_logprobs: flag('Compute the old log-probabilities again with the weights before the job. Null: false'),
    scale_learning_rate_by_reward_std_dev: flag('Scale the learning rate by the spread of rewards. Null: false'),
    scale_rewards: flag('Same as `normalize_advantages`; either false leaves advantages unscaled. Null: true'),
    seed: integer(
      '0 to 2147483647: decides the order of rows and the first weights of the adapter, so that the same jobs give the same weights. Null: another for each job',
    ),
    truncated_importance_sampling: number('Maximum weight for the difference of sampler and trainer'),
  })
  .meta({ id: 'TrainingConfig' })
export type TrainingConfig = z.output<typeof TrainingConfig>
