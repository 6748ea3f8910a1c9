import { expect, test } from 'vitest'
import { ignoredSearchParams } from './ignored-search-params.ts'

test('what a page has read is not left out, also where a text came as a number', () => {
  expect(
    ignoredSearchParams(
      { version: 12, tab: 'rows', where: [{ path: 'a' }], other: 'kept' },
      { version: '12', tab: 'rows', where: [{ path: 'a' }], other: 'kept' },
    ),
  ).toEqual([])
})

test('what a page does not know, or has shortened, is named with its value', () => {
  expect(ignoredSearchParams({ tab: 'nothing', where: [1, 2], step: -1 }, { tab: undefined, where: [1], step: undefined })).toEqual([
    'tab=nothing',
    'where=[1,2]',
    'step=-1',
  ])
})

test('an empty value says nothing', () =>
  expect(ignoredSearchParams({ tab: '', peek: null }, { tab: undefined, peek: undefined })).toEqual([]))

test('a long value is shortened', () => expect(ignoredSearchParams({ tab: 'x'.repeat(500) }, {})[0]).toHaveLength('tab='.length + 81))
