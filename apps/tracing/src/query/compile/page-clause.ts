import { badRequest } from '@heddle/core-api/internal'
import { bind, sql, type Sql } from '@heddle/datastore'

/** Part of a list: null means all, and from the start. */
export interface Page {
  limit: number | null
  offset: number | null
}

/** `LIMIT … OFFSET …`, or nothing without a page. @throws 400 for a negative number. */
export function pageClause({ limit, offset }: Page): Sql {
  checkCount('Limit', limit)
  checkCount('Offset', offset)
  if (limit === null && !offset) return sql``
  return sql` LIMIT ${bind('UInt64', limit ?? Number.MAX_SAFE_INTEGER)} OFFSET ${bind('UInt64', offset ?? 0)}`
}

function checkCount(name: string, value: number | null): void {
  if (value === null || (Number.isSafeInteger(value) && value >= 0)) return
  throw badRequest(`${name} must be non-negative, got ${value}`)
}
