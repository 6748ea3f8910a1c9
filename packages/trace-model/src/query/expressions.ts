import type { QueryOperand, QueryOperation } from '@heddle/core-api'

/** The value of a field of a record, such as `attributes.weave.score`. */
export const field = ($getField: string): QueryOperand => ({ $getField })

export const literal = ($literal: unknown): QueryOperand => ({ $literal })

type Comparison = '$eq' | '$gt' | '$gte' | '$lt' | '$lte'

/** Compares a field with a value. */
export function compare(operator: Comparison, name: string, value: unknown): QueryOperation {
  return { [operator]: [field(name), literal(value)] } as QueryOperation
}

export const equals = (name: string, value: unknown): QueryOperation => compare('$eq', name, value)

/** The field has one of some values. */
export const isOneOf = (name: string, values: readonly unknown[]): QueryOperation => ({ $in: [field(name), values.map(literal)] })

export const not = (condition: QueryOperand): QueryOperation => ({ $not: [condition] })

/** The record has the field. */
export const isThere = (name: string): QueryOperand => ({ $convert: { input: field(name), to: 'exists' } })

/** The field contains a text, in any case unless `exactCase`. Values other than texts never match. */
export function contains(name: string, text: unknown, { exactCase = false } = {}): QueryOperation {
  return { $contains: { input: field(name), substr: literal(text), case_insensitive: !exactCase } }
}
