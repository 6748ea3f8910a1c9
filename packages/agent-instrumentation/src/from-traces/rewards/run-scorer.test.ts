import type { Call } from '@heddle/core-api'
import { expect, test } from 'vitest'
import type { TracingClient } from '../attempts/read-traces.ts'
import { rewardOf } from './reward-source.ts'
import { runScorer } from './run-scorer.ts'

const scorer = 'weave:///e/p/object/exact:v1'
const feedback = (output: unknown, ref = scorer) => ({ runnable_ref: ref, created_at: '2026-01-01', payload: { output } })

function aCall(id: string, fields: Record<string, unknown> = {}): Call {
  const empty = { parent_id: null, inputs: {}, output: null, attributes: {}, summary: {} }
  return { id, trace_id: `trace ${id}`, op_name: 'op', started_at: '2026-01-01', ...empty, ...fields } as unknown as Call
}

/** A server that scores calls between two queries, but for those named `unscorable`, and leaves a trace of each score. */
function createServer(calls: Call[]) {
  const asked: string[] = []
  const client = {
    calls: {
      async *streamQuery({ filter }: { filter: { trace_ids?: string[]; call_ids?: string[] } }) {
        const { trace_ids: traces, call_ids: ids } = filter
        yield* calls.filter(({ id, trace_id }) => (!traces || traces.includes(trace_id)) && (!ids || ids.includes(id)))
      },
    },
    scores: {
      async scoreCalls({ call_ids }: { call_ids: string[] }) {
        asked.push(...call_ids)
        for (const call of calls.filter(({ id }) => call_ids.includes(id) && id !== 'unscorable')) {
          call.summary = { weave: { feedback: [feedback({ match: true })] } } as never
          calls.push(aCall(`score of ${call.id}`, { attributes: { weave: { score: 'true' } } }))
        }
        return {}
      },
    },
  } as unknown as TracingClient
  return { source: { client, project: 'e/p' }, asked }
}

test('a scorer runs once over each attempt that it has not scored, and what it cannot score is counted', async () => {
  const scored = aCall('scored', { summary: { weave: { feedback: [feedback(0.5)] } } })
  const byAnother = aCall('by another', { summary: { weave: { feedback: [feedback(1, 'weave:///e/p/object/exact:v0')] } } })
  const { source, asked } = createServer([scored, byAnother, aCall('fresh'), aCall('unscorable')])
  const run = { filter: {}, maxTraces: 10, scorer, pollMs: 1, stallMs: 20 }
  expect(await runScorer(source, run)).toEqual({ asked: 3, scored: 2 })
  expect(asked).toEqual(['by another', 'fresh', 'unscorable'])
  expect(await runScorer(source, run)).toEqual({ asked: 1, scored: 0 })
  expect(asked).toEqual(['by another', 'fresh', 'unscorable', 'unscorable'])
})

test.each([
  ['a number', 0.25, undefined, 0.25],
  ['a boolean', true, undefined, 1],
  ['the first number of an object', { reason: 'r', score: 0.5 }, undefined, 0.5],
  ['the number at a path', { a: 1, b: { c: 0 } }, 'b.c', 0],
  ['nothing that counts', 'good', undefined, undefined],
])('a reward from what a scorer returned: %s', (_, output, path, reward) => {
  const call = aCall('c', { summary: { weave: { feedback: [feedback(output)] } } })
  expect(rewardOf({ id: 'c', root: call, calls: [call] }, { from: 'scorer', scorer, path })).toBe(reward)
})
