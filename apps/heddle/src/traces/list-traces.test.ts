import type { TraceTotal } from '@heddle/core-api'
import { expect, test } from 'vitest'
import { aCall } from '../testing/a-call.ts'
import { formatTraceLine, formatTraces, summarizeTraces } from './list-traces.ts'

const root = aCall({ id: 'a', trace_id: 't1', display_name: 'answer' })
const running = aCall({ id: 'c', trace_id: 't2', op_name: 'ask', startMs: 9, ended_at: null })

const totalOf = (trace_id: string, total: Partial<TraceTotal>) => ({ trace_id, calls: 1, errors: 0, tokens: 0, ...total }) as TraceTotal
const totals = [totalOf('t1', { calls: 2, errors: 1, tokens: 42 }), totalOf('t2', {})]

test('a trace has the totals of all its calls, in the order of the roots', () => {
  const traces = summarizeTraces({ roots: [running, root], totals })
  expect(traces).toEqual([
    { trace_id: 't2', name: 'ask', started_at: running.started_at, duration_us: null, calls: 1, errors: 0, tokens: null },
    { trace_id: 't1', name: 'answer', started_at: root.started_at, duration_us: 10_000, calls: 2, errors: 1, tokens: 42 },
  ])
})

test('a trace of two roots is listed once, under the root that came last', () => {
  const second = aCall({ id: 'd', trace_id: 't1', display_name: 'later', startMs: 20 })
  expect(summarizeTraces({ roots: [second, running, root], totals }).map(({ name, calls }) => [name, calls])).toEqual([
    ['later', 2],
    ['ask', 1],
  ])
})

test('a table has a line for each trace', () => {
  const lines = formatTraces(summarizeTraces({ roots: [running, root], totals })).split('\n')
  expect(lines).toEqual([
    'STARTED (UTC)        NAME       TIME  CALLS  TOKENS  ERRORS  TRACE',
    '2026-01-02 03:04:05  ask     running      1                  t2',
    '2026-01-02 03:04:05  answer    10 ms      2      42       1  t1',
  ])
})

test('a line of streamed output says the same', () => {
  const [trace] = summarizeTraces({ roots: [root], totals })
  expect(trace && formatTraceLine(trace)).toBe('2026-01-02 03:04:05     10 ms  answer  2 calls, 42 tokens, 1 errors  t1')
})

test('a name cannot break the table', () => {
  const hostile = aCall({ display_name: 'a\n\u001b[31mb' })
  expect(formatTraces(summarizeTraces({ roots: [hostile], totals })).split('\n')[1]).toContain('  a b  ')
})
