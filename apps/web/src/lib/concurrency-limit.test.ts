import { expect, test } from 'vitest'
import { createConcurrencyLimit } from './concurrency-limit.ts'

const never = new AbortController().signal
const later = () => new Promise<void>((resolve) => setImmediate(resolve))

test('so much work runs at a time, in the order in which it came', async () => {
  const limited = createConcurrencyLimit(2)
  const begun: number[] = []
  let running = 0
  let most = 0
  const work = (at: number) => async () => {
    begun.push(at)
    most = Math.max(most, ++running)
    await later()
    running--
    return at
  }
  const all = [0, 1, 2, 3, 4, 5].map((at) => limited(work(at), never))
  expect(await Promise.all(all)).toEqual([0, 1, 2, 3, 4, 5])
  expect([begun, most]).toEqual([[0, 1, 2, 3, 4, 5], 2])
})

test('work that fails, or is aborted while it waits, makes room', async () => {
  const limited = createConcurrencyLimit(1)
  const aborted = new AbortController()
  const failing = limited(() => later().then(() => Promise.reject(new Error('failed'))), never)
  const waiting = limited(async () => 'begun', aborted.signal)
  const last = limited(async () => 'done', never)
  aborted.abort(new Error('left'))
  await expect(failing).rejects.toThrow('failed')
  await expect(waiting).rejects.toThrow('left')
  expect(await last).toBe('done')
})
