import { badRequest } from '@heddle/core-api/internal'
import type { FineTuningRequest } from '@heddle/core-api/types'
import { defaultLearningRate, resolveSftConfig, type SftConfig } from '../../training/sft/sft-config.ts'
import type { FineTuningHyperparameters, StoredFineTuning } from '../training-jobs/stored-fine-tuning.ts'

type Method = StoredFineTuning['method']

/** Passes of `auto`, and the examples that a job should see with them. */
const usualEpochs = 3
const fewExamples = 100
const manyExamples = 25_000
const maxEpochs = 25

/** Default number of epochs: 3, more for small files and fewer for large ones. DPO gets 1, because more epochs overfit. */
export function automaticEpochs(examples: number, method: Method): number {
  if (method === 'dpo') return 1
  if (examples * usualEpochs < fewExamples) return Math.min(maxEpochs, Math.ceil(fewExamples / examples))
  return Math.min(usualEpochs, Math.max(1, Math.floor(manyExamples / examples)))
}

/** The hyperparameters of a request, wherever it has them, with numbers instead of `auto`. @throws ApiError 400 for one beyond its range */
export function resolveHyperparameters(request: FineTuningRequest, method: Method, examples: number): FineTuningHyperparameters {
  const { supervised, dpo } = request.method ?? {}
  const given = method === 'dpo' ? dpo?.hyperparameters : (supervised?.hyperparameters ?? request.hyperparameters)
  const isOld = method === 'supervised' && !supervised?.hyperparameters && request.hyperparameters
  const at = isOld ? 'hyperparameters' : `method.${method}.hyperparameters`
  const beta = numberOr(method === 'dpo' ? dpo?.hyperparameters?.beta : null, 0.1)
  const multiplier = numberOr(given?.learning_rate_multiplier, 1)
  assertWithin(`${at}.beta`, beta, 100)
  assertWithin(`${at}.learning_rate_multiplier`, multiplier, 1_000)
  return {
    n_epochs: numberOr(given?.n_epochs, automaticEpochs(examples, method)),
    batch_size: numberOr(given?.batch_size, resolveSftConfig({}).batchSize),
    learning_rate_multiplier: multiplier,
    beta,
  }
}

const numberOr = (value: number | 'auto' | null | undefined, fallback: number) => (typeof value === 'number' ? value : fallback)

function assertWithin(param: string, value: number, most: number): void {
  if (!(value > 0 && value <= most)) throw badRequest(`${param} ${value} must be above 0 and at most ${most}`, { param })
}

/** The config of a job with these hyperparameters; its rate is a multiple of the default. */
export function toSftConfig(
  { n_epochs, batch_size, learning_rate_multiplier: multiplier, beta }: FineTuningHyperparameters,
  {
    method,
    seed,
    learningRates,
    heldOutRows = null,
  }: { method: Method; seed: number | null; learningRates: { rl: number; sft: number }; heldOutRows?: number | null },
): SftConfig {
  const dpo = method === 'dpo' ? { beta, label_smoothing: 0, reference: 'start' as const } : null
  const config: SftConfig = {
    batch_size,
    epochs: n_epochs,
    shuffle: true,
    ...(seed !== null && { seed }),
    ...(heldOutRows !== null && { held_out_rows: heldOutRows }),
    ...(dpo && { dpo }),
  }
  if (multiplier === 1) return config
  return { ...config, learning_rate: multiplier * defaultLearningRate(resolveSftConfig(config), { learningRates }) }
}
