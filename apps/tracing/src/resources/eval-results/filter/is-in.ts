import { compare, isWord } from './compare.ts'
import { convert } from './convert.ts'
import { computed, condition, type Expression } from './expression.ts'

type LiteralType = NonNullable<Expression['literal']>['type']

/**
 * True where the operand equals any element. Literals of one type convert a field, integers mixed with floats convert it to double, other mixes
 * do not convert. Null in the list is compared, and is no test of absence.
 */
export function isIn(operand: Expression, elements: readonly Expression[]): Expression {
  if (elements.length === 0) return condition(() => false)
  const target = operand.isField ? commonType(elements) : undefined
  const value = target === undefined || target === 'text' ? plain(operand) : convert(operand, target)
  const known = asSet(value, elements)
  if (known === undefined) return anyOf(value, elements)
  const { words } = operand
  const hasWords = words !== undefined && [...known].some((element) => typeof element === 'string' && isWord(element))
  return condition((row) => {
    const read = value.read(row)
    return read === null ? null : known.has(read) || (hasWords && known.has(words(row)))
  })
}

/** The operand without the type of any literal. */
function plain(operand: Expression): Expression {
  return operand.isField ? computed('text', (row) => operand.read(row)) : operand
}

function commonType(elements: readonly Expression[]): Exclude<LiteralType, 'null'> | undefined {
  const types = new Set(elements.map(({ literal }) => literal?.type))
  const [only] = types
  if (types.size === 1) return only === 'null' ? undefined : only
  return types.size === 2 && types.has('int') && types.has('double') ? 'double' : undefined
}

/** The elements for a look-up; undefined where they must be compared one by one. */
function asSet({ type }: Expression, elements: readonly Expression[]): Set<unknown> | undefined {
  const values = elements.map(({ literal }) => {
    if (literal === undefined || literal.type === 'null') return undefined
    if (literal.type === type && type !== 'bool') return literal.value
    return type === 'double' && literal.type === 'int' ? Number(literal.value) : undefined
  })
  return values.includes(undefined) ? undefined : new Set(values)
}

function anyOf(value: Expression, elements: readonly Expression[]): Expression {
  const tests = elements.map((element) => compare('$eq', value, element.literal?.type === 'null' ? computed('text', () => null) : element))
  return condition((row) => {
    const truths = tests.map((test) => test.read(row))
    if (truths.includes(1)) return true
    return truths.includes(null) ? null : false
  })
}
