import { expect, test } from 'vitest'
import { type LoadHistory, loadParts } from './load-parts.ts'

const aPart = (started_at: string): LoadHistory['parts'][number] => ({
  started_at,
  by_status: { 200: 7, 404: 2, 429: 3, 500: 1 },
  request_p95_ms: 16,
  inserted_rows: { calls: 5, objects: 2 },
  rejected_spans: 4,
  memory_bytes: 1e8,
  free_bytes: null,
  waiting_bytes: 0,
  jobs_queued: 6,
  jobs_running: 1,
})

const history = (step_minutes: number, ...starts: string[]): LoadHistory => ({
  started_at: '2026-01-01T00:00:00.000000Z',
  step_minutes,
  parts: starts.map(aPart),
})

test('a range has all of its parts, and null for those in which the server did not run', () => {
  const parts = loadParts(history(5, '2026-01-01T11:50:00.000000Z', '2026-01-01T12:00:00.000000Z'), 20, Date.parse('2026-01-01T12:03:00Z'))
  expect(parts.map(({ startedAt, load }) => [startedAt.slice(11, 16), load?.spans])).toEqual([
    ['11:45', undefined],
    ['11:50', 5],
    ['11:55', undefined],
    ['12:00', 5],
  ])
})

test('responses are grouped by outcome', () => {
  const [part] = loadParts(history(1, '2026-01-01T12:00:00.000000Z'), 1, Date.parse('2026-01-01T12:00:10Z'))
  expect(part).toEqual({
    startedAt: '2026-01-01T12:00:00.000Z',
    endedAt: '2026-01-01T12:01:00.000Z',
    load: {
      spans: 5,
      refusedSpans: 4,
      answered: 7,
      invalid: 2,
      refused: 3,
      failed: 1,
      p95Ms: 16,
      running: 1,
      queued: 6,
      memoryBytes: 1e8,
      freeBytes: null,
    },
  })
})

test('a range ends with the last part of a server whose clock is ahead', () => {
  const parts = loadParts(history(1, '2026-01-01T12:01:00.000000Z'), 2, Date.parse('2026-01-01T12:00:59Z'))
  expect(parts.map(({ load }) => load?.spans)).toEqual([undefined, 5])
})
