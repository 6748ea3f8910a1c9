import { expect, test } from 'vitest'
import { durationOf } from './job-duration.ts'

const start = '2026-01-01T00:00:00Z'

test.each([
  ['one that waits has none', { training_start: null, training_end: null }, '–'],
  ['one that trains has that so far', { training_start: start, training_end: null }, '1 min 5 s'],
  ['one that ended has that from its start to its end', { training_start: start, training_end: '2026-01-01T00:00:02Z' }, '2.00 s'],
])('%s', (_, job, expected) => expect(durationOf(job, Date.parse(start) + 65_000)).toBe(expected))
