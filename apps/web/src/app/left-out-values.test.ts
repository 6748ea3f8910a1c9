import { expect, test } from 'vitest'
import { leftOutValues } from './left-out-values.ts'

test('what a page has read is not left out, also where a text came as a number', () => {
  expect(
    leftOutValues(
      { version: 12, tab: 'rows', where: [{ path: 'a' }], other: 'kept' },
      { version: '12', tab: 'rows', where: [{ path: 'a' }], other: 'kept' },
    ),
  ).toEqual([])
})

test('what a page does not know, or has shortened, is named with its value', () => {
  expect(leftOutValues({ tab: 'nothing', where: [1, 2], step: -1 }, { tab: undefined, where: [1], step: undefined })).toEqual([
    'tab=nothing',
    'where=[1,2]',
    'step=-1',
  ])
})

test('an empty value says nothing', () => expect(leftOutValues({ tab: '', peek: null }, { tab: undefined, peek: undefined })).toEqual([]))

test('a long value is shortened', () => expect(leftOutValues({ tab: 'x'.repeat(500) }, {})[0]).toHaveLength('tab='.length + 81))
