import fc from 'fast-check'
import { expect, test } from 'vitest'
import { NumberSet } from './number-set.ts'

test('the next number is that of a plain set', () => {
  const size = 37
  const number = fc.integer({ min: 0, max: size - 1 })
  fc.assert(
    fc.property(fc.array(fc.tuple(number, number)), (steps) => {
      const plain = new Set<number>()
      const set = new NumberSet(size)
      for (const [changed, from] of steps) {
        if (plain.delete(changed)) set.delete(changed)
        else {
          plain.add(changed)
          set.add(changed)
        }
        const above = [...plain].filter((each) => each >= from)
        expect(set.next(from)).toBe(above.length === 0 ? undefined : Math.min(...above))
      }
    }),
  )
})

test.each([0, 1])('a set for %d numbers may be asked for any', (size) => {
  expect(new NumberSet(size).next(0)).toBeUndefined()
  expect(new NumberSet(size).next(5)).toBeUndefined()
})
