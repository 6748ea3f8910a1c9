import { JsonNumber } from '@heddle/json'
import { isJsonObject, type JsonObject, type JsonValue, newObject, ownMember, parsed } from '../../json-value.ts'
import { isTruthy, lookUp } from '../attributes/look-up.ts'
import { NameTable } from '../attributes/name-table.ts'

/** Names of each count, the first that is there wins. Details are part of the whole count beside them unless a comment says otherwise. */
const counts = {
  input_tokens: ['gen_ai.usage.input_tokens'],
  output_tokens: ['gen_ai.usage.output_tokens'],
  prompt_tokens: [
    'gen_ai.usage.prompt_tokens',
    'llm.token_count.prompt',
    'ai.usage.promptTokens',
    'ai.usage.inputTokens',
    'llm.usage.prompt_tokens',
    'genkit:output.usage.inputTokens',
  ],
  completion_tokens: [
    'gen_ai.usage.completion_tokens',
    'llm.token_count.completion',
    'ai.usage.completionTokens',
    'ai.usage.outputTokens',
    'llm.usage.completion_tokens',
    'genkit:output.usage.outputTokens',
  ],
  total_tokens: [
    'llm.usage.total_tokens',
    'llm.token_count.total',
    'gen_ai.usage.total_tokens',
    'ai.usage.totalTokens',
    'genkit:output.usage.totalTokens',
  ],
  cache_creation_input_tokens: [
    'gen_ai.usage.cache_creation.input_tokens',
    'gen_ai.usage.cache_creation_input_tokens',
    'llm.token_count.prompt_details.cache_write',
    'gen_ai.usage.cache_write.input_tokens',
    'gen_ai.usage.cache_write_tokens',
    'gen_ai.usage.details.cache_write_tokens',
    'gen_ai.usage.input_cache_creation',
    'gen_ai.usage.input_tokens.cache_write',
    'gen_ai.usage.prompt_tokens_details.cache_write_tokens',
    'gen_ai.usage.prompt_tokens_details.cache_creation_tokens',
    'ai.usage.inputTokenDetails.cacheWriteTokens',
    'llm.usage.cache_creation_input_tokens',
  ],
  cache_read_input_tokens: [
    'gen_ai.usage.cache_read.input_tokens',
    'gen_ai.usage.prompt_tokens_details.cached_tokens',
    'gen_ai.usage.input_tokens_details.cached_tokens',
    'prompt_tokens_details.cached_tokens',
    'gen_ai.usage.cache_read_input_tokens',
    'llm.token_count.prompt_details.cache_read',
    'ai.usage.cachedInputTokens',
    'gen_ai.usage.cached_input_tokens',
    'gen_ai.usage.cache_read_tokens',
    'gen_ai.usage.details.cache_read_tokens',
    'gen_ai.usage.input_cached_tokens',
    'gen_ai.usage.input_tokens.cached',
    'ai.usage.inputTokenDetails.cacheReadTokens',
    'llm.usage.cached_tokens',
    'llm.usage.cache_read_input_tokens',
    'genkit:output.usage.cachedContentTokens',
  ],
  reasoning_tokens: [
    'gen_ai.usage.reasoning.output_tokens',
    'gen_ai.usage.reasoning_tokens',
    'gen_ai.usage.output_tokens_details.reasoning_tokens',
    'gen_ai.usage.completion_tokens_details.reasoning_tokens',
    'gen_ai.usage.details.reasoning_tokens',
    'gen_ai.usage.output_tokens.reasoning',
    'gen_ai.usage.output_reasoning_tokens',
    'llm.token_count.completion_details.reasoning',
    'ai.usage.reasoningTokens',
    'ai.usage.outputTokenDetails.reasoningTokens',
    'llm.usage.reasoning_tokens',
    'genkit:output.usage.thoughtsTokens',
  ],
  input_audio_tokens: [
    'gen_ai.usage.prompt_tokens_details.audio_tokens',
    'gen_ai.usage.input_tokens_details.audio_tokens',
    'gen_ai.usage.details.input_audio_tokens',
    'gen_ai.usage.input_audio_tokens',
    'llm.token_count.prompt_details.audio',
  ],
  output_audio_tokens: [
    'gen_ai.usage.completion_tokens_details.audio_tokens',
    'gen_ai.usage.output_tokens_details.audio_tokens',
    'gen_ai.usage.details.output_audio_tokens',
    'gen_ai.usage.output_audio_tokens',
    'llm.token_count.completion_details.audio',
  ],
} as const

export type TokenCount = keyof typeof counts
export type Usage = Partial<Record<TokenCount, number>>

