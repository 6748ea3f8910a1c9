import type { JsonObject } from '@heddle/core-api'
import { trajectoryAttribute } from '@heddle/core-api/attributes'
import { attributePaths } from './call-attribute.ts'

/** Which recorded calls are looked at. All conditions must hold. */
export interface TraceFilter {
  /** Microseconds since 1970, inclusive. */
  since?: number | undefined
  /** Microseconds since 1970, exclusive. */
  until?: number | undefined
  /** Name of an op or span. Each call of it is an attempt, with what is below it. */
  op?: string | undefined
  threadId?: string | undefined
  rolloutId?: string | undefined
  groupIds?: readonly string[] | undefined
  /** Expression of the query language, such as `{"$eq": [...]}`. */
  query?: JsonObject | undefined
  /** Only calls that name the trajectory they belong to. */
  recordedOnly?: boolean | undefined
}

const field = ($getField: string) => ({ $getField })
const literal = ($literal: unknown) => ({ $literal })
const isThere = (name: string) => ({ $convert: { input: field(name), to: 'exists' } })
const equal = (name: string, value: unknown) => ({ $eq: [field(name), literal(value)] })
/** A condition on an attribute, wherever the call has it. */
const withAttribute = (name: string, toCondition: (field: string) => object) => ({
  $or: attributePaths(name).map((path) => toCondition(`attributes.${path}`)),
})

/** The filter as the conditions of a query over calls. Without a condition on single calls, only roots of traces match. */
export function toCallsQuery(filter: TraceFilter): {
  filter: { trace_roots_only?: boolean; thread_ids?: string[] }
  query: { $expr: { $and: object[] } } | null
} {
  const { op, threadId, rolloutId, groupIds, query, recordedOnly } = filter
  const looksBelowRoots = recordedOnly === true || [op, rolloutId, groupIds, query].some((one) => one !== undefined)
  const conditions = conditionsOf(filter)
  return {
    filter: { ...(!looksBelowRoots && { trace_roots_only: true }), ...(threadId !== undefined && { thread_ids: [threadId] }) },
    query: conditions.length === 0 ? null : { $expr: { $and: conditions } },
  }
}

function conditionsOf({ since, until, op, rolloutId, groupIds, query, recordedOnly }: TraceFilter): object[] {
  return [
    ...(recordedOnly === true ? [withAttribute(trajectoryAttribute.trajectoryId, isThere)] : []),
    ...(since === undefined ? [] : [{ $gte: [field('started_at'), literal(since / 1e6)] }]),
    ...(until === undefined ? [] : [{ $lt: [field('started_at'), literal(until / 1e6)] }]),
    ...(op === undefined ? [] : [namedOp(op)]),
    ...(rolloutId === undefined ? [] : [withAttribute(trajectoryAttribute.rolloutId, (name) => equal(name, rolloutId))]),
    ...(groupIds === undefined
      ? []
      : [withAttribute(trajectoryAttribute.groupId, (name) => ({ $in: [field(name), groupIds.map(literal)] }))]),
    ...(query === undefined ? [] : [expressionOf(query)]),
  ]
}

/** A whole query is written with `$expr` around its expression. */
function expressionOf(query: JsonObject): object {
  const inner = query['$expr']
  return typeof inner === 'object' && inner !== null ? inner : query
}

/** An op has a versioned reference, a plain name, or the name of its span. */
function namedOp(name: string): object {
  const names = ['op_name', 'display_name', 'summary.weave.trace_name', 'attributes.otel_span.name']
  const reference = { $contains: { input: field('op_name'), substr: literal(`/op/${encodeURIComponent(name)}:`) } }
  return { $or: [...names.map((one) => equal(one, name)), reference] }
}
