import { z } from 'zod'
import { listOf } from '../shapes/bounded.ts'
import { checked, Refusal } from '../shapes/checked.ts'
import { isJsonNumber, numberText } from '../shapes/json-number.ts'
import { LenientBoolean, LenientFraction, lenientIntBetween, LenientNumber } from '../shapes/lenient.ts'
import { orDefault, orNull } from '../shapes/optional.ts'
import { choiceOf } from './choice-of.ts'

const BatchSize = checked<number | 'auto', number | string>(readBatchSize, {
  anyOf: [
    { type: 'integer', minimum: 1, maximum: 10_000 },
    { type: 'string', const: 'auto' },
  ],
})

function readBatchSize(value: unknown): number | 'auto' | Refusal {
  if (value === 'auto') return value
  const size = typeof value === 'number' || isJsonNumber(value) ? Number(numberText(value)) : Number.NaN
  if (Number.isInteger(size) && size >= 1 && size <= 10_000) return size
  return new Refusal('int_parsing', "Input should be a whole number from 1 to 10,000, or 'auto'")
}

/** How preference pairs are learned. */
const Dpo = z.looseObject({
  beta: orDefault(LenientNumber, 0.1).describe('How strongly the reference holds the model, above 0 to 100'),
  label_smoothing: orDefault(LenientFraction, 0).describe('Share of the pairs whose order is assumed to be wrong, 0 to below 0.5'),
  reference: orDefault(choiceOf(['start', 'base']), 'start').describe('The weights where the job begins, or the base model'),
})

/** How a model learns from conversations, or from preference pairs. Null is the default of each; unknown keys are ignored. */
export const SftConfig = z.looseObject({
  batch_size: orNull(BatchSize).describe('Conversations of a gradient step, 1 to 10,000. Null and `auto`: 2'),
  learning_rate: orNull(z.union([LenientNumber, listOf(LenientNumber, 100_000)])).describe(
    'One for all gradient steps, or one for each. Null: that of the base model',
  ),
  metric_logging: orNull(
    z.looseObject({ enabled: orDefault(LenientBoolean, false), target_training_step: orNull(lenientIntBetween(0, 2 ** 31 - 1)) }),
  ).describe(
    'The metrics of each gradient step are events of the job in any case. With `enabled`, clients of a tracking service read them as rows of a run with the name of the model, as `sft/<metric>` over `sft/gradient_step`; `target_training_step` is their `training_step`',
  ),
  assistant_turns: orDefault(choiceOf(['all', 'last']), 'all').describe('Which messages of the assistant are learned'),
  epochs: orNull(lenientIntBetween(1, 100)).describe('An addition of this server. Passes over the data. Null: 1'),
  shuffle: orNull(LenientBoolean).describe(
    'An addition of this server. Whether each pass has an order of its own, which follows from the id of the job. Null: false, the order of the lines',
  ),
  schedule: orNull(choiceOf(['constant', 'linear', 'cosine'])).describe(
    'An addition of this server. How the learning rate falls over the job: not, or towards 0. Null: constant',
  ),
  warmup: orNull(LenientFraction).describe(
    'An addition of this server. Share of the gradient steps over which the learning rate rises from 0. Null: 0',
  ),
  held_out: orNull(LenientFraction).describe(
    'An addition of this server. Share of the conversations, at most 0.5, that are not learned: their loss is measured before the first step and after each pass. They are spread evenly over the lines. Null: 0',
  ),
  held_out_rows: orNull(lenientIntBetween(1, 10_000_000)).describe(
    'An addition of this server. How many conversations at the end of the data are not learned, instead of the share of `held_out`. Null: none',
  ),
  early_stop: orNull(lenientIntBetween(1, 100)).describe(
    'An addition of this server. Passes without a lower held-out loss after which the job ends. The checkpoint is that of the pass with the lowest one. Needs `held_out` or `held_out_rows`. Null: the job makes all passes, and the checkpoint is that of the last',
  ),
  packed_sequence_length: orNull(lenientIntBetween(1, 1_000_000)).describe(
    'An addition of this server. Tokens of a gradient step, filled with as many conversations as fit, at least one; instead of `batch_size`. No conversation sees another',
  ),
  rank: orNull(lenientIntBetween(1, 1_024)).describe(
    'An addition of this server. Rank of the adapter, for the first job of a model whose base model is trained by adapters; later jobs continue with it. The server may allow fewer than 1,024. Null: that of the base model',
  ),
  target_modules: orNull(listOf(z.string().max(100), 7)).describe(
    'An addition of this server. Linear layers of each block that get an adapter, by the names of PEFT: `q_proj`, `k_proj`, `v_proj`, `o_proj`, `gate_proj`, `up_proj`, `down_proj`; for the first job of a model, on the engine of this machine. Null: all',
  ),
  seed: orNull(lenientIntBetween(0, 2 ** 31 - 1)).describe(
    'An addition of this server. Of the order of shuffled passes, and of the first weights of an adapter. Null: it follows from the id of the job',
  ),
  dpo: orNull(Dpo).describe(
    'An addition of this server. Learn preference pairs by direct preference optimization (Rafailov et al. 2023): each line has `prompt`, `chosen` and `rejected`. Null: learn conversations',
  ),
})

/** The config of supervised fine-tuning. */
export type SftConfig = z.output<typeof SftConfig>
