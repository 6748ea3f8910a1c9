import { expect, test } from 'vitest'
import { ingestHealth } from './ingest-health.ts'

const now = Date.parse('2026-01-10T00:00:00Z')

test.each([
  [null, 'nothing received yet'],
  ['2026-01-09T23:00:01Z', 'calls in the last hour'],
  // The clock of a client may be ahead.
  ['2026-01-10T00:05:00Z', 'calls in the last hour'],
  ['2026-01-09T23:00:00Z', 'quiet for 1 hour'],
  ['2026-01-08T00:00:01Z', 'quiet for 47 hours'],
  ['2026-01-08T00:00:00Z', 'quiet for 2 days'],
])('with its newest call at %s a project says: %s', (lastCallAt, text) => {
  expect(ingestHealth(lastCallAt, now)).toBe(text)
})
