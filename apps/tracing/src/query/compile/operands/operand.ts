import { sql, type Sql } from '@heddle/datastore'

export type ValueType = 'text' | 'int' | 'double' | 'bool' | 'time'

/** A typed SQL expression, NULL where the value is absent. `bool` is 0 or 1. */
export interface ValueOperand {
  kind: 'value'
  type: ValueType
  sql: Sql
  /** 1 where the value exists and is not null, else 0; never NULL. */
  present: Sql
  /** The operand is a plain field, so two of different types compare as texts. */
  isField: boolean
  /** A literal on the other side converts this one to its own type. */
  takesTypeOfLiteral: boolean
  /** `dynamic`: text that sorts by presence, then as a number, then as text. `typed`: sorts by value. */
  order: 'typed' | 'dynamic'
  /** The JSON text in which the value is written, if there is one. */
  writtenIn?: Sql | undefined
}

/** A list of texts per row, of which any may match. */
export interface TextsOperand {
  kind: 'texts'
  /** Array(String), without empty ones. */
  sql: Sql
  /** `$contains` tests for a whole text of the list, not for a part of one. */
  isSet?: true
  /** It is the value of a column, so if it has none it is NULL, and it has the order and the length of its first text. */
  isColumn?: true
}

/** Sets that a row may belong to, named by text. */
export interface MembershipOperand {
  kind: 'membership'
  /** 1 where the row belongs to the set, else 0. */
  contains(name: string): Sql
}

export type LiteralOperand = { kind: 'literal' } & (
  | { type: 'text'; value: string }
  /** Digits with a sign, of any size. */
  | { type: 'int'; value: bigint }
  | { type: 'double'; value: number }
  | { type: 'bool'; value: boolean }
  | { type: 'null' }
)

export type Operand = ValueOperand | TextsOperand | MembershipOperand | LiteralOperand

/** A value that is computed rather than read. */
export function computedValue(type: ValueType, expression: Sql): ValueOperand {
  return {
    kind: 'value',
    type,
    sql: expression,
    present: sql`isNotNull(${expression})`,
    isField: false,
    takesTypeOfLiteral: false,
    order: 'typed',
  }
}

/** NULL as the value of a condition. */
export const unknown = sql`CAST(NULL AS Nullable(UInt8))`
