import { z } from 'zod'
import { defineResource } from '../operation.ts'
import { listOf, tooManyEntries } from '../shapes/bounded.ts'
import { LenientBoolean, lenientIntBetween } from '../shapes/lenient.ts'
import { orDefault } from '../shapes/optional.ts'
import { TimestampText } from '../shapes/timestamp.ts'
import { modelPath } from './models.ts'
import { orderedPageQuery, pageOf } from './page.ts'

/** Saved weights of a model. */
export const Checkpoint = z
  .object({
    id: z.string().describe('UUID'),
    step: z.number().describe('0 before any training; each training job that succeeds adds one'),
    metrics: z.record(z.string(), z.number()).describe('By name. Empty for step 0'),
    size_bytes: z
      .number()
      .describe('Bytes of its files; those that other checkpoints share count here as well. 0 where it is the base model unchanged'),
    kept_at: TimestampText.nullable().describe('When it was marked as kept. Null where it is not'),
    kept_by: z.string().nullable().describe('Who marked it as kept. Null where it is not'),
  })
  .meta({ id: 'Checkpoint' })
export type Checkpoint = z.output<typeof Checkpoint>

const Step = lenientIntBetween(0, 2 ** 31 - 1)

/** Saved weights of models, a checkpoint for each step. */
export const checkpoints = defineResource('Saved weights of models', {
  list: {
    method: 'GET',
    path: '/v1/preview/models/{model_id}/checkpoints',
    effect: 'read',
    summary: 'List the checkpoints of a model',
    description: 'A page may begin after a checkpoint that was deleted since.',
    params: modelPath,
    query: z.object(orderedPageQuery('step', 'asc')),
    output: pageOf(Checkpoint),
  },
  delete: {
    method: 'DELETE',
    path: '/v1/preview/models/{model_id}/checkpoints',
    effect: 'destroy',
    summary: 'Delete checkpoints of a model',
    description:
      'All or none, but those that are marked as kept stay, and the response names them. The latest one, and those that a job uses, cannot be deleted (409). The number of a deleted step is not used again.',
    params: modelPath,
    body: z.object({ steps: listOf(Step, 10_000, tooManyEntries).describe('Steps to delete; at most 10,000') }),
    output: z.object({
      deleted_count: z.number(),
      not_found_steps: z.array(z.number()).describe('Steps without a checkpoint, in the order of the request'),
      kept_steps: z.array(z.number()).describe('Steps of the request that were not deleted, since they are marked as kept'),
    }),
  },
  keep: {
    method: 'PUT',
    path: '/v1/preview/models/{model_id}/checkpoints/{step}/keep',
    effect: 'write',
    summary: 'Mark a checkpoint as kept, or no longer',
    description:
      'An addition of this server. While it is marked, neither it nor its model can be deleted. Marking it again changes nothing of who marked it, and when.',
    params: z.object({ ...modelPath.shape, step: Step.describe('Step of the checkpoint') }),
    body: z.object({ kept: orDefault(LenientBoolean, true).describe('False: the mark is removed') }),
    output: Checkpoint,
  },
  import: {
    method: 'POST',
    path: '/v1/preview/models/{model_id}/checkpoints',
    effect: 'write',
    staged: true,
    summary: 'Import the first checkpoint of a model',
    description:
      'An addition of this server. A gzipped tar file of an adapter (`adapter_config.json`, `adapter_model.safetensors`), or of all weights (`config.json`, `model.safetensors`) where the models of this base are trained as a whole; other files are left out. It becomes step 1 of a model that was not trained yet (409 otherwise). At most 4 GiB, packed and unpacked, unless the server is configured otherwise.',
    params: modelPath,
    bytes: ['application/gzip', 'application/x-gzip', 'application/octet-stream'],
    output: Checkpoint,
  },
  archive: {
    method: 'GET',
    path: '/v1/preview/models/{model_id}/checkpoints/{step}/archive',
    effect: 'read',
    summary: 'Download a checkpoint',
    description: 'An addition of this server. The response is a gzipped tar file, with the files that other tools load.',
    params: z.object({ ...modelPath.shape, step: Step.describe('Step of the checkpoint') }),
    output: 'bytes',
  },
  export: {
    method: 'GET',
    path: '/v1/preview/models/{model_id}/checkpoints/{step}/export',
    effect: 'read',
    summary: 'Export a checkpoint for other programs',
    description:
      'An addition of this server. The response is a tar file with the weights, the tokenizer, its chat template and a model card. Weights are converted while they are sent. A base model whose weights are not on this server can be exported as `peft` alone.',
    params: z.object({ ...modelPath.shape, step: Step.describe('Step of the checkpoint') }),
    query: z.object({
      format: z
        .enum(['safetensors', 'peft', 'gguf'])
        .describe(
          '`safetensors`: all weights in the layout of Hugging Face, with an adapter added to them. `peft`: the adapter alone. `gguf`: all weights for llama.cpp, with a `Modelfile` for Ollama',
        ),
      numbers: z
        .enum(['f32', 'bf16', 'f16', 'q8_0'])
        .nullable()
        .default(null)
        .describe(
          'Format of the weights. `safetensors`: `bf16` (default), `f16` or `f32`. `gguf`: `f16` (default), `q8_0`, `bf16` or `f32`. `peft`: `f32`, as they were trained',
        ),
    }),
    output: 'bytes',
  },
})
