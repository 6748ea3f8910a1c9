import { z } from 'zod'
import { listOf } from '../shapes/bounded.ts'
import { checked, Refusal } from '../shapes/checked.ts'
import { Identifier } from '../shapes/identifier.ts'
import { isJsonNumber } from '../shapes/json-number.ts'
import { JsonObjectShape } from '../shapes/json.ts'
import { isJsonObject } from '../shapes/json-object.ts'
import { LenientInt } from '../shapes/lenient.ts'
import { orNull } from '../shapes/optional.ts'
import { choiceOf } from './choice-of.ts'

/** The parts or tool calls of a message; the body of a request bounds them. */
const maxParts = 1_000_000

const Content = orNull(z.union([z.string(), listOf(JsonObjectShape, maxParts)]))

/** A message of a conversation. Further keys are kept. */
export const ChatMessage = z
  .looseObject({
    role: choiceOf(['system', 'developer', 'user', 'assistant', 'tool', 'function']),
    content: Content.describe('Text, or a list of parts. Null for an assistant alone'),
    tool_calls: orNull(listOf(JsonObjectShape, maxParts)).describe('Tools that the assistant called'),
    tool_call_id: orNull(Identifier).describe('Call that a message of a tool responds to'),
  })
  .meta({ id: 'ChatMessage' })
export type ChatMessage = z.output<typeof ChatMessage>

/** Rounding may carry the logarithm of a probability this far above 0. */
const maxLogProbability = 1e-3

/** The most failures of one list that are reported. */
const maxFailures = 20

/** Log-probabilities of sampled tokens. There are millions in a request, so one loop reads them. */
const TokenLogprobs = z
  .unknown()
  .check((context) => {
    const refuse = (message: string, type: string, path: PropertyKey[]) =>
      void context.issues.push({ code: 'custom', message, params: { type }, path, input: context.value })
    if (!Array.isArray(context.value)) return refuse('Input should be a valid list', 'list_type', [])
    for (const [index, entry] of (context.value as unknown[]).entries()) {
      const failure = findFailure(entry)
      if (failure) refuse(failure.message, failure.type, [index, ...failure.path])
      if (context.issues.length >= maxFailures) return undefined
    }
    return undefined
  })
  .meta({
    type: 'array',
    maxItems: maxParts,
    items: { type: 'object', properties: { token: { type: 'string' }, logprob: { type: 'number' } }, required: ['token', 'logprob'] },
  }) as unknown as z.ZodType<TokenLogprob[]>

/** A sampled token with its log-probability. Further keys are kept. */
export interface TokenLogprob {
  token: string
  logprob: number
  [key: string]: unknown
}

function findFailure(entry: unknown): Refusal | undefined {
  if (!isJsonObject(entry)) return new Refusal('dict_type', 'Input should be a valid dictionary')
  const { token, logprob, bytes } = entry
  if (typeof token !== 'string') return new Refusal('string_type', 'Input should be a valid string', ['token'])
  const number = typeof logprob === 'number' ? logprob : Number(isJsonNumber(logprob) ? logprob.text : Number.NaN)
  if (!Number.isFinite(number)) return new Refusal('float_type', 'Input should be a finite number', ['logprob'])
  if (number > maxLogProbability) return new Refusal('less_than_equal', 'Input should be at most 0', ['logprob'])
  const isByteList = bytes === undefined || bytes === null || Array.isArray(bytes)
  return isByteList ? undefined : new Refusal('list_type', 'Input should be a valid list', ['bytes'])
}

const Logprobs = z.looseObject({
  content: orNull(TokenLogprobs),
  refusal: orNull(TokenLogprobs),
})

const TokenIds = orNull(
  checked<number[]>(
    (value) => {
      if (!Array.isArray(value)) return new Refusal('list_type', 'Input should be a valid list')
      const bad = value.findIndex((id) => !Number.isSafeInteger(id) || (id as number) < 0)
      return bad === -1 ? (value as number[]) : new Refusal('int_type', 'Input should be the id of a token', [String(bad)])
    },
    { type: 'array', items: { type: 'integer', minimum: 0 }, maxItems: maxParts },
  ),
)

/** One choice of a chat completion. Further keys are kept. */
export const ChatChoice = z
  .looseObject({
    finish_reason: choiceOf(['stop', 'length', 'tool_calls', 'content_filter', 'function_call']),
    index: orNull(LenientInt),
    message: z.looseObject({ role: orNull(z.string()), content: Content, tool_calls: orNull(listOf(JsonObjectShape, maxParts)) }),
    logprobs: orNull(Logprobs).describe('Of each sampled token. Null: the choice is context'),
    token_ids: TokenIds.describe('Sampled tokens'),
    prompt_token_ids: TokenIds.describe('Tokens of the prompt'),
  })
  .meta({ id: 'ChatChoice' })
export type ChatChoice = z.output<typeof ChatChoice>

/** An element with a `message` is a choice, one with a `role` a message. */
export const MessageOrChoice = z
  .unknown()
  .check((context) => {
    const schema = schemaOf(context.value)
    if (!schema) {
      const message = 'Input should be a message, which has a `role`, or a choice, which has a `message`'
      context.issues.push({ code: 'custom', message, params: { type: 'value_error' }, input: context.value })
      return
    }
    const result = schema.safeParse(context.value)
    if (result.success) context.value = result.data
    else context.issues.push(...result.error.issues.map((issue) => ({ ...issue, input: context.value }) as z.core.$ZodRawIssue))
  })
  .meta({
    anyOf: [
      { type: 'object', properties: { role: { type: 'string' } }, required: ['role'], description: 'A message, as in chat completions' },
      {
        type: 'object',
        properties: { message: { type: 'object' }, finish_reason: { type: 'string' } },
        required: ['message', 'finish_reason'],
        description: 'A choice, as a chat completion returned it',
      },
    ],
  }) as unknown as z.ZodType<ChatMessage | ChatChoice, Record<string, unknown>>

function schemaOf(value: unknown): typeof ChatChoice | typeof ChatMessage | undefined {
  if (!isJsonObject(value)) return undefined
  if (isJsonObject(value['message'])) return ChatChoice
  return 'role' in value ? ChatMessage : undefined
}
