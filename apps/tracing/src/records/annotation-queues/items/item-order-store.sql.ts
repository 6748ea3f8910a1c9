import { type RawBuilder, sql } from 'kysely'
import type { ItemSortKey } from './annotation-items-store.ts'

/** What items are sorted by for a field of an order. */
export function columnOf(field: ItemSortKey['field']): RawBuilder<unknown> {
  return field === 'random_digits' ? sql`substr(id, 27)` : sql.ref(field)
}
