import type { QueryExpression, QueryOperand } from '@heddle/core-api'
import { badRequest } from '@heddle/core-api/internal'
import { join, sql, type Sql } from '@heddle/datastore'
import { compare, firstText, type Comparison } from './compare.ts'
import { compileContains } from './compile-contains.ts'
import { compileIn } from './compile-in.ts'
import { convertValue, typeOfTarget, type ConversionTarget } from './operands/convert-value.ts'
import { literalValue, readLiteral } from './operands/literal.ts'
import { computedValue, type Operand, type ValueOperand } from './operands/operand.ts'
import { refuseOperand } from './operands/refuse-operand.ts'

/** Turns a field path into the operand that it reads. Each kind of record has its own. @throws 422 for a field that cannot be queried. */
export type FieldReader = (path: string) => Operand

const maxOperands = 2000
/** Literals of all `$in` together. */
const maxElements = 50_000

/**
 * Compiles a query to a condition: 1, 0, or NULL where it is unknown, which drops the row just as 0 does.
 * @throws 400 for an empty `$and` or `$or`, a literal that cannot be compared, a time that is none, above 2000 operands or 50,000
 * elements of `$in`; 422 from `readField`.
 */
export function compileExpression(query: QueryExpression, readField: FieldReader): Sql {
  const budget = { operands: maxOperands, elements: maxElements }
  return toCondition(compileOperand(query.$expr, { readField, budget }))
}

interface Compiler {
  readField: FieldReader
  budget: { operands: number; elements: number }
}

function compileOperand(operand: QueryOperand, compiler: Compiler): Operand {
  compiler.budget.operands -= 1
  if (compiler.budget.operands < 0) throw badRequest(`The query has more than ${maxOperands} operands: put literals into one $in`)
  const read = (nested: QueryOperand) => compileOperand(nested, compiler)
  if ('$literal' in operand) return readLiteral(operand.$literal)
  if ('$getField' in operand) return compiler.readField(operand.$getField)
  if ('$convert' in operand) return convertOperand(read(operand.$convert.input), operand.$convert.to)
  if ('$size' in operand) return sizeOf(read(operand.$size))
  if ('$and' in operand) return connect(operand.$and.map(read), { name: 'AND', word: sql` AND ` })
  if ('$or' in operand) return connect(operand.$or.map(read), { name: 'OR', word: sql` OR ` })
  if ('$not' in operand) return condition(sql`(NOT ${toCondition(read(operand.$not[0]))})`)
  if ('$in' in operand) return condition(compileIn(read(operand.$in[0]), readElements(operand.$in[1], compiler)))
  if ('$contains' in operand) return condition(containsIn(operand.$contains, read))
  const [operator, [left, right]] = Object.entries(operand)[0] as [Comparison, [QueryOperand, QueryOperand]]
  return condition(compare({ operator, left: read(left), right: read(right) }))
}

/** Literal elements have a separate bound and do not count as operands. */
function readElements(elements: readonly QueryOperand[], compiler: Compiler): Operand[] {
  compiler.budget.elements -= elements.length
  if (compiler.budget.elements < 0) throw badRequest(`The lists of all $in have more than ${maxElements} elements: ask in several queries`)
  return elements.map((element) => ('$literal' in element ? readLiteral(element.$literal) : compileOperand(element, compiler)))
}

function containsIn(
  { input, substr, case_insensitive }: { input: QueryOperand; substr: QueryOperand; case_insensitive?: boolean },
  read: (operand: QueryOperand) => Operand,
): Sql {
  return compileContains({ input: read(input), substr: read(substr), ignoresCase: case_insensitive ?? false })
}

function condition(expression: Sql): ValueOperand {
  return computedValue('bool', expression)
}

function connect(operands: Operand[], { name, word }: { name: string; word: Sql }): Operand {
  const [only] = operands
  if (only === undefined) throw badRequest(`Empty ${name} operation: give at least one operand`)
  return operands.length === 1 ? only : condition(sql`(${join(operands.map(toCondition), word)})`)
}

/** An operand as a condition: a number is true when it is not 0. @throws 400 for text and times. */
function toCondition(operand: Operand): Sql {
  const value = operand.kind === 'literal' ? literalValue(operand) : operand
  if (value.kind !== 'value' || value.type === 'text' || value.type === 'time') {
    throw refuseOperand('A value that is not boolean', '$and, $or, $not or the top of a query', 'compare it, or $convert it to bool')
  }
  return value.type === 'bool' ? value.sql : sql`(${value.sql} != 0)`
}

function convertOperand(operand: Operand, to: ConversionTarget | 'exists'): Operand {
  if (operand.kind === 'membership') throw refuseOperand('Membership of a queue', '$convert', 'use $eq with a queue id')
  if (to === 'exists') return condition(existsOf(operand))
  const value = operand.kind === 'literal' ? literalValue(operand) : operand.kind === 'texts' ? firstText(operand) : operand
  return computedValue(typeOfTarget(to), convertValue(value, to))
}

function existsOf(operand: Exclude<Operand, { kind: 'membership' }>): Sql {
  if (operand.kind === 'literal') return operand.type === 'null' ? sql`0` : sql`1`
  return operand.kind === 'texts' ? sql`notEmpty(${operand.sql})` : operand.present
}

function sizeOf(operand: Operand): Operand {
  const value =
    operand.kind === 'literal' ? literalValue(operand) : operand.kind === 'texts' && operand.isColumn ? firstText(operand) : operand
  if (value.kind === 'texts') return computedValue('int', sql`length(${value.sql})`)
  if (value.kind === 'value' && value.type === 'text') return computedValue('int', sql`lengthUTF8(${value.sql})`)
  throw refuseOperand('A value that is not text', '$size', '$convert it to string')
}
