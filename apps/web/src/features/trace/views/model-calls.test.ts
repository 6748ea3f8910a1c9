import { expect, test } from 'vitest'
import { settleUsage } from '../usage/usage-of-trace.ts'
import { aTraceCall } from '../testing/trace-call.ts'
import { modelRequestsOf, reportWithMessages } from './model-calls.ts'

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
