import type { QueryExpression } from '@heddle/core-api'

/** The orders of calls by their start. */
export type CallOrder = 'newest' | 'oldest'

/** The call after which a page begins. */
export interface Position {
  startedAt: string
  id: string
}

/** Adds to a query the condition that calls come after a position in the given order. */
export function afterPosition(
  query: QueryExpression | undefined,
  position: Position | undefined,
  order: CallOrder = 'newest',
): QueryExpression | undefined {
  if (!position) return query
  const later = order === 'newest' ? '$lt' : '$gt'
  const started = [{ $getField: 'started_at' }, { $literal: position.startedAt }] as const
  const after = {
    $or: [{ [later]: [...started] }, { $and: [{ $eq: [...started] }, { [later]: [{ $getField: 'id' }, { $literal: position.id }] }] }],
  } as unknown as QueryExpression['$expr']
  return { $expr: query ? { $and: [query.$expr, after] } : after }
}
