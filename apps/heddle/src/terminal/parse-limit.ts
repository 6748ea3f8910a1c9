import { UsageError } from './usage-error.ts'

/** The number of entries that `--limit` names, 1 to 1000. @throws UsageError for any other text */
export function parseLimit(text: string): number {
  const limit = /^\d{1,4}$/.test(text) ? Number(text) : 0
  if (limit < 1 || limit > 1_000) throw new UsageError(`--limit must be an integer from 1 to 1000, got ${JSON.stringify(text)}`)
  return limit
}
