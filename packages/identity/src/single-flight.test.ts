import { expect, test } from 'vitest'
import { singleFlight } from './single-flight.ts'

/** Lookups that the test settles by hand, in order. */
function byHand() {
  const begun: { key: string; answer: (value: string) => void; fail: (error: Error) => void }[] = []
  const find = singleFlight((key) => new Promise<string>((answer, fail) => begun.push({ key, answer, fail })))
  const tick = () => new Promise((resolve) => setTimeout(resolve, 5))
  return { begun, find, tick }
}

test('callers of one tick share one lookup for each key', async () => {
  const { begun, find, tick } = byHand()
  const answers = [find('a'), find('a'), find('b')]
  await tick()
  expect(begun.map(({ key }) => key)).toEqual(['a', 'b'])
  for (const { key, answer } of begun) answer(`of ${key}`)
  expect(await Promise.all(answers)).toEqual(['of a', 'of a', 'of b'])
})

test('a caller that arrives after a lookup has started gets the result of the next one, which waits for it', async () => {
  const { begun, find, tick } = byHand()
  const first = find('a')
  await tick()
  const later = [find('a'), find('a')]
  await tick()
  expect(begun).toHaveLength(1)
  begun[0]?.answer('old')
  await tick()
  expect(begun).toHaveLength(2)
  begun[1]?.answer('new')
  expect(await Promise.all([first, ...later])).toEqual(['old', 'new', 'new'])
})

test('a lookup that fails rejects only the callers that share it', async () => {
  const { begun, find, tick } = byHand()
  const first = [find('a'), find('a')].map((call) => call.catch((error: Error) => error.message))
  await tick()
  const later = find('a')
  begun[0]?.fail(new Error('gone'))
  expect(await Promise.all(first)).toEqual(['gone', 'gone'])
  await tick()
  begun[1]?.answer('there')
  expect(await later).toBe('there')
})
