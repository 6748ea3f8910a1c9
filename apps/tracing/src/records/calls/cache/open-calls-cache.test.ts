import { once } from 'node:events'
import { expect, test } from 'vitest'
import type { StoredIds } from './calls-cache-store.ts'
import { createOpenCallsCache } from './open-calls-cache.ts'

async function* endless(signal: AbortSignal): AsyncIterable<StoredIds> {
  yield { project_id: 'test/project', ids: ['stored'] }
  if (!signal.aborted) await once(signal, 'abort')
  throw new Error('the connection was closed')
}

const sizes = { maxBytes: 1e6, maxIdsBytes: 2 ** 22 }

test('closing the cache aborts the load of stored ids without reporting an error', async () => {
  const errors: unknown[] = []
  const cache = createOpenCallsCache({
    readStored: endless,
    ...sizes,
    onError: (error) => void errors.push(error),
  })
  expect(cache.get('test/project', 'other')).toBe('unknown')
  await cache.close()
  expect([errors, cache.get('test/project', 'other')]).toEqual([[], 'unknown'])
})

test('a failed load is reported, and calls stay unknown', async () => {
  const errors: unknown[] = []
  const failing = async function* (): AsyncIterable<StoredIds> {
    yield { project_id: 'test/project', ids: ['stored'] }
    throw new Error('the store is away')
  }
  const cache = createOpenCallsCache({
    readStored: failing,
    ...sizes,
    onError: (error) => void errors.push(error),
  })
  await new Promise((resolve) => setImmediate(resolve))
  expect([errors, cache.get('test/project', 'other')]).toEqual([[new Error('the store is away')], 'unknown'])
})
