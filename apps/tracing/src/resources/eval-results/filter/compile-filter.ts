import type { QueryExpression, QueryOperand } from '@heddle/core-api'
import { checkExpression } from '../../../query/compile/check-expression.ts'
import { literalValue, readLiteral } from '../../../query/compile/literal.ts'
import { nameOfField, parseResultField, type ResultField } from '../../../query/fields/result-field.ts'
import { textOfValue } from '../rows/field-value.ts'
import { compare, type Comparison } from './compare.ts'
import { convert } from './convert.ts'
import { computed, condition, type Expression, type RowValues } from './expression.ts'
import { isIn } from './is-in.ts'

/** A filter on rows, ready to be evaluated. */
export interface CompiledFilter {
  /** The fields whose first values `matches` is given, in this order. */
  fields: readonly ResultField[]
  matches(row: RowValues): boolean
}

/**
 * Compiles a filter on rows. It means what the same query means for calls, which is also what checks it.
 * @throws 400 for a field that results do not have, and as queries of calls do.
 */
export function compileFilter(query: QueryExpression): CompiledFilter {
  const fields = new Map<string, ResultField>()
  const places = new Map<string, number>()
  checkExpression(query, (path) => {
    const field = parseResultField(path, 'eval results')
    fields.set(nameOfField(field), field)
    places.set(path, [...fields.keys()].indexOf(nameOfField(field)))
  })
  const root = compile(query.$expr, (path) => fieldAt(places.get(path) ?? -1))
  return {
    fields: [...fields.values()],
    matches(row) {
      const truth = root.read(row)
      return truth !== null && Number(truth) !== 0
    },
  }
}

function fieldAt(place: number): Expression {
  return {
    type: 'text',
    isField: true,
    read: (row) => textOfValue(row[place]),
    exists: (row) => row[place] !== undefined,
    words: (row) => String(row[place] ?? ''),
  }
}

type ReadField = (path: string) => Expression

function compile(operand: QueryOperand, readField: ReadField): Expression {
  const read = (nested: QueryOperand) => compile(nested, readField)
  if ('$literal' in operand) return literalOf(operand.$literal)
  if ('$getField' in operand) return readField(operand.$getField)
  if ('$convert' in operand) return convert(read(operand.$convert.input), operand.$convert.to)
  if ('$size' in operand) return sizeOf(read(operand.$size))
  if ('$and' in operand) return connect(operand.$and.map(read), false)
  if ('$or' in operand) return connect(operand.$or.map(read), true)
  if ('$not' in operand) return not(read(operand.$not[0]))
  if ('$in' in operand) return isIn(read(operand.$in[0]), operand.$in[1].map(read))
  if ('$contains' in operand)
    return contains(read(operand.$contains.input), read(operand.$contains.substr), operand.$contains.case_insensitive)
  const [operator, [left, right]] = Object.entries(operand)[0] as [Comparison, [QueryOperand, QueryOperand]]
  return compare(operator, read(left), read(right))
}

function literalOf(value: unknown): Expression {
  const literal = readLiteral(value)
  const { type } = literalValue(literal)
  const scalar = literal.type === 'null' ? null : typeof literal.value === 'boolean' ? Number(literal.value) : literal.value
  // An integer beyond 64 bits is a double.
  const known = type === 'double' && scalar !== null ? Number(scalar) : scalar
  return { ...computed(type === 'time' ? 'text' : type, () => known), literal }
}

function truthOf(operand: Expression, row: RowValues): boolean | null {
  const value = operand.read(row)
  return value === null ? null : Number(value) !== 0
}

/** `decisive` is the truth that decides alone. */
function connect(operands: readonly Expression[], decisive: boolean): Expression {
  const [only] = operands
  if (operands.length === 1 && only !== undefined) return only
  return condition((row) => {
    let isUnknown = false
    for (const operand of operands) {
      const truth = truthOf(operand, row)
      if (truth === decisive) return decisive
      isUnknown ||= truth === null
    }
    return isUnknown ? null : !decisive
  })
}

function not(operand: Expression): Expression {
  return condition((row) => {
    const truth = truthOf(operand, row)
    return truth === null ? null : !truth
  })
}

/** Characters of a text. */
function sizeOf(operand: Expression): Expression {
  return computed('int', (row) => {
    const text = operand.read(row)
    return text === null ? null : BigInt([...String(text)].length)
  })
}

function contains(input: Expression, substr: Expression, ignoresCase: boolean): Expression {
  const fold = (text: string) => (ignoresCase ? text.toLowerCase().replaceAll('ς', 'σ') : text)
  return condition((row) => {
    const text = input.type === 'text' ? input.read(row) : null
    const part = substr.type === 'text' ? substr.read(row) : null
    return typeof text === 'string' && typeof part === 'string' && fold(text).includes(fold(part))
  })
}
