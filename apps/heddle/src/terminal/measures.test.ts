import { expect, test } from 'vitest'
import { formatBytes, formatDuration } from './measures.ts'

test.each([
  [0, '0 µs'],
  [999, '999 µs'],
  [1_000, '1 ms'],
  [1_520, '1.5 ms'],
  [12_345, '12 ms'],
  [999_499, '999 ms'],
  [999_500, '1.00 s'],
  [1_523_000, '1.52 s'],
  [59_994_999, '59.99 s'],
  [59_995_000, '1 m 00 s'],
  [184_000_000, '3 m 04 s'],
  [7_500_000_000, '2 h 05 m'],
  [-12_345, '-12 ms'],
])('%i microseconds are %s', (micros, text) => {
  expect(formatDuration(micros)).toBe(text)
})

test.each([
  [0, '0 B'],
  [512, '512 B'],
  [1_536, '1.5 KiB'],
  [2 ** 30, '1 GiB'],
  [5 * 2 ** 50, '5120 TiB'],
])('%i bytes are %s', (bytes, text) => {
  expect(formatBytes(bytes)).toBe(text)
})
