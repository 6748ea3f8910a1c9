import { z } from 'zod'
import { defineResource } from '../operation.ts'
import { listOf, tooManyEntries } from '../shapes/bounded.ts'
import { Identifier } from '../shapes/identifier.ts'
import { LenientBoolean, LenientCount, LenientInt, lenientIntBetween } from '../shapes/lenient.ts'
import { orDefault, orNull } from '../shapes/optional.ts'
import { ChatCompletionRequest } from './chat-request.ts'

const { shape } = ChatCompletionRequest

/** Prompts of a request. */
const maxPrompts = 128
/** Tokens of a prompt: more than any context has. */
const maxTokens = 1_000_000

const Tokens = listOf(LenientInt, maxTokens, tooManyEntries)

/** A request to complete texts or tokens. Unknown keys are ignored. */
export const CompletionRequest = z.object({
  model: shape.model,
  prompt: z
    .union([z.string(), Tokens, listOf(z.string(), maxPrompts, tooManyEntries), listOf(Tokens, maxPrompts, tooManyEntries)])
    .describe('A text or a list of token ids, or at most 128 of them. No chat template is used'),
  max_tokens: orDefault(LenientCount, 16).describe('Tokens of a completion. 0 with `echo`: only the prompt'),
  n: orDefault(lenientIntBetween(1, 128), 1).describe('Completions of each prompt; at most 128 of all prompts'),
  echo: orDefault(LenientBoolean, false).describe(
    'Put the prompt before the text, and its log-probabilities before those of the completion',
  ),
  logprobs: orNull(lenientIntBetween(0, 20)).describe(
    'Return log-probabilities, with so many alternatives for each token, 0 to 20. Null: none',
  ),
  add_special_tokens: orDefault(LenientBoolean, true).describe(
    'Add special tokens to a prompt of text, where the tokenizer has some for its beginning',
  ),
  stream: shape.stream,
  stream_options: shape.stream_options,
  temperature: shape.temperature,
  top_p: shape.top_p,
  top_k: shape.top_k,
  min_p: shape.min_p,
  stop: shape.stop,
  stop_token_ids: shape.stop_token_ids,
  seed: shape.seed,
  frequency_penalty: shape.frequency_penalty,
  presence_penalty: shape.presence_penalty,
  repetition_penalty: shape.repetition_penalty,
  logit_bias: shape.logit_bias,
  min_tokens: shape.min_tokens,
  ignore_eos: shape.ignore_eos,
  best_of: orNull(LenientCount).describe('Refused where it is above 1'),
  suffix: orNull(Identifier).describe('Refused where it is set'),
  user: shape.user,
})
export type CompletionRequest = z.output<typeof CompletionRequest>

const CompletionLogprobs = z
  .object({
    tokens: z.array(z.string()),
    token_logprobs: z.array(z.number().nullable()).describe('Null for the first token of an echoed prompt'),
    top_logprobs: z.array(z.record(z.string(), z.number()).nullable()).describe('Alternatives by their texts'),
    text_offset: z.array(z.number()).describe('Where each token begins in the text, in UTF-16 units'),
  })
  .meta({ id: 'CompletionLogprobs' })

/** Completions of prompts that are texts or tokens. */
export const TextCompletion = z
  .object({
    id: z.string(),
    object: z.literal('text_completion'),
    created: z.number().describe('Unix seconds'),
    model: z.string().describe('As in the request'),
    choices: z.array(
      z.object({
        index: z.number().describe('Counts the completions of all prompts, in the order of the prompts'),
        text: z.string(),
        logprobs: CompletionLogprobs.nullable(),
        finish_reason: z.enum(['stop', 'length']).nullable().describe('Null in a stream, until the completion has ended'),
      }),
    ),
    usage: z.object({ prompt_tokens: z.number(), completion_tokens: z.number(), total_tokens: z.number() }).nullish(),
  })
  .meta({ id: 'TextCompletion' })
export type TextCompletion = z.output<typeof TextCompletion>

/** Completions without a chat template. */
export const completions = defineResource('Sampling of models without a chat template', {
  create: {
    method: 'POST',
    path: '/v1/completions',
    aliases: ['/v1/completions/'],
    effect: 'write',
    storage: 'neutral',
    repeat: 'adds',
    waits: true,
    summary: 'Complete a text',
    description:
      'The same sampling as chat completions, of a prompt as it is. With `echo` and `logprobs`, the response has the log-probabilities of the prompt, as evaluation harnesses read them. It is not recorded in a trajectory. The header `x-model-step` of the response names the step that was sampled.',
    headers: z.object({
      'x-heddle-trajectory-id': Identifier.optional().describe('Refused: trajectories consist of chats'),
    }),
    body: CompletionRequest,
    output: TextCompletion,
    events: TextCompletion,
  },
})
