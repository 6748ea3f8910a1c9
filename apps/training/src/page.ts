import { JsonPieces } from '@heddle/core-api/internal'

interface ItemWithId {
  id: string
}

/** A page of the contract, of one item more than its limit where there are more. */
export function toPage<Row, Item extends ItemWithId>(rows: readonly Row[], limit: number, toItem: (row: Row) => Item) {
  const data = rows.slice(0, limit).map(toItem)
  return {
    object: 'list' as const,
    data,
    first_id: data[0]?.id ?? '',
    last_id: data.at(-1)?.id ?? '',
    has_more: rows.length > limit,
  }
}

/** A page whose items are JSON already: the slices of their list. */
export function toPageOf<Page>(
  { ids, hasMore }: { ids: readonly string[]; hasMore: boolean },
  items: readonly Uint8Array[],
): JsonPieces<Page> {
  const rest = { first_id: ids[0] ?? '', last_id: ids.at(-1) ?? '', has_more: hasMore }
  return new JsonPieces(['{"object":"list","data":', ...items, `,${JSON.stringify(rest).slice(1)}`])
}
