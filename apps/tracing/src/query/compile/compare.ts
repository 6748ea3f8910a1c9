import { sql, type Sql } from '@heddle/datastore'
import { convertValue, toText, type ConversionTarget } from './operands/convert-value.ts'
import { literalValue } from './operands/literal.ts'
import {
  computedValue,
  unknown,
  type LiteralOperand,
  type MembershipOperand,
  type Operand,
  type TextsOperand,
  type ValueOperand,
} from './operands/operand.ts'
import { refuseOperand } from './operands/refuse-operand.ts'
import { timeLiteral } from './operands/time-literal.ts'

export type Comparison = '$eq' | '$gt' | '$lt' | '$gte' | '$lte'

export interface Sides {
  operator: Comparison
  left: Operand
  right: Operand
}

const operators: Readonly<Record<Comparison, Sql>> = { $eq: sql`=`, $gt: sql`>`, $lt: sql`<`, $gte: sql`>=`, $lte: sql`<=` }
const swapped: Readonly<Record<Comparison, Comparison>> = { $eq: '$eq', $gt: '$lt', $lt: '$gt', $gte: '$lte', $lte: '$gte' }

/**
 * Compares two operands: 1, 0, or NULL where a side is NULL. A literal converts a dynamic field to its own type, on either side; numbers never match
 * texts, except field against field, which compares texts. `$eq` with null on the right tests for absence.
 */
export function compare({ operator, left, right }: Sides): Sql {
  if (right.kind === 'literal' && right.type === 'null' && operator === '$eq') return isAbsent(left)
  if (isNull(left) || isNull(right)) return unknown
  if (left.kind === 'membership') return isMember(operator, left, right)
  if (right.kind === 'membership') return isMember(operator, right, left)
  if (left.kind === 'texts') return compareTexts(operator, left, right)
  if (right.kind === 'texts') return compareTexts(swapped[operator], right, left)
  const [a, b] = align(left, right)
  return areComparable(a, b) ? sql`(${a.sql} ${operators[operator]} ${b.sql})` : noMatch(a, b)
}

function isNull(operand: Operand): boolean {
  return operand.kind === 'literal' && operand.type === 'null'
}

/** 1 where the operand has no value. A field whose absence reads as empty text always has one. */
function isAbsent(operand: Operand): Sql {
  if (operand.kind === 'literal') return operand.type === 'null' ? sql`1` : sql`0`
  if (operand.kind === 'texts') return sql`empty(${operand.sql})`
  if (operand.kind === 'membership') throw refuseOperand('Membership of a queue', '$eq with null', 'compare it with a queue id')
  return sql`isNull(${operand.sql})`
}

function isMember(operator: Comparison, set: MembershipOperand, other: Operand): Sql {
  if (operator === '$eq' && other.kind === 'literal' && other.type === 'text') return set.contains(other.value)
  throw refuseOperand('Membership of a queue', operator, 'use $eq with a queue id')
}

/** Any of the texts equals; for other operators the first one decides. */
function compareTexts(operator: Comparison, texts: TextsOperand, other: Operand): Sql {
  if (operator !== '$eq') return compare({ operator, left: firstText(texts), right: other })
  return knownIn(texts, holdsText(texts, other))
}

function holdsText(texts: TextsOperand, other: Operand): Sql {
  if (other.kind === 'literal') return other.type === 'text' ? sql`has(${texts.sql}, ${literalValue(other).sql})` : sql`0`
  const value = other.kind === 'value' && other.type === 'text' ? other : undefined
  return value ? sql`has(${texts.sql}, ifNull(${value.sql}, ''))` : sql`0`
}

/** A condition on the texts, which is unknown where a column has none. */
export function knownIn({ sql: texts, isColumn }: TextsOperand, holds: Sql): Sql {
  return isColumn ? sql`if(empty(${texts}), NULL, ${holds})` : holds
}

/** The text that represents the list if one value is needed; for an empty list it is NULL in a column, else empty. */
export function firstText({ sql: texts, isColumn }: TextsOperand): ValueOperand {
  return computedValue('text', isColumn ? sql`nullIf(${texts}[1], '')` : sql`${texts}[1]`)
}

/** Brings two operands to types that compare. */
function align(left: ValueOperand | LiteralOperand, right: ValueOperand | LiteralOperand): [ValueOperand, ValueOperand] {
  if (left.kind === 'literal')
    return right.kind === 'literal'
      ? [literalValue(left), literalValue(right)]
      : ([...alignLiteral(right, left)].reverse() as [ValueOperand, ValueOperand])
  if (right.kind === 'literal') return alignLiteral(left, right)
  const asTexts = left.isField && right.isField && left.type !== right.type && left.type !== 'time' && right.type !== 'time'
  return asTexts ? [computedValue('text', toText(left)), computedValue('text', toText(right))] : [left, right]
}

function alignLiteral(value: ValueOperand, literal: LiteralOperand): [ValueOperand, ValueOperand] {
  if (value.type === 'time') return [value, computedValue('time', timeLiteral(literal))]
  const target = value.takesTypeOfLiteral ? targetOf(literal.type) : undefined
  return [target === undefined ? value : computedValue(target, convertValue(value, target)), literalValue(literal)]
}

/** The type to which a literal converts a field; undefined for none. */
export function targetOf(type: LiteralOperand['type']): Exclude<ConversionTarget, 'string'> | undefined {
  return type === 'int' || type === 'double' || type === 'bool' ? type : undefined
}

function areComparable(a: ValueOperand, b: ValueOperand): boolean {
  const isNumber = ({ type }: ValueOperand) => type === 'int' || type === 'double' || type === 'bool'
  return a.type === b.type || (isNumber(a) && isNumber(b))
}

function noMatch(a: ValueOperand, b: ValueOperand): Sql {
  return sql`if(isNull(${a.sql}) OR isNull(${b.sql}), NULL, 0)`
}
