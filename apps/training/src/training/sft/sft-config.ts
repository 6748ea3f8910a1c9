import { badRequest } from '@heddle/core-api/internal'
import { unknownModule } from '../../checkpoint-files/adapter-config.ts'
import { linearNames } from '../../checkpoint-files/model-tensors.ts'
import type { DpoSettings } from '../../objective/dpo-objective.ts'
import type { Schedule } from '../../objective/learning-rate.ts'
import type { AssistantTurns } from '../../sequences/fine-tuning/sft-example.ts'

/** A client's config of supervised fine-tuning, by its names on the wire. Null means absent. */
export interface SftConfig {
  batch_size?: number | 'auto' | null | undefined
  learning_rate?: number | readonly number[] | null | undefined
  assistant_turns?: AssistantTurns | null | undefined
  metric_logging?: { enabled: boolean } | null | undefined
  epochs?: number | null | undefined
  shuffle?: boolean | null | undefined
  schedule?: Schedule | null | undefined
  warmup?: number | null | undefined
  held_out?: number | null | undefined
  held_out_rows?: number | null | undefined
  early_stop?: number | null | undefined
  packed_sequence_length?: number | null | undefined
  rank?: number | null | undefined
  target_modules?: readonly string[] | null | undefined
  seed?: number | null | undefined
  dpo?: { beta: number; label_smoothing: number; reference: DpoReference } | null | undefined
}

/** What preference pairs are compared with: the weights where the job begins, or the base model. */
export type DpoReference = 'start' | 'base'

/** How preference pairs are learned. */
export interface PreferenceSettings extends DpoSettings {
  reference: DpoReference
}

/** A config with every default filled in, but for the learning rate. */
export interface SftSettings {
  /** Conversations of a gradient step; not used where steps are filled by tokens. */
  batchSize: number
  /** Tokens of a gradient step; null counts conversations. */
  packedLength: number | null
  turns: AssistantTurns
  epochs: number
  shuffle: boolean
  schedule: Schedule
  warmup: number
  /** Share of the examples that are not learned. */
  heldOut: number
  /** How many examples at the end are not learned. */
  heldOutRows: number
  /** Passes without a lower held-out loss after which the job ends; null: never. */
  earlyStop: number | null
  rank: number | null
  /** Linear layers that get a new adapter, in their order; null: those of the model. */
  targetModules: readonly string[] | null
  /** Null: it follows from the id of the job. */
  seed: number | null
  /** Null learns conversations. */
  preference: PreferenceSettings | null
}

const automaticBatchSize = 2

export function resolveSftConfig(config: SftConfig): SftSettings {
  const { batch_size: size, dpo } = config
  return {
    batchSize: size == null || size === 'auto' ? automaticBatchSize : size,
    packedLength: config.packed_sequence_length ?? null,
    turns: config.assistant_turns ?? 'all',
    epochs: config.epochs ?? 1,
    shuffle: config.shuffle ?? false,
    schedule: config.schedule ?? 'constant',
    warmup: config.warmup ?? 0,
    heldOut: config.held_out ?? 0,
    heldOutRows: config.held_out_rows ?? 0,
    earlyStop: config.early_stop ?? null,
    rank: config.rank ?? null,
    targetModules: config.target_modules ? linearNames.filter((name) => config.target_modules!.includes(name)) : null,
    seed: config.seed ?? null,
    preference: dpo ? { beta: dpo.beta, labelSmoothing: dpo.label_smoothing, reference: dpo.reference } : null,
  }
}

/** Share of the rate for rewards that preference pairs get: the rate itself ruined heddle-nano, and this share kept what it had learned. */
const preferenceShare = 0.1

/** The learning rate of a config that has none, by the rates of the base model. */
export function defaultLearningRate(
  { preference }: Pick<SftSettings, 'preference'>,
  { learningRates }: { learningRates: { rl: number; sft: number } },
): number {
  return preference ? learningRates.rl * preferenceShare : learningRates.sft
}

