import { z } from 'zod'
import { listOf, tooManyEntries } from './bounded.ts'
import { JsonValueShape } from './json.ts'
import { LenientBoolean } from './lenient.ts'
import { orDefault } from './optional.ts'

/** A value or a field, with or without a conversion. Not valid at the top of a query. */
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

interface OperandShape {
  /** Name of the shape in the OpenAPI document. */
  id: string
  /** Elements of `$in`. */
  maxElements: number
}

/** One object with exactly one operator key: a single shape with optional keys reports the location of an error better than a union of shapes. */
function operandShape({ id, maxElements }: OperandShape) {
  const two = (): z.ZodType => z.tuple([operand, operand]).optional()
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
        return z.tuple([operand, listOf(operand, maxElements, tooManyEntries)]).optional()
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
    .meta({ id, minProperties: 1, maxProperties: 1 }) as unknown as z.ZodType<QueryOperand, QueryOperand>
  return operand
}

const values = new Set(['$literal', '$getField', '$convert', '$size'])

const operationOf = (shape: OperandShape) =>
  operandShape(shape).check((context) => {
    const key = Object.keys(context.value)[0]
    if (key === undefined || !values.has(key)) return
    const message = `Input should be an operation such as $eq or $and, not a bare ${key}`
    context.issues.push({ code: 'custom', message, params: { type: 'query_operation' }, input: context.value })
  })

/** A filter expression: `{"$expr": <operation>}`. Unknown operators and keys are refused. */
export const QueryExpression = z.strictObject({ $expr: operationOf({ id: 'QueryOperand', maxElements: 10_000 }) }).meta({
  id: 'QueryExpression',
  description:
    'Filter expression `{"$expr": {"$eq": [{"$getField": "…"}, {"$literal": …}]}}`. A field is a path of keys joined by dots; `\\.` is a dot in a key, such as `attributes.gen_ai\\.model`, and `\\\\` a backslash at the end of one. With `trace_roots_only`, `thread_id` and the status are those of the traces',
}) as unknown as z.ZodType<QueryExpression, QueryExpressionInput>

/** A filter expression of a purge, which names ids: a list of them may be as long as a body. */
export const PurgeQuery = z.strictObject({ $expr: operationOf({ id: 'PurgeOperand', maxElements: 500_000 }) }).meta({
  id: 'PurgeQuery',
  description: 'Filter expression `{"$expr": {"$in": [{"$getField": "id"}, [{"$literal": "…"}]]}}`',
}) as unknown as z.ZodType<QueryExpression, QueryExpressionInput>
