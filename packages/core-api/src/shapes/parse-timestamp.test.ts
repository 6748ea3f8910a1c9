import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { formatTimestamp, parseTimestamp } from './parse-timestamp.ts'

const at = Date.UTC(2026, 0, 2, 3, 4, 5) * 1000
const numberAs = (text: string) => ({ [Symbol.for('heddle.JsonNumber')]: true, text })

describe('parseTimestamp', () => {
  test.each([
    ['2026-01-02T03:04:05Z', at],
    ['2026-01-02 03:04:05', at],
    ['2026-01-02t03:04:05z', at],
    ['2026-01-02T05:04:05+02:00', at],
    ['2026-01-02T05:04:05+0200', at],
    ['2026-01-01T21:34:05-05:30', at],
    ['2026-01-02T03:04:05.678Z', at + 678_000],
    ['2026-01-02T03:04:05.6789019', at + 678_901],
    ['2026-01-02T03:04', at - 5_000_000],
    ['2026-01-02', Date.UTC(2026, 0, 2) * 1000],
    ['1900-01-01', Date.UTC(1900, 0, 1) * 1000],
    ['2255-06-05T23:47:34.740991Z', Number.MAX_SAFE_INTEGER],
    [1767323045, at],
    [1767323045.678, at + 678_000],
    ['1767323045.6789019', at + 678_901],
    [1767323045678, at + 678_000],
    ['1767323045678.9999', at + 678_999],
    [numberAs('1767323045.000001'), at + 1],
    [numberAs('1.767323045e9'), at],
    [0, 0],
    [-1.5, -1_500_000],
  ])('reads %j', (value, micros) => {
    expect(parseTimestamp(value)).toBe(micros)
  })

  test.each([
    '',
    ' ',
    '.',
    'now',
    '2026-1-2',
    '2026-13-01',
    '2026-02-29',
    '0001-01-01T00:00:00Z',
    '2026-01-02T24:00:00Z',
    '2026-01-02T03:60:00Z',
    '2026-01-02T03:04:05+24:00',
    '2026-01-02T03:04:05 CET',
    '1899-12-31T23:59:59Z',
    '2255-06-06',
    '1e400',
    Number.NaN,
    Number.POSITIVE_INFINITY,
    true,
    null,
    {},
    [],
  ])('refuses %j', (value) => {
    expect(parseTimestamp(value)).toBeUndefined()
  })

  test('every microsecond that can be written is read back', () => {
    const micros = fc.integer({ min: Date.UTC(1900, 0, 1) * 1000, max: Number.MAX_SAFE_INTEGER })
    fc.assert(fc.property(micros, (time) => parseTimestamp(formatTimestamp(time)) === time))
  })
})

test.each([
  [at, '2026-01-02T03:04:05Z'],
  [at + 678_000, '2026-01-02T03:04:05.678000Z'],
  [-1, '1969-12-31T23:59:59.999999Z'],
])('%d is written as %s', (micros, text) => {
  expect(formatTimestamp(micros)).toBe(text)
})
