import { expect, test } from 'vitest'
import { delayAfter } from './deliver-message.ts'
import { defaultWebhookSettings } from './webhook-limits.ts'

test.each([
  { attempt: 1, askedMs: 0, delayMs: 5_000 },
  { attempt: 2, askedMs: 0, delayMs: 10_000 },
  { attempt: 10, askedMs: 0, delayMs: 2_560_000 },
  { attempt: 11, askedMs: 0, delayMs: 3_600_000 },
  { attempt: 20, askedMs: 0, delayMs: 3_600_000 },
  { attempt: 1, askedMs: 4_000, delayMs: 5_000 },
  { attempt: 1, askedMs: 60_000, delayMs: 60_000 },
  { attempt: 1, askedMs: 7 * 24 * 3_600_000, delayMs: 3_600_000 },
])(
  'after attempt $attempt, where the receiver requests $askedMs ms, the next one follows in $delayMs ms',
  ({ attempt, askedMs, delayMs }) => expect(delayAfter(attempt, askedMs)).toBe(delayMs),
)

test('all attempts of a message to a receiver that requests nothing take about ten hours', () => {
  const delays = Array.from({ length: defaultWebhookSettings.maxAttempts - 1 }, (_, at) => delayAfter(at + 1, 0))
  const hours = delays.reduce((sum, delay) => sum + delay, 0) / 3_600_000
  expect([hours > 10, hours < 11]).toEqual([true, true])
})
