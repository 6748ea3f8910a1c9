import { expect, test } from 'vitest'
import { toFloats } from './float-formats.ts'

test('numbers are read wherever their bytes lie in a buffer', () => {
  const larger = Buffer.alloc(64)
  larger.writeFloatLE(1.5, 12)
  larger.writeFloatLE(-2, 16)
  expect([...toFloats(larger.subarray(12, 20), 'F32')]).toEqual([1.5, -2])
  expect([...toFloats(larger.subarray(14, 20), 'BF16')]).toEqual([1.5, 0, -2])
})
