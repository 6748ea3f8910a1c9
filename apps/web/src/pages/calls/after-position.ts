import type { QueryExpression } from '@heddle/core-api'

/** After which call a page goes on. */
export interface Position {
  startedAt: string
  id: string
}

/** The condition, and that calls come after a position in the order of their starts: the newest first, or the oldest. */
export function afterPosition(
  query: QueryExpression | undefined,
  position: Position | undefined,
  direction: 'asc' | 'desc' = 'desc',
): QueryExpression | undefined {
  if (!position) return query
  const later = direction === 'desc' ? '$lt' : '$gt'
  const started = [{ $getField: 'started_at' }, { $literal: position.startedAt }] as const
  const after = {
    $or: [{ [later]: [...started] }, { $and: [{ $eq: [...started] }, { [later]: [{ $getField: 'id' }, { $literal: position.id }] }] }],
  } as unknown as QueryExpression['$expr']
  return { $expr: query ? { $and: [query.$expr, after] } : after }
}
