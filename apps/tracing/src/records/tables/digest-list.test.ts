import { trials } from '@heddle/testing'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createDigestList } from './digest-list.ts'

const stored = Array.from({ length: 5_500 }, (_, index) => `s${index}`)

/** A list that begins as the first `length` stored digests, and how many of them were read. */
function aList(length: number) {
  const counted = { read: 0, largest: 0 }
  const list = createDigestList(length, async ({ start, count }) => {
    counted.read += count
    counted.largest = Math.max(counted.largest, count)
    return stored.slice(start, start + count)
  })
  return { list, counted }
}

async function all(list: ReturnType<typeof createDigestList>): Promise<string[]> {
  const digests: string[] = []
  for await (const part of list.parts) digests.push(...part)
  return digests
}

const change = fc.record({ kind: fc.constantFrom('append', 'insert', 'remove'), at: fc.nat(), times: fc.integer({ min: 1, max: 300 }) })

test('any changes leave what they leave of an array', async () => {
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(0, 1, 999, 1_000, 1_001, 5_500), fc.array(change, { maxLength: 20 }), async (length, changes) => {
      const { list } = aList(length)
      const expected = stored.slice(0, length)
      let made = 0
      for (const { kind, at, times } of changes) {
        for (let time = 0; time < times; time++) {
          const digest = `n${made++}`
          const index = (at + time * 7) % (expected.length + 1)
          if (kind === 'append') {
            list.append(digest)
            expected.push(digest)
          } else if (kind === 'insert') {
            await list.insert(index, digest)
            expected.splice(index, 0, digest)
          } else if (index < expected.length) {
            expect(await list.remove(index)).toBe(expected.splice(index, 1)[0])
          }
        }
        expect(list.length).toBe(expected.length)
      }
      expect(await all(list)).toEqual(expected)
      expect(await all(list)).toEqual(expected)
    }),
    { numRuns: trials({ usual: 40, long: 2_000 }) },
  )
})

test('only parts that are touched are read before the list is gone through', async () => {
  const { list, counted } = aList(5_500)
  for (let time = 0; time < 100; time++) list.append('x')
  expect(counted.read).toBe(0)
  await list.remove(2_500)
  await list.insert(2_600, 'y')
  expect(counted.read).toBe(1_000)
})
