interface Identified {
  id: string
}

/** A page of the contract, of one item more than its limit where there are more. */
export function toPage<Row, Item extends Identified>(rows: readonly Row[], limit: number, toItem: (row: Row) => Item) {
  const data = rows.slice(0, limit).map(toItem)
  return {
    object: 'list' as const,
    data,
    first_id: data[0]?.id ?? '',
    last_id: data.at(-1)?.id ?? '',
    has_more: rows.length > limit,
  }
}
