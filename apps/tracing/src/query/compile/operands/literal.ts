import { badRequest, numberText } from '@heddle/core-api/internal'
import { bind, sql } from '@heddle/datastore'
import { computedValue, unknown, type LiteralOperand, type ValueOperand } from './operand.ts'

const minInt64 = -(2n ** 63n)
const maxInt64 = 2n ** 63n - 1n

/**
 * Reads a literal. A number written with a point or an exponent is a double, whatever its value; other numbers are integers.
 * @throws 400 for an object or a list, which cannot be compared.
 */
export function readLiteral(value: unknown): LiteralOperand {
  if (value === null) return { kind: 'literal', type: 'null' }
  if (typeof value === 'string') return { kind: 'literal', type: 'text', value }
  if (typeof value === 'boolean') return { kind: 'literal', type: 'bool', value }
  const number = numberText(value)
  if (number === undefined) {
    throw badRequest(`A literal ${Array.isArray(value) ? 'list' : 'object'} cannot be compared: compare its fields or its JSON text`)
  }
  if (/^[+-]?\d{1,400}$/.test(number)) return { kind: 'literal', type: 'int', value: BigInt(number) }
  return { kind: 'literal', type: 'double', value: Number(number) }
}

/** A literal as an SQL value. Integers beyond 64 bits become doubles: no stored integer equals them, and their order holds. */
export function literalValue(literal: LiteralOperand): ValueOperand {
  switch (literal.type) {
    case 'null':
      return computedValue('bool', unknown)
    case 'text':
      return computedValue('text', sql`${bind('String', literal.value)}`)
    case 'bool':
      return computedValue('bool', literal.value ? sql`1` : sql`0`)
    case 'double':
      return computedValue('double', sql`${bind('Float64', literal.value)}`)
    case 'int':
      return isInt64(literal.value)
        ? computedValue('int', sql`${bind('Int64', literal.value)}`)
        : computedValue('double', sql`${bind('Float64', Number(literal.value))}`)
  }
}

/** True when a 64-bit signed integer holds the value. */
export function isInt64(value: bigint): boolean {
  return value >= minInt64 && value <= maxInt64
}
