import { once } from 'node:events'
import { expect, test } from 'vitest'
import { repeatSweep } from './repeat-sweep.ts'

test('the first sweep begins at once where requested, and its failure is reported', async () => {
  const errors: unknown[] = []
  const sweeper = repeatSweep(() => Promise.reject(new Error('the store is away')), {
    isFirstNow: true,
    onError: (error) => void errors.push(error),
  })
  await new Promise((resolve) => setImmediate(resolve))
  await sweeper.close()
  expect(errors).toEqual([new Error('the store is away')])
})

test('closing aborts the sweep in progress, waits for it, and does not report what it ended', async () => {
  const errors: unknown[] = []
  let isOver = false
  const sweepOnce = async (signal: AbortSignal) => {
    await once(signal, 'abort')
    await new Promise((resolve) => setImmediate(resolve))
    isOver = true
    signal.throwIfAborted()
  }
  const sweeper = repeatSweep(sweepOnce, {
    isFirstNow: true,
    onError: (error) => void errors.push(error),
  })
  await sweeper.close()
  expect([isOver, errors]).toEqual([true, []])
})
