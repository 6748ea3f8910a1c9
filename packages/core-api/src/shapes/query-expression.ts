import { z } from 'zod'
import { listOf, tooManyEntries } from './bounded.ts'
import { JsonValueShape } from './json.ts'
import { LenientBoolean } from './lenient.ts'
import { orDefault } from './optional.ts'

/** A value or a field, with or without a conversion. It cannot stand at the top of a query. */
export type QueryValue =
  /** The JSON value; numbers keep their written form, since `3` and `3.0` convert the other operand differently. */
  | { $literal: unknown }
  | { $getField: string }
  | { $convert: { input: QueryOperand; to: 'double' | 'string' | 'int' | 'bool' | 'exists' } }
  | { $size: QueryOperand }

/** A condition. An empty `$and` or `$or` has the shape but no meaning. */
export type QueryOperation =
  | { $and: QueryOperand[] }
  | { $or: QueryOperand[] }
  | { $not: [QueryOperand] }
  | { $eq: [QueryOperand, QueryOperand] }
  | { $gt: [QueryOperand, QueryOperand] }
  | { $lt: [QueryOperand, QueryOperand] }
  | { $gte: [QueryOperand, QueryOperand] }
  | { $lte: [QueryOperand, QueryOperand] }
  | { $in: [QueryOperand, QueryOperand[]] }
  | { $contains: { input: QueryOperand; substr: QueryOperand; case_insensitive: boolean } }

export type QueryOperand = QueryValue | QueryOperation

/** A filter expression. */
export interface QueryExpression {
  $expr: QueryOperation
}

/** A filter expression as a caller writes it. */
export interface QueryExpressionInput {
  $expr: object
}

const two = (): z.ZodType => z.tuple([operand, operand]).optional()

/** One object with exactly one operator key: a single shape with optional keys names the wrong place better than a union of shapes. */
const operand: z.ZodType<QueryOperand, QueryOperand> = z
  .strictObject({
    get $and(): z.ZodType {
      return listOf(operand, 2000, tooManyEntries).optional()
    },
    get $or(): z.ZodType {
      return listOf(operand, 2000, tooManyEntries).optional()
    },
    get $not(): z.ZodType {
      return z.tuple([operand]).optional()
    },
    get $eq(): z.ZodType {
      return two()
    },
    get $gt(): z.ZodType {
      return two()
    },
    get $lt(): z.ZodType {
      return two()
    },
    get $gte(): z.ZodType {
      return two()
    },
    get $lte(): z.ZodType {
      return two()
    },
    get $in(): z.ZodType {
      return z.tuple([operand, listOf(operand, 10_000, tooManyEntries)]).optional()
    },
    get $contains(): z.ZodType {
      return z.strictObject({ input: operand, substr: operand, case_insensitive: orDefault(LenientBoolean, false) }).optional()
    },
    get $convert(): z.ZodType {
      return z.strictObject({ input: operand, to: z.enum(['double', 'string', 'int', 'bool', 'exists']) }).optional()
    },
    get $size(): z.ZodType {
      return operand.optional()
    },
    $getField: z.string().optional(),
    $literal: JsonValueShape.optional(),
  })
  .check((context) => {
    const keys = Object.keys(context.value)
    // An unknown operator is already reported by its name.
    if (keys.length === 1 || context.issues.length > 0) return
    const message = `Input should be an object with exactly one operator, got ${keys.length === 0 ? 'none' : keys.join(', ')}`
    context.issues.push({ code: 'custom', message, params: { type: 'query_operand' }, input: context.value })
  })
  .meta({ id: 'QueryOperand', minProperties: 1, maxProperties: 1 }) as unknown as z.ZodType<QueryOperand, QueryOperand>

const values = new Set(['$literal', '$getField', '$convert', '$size'])

const operation = operand.check((context) => {
  const key = Object.keys(context.value)[0]
  if (key === undefined || !values.has(key)) return
  const message = `Input should be an operation such as $eq or $and, not a bare ${key}`
  context.issues.push({ code: 'custom', message, params: { type: 'query_operation' }, input: context.value })
})

/** A filter expression: `{"$expr": <operation>}`. Unknown operators and keys are refused. */
export const QueryExpression = z.strictObject({ $expr: operation }).meta({
  id: 'QueryExpression',
  description: 'Filter expression `{"$expr": {"$eq": [{"$getField": "…"}, {"$literal": …}]}}`',
}) as unknown as z.ZodType<QueryExpression, QueryExpressionInput>
