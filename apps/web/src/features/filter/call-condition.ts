import type { QueryExpression, QueryOperation } from '@heddle/core-api'
import { isJsonNumber, JsonNumber, parseExactJson } from '@heddle/json/exact'
import { compare, contains, equals, not } from '@heddle/trace-model/query'

export const operators = ['=', '!=', '>', '>=', '<', '<=', 'contains'] as const
export type Operator = (typeof operators)[number]
export type ConditionValue = string | number | boolean | null | WrittenNumber

/** A number as it is written, where JavaScript would write it differently. An address holds it so. */
export interface WrittenNumber {
  number: string
}

/** A scalar of a call as the value of a condition. Undefined for anything else. */
export function toConditionValue(value: unknown): ConditionValue | undefined {
  if (isJsonNumber(value)) return { number: value.text }
  return isConditionValue(value) ? value : undefined
}

/** A condition on the value at a path of a call. All conditions of a list must hold. */
export interface Condition {
  path: string
  operator: Operator
  value: ConditionValue
}

/** Longer lists were not written by hand. */
export const maxConditions = 50
/** Longer numbers were not written by hand either. */
const maxDigits = 1_000

/** Conditions with one more, which counts once. As many as an address may have. */
export function withCondition(where: readonly Condition[] = [], added: Condition): Condition[] {
  const isThere = where.some(
    ({ path, operator, value }) => path === added.path && operator === added.operator && jsonOf(value) === jsonOf(added.value),
  )
  return isThere || where.length >= maxConditions ? [...where] : [...where, added]
}

const comparisons = { '=': '$eq', '>': '$gt', '>=': '$gte', '<': '$lt', '<=': '$lte' } as const

/** The conditions, and what else must hold, as the API's query language has them. Undefined without any. */
export function toExpression(conditions: readonly Condition[], further: readonly QueryOperation[] = []): QueryExpression | undefined {
  const [first, ...others] = [...conditions.map(toOperation), ...further]
  if (first === undefined) return undefined
  return { $expr: others.length === 0 ? first : { $and: [first, ...others] } }
}

export function toOperation({ path, operator, value }: Condition): QueryOperation {
  const compared = isWrittenNumber(value) ? new JsonNumber(value.number) : value
  switch (operator) {
    case 'contains':
      return contains(path, compared)
    case '!=':
      return not(equals(path, compared))
    default:
      return compare(comparisons[operator], path, compared)
  }
}

function isConditionValue(value: unknown): value is ConditionValue {
  return value === null || ['string', 'number', 'boolean'].includes(typeof value) || isWrittenNumber(value)
}

function isWrittenNumber(value: unknown): value is WrittenNumber {
  if (typeof value !== 'object' || value === null || !('number' in value) || Object.keys(value).length > 1) return false
  return (
    typeof value.number === 'string' &&
    value.number.length <= maxDigits &&
    /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/.test(value.number)
  )
}

/** The value of a condition as JSON. */
export const jsonOf = (value: ConditionValue): string => (isWrittenNumber(value) ? value.number : JSON.stringify(value))

/** Reads the conditions of an address. Invalid ones are ignored, since users type addresses and programs shorten them. */
export function readConditions(value: unknown): Condition[] {
  if (!Array.isArray(value)) return []
  return value.slice(0, maxConditions).filter(isCondition)
}

/** Reads conditions as `readConditions` does, but returns undefined if there are none. */
export function someConditions(value: unknown): Condition[] | undefined {
  const conditions = readConditions(value)
  return conditions.length > 0 ? conditions : undefined
}

function isCondition(value: unknown): value is Condition {
  if (typeof value !== 'object' || value === null) return false
  const { path, operator, value: compared } = value as Partial<Record<keyof Condition, unknown>>
  return typeof path === 'string' && path !== '' && operators.some((known) => known === operator) && isConditionValue(compared)
}

/** Parses a typed value: a number, `true`, `false`, `null`, a quoted text, or the text unchanged. */
export function readValue(text: string, operator: Operator): ConditionValue {
  if (operator === 'contains') return text
  try {
    const value = parseExactJson(text)
    const read = toConditionValue(value)
    return read === undefined || (typeof value === 'object' && value !== null && !isJsonNumber(value)) ? text : read
  } catch {
    return text
  }
}
