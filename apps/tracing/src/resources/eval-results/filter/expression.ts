import type { LiteralOperand } from '../../../query/compile/operand.ts'
import type { FieldValue } from '../rows/field-value.ts'

/** What an operand is for one row: text, 64-bit integer, double, or 0 and 1 for a condition; null where it is unknown. */
export type Scalar = string | bigint | number | null

/** First values of the fields of a filter in one row, in the order in which the filter reads them. */
export type RowValues = readonly FieldValue[]

/** An operand of a filter, ready to be evaluated. */
export interface Expression {
  type: 'text' | 'int' | 'double' | 'bool'
  literal?: LiteralOperand
  /** A field as it stands: text that takes the type of a literal beside it. */
  isField?: true
  read(row: RowValues): Scalar
  /** True where there is a value that is not null. */
  exists(row: RowValues): boolean
  /** The text of a field in which a boolean is `true` or `false`, beside that of `read`, in which it is `1` or `0`. */
  words?(row: RowValues): string
}

/** A value that is computed from others. */
export function computed(type: Expression['type'], read: (row: RowValues) => Scalar): Expression {
  return { type, read, exists: (row) => read(row) !== null }
}

/** A condition; null is unknown. */
export function condition(test: (row: RowValues) => boolean | null): Expression {
  return computed('bool', (row) => {
    const truth = test(row)
    return truth === null ? null : Number(truth)
  })
}
