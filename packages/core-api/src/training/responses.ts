import { z } from 'zod'
import { defineResource } from '../operation.ts'
import { Identifier } from '../shapes/identifier.ts'
import { recordingHeaders } from './recording-headers.ts'
import { ResponseRequest } from './response-request.ts'

const TokenAlternative = z.object({ token: z.string(), logprob: z.number(), bytes: z.array(z.number()).nullable() })

const TextPart = z
  .object({
    type: z.literal('output_text'),
    text: z.string(),
    annotations: z.array(z.never()),
    logprobs: z
      .array(TokenAlternative.extend({ top_logprobs: z.array(TokenAlternative) }))
      .describe('Of all sampled tokens, those of reasoning and calls too; empty unless requested'),
  })
  .meta({ id: 'ResponseTextPart' })
export type TextPart = z.output<typeof TextPart>

const ReasoningPart = z.object({ type: z.literal('reasoning_text'), text: z.string() })

const ItemStatus = z.enum(['in_progress', 'completed', 'incomplete'])

export const ResponseItem = z
  .discriminatedUnion('type', [
    z.object({
      type: z.literal('reasoning'),
      id: z.string(),
      summary: z.array(z.never()),
      content: z.array(ReasoningPart),
      encrypted_content: z.null(),
      status: ItemStatus,
    }),
    z.object({ type: z.literal('message'), id: z.string(), role: z.literal('assistant'), content: z.array(TextPart), status: ItemStatus }),
    z.object({
      type: z.literal('function_call'),
      id: z.string(),
      call_id: z.string(),
      name: z.string(),
      namespace: z.string().optional().describe('Of the function; absent where it is in none'),
      arguments: z.string().describe('JSON text as it was sampled'),
      status: ItemStatus,
    }),
  ])
  .meta({ id: 'ResponseItem' })
export type ResponseItem = z.output<typeof ResponseItem>

/** What a model answered, in the form of OpenAI's Responses. */
export const ModelResponse = z
  .object({
    id: z.string(),
    object: z.literal('response'),
    created_at: z.number().describe('Unix seconds'),
    status: z.enum(['in_progress', 'completed', 'incomplete', 'failed']),
    error: z.object({ code: z.string(), message: z.string() }).nullable(),
    incomplete_details: z.object({ reason: z.literal('max_output_tokens') }).nullable(),
    model: z.string().describe('As in the request'),
    output: z.array(ResponseItem),
    usage: z
      .object({
        input_tokens: z.number(),
        input_tokens_details: z.object({ cached_tokens: z.number() }),
        output_tokens: z.number(),
        output_tokens_details: z.object({ reasoning_tokens: z.number().describe('Not counted apart: 0') }),
        total_tokens: z.number(),
      })
      .nullable()
      .describe('Null until it has ended'),
    instructions: z.string().nullable(),
    previous_response_id: z.string().nullable(),
    store: z.boolean(),
    metadata: z.record(z.string(), z.string()),
    parallel_tool_calls: z.boolean(),
    temperature: z.number().nullable(),
    top_p: z.number().nullable(),
    max_output_tokens: z.number().nullable(),
    tool_choice: z.unknown(),
    tools: z.array(z.record(z.string(), z.unknown())),
    text: z.record(z.string(), z.unknown()),
    reasoning: z.record(z.string(), z.unknown()).nullable(),
    truncation: z.literal('disabled'),
  })
  .meta({ id: 'ModelResponse' })
export type ModelResponse = z.output<typeof ModelResponse>

const inItem = { item_id: z.string(), output_index: z.number() }
const inPart = { ...inItem, content_index: z.number() }
const Part = z.discriminatedUnion('type', [TextPart, ReasoningPart])

/** A part of a response, in a stream. */
export const ResponseEvent = z
  .intersection(
    z.discriminatedUnion('type', [
      z.object({
        type: z.enum(['response.created', 'response.in_progress', 'response.completed', 'response.incomplete', 'response.failed']),
        response: ModelResponse,
      }),
      z.object({
        type: z.enum(['response.output_item.added', 'response.output_item.done']),
        output_index: z.number(),
        item: ResponseItem,
      }),
      z.object({ type: z.enum(['response.content_part.added', 'response.content_part.done']), ...inPart, part: Part }),
      z.object({ type: z.literal('response.output_text.delta'), ...inPart, delta: z.string(), logprobs: TextPart.shape.logprobs }),
      z.object({ type: z.literal('response.output_text.done'), ...inPart, text: z.string(), logprobs: TextPart.shape.logprobs }),
      z.object({ type: z.literal('response.reasoning_text.delta'), ...inPart, delta: z.string() }),
      z.object({ type: z.literal('response.reasoning_text.done'), ...inPart, text: z.string() }),
      z.object({ type: z.literal('response.function_call_arguments.delta'), ...inItem, delta: z.string() }),
      z.object({ type: z.literal('response.function_call_arguments.done'), ...inItem, name: z.string(), arguments: z.string() }),
    ]),
    z.object({ sequence_number: z.number().describe('Counts up from 0') }),
  )
  .meta({ id: 'ResponseEvent' })
export type ResponseEvent = z.output<typeof ResponseEvent>

const responsePath = z.object({ response_id: Identifier.describe('Id of the response') })

/** Responses of models, for clients of OpenAI's Responses. */
export const responses = defineResource('Sampling of models in the form of OpenAI’s Responses', {
  create: {
    method: 'POST',
    path: '/v1/responses',
    aliases: ['/v1/responses/'],
    effect: 'write',
    storage: 'neutral',
    repeat: 'adds',
    waits: true,
    summary: 'Create a response',
    description:
      'The same sampling as chat completions, in the form of OpenAI’s Responses: the same text, log-probabilities, limits and recording. With `stream`, the response is server-sent events. A stored response is kept before its end is sent. The header `x-model-step` of the response names the step that was sampled.',
    headers: recordingHeaders,
    body: ResponseRequest,
    output: ModelResponse,
    events: ResponseEvent,
  },
  read: {
    method: 'GET',
    path: '/v1/responses/{response_id}',
    effect: 'read',
    summary: 'Read a stored response',
    params: responsePath,
    output: ModelResponse,
  },
  delete: {
    method: 'DELETE',
    path: '/v1/responses/{response_id}',
    effect: 'destroy',
    audit: false,
    summary: 'Delete a stored response with its conversation',
    description: 'Responses that continued it keep the conversation.',
    params: responsePath,
    output: z.object({ id: z.string(), object: z.literal('response'), deleted: z.literal(true) }),
  },
})
