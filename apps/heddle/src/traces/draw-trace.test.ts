import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createClock } from '../terminal/clock.ts'
import { aCall } from '../testing/a-call.ts'
import { drawTrace } from './draw-trace.ts'

const drawn = (calls: Parameters<typeof drawTrace>[0]) => drawTrace(calls, createClock('UTC')).split('\n')

test('a trace is a tree with start, length, tokens and errors', () => {
  const lines = drawn([
    aCall({
      id: 'd',
      parent_id: 'b',
      startMs: 6,
      op_name: 'weave:///acme/chat/op/call%20model:abc',
      tokens: 800,
      exception: 'RateLimitError: later\nTraceback',
    }),
    aCall({ id: 'a', display_name: 'answer', ended_at: '2026-01-02T03:04:06.523000Z' }),
    aCall({ id: 'c', parent_id: 'a', startMs: 5, op_name: 'retrieve', tokens: 12 }),
    aCall({ id: 'b', parent_id: 'a', startMs: 6, op_name: 'generate', ended_at: null }),
  ])
  expect(lines).toEqual([
    'trace t1 · 2026-01-02 03:04:05 UTC · 4 calls · 1 error',
    'answer                    1.52 s  812 tokens',
    '├─ retrieve       +5 ms    10 ms   12 tokens',
    '└─ generate       +6 ms  running  800 tokens',
    '   └─ call model  +6 ms    10 ms  800 tokens',
    '        ✗ RateLimitError: later Traceback',
  ])
})

test('a trace shows what it cost, and where that is from', () => {
  const summary = {
    usage: { 'azure/m': { prompt_tokens: 10, completion_tokens: 1 } },
    weave: { cost_details: { 'azure/m': { cost: 0.25, priced_as: 'm', source: 'price' } } },
  }
  const lines = drawn([aCall({ id: 'a' }), aCall({ id: 'b', parent_id: 'a', summary }), aCall({ id: 'c', parent_id: 'a', summary })])
  expect(lines[0]).toMatch(/3 calls · cost 0\.5\*$/)
  expect(lines.at(-1)).toBe('* at the price of m')
})

test('the sum of a client is not counted again below, and what it has beyond that counts', () => {
  const lines = drawn([aCall({ id: 'a', tokens: 100 }), aCall({ id: 'b', parent_id: 'a', startMs: 1, tokens: 60 })])
  expect(lines[1]).toContain('100 tokens')
  expect(lines[2]).toContain('60 tokens')
})

test('nested model calls of OpenTelemetry all count, and an agent that reports more than they do is named', () => {
  const sent = { wire: 'otlp' as const, is_model_call: true }
  const nested = [
    aCall({ ...sent, id: 'a', tokens: 11 }),
    ...['b', 'c'].map((id) => aCall({ ...sent, id, parent_id: 'a', startMs: 1, tokens: 11 })),
  ]
  expect(drawn(nested)[1]).toContain('33 tokens')
  const lines = drawn([
    aCall({ ...sent, is_model_call: false, id: 'a', tokens: 50 }),
    aCall({ ...sent, id: 'b', parent_id: 'a', tokens: 20 }),
  ])
  expect(lines[1]).toContain('20 tokens')
  expect(lines.at(-1)).toBe('Call a reports 50 tokens, 20 count below it: part of what it did may not be instrumented.')
})

test('a call whose parent never came is a root of its own', () => {
  expect(drawn([aCall({ id: 'a' }), aCall({ id: 'b', parent_id: 'gone', startMs: 1 })])).toHaveLength(3)
})

test('escape sequences in names and errors do not reach the terminal', () => {
  const text = drawTrace([aCall({ display_name: '\u001b]0;owned\u0007name', exception: '\u001b[2Jgone' })], createClock('UTC'))
  expect(text).toContain('name')
  expect(text).toContain('✗ gone')
  expect(text).not.toContain('\u001b')
})

test('an empty trace says so', () => {
  expect(drawTrace([], createClock('UTC'))).toBe('no calls')
})

test('every call is drawn exactly once, whatever their parents, circles too', () => {
  const ids = fc.constantFrom(...'abcdefgh')
  const parents = fc.uniqueArray(fc.record({ id: ids, parent_id: fc.option(ids) }), { selector: (call) => call.id, minLength: 1 })
  fc.assert(
    fc.property(parents, (calls) => {
      const lines = drawn(calls.map((call, index) => aCall({ ...call, display_name: `<${call.id}>`, startMs: index })))
      expect(lines).toHaveLength(calls.length + 1)
      for (const { id } of calls) expect(lines.filter((line) => line.includes(`<${id}>`))).toHaveLength(1)
    }),
  )
})

test('a chain of thousands of calls is drawn', () => {
  const calls = Array.from({ length: 3_000 }, (_, index) =>
    aCall({ id: `c${index}`, parent_id: index === 0 ? null : `c${index - 1}`, startMs: index }),
  )
  expect(drawn(calls)).toHaveLength(3_001)
})
