import fc from 'fast-check'
import { expect, test } from 'vitest'
import { pickRange } from './pick-range.ts'

const etag = '"digest"'
const pick = (range: string | undefined, { sizeBytes = 10, ifRange }: { sizeBytes?: number; ifRange?: string } = {}) =>
  pickRange({ range, ifRange, etag, sizeBytes })

test.each([
  ['bytes=0-0', 0, 1],
  ['bytes=0-', 0, 10],
  ['bytes=3-5', 3, 6],
  ['bytes=3-99', 3, 10],
  ['bytes=9-', 9, 10],
  ['bytes=-1', 9, 10],
  ['bytes=-99', 0, 10],
  ['BYTES = 1 - 2 ', 1, 3],
])('of ten bytes, %j are those from %i to before %i', (range, start, end) => {
  expect(pick(range)).toEqual({ start, end })
})

test.each([
  undefined,
  '',
  'bytes',
  'bytes=',
  'bytes=-',
  'bytes=a-b',
  'bytes=5-3',
  'bytes=0-1,3-4',
  'items=0-1',
  '0-1',
  'bytes=0-1x',
  `bytes=${'9'.repeat(16)}-`,
])('%j means the whole content', (range) => {
  expect(pick(range)).toBe('whole')
})

test.each(['bytes=10-', 'bytes=10-20', 'bytes=-0'])('ten bytes have none of %j', (range) => {
  expect(pick(range)).toBe('none')
})

test('no content has no range', () => {
  for (const range of ['bytes=0-', 'bytes=0-0', 'bytes=-1']) expect(pick(range, { sizeBytes: 0 })).toBe('none')
})

test('a range of another version of the content means the whole of this one', () => {
  expect(pick('bytes=1-2', { ifRange: etag })).toEqual({ start: 1, end: 3 })
  for (const ifRange of ['"other"', 'W/"digest"', 'digest', 'Wed, 21 Oct 2015 07:28:00 GMT', ''])
    expect(pick('bytes=1-2', { ifRange })).toBe('whole')
})

test('whatever is requested, the answer lies within the content', () => {
  const part = fc.oneof(fc.nat({ max: 30 }).map(String), fc.constant(''), fc.string({ maxLength: 3 }))
  fc.assert(
    fc.property(part, part, fc.nat({ max: 20 }), (first, last, sizeBytes) => {
      const picked = pick(`bytes=${first}-${last}`, { sizeBytes })
      if (typeof picked === 'string') return
      expect(picked.start).toBeGreaterThanOrEqual(0)
      expect(picked.start).toBeLessThan(picked.end)
      expect(picked.end).toBeLessThanOrEqual(sizeBytes)
    }),
  )
})
