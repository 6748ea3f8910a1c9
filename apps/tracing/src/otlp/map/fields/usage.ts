import { JsonNumber } from '@heddle/json'
import { isJsonObject, type JsonObject, type JsonValue, newObject, ownMember, parsed } from '../../json-value.ts'
import { isTruthy, lookUp } from '../attributes/look-up.ts'
import { type FoundAttributes, NameTable } from '../attributes/name-table.ts'
import { costNames, providersOwnInput, type SeparateUsage, separateUsage, type TokenCount, usageNames } from './usage-names.ts'

/** `cost`: the cost reported by the span. */
export type Usage = Partial<Record<TokenCount | 'cost', number>>

const tokenCounts = Object.keys(usageNames) as TokenCount[]
const namesOf = Object.fromEntries(tokenCounts.map((count) => [count, usageNames[count].map(([name]) => name)])) as Record<
  TokenCount,
  string[]
>
const isThere = (value: JsonValue) => value === 0 || isTruthy(value) || isZero(value)
const names = new NameTable<TokenCount | 'cost'>({ ...namesOf, cost: costNames.map(([name]) => name) }, isThere)
/** Cached tokens as providers name them that leave them out of their input. */
const exclusiveMetadata = /^ai\.response\.providerMetadata\.(anthropic|bedrock)\./
type UsageAttributes = FoundAttributes<TokenCount | 'cost'>

const operationPath = ['ai', 'operationId']
/** Spans that wrap other spans with the same counts. */
const outerOperations = new Set(['ai.generateText', 'ai.streamText', 'ai.generateObject', 'ai.streamObject', 'ai.embed', 'ai.embedMany'])

/**
 * The token counts of a span, only those found; undefined if there are none, or if the span repeats the counts of its inner spans. If one count has
 * two names (`prompt_tokens` and `input_tokens`), one is kept, since costs add them up.
 */
export function mapUsage(attributes: JsonObject): Usage | undefined {
  const operation = lookUp(attributes, operationPath)
  if (typeof operation === 'string' && outerOperations.has(operation)) return undefined
  const found = names.find(attributes)
  const usage = withCost(fromNames(found, attributes) ?? fromSeparate(attributes), found)
  if (!usage) return undefined
  addTotal(usage)
  dropDoubles(usage)
  return usage
}

/** A cost of 0 alone is reported for a call that used nothing, for example a refused one. */
function withCost(usage: Usage | undefined, { cost }: UsageAttributes): Usage | undefined {
  const reported = cost === undefined ? undefined : toCost(cost.value)
  return reported === undefined || (reported === 0 && !usage) ? usage : { ...usage, cost: reported }
}

function fromNames(found: UsageAttributes, attributes: JsonObject): Usage | undefined {
  let usage: Usage | undefined
  for (const count of tokenCounts) {
    const value = found[count]?.value
    const tokens = value === undefined ? undefined : toCount(value)
    if (tokens !== undefined) (usage ??= {})[count] = tokens
  }
  return usage && leavesOutCached(usage, found, attributes) ? withCachedInput(usage) : usage
}

/**
 * Whether the AI SDK passes on the count of a provider that excludes cached tokens from the input: versions 4 and 5 do; version 4 reports cached
 * tokens only in the provider's metadata.
 */
function leavesOutCached(usage: Usage, found: UsageAttributes, attributes: JsonObject): boolean {
  const names = [found.cache_creation_input_tokens?.name, found.cache_read_input_tokens?.name]
  if (found.prompt_tokens?.name === 'ai.usage.promptTokens' && names.some((name) => name?.match(exclusiveMetadata))) return true
  const own = usage.prompt_tokens === undefined ? undefined : lookUp(attributes, providersOwnInput)
  return own !== undefined && toCount(own) === usage.prompt_tokens
}

/** Adds cached tokens to the input, and to a total that leaves them out as well. */
function withCachedInput({ total_tokens: total, ...usage }: Usage): Usage {
  const cached = (usage.cache_read_input_tokens ?? 0) + (usage.cache_creation_input_tokens ?? 0)
  const { completion_tokens: output = 0, prompt_tokens: input = 0 } = usage
  for (const count of ['input_tokens', 'prompt_tokens'] as const) if (usage[count] !== undefined) usage[count] += cached
  return total === undefined || total === input + output ? usage : { ...usage, total_tokens: total }
}

function fromSeparate(attributes: JsonObject): Usage | undefined {
  for (const { path, names } of separateUsage) {
    const held = path.length === 0 ? attributes : parsed(lookUp(attributes, path))
    const usage = isJsonObject(held) ? countsIn(held, names) : undefined
    if (usage) return isSeparate(usage) ? withWholeInput(usage) : usage
  }
  return undefined
}

function countsIn(held: JsonObject, names: SeparateUsage['names']): Usage | undefined {
  let usage: Usage | undefined
  for (const [name, count] of names) {
    const value = lookUp(held, name.split('.'))
    const tokens = value === undefined ? undefined : toCount(value)
    if (tokens !== undefined) (usage ??= {})[count] ??= tokens
  }
  return usage
}

/** Whether no count is part of another: without a total, or with one that is the sum of them all. */
function isSeparate(usage: Usage): boolean {
  const { total_tokens: total } = usage
  if (total === undefined) return true
  const sumOf = ({ input_tokens, output_tokens, prompt_tokens, completion_tokens }: Usage) =>
    (input_tokens ?? prompt_tokens ?? 0) + (output_tokens ?? completion_tokens ?? 0)
  return total !== sumOf(usage) && total === sumOf(withWholeInput({ ...usage }))
}

/**
 * Converts separate counts to inclusive ones: tokens of a cache and of audio are part of the input, those of reasoning and audio part of the output.
 */
function withWholeInput(usage: Usage): Usage {
  const cached = (usage.cache_read_input_tokens ?? 0) + (usage.cache_creation_input_tokens ?? 0) + (usage.input_audio_tokens ?? 0)
  const reasoning = (usage.reasoning_tokens ?? 0) + (usage.output_audio_tokens ?? 0)
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

const decimalText = /^\s*\d{1,9}(?:\.\d{1,18})?(?:[eE]-?\d{1,2})?\s*$/
const largestCost = 1_000_000

/** Undefined for anything that is not an amount of money: other text, a negative number, or more than one call can cost. */
function toCost(value: JsonValue): number | undefined {
  const isNumeric = typeof value === 'number' || value instanceof JsonNumber || (typeof value === 'string' && decimalText.test(value))
  const cost = isNumeric ? Number(value instanceof JsonNumber ? value.text : value) : Number.NaN
  return cost >= 0 && cost <= largestCost ? cost : undefined
}

const isZero = (value: JsonValue) => value instanceof JsonNumber && Number(value.text) === 0

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
