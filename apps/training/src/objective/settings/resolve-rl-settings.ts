import { badRequest } from '@heddle/core-api/internal'
import { resolveKlReference } from './resolve-kl-reference.ts'
import { importanceSamplingLevels, klSources, type LossFunction, lossFunctions, type LossSettings, type RlSettings } from './rl-settings.ts'
import type { TrainingConfig } from './training-config.ts'

/** Facts about the base model that the settings depend on. */
export interface TrainedModel {
  id: string
  contextLength: number
  learningRates: { rl: number; sft: number }
}

const defaultChunkSize = 1024
/** Rates below the base model's own by more than this teach it nothing within a job of usual size. */
const farBelow = 50
const maxSeed = 2 ** 31 - 1

/**
 * Fills in the defaults, and checks combinations of fields.
 * @throws ApiError 400 that names the field, its value and the permitted ones
 */
export function resolveRlSettings(config: TrainingConfig, model: TrainedModel): RlSettings {
  const learningRate = atLeast('learning_rate', config.learning_rate ?? model.learningRates.rl, 0)
  return {
    learningRate,
    suggestedLearningRate: suggestLearningRate(learningRate, model.learningRates.rl),
    scaleLearningRateByRewardStdDev: config.scale_learning_rate_by_reward_std_dev ?? false,
    trajectoriesPower: config.num_trajectories_learning_rate_multiplier_power ?? 0,
    scaleRewards: (config.scale_rewards ?? true) && (config.normalize_advantages ?? true),
    advantageBalance: within('advantage_balance', config.advantage_balance ?? 0, { least: -1, most: 1 }),
    loss: resolveLoss(config),
    teacher: resolveTeacher(config),
    klReference: resolveKlReference(config),
    precalculateLogProbabilities: config.precalculate_logprobs ?? false,
    allowTrainingWithoutLogProbabilities: config.allow_training_without_logprobs ?? false,
    ...resolveRowLength(config, model),
    plotTensors: config.plot_tensors ?? false,
    seed: resolveSeed(config.seed ?? null),
  }
}

/** The base model's own rate if `rate` is far below it, else null. A rate of 0 is accepted as intended. */
export function suggestLearningRate(rate: number, own: number): number | null {
  return rate > 0 && rate * farBelow < own ? own : null
}

function resolveLoss(config: TrainingConfig): LossSettings {
  const lossFunction = resolveLossFunction(config)
  const ppo = lossFunction === 'ppo'
  const epsilon = atLeast('epsilon', config.epsilon ?? (ppo ? 0.2 : 1), 0)
  return {
    lossFunction,
    epsilon,
    epsilonHigh: atLeast('epsilon_high', config.epsilon_high ?? (ppo ? epsilon : 4), 0),
    level: oneOf('importance_sampling_level', config.importance_sampling_level ?? 'token', importanceSamplingLevels),
    ratioCap: switchedOn('max_negative_advantage_importance_sampling_weight', config.max_negative_advantage_importance_sampling_weight),
    maskRatio: config.mask_prob_ratio ?? false,
    kimiTau: switchedOn('kimi_k2_tau', config.kimi_k2_tau) ?? 0,
    klCoefficient: atLeast('kl_penalty_coef', config.kl_penalty_coef ?? 0, 0),
    klSource: oneOf('kl_penalty_source', config.kl_penalty_source ?? 'current_learner', klSources),
    truncation: switchedOn('truncated_importance_sampling', config.truncated_importance_sampling),
  }
}

function resolveTeacher({ distillation_teacher: teacher, kl_penalty_coef: penalty }: TrainingConfig): string | null {
  if (teacher == null || teacher === '') return null
  if (penalty) throw badRequest(`kl_penalty_coef ${penalty} and distillation_teacher "${teacher}" exclude each other; send one of them`)
  return teacher
}

function resolveLossFunction({ ppo, loss_fn }: TrainingConfig): LossFunction {
  const named = loss_fn == null ? null : oneOf('loss_fn', loss_fn, lossFunctions)
  const flagged = ppo == null ? null : ppo ? 'ppo' : 'cispo'
  if (named !== null && flagged !== null && named !== flagged) {
    throw badRequest(`ppo ${ppo} contradicts loss_fn "${named}"; send one of them, or ppo ${named === 'ppo'}`)
  }
  return named ?? flagged ?? 'cispo'
}

function resolveRowLength(config: TrainingConfig, model: TrainedModel): Pick<RlSettings, 'rowLength' | 'chunkSize'> {
  const most = model.contextLength
  const given = config.logprob_calculation_chunk_size ?? null
  if (given !== null && !isCount(given)) throw badRequest(`logprob_calculation_chunk_size ${given} must be a whole number from 1`)
  // The newest client sends 1,024 unasked, also for models whose context is shorter.
  const chunkSize = Math.min(given ?? defaultChunkSize, most)
  const rowLength = config.packed_sequence_length ?? null
  if (rowLength !== null && (!isCount(rowLength) || rowLength > most || rowLength % chunkSize !== 0)) {
    const chunk =
      given === chunkSize
        ? `logprob_calculation_chunk_size ${chunkSize}`
        : `${chunkSize}, the ${given === null ? 'default' : 'most'} of logprob_calculation_chunk_size`
    throw badRequest(`packed_sequence_length ${rowLength} must be a multiple of ${chunk}, and at most ${most}, the context of ${model.id}`)
  }
  return { rowLength, chunkSize: given === null ? null : chunkSize }
}

function resolveSeed(seed: number | null): number | null {
  if (seed === null || (Number.isInteger(seed) && seed >= 0 && seed <= maxSeed)) return seed
  throw badRequest(`seed ${seed} must be a whole number from 0 to ${maxSeed}`)
}

function isCount(value: number): boolean {
  return Number.isSafeInteger(value) && value >= 1
}

function oneOf<T extends string>(field: string, value: string, values: readonly T[]): T {
  const found = values.find((each) => each === value)
  if (found === undefined) throw badRequest(`${field} "${value}" is not known; it may be ${values.join(', ')}`)
  return found
}

function atLeast(field: string, value: number, least: number): number {
  if (!(value >= least && Number.isFinite(value))) throw badRequest(`${field} ${value} must be ${least} or above`)
  return value
}

function within(field: string, value: number, { least, most }: { least: number; most: number }): number {
  if (!(value >= least && value <= most)) throw badRequest(`${field} ${value} must be from ${least} to ${most}`)
  return value
}

/** 0 switches it off, like null. */
function switchedOn(field: string, value: number | null | undefined): number | null {
  return value == null ? null : atLeast(field, value, 0) || null
}
