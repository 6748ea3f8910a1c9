import type { JsonObject } from '@heddle/core-api'
import { trajectoryAttribute } from '@heddle/core-api/attributes'
import { attributePaths, compare, equals, isNamedOp, isOneOf, isThere } from '@heddle/trace-model/query'

/** Which recorded calls are looked at. All conditions must hold. */
export interface TraceFilter {
  /** Microseconds since 1970, inclusive. */
  since?: number | undefined
  /** Microseconds since 1970, exclusive. */
  until?: number | undefined
  /** Name of an op or span. Each of its calls is an attempt, with its descendants. */
  op?: string | undefined
  threadId?: string | undefined
  rolloutId?: string | undefined
  groupIds?: readonly string[] | undefined
  /** Expression of the query language, such as `{"$eq": [...]}`. */
  query?: JsonObject | undefined
  /** Only calls that name the trajectory they belong to. */
  recordedOnly?: boolean | undefined
}

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
    ...(since === undefined ? [] : [compare('$gte', 'started_at', since / 1e6)]),
    ...(until === undefined ? [] : [compare('$lt', 'started_at', until / 1e6)]),
    ...(op === undefined ? [] : [isNamedOp(op)]),
    ...(rolloutId === undefined ? [] : [withAttribute(trajectoryAttribute.rolloutId, (name) => equals(name, rolloutId))]),
    ...(groupIds === undefined ? [] : [withAttribute(trajectoryAttribute.groupId, (name) => isOneOf(name, groupIds))]),
    ...(query === undefined ? [] : [expressionOf(query)]),
  ]
}

/** A whole query is written with `$expr` around its expression. */
function expressionOf(query: JsonObject): object {
  const inner = query['$expr']
  return typeof inner === 'object' && inner !== null ? inner : query
}
