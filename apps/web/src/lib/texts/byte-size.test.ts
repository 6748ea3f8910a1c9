import { expect, test } from 'vitest'
import { formatBytes } from './byte-size.ts'

test.each([
  [0, '0 bytes'],
  [1_023, '1,023 bytes'],
  [1_024, '1 KiB'],
  [1_536, '1.5 KiB'],
  [256 * 2 ** 20, '256 MiB'],
  [5 * 2 ** 40, '5 TiB'],
  [2_000 * 2 ** 40, '2,000 TiB'],
])('%d is %s', (bytes, text) => expect(formatBytes(bytes)).toBe(text))
