import fc from 'fast-check'
import { expect, test } from 'vitest'
import { drawHistogram } from './histogram.ts'

test('few different values have a bar each', () => {
  expect(drawHistogram([1, 0, 1, 1, 1], (value) => `v${value}`)).toBe(`v0 │${'█'.repeat(10)} 1\nv1 │${'█'.repeat(40)} 4`)
})

test('many different values fall into ten ranges from the lowest to the highest', () => {
  const lines = drawHistogram(
    Array.from({ length: 101 }, (_, index) => index),
    String,
  ).split('\n')
  expect(lines).toHaveLength(10)
  expect(lines[0]).toBe(`  0 … 10 │${'█'.repeat(36)}▍ 10`)
  expect(lines[9]).toBe(`90 … 100 │${'█'.repeat(40)} 11`)
})

test('the counts of all bars are those of the values, whatever these are', () => {
  fc.assert(
    fc.property(fc.array(fc.double({ noNaN: true, noDefaultInfinity: true }), { minLength: 1, maxLength: 60 }), (values) => {
      const lines = drawHistogram(values, String).split('\n')
      const counts = lines.map((line) => Number(line.split(' ').at(-1)))
      expect(lines.length).toBeLessThanOrEqual(10)
      expect(counts.reduce((sum, count) => sum + count, 0)).toBe(values.length)
    }),
  )
})
