import type { QueryExpression, QueryOperand, QueryOperation } from '@heddle/core-api'

export const operators = ['=', '!=', '>', '>=', '<', '<=', 'contains'] as const
export type Operator = (typeof operators)[number]
export type ConditionValue = string | number | boolean | null

/** What the value at a path of a call must be. All conditions of a list must hold. */
export interface Condition {
  path: string
  operator: Operator
  value: ConditionValue
}

/** Longer lists were not written by a person. */
export const maxConditions = 50

/** Conditions with one more, which counts once. As many as an address may have. */
export function withCondition(where: readonly Condition[] = [], added: Condition): Condition[] {
  const isThere = where.some(({ path, operator, value }) => path === added.path && operator === added.operator && value === added.value)
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
  const field = { $getField: path }
  const literal = { $literal: value }
  switch (operator) {
    case 'contains':
      return { $contains: { input: field, substr: literal, case_insensitive: true } }
    case '!=':
      return { $not: [{ $eq: [field, literal] }] }
    default:
      return { [comparisons[operator]]: [field, literal] } as unknown as QueryOperation
  }
}

/** The conditions that an expression was made from. Undefined for one that conditions cannot say. */
export function toConditions({ $expr }: QueryExpression): Condition[] | undefined {
  const parts: readonly QueryOperand[] = '$and' in $expr ? $expr.$and : [$expr]
  const conditions = parts.map(toCondition)
  return conditions.every((condition) => condition !== undefined) ? conditions : undefined
}

function toCondition(operand: QueryOperand): Condition | undefined {
  if ('$contains' in operand) return fromPair('contains', operand.$contains.input, operand.$contains.substr)
  if ('$not' in operand) return '$eq' in operand.$not[0] ? fromPair('!=', ...operand.$not[0].$eq) : undefined
  if ('$eq' in operand) return fromPair('=', ...operand.$eq)
  if ('$gt' in operand) return fromPair('>', ...operand.$gt)
  if ('$gte' in operand) return fromPair('>=', ...operand.$gte)
  if ('$lt' in operand) return fromPair('<', ...operand.$lt)
  return '$lte' in operand ? fromPair('<=', ...operand.$lte) : undefined
}

function fromPair(operator: Operator, field: QueryOperand, literal: QueryOperand): Condition | undefined {
  if (!('$getField' in field) || !('$literal' in literal) || !isConditionValue(literal.$literal)) return undefined
  return { path: field.$getField, operator, value: literal.$literal }
}

function isConditionValue(value: unknown): value is ConditionValue {
  return value === null || ['string', 'number', 'boolean'].includes(typeof value)
}

/** Reads the conditions of an address. Invalid ones are left out, since people type addresses and programs shorten them. */
export function readConditions(value: unknown): Condition[] {
  if (!Array.isArray(value)) return []
  return value.slice(0, maxConditions).filter(isCondition)
}

function isCondition(value: unknown): value is Condition {
  if (typeof value !== 'object' || value === null) return false
  const { path, operator, value: compared } = value as Partial<Record<keyof Condition, unknown>>
  return typeof path === 'string' && path !== '' && operators.some((known) => known === operator) && isConditionValue(compared)
}

/** What a person typed as a value: a number, `true`, `false`, `null`, a text in quotation marks, or the text as it stands. */
export function readValue(text: string, operator: Operator): ConditionValue {
  if (operator === 'contains') return text
  try {
    const value: unknown = JSON.parse(text)
    return isConditionValue(value) ? value : text
  } catch {
    return text
  }
}
