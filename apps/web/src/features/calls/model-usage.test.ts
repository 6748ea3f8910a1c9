import { expect, test } from 'vitest'
import { hasOwnUsage } from './model-usage.ts'

test.each([
  [{}, 1, true],
  [{}, 0, false],
  [{ status_counts: { success: 1, error: 0 } }, 1, true],
  [{ status_counts: { success: 2, error: 1 } }, 1, false],
])('usage in the summary %j with %i models is its own: %s', (summary, models, own) => {
  const none = { inputTokens: 0, cachedTokens: 0, outputTokens: 0, tokens: 1, cost: null, unpriced: 1 }
  expect(
    hasOwnUsage(
      { summary },
      Array.from({ length: models }, (_, at) => ({ model: `m${at}`, ...none })),
    ),
  ).toBe(own)
})
