import type { QueryExpression } from '@heddle/core-api'

/** After which call a page goes on. */
export interface Position {
  startedAt: string
  id: string
}

/** The condition, and that calls come after a position in the order of newest first. */
export function afterPosition(query: QueryExpression | undefined, position: Position | undefined): QueryExpression | undefined {
  if (!position) return query
  const started = [{ $getField: 'started_at' }, { $literal: position.startedAt }] as const
  const after = {
    $or: [{ $lt: [...started] }, { $and: [{ $eq: [...started] }, { $lt: [{ $getField: 'id' }, { $literal: position.id }] }] }],
  } as unknown as QueryExpression['$expr']
  return { $expr: query ? { $and: [query.$expr, after] } : after }
}
