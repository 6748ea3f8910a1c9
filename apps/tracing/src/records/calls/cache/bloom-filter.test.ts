import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createBloomFilter } from './bloom-filter.ts'

const maxBytes = 4 * 1024 * 1024

test('there are no false negatives', () => {
  fc.assert(
    fc.property(fc.array(fc.string({ unit: 'grapheme' })), (keys) => {
      const filter = createBloomFilter({ maxBytes })
      for (const key of keys) filter.add(key)
      expect(keys.every((key) => filter.mightContain(key))).toBe(true)
    }),
  )
})

test('false positives are rare, over several layers', () => {
  const filter = createBloomFilter({ maxBytes })
  const added = 700_000
  const key = (index: number) => `entity/project/${index.toString(16).padStart(16, '0')}`
  for (let index = 0; index < added; index++) filter.add(key(index))
  let wrong = 0
  for (let index = added; index < added + 100_000; index++) if (filter.mightContain(key(index))) wrong++
  expect(wrong).toBeLessThan(300)
  expect(filter.mightContain(key(added - 1))).toBe(true)
})

test('beyond its memory it takes more texts, with more false positives and still no false negatives', () => {
  const filter = createBloomFilter({ maxBytes: 2 ** 20 })
  const added = 500_000
  for (let index = 0; index < added; index++) filter.add(`key ${index}`)
  expect(filter.size()).toEqual({ keys: added, bytes: 2 ** 19 })
  let missed = 0
  for (let index = 0; index < added; index++) if (!filter.mightContain(`key ${index}`)) missed++
  expect(missed).toBe(0)
})
