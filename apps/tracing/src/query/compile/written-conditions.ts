import type { QueryExpression, QueryOperand } from '@heddle/core-api'
import type { Sql } from '@heddle/datastore'
import { mayBeHeld } from './compile-contains.ts'
import type { FieldReader } from './compile-expression.ts'
import { readLiteral } from './operands/literal.ts'

/**
 * Necessary conditions on single columns of the stored texts of every call that a query matches, derived from the parts of texts that it searches.
 */
export function writtenConditions(query: QueryExpression, readField: FieldReader): Sql[] {
  return conjuncts(query.$expr).flatMap((operand) => {
    if (!('$contains' in operand)) return []
    const { input, substr, case_insensitive } = operand.$contains
    if (case_insensitive === true || !('$getField' in input) || !('$literal' in substr)) return []
    return mayBeHeld(readField(input.$getField), readLiteral(substr.$literal)) ?? []
  })
}

function conjuncts(operand: QueryOperand): QueryOperand[] {
  return '$and' in operand ? operand.$and.flatMap(conjuncts) : [operand]
}
