import { formatPercent } from '../python/formats.ts'
import { assertElements, assertLength, templateLimits, tooMuch } from '../template-limits.ts'
import { escapeHtml } from './escape-html.ts'
import { compareValues, contains, equal } from '../python/compare.ts'
import type { BinaryOperator, CompareOperator } from './nodes.ts'
import { isList, Markup, plain, Tuple, typeName, Undefined, type Value } from '../python/values.ts'

/** Python's operators. @throws TypeError for operands that they do not take */
export function applyBinary(operator: BinaryOperator, left: Value, right: Value): Value {
  if (operator === '%' && typeof left === 'string') return formatPercent(left, right)
  for (const operand of [left, right]) if (operand instanceof Undefined) throw new TypeError(operand.reason)
  if (left instanceof Markup || right instanceof Markup) return applyToMarkup(operator, left, right)
  const numbers = toNumbers(left, right)
  if (numbers) return calculate(operator, numbers)
  const result = operator === '+' ? joined(left, right) : operator === '*' ? (repeated(left, right) ?? repeated(right, left)) : undefined
  if (result === undefined) throw new TypeError(`unsupported operand type(s) for ${operator}: '${typeName(left)}' and '${typeName(right)}'`)
  return result
}

/** Operands joined with HTML are escaped. */
function applyToMarkup(operator: BinaryOperator, left: Value, right: Value): Value {
  const escaped = (value: Value) => (typeof value === 'string' ? escapeHtml(value) : plain(value))
  const result = operator === '*' ? applyBinary(operator, plain(left), plain(right)) : applyBinary(operator, escaped(left), escaped(right))
  return typeof result === 'string' ? new Markup(result) : result
}

export function applyComparison(operator: CompareOperator, left: Value, right: Value): boolean {
  switch (operator) {
    case '==':
      return equal(left, right)
    case '!=':
      return !equal(left, right)
    case 'in':
      return contains(right, left)
    case 'not in':
      return !contains(right, left)
    default:
      return isOrdered(operator, compareValues(left, right, operator))
  }
}

/** Undefined results from NaN. */
function isOrdered(operator: '<' | '<=' | '>' | '>=', order: number | undefined): boolean {
  if (order === undefined) return false
  if (operator === '<') return order < 0
  if (operator === '<=') return order <= 0
  return operator === '>' ? order > 0 : order >= 0
}

/** `-` and `+` before a value. */
export function applySign(sign: '-' | '+', value: Value): Value {
  if (value instanceof Undefined) throw new TypeError(value.reason)
  const number = typeof value === 'boolean' ? BigInt(value) : value
  if (typeof number !== 'bigint' && typeof number !== 'number')
    throw new TypeError(`bad operand type for unary ${sign}: '${typeName(value)}'`)
  return sign === '-' ? -number : number
}

type Numbers = readonly [bigint, bigint] | readonly [number, number]

function toNumbers(left: Value, right: Value): Numbers | null {
  const [a, b] = [left, right].map((value) => (typeof value === 'boolean' ? BigInt(value) : value))
  if (typeof a === 'bigint' && typeof b === 'bigint') return [a, b]
  const isNumeric = [a, b].every((value) => typeof value === 'bigint' || typeof value === 'number')
  return isNumeric ? [Number(a), Number(b)] : null
}

function calculate(operator: BinaryOperator, [left, right]: Numbers): Value {
  if (typeof left === 'bigint' && typeof right === 'bigint') return bounded(calculateWhole(operator, left, right))
  return calculateFloat(operator, Number(left), Number(right))
}

function calculateWhole(operator: BinaryOperator, left: bigint, right: bigint): bigint | number {
  switch (operator) {
    case '+':
      return left + right
    case '-':
      return left - right
    case '*':
      return left * right
    case '**':
      return wholePower(left, right)
    case '/':
      assertDivisor(right)
      return Number(left) / Number(right)
    case '//': {
      assertDivisor(right)
      const quotient = left / right
      return left % right !== 0n && left < 0n !== right < 0n ? quotient - 1n : quotient
    }
    case '%': {
      assertDivisor(right)
      const rest = left % right
      return rest !== 0n && rest < 0n !== right < 0n ? rest + right : rest
    }
  }
}

function wholePower(base: bigint, exponent: bigint): bigint | number {
  if (exponent < 0n) {
    assertDivisor(base)
    return Number(base) ** Number(exponent)
  }
  const digits = base.toString().length * Number(exponent)
  if (base !== 1n && base !== -1n && base !== 0n && digits > templateLimits.digits * 2) throw tooManyDigits()
  return base ** exponent
}

function calculateFloat(operator: BinaryOperator, left: number, right: number): number {
  switch (operator) {
    case '+':
      return left + right
    case '-':
      return left - right
    case '*':
      return left * right
    case '**':
      if (left < 0 && !Number.isInteger(right)) throw new TypeError('a root of a negative number is no real number')
      return left ** right
    case '/':
      assertDivisor(right)
      return left / right
    case '//':
      assertDivisor(right)
      return Math.floor((left - floatRest(left, right)) / right + 0)
    case '%':
      assertDivisor(right)
      return floatRest(left, right)
  }
}

/** The rest has the sign of the divisor. */
function floatRest(left: number, right: number): number {
  const rest = left % right
  if (rest !== 0 && rest < 0 !== right < 0) return rest + right
  return rest === 0 ? (right < 0 ? -0 : 0) : rest
}

function assertDivisor(divisor: bigint | number): void {
  if (Number(divisor) === 0) throw new RangeError('division by zero')
}

function bounded(number: bigint | number): bigint | number {
  if (typeof number === 'bigint' && (number > maxDigits || number < -maxDigits)) throw tooManyDigits()
  return number
}

const maxDigits = 10n ** BigInt(templateLimits.digits)
const tooManyDigits = () => tooMuch(`numbers of ${templateLimits.digits} digits`)

function joined(left: Value, right: Value): Value | undefined {
  if (typeof left === 'string' && typeof right === 'string') {
    assertLength(left.length + right.length)
    return left + right
  }
  if (isList(left) && isList(right)) {
    assertElements(left.length + right.length)
    return [...left, ...right]
  }
  if (!(left instanceof Tuple) || !(right instanceof Tuple)) return undefined
  assertElements(left.items.length + right.items.length)
  return new Tuple([...left.items, ...right.items])
}

function repeated(value: Value, times: Value): Value | undefined {
  const count = typeof times === 'boolean' ? Number(times) : typeof times === 'bigint' ? Math.max(0, Number(times)) : null
  if (count === null) return undefined
  if (typeof value === 'string') {
    assertLength(value.length * count)
    return value.repeat(count)
  }
  const items = isList(value) ? value : value instanceof Tuple ? value.items : null
  if (items === null) return undefined
  assertElements(items.length * count)
  const repeatedItems = Array.from({ length: count }, () => items).flat(1) as Value[]
  return isList(value) ? repeatedItems : new Tuple(repeatedItems)
}
