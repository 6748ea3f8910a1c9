import { expect, test } from 'vitest'
import { settleUsage } from '../usage/usage-of-trace.ts'
import { aTraceCall } from '../testing/trace-call.ts'
import { modelCallsOf, sharedStart } from './model-calls.ts'

test('model calls are requests to models, and calls that alone tell what was used; not those that another instrumentation repeats', () => {
  const used = [{ model: 'm', inputTokens: 1, cachedTokens: 0, outputTokens: 1, tokens: 2, cost: null, unpriced: 1 }]
  const agent = { isModelCall: false, kind: 'agent' as const }
  const calls = [
    aTraceCall({ id: 'root', ...agent }),
    aTraceCall({ id: 'later', parentId: 'root', startedAt: 9, endedAt: 9 }),
    aTraceCall({ id: 'outer', parentId: 'root', startedAt: 1, scope: 'gateway' }),
    aTraceCall({ id: 'inner', parentId: 'outer', startedAt: 2, scope: 'provider' }),
    aTraceCall({ id: 'tool', parentId: 'root', startedAt: 3, ...agent }),
    aTraceCall({ id: 'alone', startedAt: 4, ...agent }),
    aTraceCall({ id: 'silent', startedAt: 5 }),
  ]
  const reported = new Map(['root', 'outer', 'inner', 'later', 'alone'].map((id) => [id, used]))
  expect(modelCallsOf(calls, settleUsage(calls, reported)).map(({ id }) => id)).toEqual(['inner', 'alone', 'silent', 'later'])
  expect(modelCallsOf([], undefined)).toEqual([])
})

test('messages that a call repeats from the one before are counted', () => {
  const [asked, answered, again] = ['question', 'answer', 'again'].map((text) => ({
    role: 'user',
    parts: [{ type: 'text' as const, text }],
  }))
  expect(sharedStart([asked!, answered!, again!], [asked!, answered!])).toBe(2)
  expect(sharedStart([asked!], [asked!, answered!])).toBe(1)
  expect(sharedStart([again!], [asked!])).toBe(0)
})
