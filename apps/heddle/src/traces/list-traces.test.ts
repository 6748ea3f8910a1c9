import type { TraceTotal } from '@heddle/core-api/types'
import { expect, test } from 'vitest'
import { createClock } from '../terminal/clock.ts'
import { aCall } from '../testing/a-call.ts'
import { formatTraceLine, formatTraces, summarizeTraces } from './list-traces.ts'

const root = aCall({ id: 'a', trace_id: 't1', display_name: 'answer' })
const running = aCall({ id: 'c', trace_id: 't2', op_name: 'ask', startMs: 9, ended_at: null })

const totalOf = (trace_id: string, total: Partial<TraceTotal>) =>
  ({
    trace_id,
    root_call_id: null,
    is_parent_missing: false,
    thread_id: null,
    status: 'success',
    calls: 1,
    errors: 0,
    tokens: null,
    cost: null,
    is_behind: false,
    ...total,
  }) as TraceTotal
const totals = [
  totalOf('t1', { root_call_id: 'a', status: 'descendant_error', thread_id: 'talk', calls: 2, errors: 1, tokens: 42, cost: 0.5 }),
  totalOf('t2', { root_call_id: 'c', status: 'running', is_parent_missing: true }),
]

test('a trace has the root, status, thread and totals that the service computed, in the order of the roots', () => {
  const traces = summarizeTraces({ roots: [running, root], totals })
  const { started_at } = running
  const none = { thread_id: null, cost: null, priced_as: [], reported_uses: 0, tokens: null, errors: 0, is_behind: false }
  expect(traces).toEqual([
    {
      ...none,
      trace_id: 't2',
      root_call_id: 'c',
      is_parent_missing: true,
      status: 'running',
      name: 'ask',
      started_at,
      duration_us: null,
      calls: 1,
    },
    {
      ...none,
      trace_id: 't1',
      root_call_id: 'a',
      is_parent_missing: false,
      status: 'descendant_error',
      thread_id: 'talk',
      name: 'answer',
      started_at: root.started_at,
      duration_us: 10_000,
      calls: 2,
      errors: 1,
      tokens: 42,
      cost: 0.5,
    },
  ])
})

test('a trace of two roots is listed once, under its own root, whichever came last', () => {
  const second = aCall({ id: 'd', trace_id: 't1', display_name: 'later', startMs: 20 })
  expect(summarizeTraces({ roots: [second, running, root], totals }).map(({ name, calls }) => [name, calls])).toEqual([
    ['answer', 2],
    ['ask', 1],
  ])
})

test('a trace that was deleted while it was listed has what its root says', () => {
  expect(summarizeTraces({ roots: [running], totals: [] })).toMatchObject([{ root_call_id: null, status: 'running', calls: 0 }])
})

test('a table has a line for each trace, with a mark where the parent of its root is missing', () => {
  const lines = formatTraces(summarizeTraces({ roots: [running, root], totals }), createClock('UTC')).split('\n')
  expect(lines).toEqual([
    'STARTED (UTC)        NAME                     TIME  CALLS  TOKENS  COST  ERRORS  TRACE',
    '2026-01-02 03:04:05  ask (parent missing)  running      1                        t2',
    '2026-01-02 03:04:05  answer                  10 ms      2      42   0.5       1  t1',
  ])
})

test('costs that are not at the prices of the names of their models are marked, and the mark is explained', () => {
  const [one, other] = totals.map((total) => ({ ...total, cost: 0.25 }))
  const marked = [
    { ...one!, priced_as: ['gpt-4o'] },
    { ...other!, reported_uses: 2 },
  ]
  const text = formatTraces(summarizeTraces({ roots: [running, root], totals: marked }), createClock('UTC'))
  expect(text.match(/0\.25\*/g)).toHaveLength(2)
  expect(text.split('\n').at(-1)).toBe('* at the price of gpt-4o; reported by 2 uses of models without a known price')
})

test('a line of streamed output says the same', () => {
  const [trace] = summarizeTraces({ roots: [root], totals })
  expect(trace && formatTraceLine(trace, createClock('UTC'))).toBe(
    '2026-01-02 03:04:05     10 ms  answer  2 calls, 42 tokens, cost 0.5, 1 errors  t1',
  )
})

test('a name cannot break the table', () => {
  const hostile = aCall({ display_name: 'a\n\u001b[31mb' })
  expect(formatTraces(summarizeTraces({ roots: [hostile], totals }), createClock('UTC')).split('\n')[1]).toContain('  a b  ')
})
