import { expect, test } from 'vitest'
import { createProjectWrites, unknownWrites } from './project-writes.ts'

test('the count of a project changes before its calls are stored and after', async () => {
  const writes = createProjectWrites()
  const counts = [writes.countOf('a')]
  await writes.storing(['a'], async () => void counts.push(writes.countOf('a')))
  counts.push(writes.countOf('a'))
  expect(new Set(counts).size).toBe(3)
})

test('it changes as well when the calls could not be stored: some may have been', async () => {
  const writes = createProjectWrites()
  let during: number | undefined
  const stored = writes.storing(['a'], async () => {
    during = writes.countOf('a')
    throw new Error('no room')
  })
  await expect(stored).rejects.toThrow('no room')
  expect(writes.countOf('a')).not.toBe(during)
})

test('writes of other projects leave it as it is', async () => {
  const writes = createProjectWrites()
  await writes.storing(['a'], async () => {})
  const count = writes.countOf('a')
  await writes.storing(['b', 'c'], async () => {})
  expect(writes.countOf('a')).toBe(count)
})

test('a project that is forgotten among many has a count that it never had', async () => {
  const writes = createProjectWrites()
  const seen = new Set([writes.countOf('a')])
  await writes.storing(['a'], async () => {})
  seen.add(writes.countOf('a'))
  await writes.storing(
    Array.from({ length: 10_001 }, (_, at) => `p${at}`),
    async () => {},
  )
  expect(seen.has(writes.countOf('a'))).toBe(false)
})

test('where other servers write to the store nothing is known', () => {
  expect(unknownWrites.countOf('a')).toBeUndefined()
})
