import { expect, test } from 'vitest'
import { shareLookups } from './share-lookups.ts'

/** Lookups that are answered by hand, in their order. */
function byHand() {
  const begun: { key: string; answer: (value: string) => void; fail: (error: Error) => void }[] = []
  const find = shareLookups((key) => new Promise<string>((answer, fail) => begun.push({ key, answer, fail })))
  const turn = () => new Promise((resolve) => setTimeout(resolve, 5))
  return { begun, find, turn }
}

test('those who ask in one turn share a lookup, each key its own', async () => {
  const { begun, find, turn } = byHand()
  const answers = [find('a'), find('a'), find('b')]
  await turn()
  expect(begun.map(({ key }) => key)).toEqual(['a', 'b'])
  for (const { key, answer } of begun) answer(`of ${key}`)
  expect(await Promise.all(answers)).toEqual(['of a', 'of a', 'of b'])
})

test('who asks after a lookup has begun gets the answer of the next one, which waits for it', async () => {
  const { begun, find, turn } = byHand()
  const first = find('a')
  await turn()
  const later = [find('a'), find('a')]
  await turn()
  expect(begun).toHaveLength(1)
  begun[0]?.answer('old')
  await turn()
  expect(begun).toHaveLength(2)
  begun[1]?.answer('new')
  expect(await Promise.all([first, ...later])).toEqual(['old', 'new', 'new'])
})

test('a lookup that fails fails for those who share it, and not for others', async () => {
  const { begun, find, turn } = byHand()
  const first = [find('a'), find('a')].map((asked) => asked.catch((error: Error) => error.message))
  await turn()
  const later = find('a')
  begun[0]?.fail(new Error('gone'))
  expect(await Promise.all(first)).toEqual(['gone', 'gone'])
  await turn()
  begun[1]?.answer('there')
  expect(await later).toBe('there')
})