/** The settings by their names on the wire, without those that are off. */
export function describeSftSettings(settings: SftSettings): Record<string, unknown> {
  const { preference } = settings
  return {
    ...(settings.packedLength === null ? { batch_size: settings.batchSize } : { packed_sequence_length: settings.packedLength }),
    assistant_turns: settings.turns,
    ...(settings.epochs > 1 && { epochs: settings.epochs }),
    ...(settings.shuffle && { shuffle: true }),
    ...(settings.schedule !== 'constant' && { schedule: settings.schedule }),
    ...(settings.warmup > 0 && { warmup: settings.warmup }),
    ...(settings.heldOut > 0 && { held_out: settings.heldOut }),
    ...(settings.heldOutRows > 0 && { held_out_rows: settings.heldOutRows }),
    ...(settings.earlyStop !== null && { early_stop: settings.earlyStop }),
    ...(settings.rank !== null && { rank: settings.rank }),
    ...(settings.targetModules !== null && { target_modules: settings.targetModules }),
    ...(settings.seed !== null && { seed: settings.seed }),
    ...(preference && { dpo: { beta: preference.beta, label_smoothing: preference.labelSmoothing, reference: preference.reference } }),
  }
}

/** A key that is equal for configs with the same training, however they are written. The logging of metrics does not affect it. */
export function toSftIdentity(config: SftConfig | null): string {
  return JSON.stringify([config?.learning_rate ?? null, resolveSftConfig(config ?? {})])
}

/** @throws ApiError 400 for a learning rate that is not a number of 0 or above, and for settings that exclude each other */
export function checkSftConfig(config: SftConfig): void {
  const { learning_rate: rate, held_out: heldOut, held_out_rows: heldOutRows, early_stop: earlyStop, dpo } = config
  const bad = (Array.isArray(rate) ? rate : [rate ?? 0]).find((each: number) => !(each >= 0 && Number.isFinite(each)))
  if (bad !== undefined) throw badRequest(`learning_rate ${bad} must be 0 or above`)
  if (heldOut != null && heldOut > 0.5) throw badRequest(`held_out ${heldOut} must be at most 0.5: more would be measured than learned`)
  if (heldOut && heldOutRows) throw badRequest('held_out and held_out_rows both say what is not learned; send one of them')
  if (earlyStop != null && !heldOut && !heldOutRows)
    throw badRequest('early_stop needs held_out, whose loss says when to stop; set held_out to 0.1')
  if (config.packed_sequence_length != null && typeof config.batch_size === 'number')
    throw badRequest('packed_sequence_length and batch_size both say what a gradient step holds; send one of them')
  checkTargetModules(config.target_modules ?? linearNames)
  if (Array.isArray(rate)) refuseWithRates(config)
  if (dpo) checkDpo(dpo)
}

function checkTargetModules(names: readonly string[]): void {
  const unknown = unknownModule(names)
  const known = linearNames.join(', ')
  if (unknown !== undefined)
    throw badRequest(`target_modules: ${JSON.stringify(unknown)} is not a linear layer of a block; choose from ${known}`)
  if (names.length === 0) throw badRequest(`target_modules is empty, and nothing would be trained; choose from ${known}`)
}

/** What a config says of the adapter. */
export function adapterRequestOf({ rank, target_modules: modules }: SftConfig): { rank: number | null; modules: readonly string[] | null } {
  return { rank: rank ?? null, modules: modules ?? null }
}

/** A list of rates is one for each batch of lines in their order: nothing else may decide the steps. */
function refuseWithRates(config: SftConfig): void {
  const settings = resolveSftConfig(config)
  const others = {
    epochs: settings.epochs > 1,
    shuffle: settings.shuffle,
    schedule: settings.schedule !== 'constant',
    warmup: settings.warmup > 0,
    held_out: settings.heldOut > 0,
    held_out_rows: settings.heldOutRows > 0,
    packed_sequence_length: settings.packedLength !== null,
  }
  const [other] = Object.entries(others).find(([, isSet]) => isSet) ?? []
  if (other !== undefined)
    throw badRequest(`learning_rate is a list with a rate for each batch, and cannot go with ${other}; send one number`)
}

function checkDpo({ beta, label_smoothing: smoothing }: NonNullable<SftConfig['dpo']>): void {
  if (!(beta > 0 && beta <= 100)) throw badRequest(`dpo.beta ${beta} must be above 0 and at most 100`)
  if (!(smoothing >= 0 && smoothing < 0.5))
    throw badRequest(`dpo.label_smoothing ${smoothing} must be 0 or above and below 0.5, where a pair would say nothing`)
}
