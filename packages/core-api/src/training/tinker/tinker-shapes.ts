import { z } from 'zod'
import { listOf, recordOf, tooManyEntries } from '../../shapes/bounded.ts'
import { Identifier } from '../../shapes/identifier.ts'
import { JsonObjectShape } from '../../shapes/json.ts'
import { LenientBoolean, LenientCount, LenientInt, lenientIntBetween, LenientNumber } from '../../shapes/lenient.ts'
import { orDefault, orNull } from '../../shapes/optional.ts'

/** Number of a request of a model, or of a model or sampler of a session. */
export const Sequence = lenientIntBetween(0, Number.MAX_SAFE_INTEGER)

export const UserMetadata = orNull(JsonObjectShape).describe('Kept and returned; the text `heddle_model` names the model')

/** What `retrieve_future` gives the result of. */
export const TinkerPromise = z
  .object({
    request_id: z.string(),
    model_id: z.string().optional(),
    sample_sequence_ids: z.array(z.string()).optional().describe('One for each sample'),
  })
  .meta({ id: 'TinkerPromise' })

export const LoraConfig = z.object({
  rank: lenientIntBetween(1, 1_024),
  seed: orNull(LenientInt),
  train_mlp: orDefault(LenientBoolean, true),
  train_attn: orDefault(LenientBoolean, true),
  train_unembed: orDefault(LenientBoolean, true),
})

const OptimizerConfig = z.looseObject({ type: Identifier })
export const AskedOptimizer = orNull(OptimizerConfig).describe('`adamw` alone. Null: `adamw`')

/** As `AdamParams` of the client. */
export const AdamParams = z.object({
  learning_rate: orDefault(LenientNumber, 1e-4),
  beta1: orDefault(LenientNumber, 0.9),
  beta2: orDefault(LenientNumber, 0.95),
  eps: orDefault(LenientNumber, 1e-12),
  weight_decay: orDefault(LenientNumber, 0),
  grad_clip_norm: orDefault(LenientNumber, 0),
})

/** A prompt; a chunk that is not text is refused by its type. */
export const TinkerPrompt = z.object({
  chunks: listOf(
    z.looseObject({ type: orDefault(z.string().max(100), 'encoded_text'), tokens: orNull(listOf(LenientInt, 1_000_000)) }),
    100_000,
    tooManyEntries,
  ),
})

export const TinkerSamplingParams = z.object({
  max_tokens: orNull(LenientCount),
  seed: orNull(LenientInt),
  stop: orNull(z.union([z.string().max(1_000), listOf(z.union([LenientInt, z.string().max(1_000)]), 64, tooManyEntries)])),
  temperature: orDefault(LenientNumber, 1),
  top_k: orDefault(LenientInt, -1),
  top_p: orDefault(LenientNumber, 1),
})
export type TinkerSamplingParams = z.output<typeof TinkerSamplingParams>

/** Saved weights by their address. */
export const TinkerWeights = z
  .object({
    checkpoint_id: z.string().describe('As it ends the address: `weights/name` or `sampler_weights/name`'),
    checkpoint_type: z.enum(['training', 'sampler']),
    time: z.string(),
    tinker_path: z.string(),
    size_bytes: z.number(),
    public: z.literal(false),
    user_metadata: z.record(z.string(), z.string()).nullable(),
    expires_at: z.string().nullable(),
    heddle_model_id: z.string().describe('An addition of this server: the model'),
    heddle_step: z.number().describe('An addition of this server: the step of the model with these weights'),
  })
  .meta({ id: 'TinkerWeights' })
export type TinkerWeights = z.output<typeof TinkerWeights>

export const TinkerRun = z
  .object({
    training_run_id: z.string(),
    base_model: z.string(),
    model_owner: z.string(),
    is_lora: z.boolean(),
    corrupted: z.literal(false),
    lora_rank: z.number().nullable(),
    last_request_time: z.string().describe('When it was created, or its weights were last saved'),
    last_checkpoint: TinkerWeights.nullable(),
    last_sampler_checkpoint: TinkerWeights.nullable(),
    user_metadata: z.record(z.string(), z.string()).nullable(),
    heddle_model: z.string().describe('An addition of this server: the model, as `entity/project/name`'),
  })
  .meta({ id: 'TinkerRun' })
export type TinkerRun = z.output<typeof TinkerRun>

export const Cursor = z.object({ offset: z.number(), limit: z.number(), total_count: z.number() })

export const pageQuery = {
  limit: orDefault(lenientIntBetween(1, 1_000), 100).describe('Most entries, 1 to 1000'),
  offset: orDefault(lenientIntBetween(0, 1_000_000), 0).describe('Entries that are left out'),
}

/** User-given texts of saved weights. */
export const SavedMetadata = orNull(recordOf(z.string().max(10_000), 100)).describe('Kept with the weights; at most 100 texts')
