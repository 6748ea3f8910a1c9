import type { QueryExpression } from '@heddle/core-api'

/** The orders of calls by their start. */
export type CallOrder = 'newest' | 'oldest'

/** After which call a page continues. */
export interface Position {
  startedAt: string
  id: string
}

/** The condition, and that calls come after a position in an order. */
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
