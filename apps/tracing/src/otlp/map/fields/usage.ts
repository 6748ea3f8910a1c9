import { JsonNumber } from '@heddle/json'
import { isJsonObject, type JsonObject, type JsonValue, newObject, ownMember, parsed } from '../../json-value.ts'
import { isTruthy, lookUp } from '../attributes/look-up.ts'
import { NameTable } from '../attributes/name-table.ts'

const counts = {
  input_tokens: ['gen_ai.usage.input_tokens'],
  output_tokens: ['gen_ai.usage.output_tokens'],
  prompt_tokens: ['gen_ai.usage.prompt_tokens', 'llm.token_count.prompt', 'ai.usage.promptTokens', 'ai.usage.inputTokens'],
  completion_tokens: ['gen_ai.usage.completion_tokens', 'llm.token_count.completion', 'ai.usage.completionTokens', 'ai.usage.outputTokens'],
  total_tokens: ['llm.usage.total_tokens', 'llm.token_count.total', 'gen_ai.usage.total_tokens', 'ai.usage.totalTokens'],
  cache_creation_input_tokens: [
    'gen_ai.usage.cache_creation.input_tokens',
    'gen_ai.usage.cache_creation_input_tokens',
    'llm.token_count.prompt_details.cache_write',
  ],
  cache_read_input_tokens: [
    'gen_ai.usage.cache_read.input_tokens',
    'gen_ai.usage.prompt_tokens_details.cached_tokens',
    'gen_ai.usage.input_tokens_details.cached_tokens',
    'prompt_tokens_details.cached_tokens',
    'gen_ai.usage.cache_read_input_tokens',
    'llm.token_count.prompt_details.cache_read',
    'ai.usage.cachedInputTokens',
  ],
} as const

export type TokenCount = keyof typeof counts
export type Usage = Partial<Record<TokenCount, number>>

const names = new NameTable<TokenCount>(counts, (value) => value === 0 || isTruthy(value))
const tokenCounts = Object.keys(counts) as TokenCount[]
const detailsPath = ['langfuse', 'observation', 'usage_details']
const detailNames: readonly (readonly [string, TokenCount])[] = [
  ['input', 'input_tokens'],
  ['input_tokens', 'input_tokens'],
  ['output', 'output_tokens'],
  ['output_tokens', 'output_tokens'],
  ['prompt_tokens', 'prompt_tokens'],
  ['completion_tokens', 'completion_tokens'],
  ['total', 'total_tokens'],
  ['total_tokens', 'total_tokens'],
  ['cache_creation_input_tokens', 'cache_creation_input_tokens'],
  ['cache_read_input_tokens', 'cache_read_input_tokens'],
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
  const usage = fromNames(attributes) ?? fromDetails(attributes)
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

function fromDetails(attributes: JsonObject): Usage | undefined {
  const details = parsed(lookUp(attributes, detailsPath))
  if (!isJsonObject(details)) return undefined
  let usage: Usage | undefined
  for (const [name, count] of detailNames) {
    const value = ownMember(details, name)
    const tokens = value === undefined ? undefined : toCount(value)
    if (tokens !== undefined) (usage ??= {})[count] ??= tokens
  }
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
