import { expect, test } from 'vitest'
import { ingestHealth } from './ingest-health.ts'

const now = Date.parse('2026-01-10T00:00:00Z')

test.each([
  [null, 'No traces yet'],
  ['2026-01-09T23:00:01Z', 'Traces in the last hour'],
  // The clock of a client may be ahead.
  ['2026-01-10T00:05:00Z', 'Traces in the last hour'],
  ['2026-01-09T23:00:00Z', 'Quiet for 1 hour'],
  ['2026-01-08T00:00:01Z', 'Quiet for 47 hours'],
  ['2026-01-08T00:00:00Z', 'Quiet for 2 days'],
])('with its newest call at %s a project says: %s', (lastCallAt, text) => {
  expect(ingestHealth(lastCallAt, now)).toBe(text)
})
