import type { Call } from '@heddle/core-api/types'
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

/** A server that scores calls between two queries, but for those named `unscorable` and `broken`, and leaves a trace of each score and each failure. */
function createServer(calls: Call[], scorers: string[] = [scorer]) {
  const asked: string[] = []
  const wants = (call: Call, text: string) => ['weave.scorer', 'exists'].every((part) => text.includes(part)) && Boolean(call.exception)
  const client = {
    calls: {
      async *streamQuery({ filter, query }: { filter?: { trace_ids?: string[]; call_ids?: string[] }; query?: object }) {
        if (!filter) return yield* calls.filter((call) => wants(call, JSON.stringify(query)))
        const { trace_ids: traces, call_ids: ids } = filter
        yield* calls.filter(({ id, trace_id }) => (!traces || traces.includes(trace_id)) && (!ids || ids.includes(id)))
      },
    },
    refs: { readBatch: async ({ refs }: { refs: string[] }) => ({ vals: refs.map((ref) => (scorers.includes(ref) ? {} : null)) }) },
    scorers: {
      async *list() {
        yield* scorers.map((ref) => ({ object_id: /object\/(.*):/.exec(ref)?.[1], digest: ref.split(':').at(-1) }))
      },
    },
    scores: {
      async scoreCalls({ call_ids }: { call_ids: string[] }) {
        asked.push(...call_ids)
        for (const call of calls.filter(({ id }) => call_ids.includes(id) && id !== 'unscorable')) {
          const isBroken = call.id === 'broken'
          if (!isBroken) call.summary = { weave: { feedback: [feedback({ match: true })] } } as never
          const marks = { weave: { score: 'true', prediction_id: call.id, scorer } }
          calls.push(
            aCall(`score of ${call.id} ${asked.length}`, { attributes: marks, exception: isBroken ? 'ScorerError: no column' : null }),
          )
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
  expect(await runScorer(source, run)).toEqual({ requested: 3, scored: 2, failed: 0, reason: null })
  expect(asked).toEqual(['by another', 'fresh', 'unscorable'])
  expect(await runScorer(source, run)).toEqual({ requested: 1, scored: 0, failed: 0, reason: null })
  expect(asked).toEqual(['by another', 'fresh', 'unscorable', 'unscorable'])
})

test('an attempt that the scorer fails on is not waited for, whether it failed before or not', async () => {
  const { source, asked } = createServer([aCall('fresh'), aCall('broken')])
  const run = { filter: {}, scorer, pollMs: 1, stallMs: 600_000 }
  expect(await runScorer(source, run)).toEqual({ requested: 2, scored: 1, failed: 1, reason: 'ScorerError: no column' })
  expect(await runScorer(source, run)).toEqual({ requested: 1, scored: 0, failed: 1, reason: 'ScorerError: no column' })
  expect(asked).toEqual(['fresh', 'broken', 'broken'])
})

test.each([
  [
    'that is not there',
    'weave:///e/p/object/gone:v0',
    'scorer "weave:///e/p/object/gone:v0" was not found; project e/p has weave:///e/p/object/exact:v1.',
  ],
  ['of another project', 'weave:///e/other/object/exact:v1', 'is in another project than e/p'],
  ['without a version', 'weave:///e/p/object/exact', 'is not a reference to a version of a scorer, such as weave:///e/p/object/exact:v0'],
])('a scorer %s is named at once, with those that there are and the way out', async (_, name, message) => {
  const { source, asked } = createServer([aCall('fresh')])
  const run = runScorer(source, { filter: {}, scorer: name, stallMs: 600_000 })
  await expect(run).rejects.toMatchObject({ name: 'ScorerUnavailable', message: expect.stringContaining(message) })
  await expect(run).rejects.toThrow('`scorer:<name>` takes the scores that attempts already have')
  expect(asked).toEqual([])
})

test('a project without scorers says so', async () => {
  const { source } = createServer([aCall('fresh')], [])
  await expect(runScorer(source, { filter: {}, scorer })).rejects.toThrow('was not found; project e/p has no scorers')
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
