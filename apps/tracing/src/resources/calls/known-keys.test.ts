import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createKnownKeys } from './known-keys.ts'

test('what was added may be there', () => {
  fc.assert(
    fc.property(fc.array(fc.string({ unit: 'grapheme' })), (keys) => {
      const known = createKnownKeys()
      for (const key of keys) known.add(key)
      expect(keys.every((key) => known.mayHave(key))).toBe(true)
    }),
  )
})

test('what was not added is nearly always surely not there, over several layers', () => {
  const known = createKnownKeys()
  const added = 700_000
  const key = (index: number) => `entity/project/${index.toString(16).padStart(16, '0')}`
  for (let index = 0; index < added; index++) known.add(key(index))
  let wrong = 0
  for (let index = added; index < added + 100_000; index++) if (known.mayHave(key(index))) wrong++
  expect(wrong).toBeLessThan(300)
  expect(known.mayHave(key(added - 1))).toBe(true)
})
