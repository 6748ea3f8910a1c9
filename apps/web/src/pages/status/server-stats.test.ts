import { expect, test } from 'vitest'
import { countRequests, type Reading, rowsPerSecond } from './server-stats.ts'

const aReading = (readAtMs: number, rows: Record<string, number>, started_at = '2026-01-01T00:00:00Z') =>
  ({ readAtMs, stats: { started_at, engine: { inserted_rows: rows } } }) as unknown as Reading

test('the rate of rows is that of all tables between two readings of one run of the server', () => {
  const before = aReading(1_000, { calls: 10 })
  expect(rowsPerSecond(before, aReading(3_000, { calls: 14, feedback: 2 }))).toBe(3)
  expect(rowsPerSecond(before, aReading(3_000, { calls: 10 }))).toBe(0)
  expect(rowsPerSecond(undefined, before)).toBeUndefined()
  expect(rowsPerSecond(before, aReading(3_000, { calls: 2 }, '2026-01-02T00:00:00Z'))).toBeUndefined()
})

test('every request is counted once: as answered, rejected, refused by a limit, or failed', () => {
  const byStatus = { 200: 50, 204: 1, 301: 2, 400: 3, 404: 4, 413: 5, 429: 6, 500: 7, 502: 8, 503: 9 }
  expect(countRequests(byStatus)).toEqual({
    answered: 53,
    rejected: 7,
    refused: { tooLarge: 5, tooMany: 6, unavailable: 9 },
    failed: 15,
  })
})
