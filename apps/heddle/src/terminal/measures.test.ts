import { expect, test } from 'vitest'
import { formatBytes, formatDuration } from './measures.ts'

test.each([
  [0, '0 µs'],
  [999, '999 µs'],
  [1_000, '1 ms'],
  [1_520, '1.5 ms'],
  [9_999, '9.9 ms'],
  [12_345, '12 ms'],
  [670_999, '670 ms'],
  [670_999.999_99, '671 ms'],
  [999_999, '999 ms'],
  [1_529_999, '1.52 s'],
  [59_999_999, '59.99 s'],
  [60_000_000, '1 m 00 s'],
  [119_999_999, '1 m 59 s'],
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