const names = new NameTable<TokenCount>(counts, (value) => value === 0 || isTruthy(value))
const tokenCounts = Object.keys(counts) as TokenCount[]
/** Counts of which none is part of another where they come without a total, so that the whole of the input is their sum. */
const separateCounts: readonly { path: readonly string[]; names: readonly (readonly [string, TokenCount])[] }[] = [
  {
    path: ['langfuse', 'observation', 'usage_details'],
    names: [
      ['input', 'input_tokens'],
      ['input_tokens', 'input_tokens'],
      ['output', 'output_tokens'],
      ['output_tokens', 'output_tokens'],
      ['prompt_tokens', 'prompt_tokens'],
      ['completion_tokens', 'completion_tokens'],
      ['total', 'total_tokens'],
      ['total_tokens', 'total_tokens'],
      ['cache_creation_input_tokens', 'cache_creation_input_tokens'],
      ['input_cache_creation', 'cache_creation_input_tokens'],
      ['cache_read_input_tokens', 'cache_read_input_tokens'],
      ['input_cached_tokens', 'cache_read_input_tokens'],
      ['output_reasoning_tokens', 'reasoning_tokens'],
      ['output_reasoning', 'reasoning_tokens'],
    ],
  },
  {
    path: [],
    names: [
      ['input_tokens', 'input_tokens'],
      ['output_tokens', 'output_tokens'],
      ['cache_creation_tokens', 'cache_creation_input_tokens'],
      ['cache_read_tokens', 'cache_read_input_tokens'],
    ],
  },
]
const operationPath = ['ai', 'operationId']
/** Spans around others that carry the same counts. */
const outerOperations = new Set(['ai.generateText', 'ai.streamText', 'ai.generateObject', 'ai.streamObject', 'ai.embed', 'ai.embedMany'])

/**
 * The token counts of a span, only those that were found; undefined when there are none, or when the span repeats the counts of its inner spans.
 * Of two names for one count (`prompt_tokens` and `input_tokens`) one is kept, since costs add them up.
 */
export function mapUsage(attributes: JsonObject): Usage | undefined {
  const operation = lookUp(attributes, operationPath)
  if (typeof operation === 'string' && outerOperations.has(operation)) return undefined
  const usage = fromNames(attributes) ?? fromSeparate(attributes)
  if (!usage) return undefined
  addTotal(usage)
  dropDoubles(usage)
  return usage
}

function fromNames(attributes: JsonObject): Usage | undefined {
  const found = names.find(attributes)
  let usage: Usage | undefined
  for (const count of tokenCounts) {
    const value = found[count]?.value
    const tokens = value === undefined ? undefined : toCount(value)
    if (tokens !== undefined) (usage ??= {})[count] = tokens
  }
  return usage
}

function fromSeparate(attributes: JsonObject): Usage | undefined {
  for (const { path, names } of separateCounts) {
    const held = path.length === 0 ? attributes : parsed(lookUp(attributes, path))
    const usage = isJsonObject(held) ? countsIn(held, names) : undefined
    if (usage) return usage.total_tokens === undefined ? withWholeInput(usage) : usage
  }
  return undefined
}

function countsIn(held: JsonObject, names: readonly (readonly [string, TokenCount])[]): Usage | undefined {
  let usage: Usage | undefined
  for (const [name, count] of names) {
    const value = ownMember(held, name)
    const tokens = value === undefined ? undefined : toCount(value)
    if (tokens !== undefined) (usage ??= {})[count] ??= tokens
  }
  return usage
}

/** Separate counts as all others are: cached tokens are part of the input, reasoning is part of the output. */
function withWholeInput(usage: Usage): Usage {
  const cached = (usage.cache_read_input_tokens ?? 0) + (usage.cache_creation_input_tokens ?? 0)
  const { reasoning_tokens: reasoning = 0 } = usage
  for (const count of ['input_tokens', 'prompt_tokens'] as const) if (usage[count] !== undefined) usage[count] += cached
  for (const count of ['output_tokens', 'completion_tokens'] as const) if (usage[count] !== undefined) usage[count] += reasoning
  return usage
}

function addTotal(usage: Usage): void {
  const total = sum(usage.prompt_tokens, usage.completion_tokens) ?? sum(usage.input_tokens, usage.output_tokens)
  if (usage.total_tokens === undefined && total !== undefined) usage.total_tokens = total
}

function sum(left: number | undefined, right: number | undefined): number | undefined {
  return left === undefined || right === undefined ? undefined : left + right
}

function dropDoubles(usage: Usage): void {
  if (usage.input_tokens !== undefined) delete usage.prompt_tokens
  if (usage.output_tokens !== undefined) delete usage.completion_tokens
}

const integerText = /^\s*[+-]?\d{1,16}\s*$/

/** Undefined when the value is not a number that can be counted. Fractions are cut off. */
function toCount(value: JsonValue): number | undefined {
  const isNumeric = typeof value === 'number' || value instanceof JsonNumber || (typeof value === 'string' && integerText.test(value))
  const count = isNumeric ? Math.trunc(Number(value instanceof JsonNumber ? value.text : value)) : Number.NaN
  return Number.isSafeInteger(count) ? count + 0 : undefined
}

/** `summary` of a call: the counts under the model's name, `usage` where no model is known. */
export function toSummary(usage: Usage | undefined, model: JsonValue | undefined, parameters: JsonValue | undefined): JsonObject {
  const summary = newObject()
  if (!usage) return summary
  const byModel = newObject()
  byModel[modelName(model) ?? modelOf(parsed(parameters)) ?? 'usage'] = usage
  summary['usage'] = byModel
  return summary
}

function modelOf(parameters: JsonValue | undefined): string | undefined {
  return isJsonObject(parameters) ? modelName(ownMember(parameters, 'model')) : undefined
}

function modelName(model: JsonValue | undefined): string | undefined {
  if (typeof model === 'string') return model === '' ? undefined : model
  if (model instanceof JsonNumber) return model.text
  return typeof model === 'number' ? String(model) : undefined
}
