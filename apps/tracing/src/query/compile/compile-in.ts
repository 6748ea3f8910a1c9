import { badRequest } from '@heddle/core-api/internal'
import { bind, join, sql, type Param, type Sql } from '@heddle/datastore'
import { compare, knownIn, targetOf } from './compare.ts'
import { convertValue } from './operands/convert-value.ts'
import { isInt64 } from './operands/literal.ts'
import { computedValue, type LiteralOperand, type Operand, type ValueOperand } from './operands/operand.ts'

const maxElements = 10_000
const maxUnlikeElements = 200

/**
 * 1 where the operand equals any element; NULL where it is NULL. Literals of one type convert a dynamic field, integers mixed with floats
 * convert it to double, other mixes do not convert. An empty list matches nothing.
 * @throws 400 above 10,000 elements, or above 200 that are not literals of one type.
 */
export function compileIn(operand: Operand, elements: readonly Operand[]): Sql {
  if (elements.length === 0) return sql`0`
  if (elements.length > maxElements) throw badRequest(`$in has ${elements.length} elements, at most ${maxElements} are allowed`)
  const converted = operand.kind === 'value' ? convertForElements(operand, elements) : operand
  const values = converted.kind === 'value' ? boundElements(converted, elements) : undefined
  if (values !== undefined && converted.kind === 'value') return sql`(${converted.sql} IN ${values})`
  const wanted = operand.kind === 'texts' ? textsOf(elements) : undefined
  if (wanted !== undefined && operand.kind === 'texts') return knownIn(operand, sql`hasAny(${operand.sql}, ${wanted})`)
  if (elements.length > maxUnlikeElements) {
    throw badRequest(
      `$in has ${elements.length} elements that are not literals of the field's type, at most ${maxUnlikeElements} are allowed`,
    )
  }
  return sql`(${join(
    elements.map((right) => compare({ operator: '$eq', left: converted, right: elementOf(right) })),
    sql` OR `,
  )})`
}

/** Null in a list is compared as a value; it does not match absent fields. */
function elementOf(element: Operand): Operand {
  return element.kind === 'literal' && element.type === 'null' ? computedNull : element
}
const computedNull = computedValue('text', sql`CAST(NULL AS Nullable(String))`)

function convertForElements(value: ValueOperand, elements: readonly Operand[]): ValueOperand {
  if (!value.takesTypeOfLiteral) return value
  const target = commonTarget(elements)
  return target === undefined ? { ...value, takesTypeOfLiteral: false } : computedValue(target, convertValue(value, target))
}

function commonTarget(elements: readonly Operand[]): ReturnType<typeof targetOf> {
  const types = new Set(elements.map((element) => (element.kind === 'literal' ? element.type : 'other')))
  const [only] = types
  if (types.size === 1 && only !== undefined && only !== 'other') return targetOf(only)
  return types.size === 2 && types.has('int') && types.has('double') ? 'double' : undefined
}

/** All elements as one bound list of texts; undefined where one is something else. */
function textsOf(elements: readonly Operand[]): Param | undefined {
  const texts = elements.flatMap((element) => (element.kind === 'literal' && element.type === 'text' ? [element.value] : []))
  return texts.length === elements.length ? bind('Array(String)', texts) : undefined
}

/** All elements as one bound list; undefined when they need to be compared one by one. */
function boundElements(value: ValueOperand, elements: readonly Operand[]): Param | undefined {
  if (value.type === 'text') return textsOf(elements)
  const literals = elements.filter((element): element is LiteralOperand => element.kind === 'literal')
  if (literals.length < elements.length) return undefined
  if (value.type === 'int') {
    return allOf(literals, 'int', (ints) => bind('Array(Int64)', ints.map(({ value: int }) => int).filter(isInt64)))
  }
  if (value.type !== 'double') return undefined
  const doubles = literals.filter((literal) => literal.type === 'int' || literal.type === 'double')
  return doubles.length === literals.length
    ? bind(
        'Array(Float64)',
        doubles.map(({ value: number }) => Number(number)),
      )
    : undefined
}

function allOf<T extends LiteralOperand['type']>(
  literals: readonly LiteralOperand[],
  type: T,
  bindAll: (matching: Extract<LiteralOperand, { type: T }>[]) => Param,
): Param | undefined {
  const matching = literals.filter((literal): literal is Extract<LiteralOperand, { type: T }> => literal.type === type)
  return matching.length === literals.length ? bindAll(matching) : undefined
}
