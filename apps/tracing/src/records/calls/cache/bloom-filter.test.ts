import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createBloomFilter } from './bloom-filter.ts'

const sizes = { firstBytes: 2 ** 16, maxBytes: 2 ** 22 }

test('there are no false negatives', () => {
  fc.assert(
    fc.property(fc.array(fc.string({ unit: 'grapheme' })), (keys) => {
      const filter = createBloomFilter(sizes)
      for (const key of keys) filter.add(key)
      expect(keys.every((key) => filter.mightContain(key))).toBe(true)
    }),
  )
})

test('false positives are rarer than one in ten thousand, over several layers', () => {
  const filter = createBloomFilter(sizes)
  const added = 400_000
  const key = (index: number) => `entity/project/${index.toString(16).padStart(16, '0')}`
  for (let index = 0; index < added; index++) filter.add(key(index))
  expect(filter.size()).toEqual({ keys: added, bytes: 2 ** 16 * (1 + 2 + 4 + 8 + 16) })
  let wrong = 0
  for (let index = added; index < added + 500_000; index++) if (filter.mightContain(key(index))) wrong++
  expect(wrong).toBeLessThan(50)
  expect(filter.mightContain(key(added - 1))).toBe(true)
})

test('beyond its memory it takes more texts, with more false positives and still no false negatives', () => {
  const filter = createBloomFilter({ firstBytes: 2 ** 16, maxBytes: 2 ** 17 })
  const added = 100_000
  for (let index = 0; index < added; index++) filter.add(`key ${index}`)
  expect(filter.size()).toEqual({ keys: added, bytes: 2 ** 16 })
  let missed = 0
  for (let index = 0; index < added; index++) if (!filter.mightContain(`key ${index}`)) missed++
  expect(missed).toBe(0)
})
