import { expect, test } from 'vitest'
import { joinRows } from './join-rows.ts'

const memory = Buffer.from('abcdef')

test('rows that are contiguous in memory are joined without a copy', () => {
  const joined = joinRows([memory.subarray(1, 2), memory.subarray(2, 5)])
  expect(Buffer.from(joined).toString()).toBe('bcde')
  expect(joined.buffer).toBe(memory.buffer)
})

test.each([
  ['with a gap', [memory.subarray(0, 2), memory.subarray(3, 4)], 'abd'],
  ['in another order', [memory.subarray(2, 4), memory.subarray(0, 2)], 'cdab'],
  ['of other memory', [memory.subarray(0, 2), new Uint8Array([103])], 'abg'],
  ['of which there are none', [], ''],
])('rows %s are copied', (_, rows, text) => {
  expect(Buffer.from(joinRows(rows)).toString()).toBe(text)
})
