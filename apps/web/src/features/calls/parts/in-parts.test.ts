import { expect, test } from 'vitest'
import { inParts, partSize } from './in-parts.ts'

const idsOf = (count: number) => Array.from({ length: count }, (_, at) => `call-${at}`)
const unheard = () => undefined

test.each([0, 1, partSize - 1, partSize, partSize + 1, 3 * partSize + 7])('%i ids are each processed once, in order', async (count) => {
  const heard: number[] = []
  const { signal } = new AbortController()
  const outcome = await inParts(idsOf(count), { signal, onDone: (done) => heard.push(done) }, async (part) => part)
  expect(outcome).toMatchObject({ done: count, isStopped: false })
  expect(outcome.results.flat()).toEqual(idsOf(count))
  expect(outcome.results.every((part) => part.length <= partSize)).toBe(true)
  expect(heard).toEqual(outcome.results.map((_, at) => Math.min(count, (at + 1) * partSize)))
})

test('after a stop no further part begins, and the running part counts', async () => {
  const stop = new AbortController()
  const begun: number[] = []
  const outcome = await inParts(idsOf(5 * partSize), { signal: stop.signal, onDone: unheard }, async (part) => {
    begun.push(part.length)
    if (begun.length === 2) stop.abort()
    return begun.length
  })
  expect(outcome).toEqual({ results: [1, 2], done: 2 * partSize, isStopped: true })
  expect(begun).toHaveLength(2)
})

test('a part whose request is aborted by the stop is neither counted nor a failure', async () => {
  const stop = new AbortController()
  const outcome = await inParts(idsOf(2 * partSize), { signal: stop.signal, onDone: unheard }, async (_, signal) => {
    stop.abort()
    signal.throwIfAborted()
  })
  expect(outcome).toEqual({ results: [], done: 0, isStopped: true })
})

test('a part that fails ends the action, which reports the completed parts', async () => {
  const { signal } = new AbortController()
  const error = new Error('the disk is full')
  let begun = 0
  const outcome = await inParts(idsOf(4 * partSize), { signal, onDone: unheard }, async () => {
    if (++begun === 3) throw error
    return begun
  })
  expect(outcome).toEqual({ results: [1, 2], done: 2 * partSize, isStopped: false, error })
  expect(begun).toBe(3)
})
