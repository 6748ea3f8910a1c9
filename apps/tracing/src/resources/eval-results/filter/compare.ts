import { compareTexts } from '../rows/compare-texts.ts'
import { convert } from './convert.ts'
import { computed, condition, type Expression, type Scalar } from './expression.ts'

export type Comparison = '$eq' | '$gt' | '$lt' | '$gte' | '$lte'

const holds: Readonly<Record<Comparison, (sign: number) => boolean>> = {
  $eq: (sign) => sign === 0,
  $gt: (sign) => sign > 0,
  $lt: (sign) => sign < 0,
  $gte: (sign) => sign >= 0,
  $lte: (sign) => sign <= 0,
}

/** Compares two operands. A literal converts a field to its own type; numbers never match texts. `$eq` with null on the right asks for absence. */
export function compare(operator: Comparison, left: Expression, right: Expression): Expression {
  if (right.literal?.type === 'null' && operator === '$eq') return condition((row) => left.read(row) === null)
  if (left.literal?.type === 'null' || right.literal?.type === 'null') return condition(() => null)
  const a = besideLiteral(left, right)
  const b = besideLiteral(right, left)
  const areComparable = (a.type === 'text') === (b.type === 'text')
  const test = holds[operator]
  return condition((row) => {
    const one = a.read(row)
    const other = b.read(row)
    if (one === null || other === null) return null
    return areComparable && test(signOf(one, other))
  })
}

/** A field as a literal beside it reads it: in the type of the literal, and with `true` and `false` as words where the literal is one. */
function besideLiteral(side: Expression, { literal }: Expression): Expression {
  if (!side.isField || literal === undefined || literal.type === 'null') return side
  if (literal.type !== 'text') return convert(side, literal.type)
  const { words } = side
  return words !== undefined && isWord(literal.value) ? computed('text', words) : side
}

/** True for the two words that a boolean may be written as. */
export function isWord(text: string): boolean {
  return text === 'true' || text === 'false'
}

function signOf(one: NonNullable<Scalar>, other: NonNullable<Scalar>): number {
  if (typeof one === 'string' && typeof other === 'string') return one === other ? 0 : compareTexts(one, other)
  return one < other ? -1 : one > other ? 1 : 0
}
