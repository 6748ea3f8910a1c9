/** A page of a list. No limit: to the end. */
export function pageOf<T>(list: readonly T[], { limit, offset }: { limit: number | null; offset: number }): T[] {
  const start = Math.max(offset, 0)
  return list.slice(start, limit === null ? undefined : start + limit)
}
