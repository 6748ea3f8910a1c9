import { expect, test } from 'vitest'
import { PendingResults, type RequestOutcome } from './pending-results.ts'

const minBytes = 1_024

/** Results that are kept as they end, each of 10 KiB with its overhead. */
function aStore(limits: { keptBytes: number; keptBytesOfProject: number }) {
  let now = 0
  const results = new PendingResults({ keptMs: 100, ofSession: 100, ...limits }, () => now)
  const settled: RequestOutcome = { kind: 'result', result: { toJson: () => ({}), toMessage: null, bytes: 10_240 - minBytes } }
  return {
    results,
    async end(projectId: string, ...ids: string[]) {
      for (const id of ids) {
        results.add(id, { sessionId: `s-${projectId}`, projectId }, { settled: Promise.resolve(settled), cancel: () => undefined })
        await Promise.resolve()
      }
    },
    kept: (...ids: string[]) => ids.filter((id) => results.find(id) !== undefined),
    pass: (ms: number) => (now += ms),
  }
}

test('the oldest results of a project go where it has more than its own bytes, and those of others stay', async () => {
  const { end, kept } = aStore({ keptBytes: 100 * 10_240, keptBytesOfProject: 2 * 10_240 })
  await end('a', 'a1')
  await end('b', 'b1', 'b2', 'b3', 'b4')
  await end('a', 'a2')
  expect(kept('a1', 'a2', 'b1', 'b2', 'b3', 'b4')).toEqual(['a1', 'a2', 'b3', 'b4'])
})

test('where all projects have more than the total, the one that has most loses its oldest', async () => {
  const { end, kept } = aStore({ keptBytes: 4 * 10_240, keptBytesOfProject: 3 * 10_240 })
  await end('a', 'a1')
  await end('b', 'b1', 'b2', 'b3')
  await end('c', 'c1', 'c2')
  expect(kept('a1', 'b1', 'b2', 'b3', 'c1', 'c2')).toEqual(['a1', 'b3', 'c1', 'c2'])
})

test('a result larger than every bound is kept until the next one', async () => {
  const { end, kept } = aStore({ keptBytes: 1, keptBytesOfProject: 1 })
  await end('a', 'a1')
  expect(kept('a1')).toEqual(['a1'])
  await end('a', 'a2')
  expect(kept('a1', 'a2')).toEqual(['a2'])
})

test('what is swept leaves its bytes to others', async () => {
  const { results, end, kept, pass } = aStore({ keptBytes: 2 * 10_240, keptBytesOfProject: 2 * 10_240 })
  await end('a', 'a1', 'a2')
  pass(100)
  results.sweep()
  await end('a', 'a3')
  await end('b', 'b1')
  expect(kept('a1', 'a2', 'a3', 'b1')).toEqual(['a3', 'b1'])
})
