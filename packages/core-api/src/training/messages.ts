import { z } from 'zod'
import { defineResource } from '../operation.ts'
import { ChatLogprobs } from './chat-completions.ts'
import { CountTokensRequest, MessageRequest } from './message-request.ts'
import { recordingHeaders } from './recording-headers.ts'

export const MessageBlock = z
  .discriminatedUnion('type', [
    z.object({ type: z.literal('thinking'), thinking: z.string(), signature: z.string().describe('Empty: reasoning is not signed') }),
    z.object({ type: z.literal('text'), text: z.string(), citations: z.null() }),
    z.object({
      type: z.literal('tool_use'),
      id: z.string(),
      name: z.string(),
      input: z.record(z.string(), z.unknown()).describe('As it was sampled'),
    }),
  ])
  .meta({ id: 'MessageBlock' })
export type MessageBlock = z.output<typeof MessageBlock>

const MessageUsage = z
  .object({
    input_tokens: z.number(),
    output_tokens: z.number(),
    cache_creation_input_tokens: z.number(),
    cache_read_input_tokens: z.number(),
  })
  .meta({ id: 'MessageUsage' })

const StopReason = z.enum(['end_turn', 'max_tokens', 'stop_sequence', 'tool_use'])

/** With `return_token_ids` alone: what was sampled, as a choice of a chat completion has it. */
const sampledTokens = {
  token_ids: z.array(z.number()).optional().describe('With `return_token_ids`'),
  prompt_token_ids: z.array(z.number()).optional().describe('With `return_token_ids`'),
  logprobs: ChatLogprobs.optional().describe('With `return_token_ids`: of the sampled tokens'),
}

/** What a model answered, in the form of Anthropic's API. */
export const ModelMessage = z
  .object({
    id: z.string(),
    type: z.literal('message'),
    role: z.literal('assistant'),
    model: z.string().describe('As in the request'),
    content: z.array(MessageBlock),
    stop_reason: StopReason.nullable().describe('Null in the event that begins a stream'),
    stop_sequence: z.string().nullable().describe('The text of `stop_sequences` that ended it'),
    usage: MessageUsage,
    ...sampledTokens,
  })
  .meta({ id: 'ModelMessage' })
export type ModelMessage = z.output<typeof ModelMessage>

export const BlockDelta = z.discriminatedUnion('type', [
  z.object({ type: z.literal('text_delta'), text: z.string() }),
  z.object({ type: z.literal('thinking_delta'), thinking: z.string() }),
  z.object({ type: z.literal('input_json_delta'), partial_json: z.string() }),
])
export type BlockDelta = z.output<typeof BlockDelta>

/** A part of a message, in a stream. */
export const MessageEvent = z
  .discriminatedUnion('type', [
    z.object({ type: z.literal('message_start'), message: ModelMessage }),
    z.object({ type: z.literal('ping') }),
    z.object({ type: z.literal('content_block_start'), index: z.number(), content_block: MessageBlock }),
    z.object({ type: z.literal('content_block_delta'), index: z.number(), delta: BlockDelta }),
    z.object({ type: z.literal('content_block_stop'), index: z.number() }),
    z.object({
      type: z.literal('message_delta'),
      delta: z.object({ stop_reason: StopReason, stop_sequence: z.string().nullable() }),
      usage: MessageUsage,
      ...sampledTokens,
    }),
    z.object({ type: z.literal('message_stop') }),
    z.object({ type: z.literal('error'), error: z.object({ type: z.string(), message: z.string() }) }),
  ])
  .meta({ id: 'MessageEvent' })
export type MessageEvent = z.output<typeof MessageEvent>

/** Messages of models, for clients of Anthropic's API. */
export const messages = defineResource('Sampling of models in the form of Anthropic’s Messages', {
  create: {
    method: 'POST',
    path: '/v1/messages',
    aliases: ['/v1/messages/'],
    effect: 'write',
    storage: 'neutral',
    repeat: 'adds',
    waits: true,
    summary: 'Create a message',
    description:
      'The same sampling as chat completions, in the form of Anthropic’s Messages: the same text, limits and recording. The API key may be in `x-api-key`. With `stream`, the response is server-sent events. The header `x-model-step` of the response names the step that was sampled.',
    headers: recordingHeaders.extend({
      'anthropic-version': z.string().max(100).optional().describe('Ignored: every version gets the same form'),
    }),
    body: MessageRequest,
    output: ModelMessage,
    events: MessageEvent,
  },
  countTokens: {
    method: 'POST',
    path: '/v1/messages/count_tokens',
    effect: 'read',
    waits: true,
    summary: 'Count the tokens of a prompt',
    description: 'Of the prompt that the same request to `/v1/messages` would have, tools included.',
    body: CountTokensRequest,
    output: z.object({ input_tokens: z.number() }),
  },
})
