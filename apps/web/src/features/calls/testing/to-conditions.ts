import type { QueryExpression, QueryOperand } from '@heddle/core-api'
import { type Condition, type Operator, toConditionValue } from '../../filter/call-condition.ts'

/** The conditions that an expression was built from. Undefined for one that conditions cannot express. */
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
  if (!('$getField' in field) || !('$literal' in literal)) return undefined
  const value = toConditionValue(literal.$literal)
  return value === undefined ? undefined : { path: field.$getField, operator, value }
}
