import { expect, test } from 'vitest'
import { countText } from './count-text.ts'

test('one thing is counted by its noun, none and more by the plural', () => {
  expect([0, 1, 2, 12_345].map((count) => countText(count, 'row'))).toEqual(['0 rows', '1 row', '2 rows', '12,345 rows'])
  expect([1, 2].map((count) => countText(count, 'person', 'people'))).toEqual(['1 person', '2 people'])
})
