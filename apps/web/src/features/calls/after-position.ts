import type { QueryExpression } from '@heddle/core-api'
import { compare, equals } from '@heddle/trace-model/query'

/** The orders of calls by their start. */
export type CallOrder = 'newest' | 'oldest'

/** The call after which a page begins. */
export interface Position {
  startedAt: string
  id: string
}

/** Adds to a query the condition that calls follow a position in the given order. */
export function afterPosition(
  query: QueryExpression | undefined,
  position: Position | undefined,
  order: CallOrder = 'newest',
): QueryExpression | undefined {
  if (!position) return query
  const later = order === 'newest' ? '$lt' : '$gt'
  const { startedAt, id } = position
  const after = { $or: [compare(later, 'started_at', startedAt), { $and: [equals('started_at', startedAt), compare(later, 'id', id)] }] }
  return { $expr: query ? { $and: [query.$expr, after] } : after }
}
