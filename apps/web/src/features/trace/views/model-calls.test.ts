import { JsonNumber } from '@heddle/json/exact'
import { expect, test } from 'vitest'
import { settleUsage } from '../usage/usage-of-trace.ts'
import { aTraceCall } from '../testing/trace-call.ts'
import { modelRequestsOf, reportWithMessages, sharedStart } from './model-calls.ts'

test('requests are those of model calls, and of calls that alone tell what was used; reports of one are together, the one that counts first', () => {
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
  expect(modelRequestsOf(calls, settleUsage(calls, reported)).map((reports) => reports.map(({ id }) => id))).toEqual([
    ['inner', 'outer'],
    ['alone'],
    ['silent'],
    ['later'],
  ])
  expect(modelRequestsOf([], undefined)).toEqual([])
})

test('the messages of a request are those of the first report that has some', () => {
  const [outer, inner] = ['outer', 'inner'].map((id) => aTraceCall({ id }))
  const request = [inner!, outer!] as const
  const said = [{ role: 'user', parts: [] }]
  expect(reportWithMessages(request, new Map())).toBeUndefined()
  expect(
    reportWithMessages(
      request,
      new Map([
        ['inner', []],
        ['outer', said],
      ]),
    ),
  ).toEqual({ call: outer, messages: said })
  expect(
    reportWithMessages(
      request,
      new Map([
        ['inner', said],
        ['outer', said],
      ]),
    ),
  ).toEqual({ call: inner, messages: said })
  expect(
    reportWithMessages(
      request,
      new Map([
        ['inner', []],
        ['outer', []],
      ]),
    ),
  ).toEqual({ call: inner, messages: [] })
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

test('messages that differ in a number that JavaScript cannot tell apart are not repeated', () => {
  const asked = (id: string) => [{ role: 'tool', parts: [{ type: 'tool_result' as const, result: { id: new JsonNumber(id) } }] }]
  expect(sharedStart(asked('9007199254740993'), asked('9007199254740992'))).toBe(0)
  expect(sharedStart(asked('9007199254740993'), asked('9007199254740993'))).toBe(1)
})
