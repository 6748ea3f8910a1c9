import { expect, test } from 'vitest'
import { countRequests, type Reading, spansPerMinute } from './server-stats.ts'

const aReading = (readAtMs: number, rows: Record<string, number>, started_at = '2026-01-01T00:00:00Z') =>
  ({ readAtMs, stats: { started_at, engine: { inserted_rows: rows } } }) as unknown as Reading

test('the rate of spans is that between two readings of one run of the server, whatever other tables got', () => {
  const before = aReading(1_000, { calls: 10 })
  expect(spansPerMinute(before, aReading(3_000, { calls: 14, feedback: 2 }))).toBe(120)
  expect(spansPerMinute(before, aReading(3_000, { calls: 10 }))).toBe(0)
  expect(spansPerMinute(undefined, before)).toBeUndefined()
  expect(spansPerMinute(before, aReading(3_000, { calls: 2 }, '2026-01-02T00:00:00Z'))).toBeUndefined()
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
