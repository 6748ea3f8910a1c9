import { expect, test } from 'vitest'
import { itemBeside } from './item-beside.ts'

const items = [2, 5, 9].map((position_in_queue) => ({ id: `i${position_in_queue}`, position_in_queue }))

test.each([
  ['next in the list', 5, 1, 'i9'],
  ['before in the list', 5, -1, 'i2'],
  ['next of a place that is not in the list', 6, 1, 'i9'],
  ['before a place that is not in the list', 6, -1, 'i5'],
  ['first after a place before the list', 1, 1, 'i2'],
] as const)('%s', (_, place, step, id) => expect(itemBeside(items, place, step)?.id).toBe(id))

test('nothing is beside the ends', () => {
  expect([itemBeside(items, 9, 1), itemBeside(items, 2, -1), itemBeside([], 1, 1)]).toEqual([undefined, undefined, undefined])
})
