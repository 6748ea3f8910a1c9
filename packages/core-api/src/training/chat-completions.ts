import { z } from 'zod'
import { defineResource } from '../operation.ts'
import { ChatCompletionRequest } from './chat-request.ts'
import { recordingHeaders } from './recording-headers.ts'

const TokenLogprob = z.object({
  token: z.string().describe('`token_id:<id>`, or the text of the token'),
  logprob: z.number().describe('In nats, of the distribution that was sampled from'),
  bytes: z.array(z.number()).nullable(),
  top_logprobs: z.array(z.object({ token: z.string(), logprob: z.number(), bytes: z.array(z.number()).nullable() })),
})

/** Log-probabilities of sampled tokens. */
export const ChatLogprobs = z
  .object({ content: z.array(TokenLogprob).nullable(), refusal: z.array(TokenLogprob).nullish() })
  .meta({ id: 'ChatLogprobs' })

const ToolCall = z.object({
  id: z.string(),
  type: z.literal('function'),
  function: z.object({ name: z.string(), arguments: z.string().describe('JSON text as it was sampled') }),
})

const Usage = z
  .object({
    prompt_tokens: z.number(),
    completion_tokens: z.number(),
    total_tokens: z.number(),
    prompt_tokens_details: z.object({ cached_tokens: z.number() }).nullish(),
  })
  .meta({ id: 'ChatUsage' })

const FinishReason = z.enum(['stop', 'length', 'tool_calls'])
const StopReason = z.union([z.string(), z.number()]).nullish().describe('Stop text or token that ended it')

/** A response of a model to a conversation. */
export const ChatCompletion = z
  .object({
    id: z.string(),
    object: z.literal('chat.completion'),
    created: z.number().describe('Unix seconds'),
    model: z.string().describe('As in the request'),
    choices: z.array(
      z.object({
        index: z.number(),
        message: z.object({
          role: z.literal('assistant'),
          content: z.string().nullable(),
          refusal: z.string().nullish(),
          reasoning: z.string().nullish(),
          reasoning_content: z.string().nullish(),
          tool_calls: z.array(ToolCall).nullish(),
        }),
        logprobs: ChatLogprobs.nullable(),
        finish_reason: FinishReason,
        stop_reason: StopReason,
        token_ids: z.array(z.number()).nullish(),
        prompt_token_ids: z.array(z.number()).nullish(),
      }),
    ),
    usage: Usage,
    prompt_token_ids: z.array(z.number()).nullish(),
  })
  .meta({ id: 'ChatCompletion' })
export type ChatCompletion = z.output<typeof ChatCompletion>

/** A part of a completion, in a stream. */
export const ChatCompletionChunk = z
  .object({
    id: z.string(),
    object: z.literal('chat.completion.chunk'),
    created: z.number().describe('Unix seconds'),
    model: z.string(),
    choices: z.array(
      z.object({
        index: z.number(),
        delta: z.object({
          role: z.literal('assistant').nullish(),
          content: z.string().nullish(),
          reasoning: z.string().nullish(),
          reasoning_content: z.string().nullish(),
          tool_calls: z
            .array(
              z.object({
                index: z.number(),
                id: z.string().nullish(),
                type: z.literal('function').nullish(),
                function: z.object({ name: z.string().nullish(), arguments: z.string().nullish() }),
              }),
            )
            .nullish(),
        }),
        logprobs: ChatLogprobs.nullish(),
        finish_reason: FinishReason.nullable(),
        stop_reason: StopReason,
        token_ids: z.array(z.number()).nullish(),
      }),
    ),
    usage: Usage.nullish(),
    prompt_token_ids: z.array(z.number()).nullish(),
  })
  .meta({ id: 'ChatCompletionChunk' })
export type ChatCompletionChunk = z.output<typeof ChatCompletionChunk>

/** Sampling of base models and trained models. */
export const chatCompletions = defineResource('Sampling of base models and trained models', {
  create: {
    method: 'POST',
    path: '/v1/chat/completions',
    aliases: ['/v1/chat/completions/'],
    effect: 'write',
    storage: 'neutral',
    repeat: 'adds',
    waits: true,
    summary: 'Create a chat completion',
    description:
      'Follows the interface of common chat clients. The header `x-model-step` of the response names the step that was sampled. With `stream`, the response is server-sent events: a chunk each, and `[DONE]` after the last one; the typed client does not read those. With the header `x-heddle-trajectory-id`, or with an API key that records, the server records the request with its choices, before it responds with the last of them; the headers `x-heddle-trajectory-id` and `x-heddle-group-id` of the response name where.',
    headers: recordingHeaders,
    body: ChatCompletionRequest,
    output: ChatCompletion,
    events: ChatCompletionChunk,
  },
})
