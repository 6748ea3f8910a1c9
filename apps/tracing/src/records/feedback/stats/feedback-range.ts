import { invalid } from '@heddle/core-api/internal'
import type { Micros } from '@heddle/datastore'

const second = 1_000_000
const maxSeconds = 31 * 86_400

/** True for a range that may be looked at in detail. */
export function isShortRange({ start, end }: { start: Micros; end: Micros }): boolean {
  return (end - start) / second <= maxSeconds
}

/** @throws 422 for a range that ends before it starts, or is longer than 31 days. */
export function checkRange(range: { start: Micros; end: Micros }): void {
  if (range.end < range.start) throw refuseRange('end', 'end must be after start')
  if (!isShortRange(range)) throw refuseRange('end', 'date range cannot exceed 31 days')
}

/** 422 for a field of a range. */
export function refuseRange(field: string, msg: string) {
  return invalid([{ loc: ['body', field], msg, type: 'value_error' }])
}
