import { expect, test } from 'vitest'
import type { CallKey, CallsSelection } from '../calls-store.ts'
import { createPageRangeHints } from './page-range-hints.ts'

const aKey = (started_micros: number): CallKey => ({ started_micros, id: 'c', version: '1', bytes: 1 })
const aSelection = (parts: Partial<CallsSelection>): CallsSelection => ({
  filter: null,
  query: null,
  sort_by: null,
  limit: 2,
  offset: null,
  expand_columns: null,
  ...parts,
})
const newestFirst = aSelection({ sort_by: [{ field: 'started_at', direction: 'desc' }] })

test('a query that was not recorded has no range', () => {
  const hints = createPageRangeHints()
  hints.of('e/p', newestFirst).record([aKey(20), aKey(10)])
  expect(hints.of('e/other', newestFirst).ranges).toEqual([])
  expect(hints.of('e/p', aSelection({})).ranges).toEqual([])
})

test.each([
  ['newest first', newestFirst, [aKey(1_000), aKey(990)], { from: 960 }],
  ['oldest first', aSelection({}), [aKey(990), aKey(1_000)], { until: 1_030 }],
  ['one call', { ...newestFirst, limit: 1 }, [aKey(1_000)], { from: 1_000 }],
])('the range of a page, %s, reaches several pages further', (_, selection, page, range) => {
  const hints = createPageRangeHints()
  hints.of('e/p', selection).record(page)
  expect(hints.of('e/p', { ...selection, offset: 50 }).ranges).toEqual([range])
})

test('a query with an integer beyond the exact numbers is recorded as well', () => {
  const hints = createPageRangeHints()
  const literal = { $literal: 2n ** 60n }
  const selection = {
    ...newestFirst,
    limit: 1,
    query: { $expr: { $eq: [{ $getField: 'output.n' }, literal] } } as unknown as CallsSelection['query'],
  }
  hints.of('e/p', selection).record([aKey(10)])
  expect(hints.of('e/p', selection).ranges).toEqual([{ from: 10 }])
})

test.each([
  ['an empty page', []],
  ['a page that is not full', [aKey(1_000)]],
])('%s gives no hint, and drops the one before', (_, page) => {
  const hints = createPageRangeHints()
  hints.of('e/p', newestFirst).record([aKey(20), aKey(10)])
  hints.of('e/p', newestFirst).record(page)
  expect(hints.of('e/p', newestFirst).ranges).toEqual([])
})

test.each([
  ['in another order', aSelection({ sort_by: [{ field: 'display_name', direction: 'desc' }] })],
  ['without a limit', aSelection({ limit: null })],
  [
    'of great length',
    aSelection({ filter: { call_ids: Array.from({ length: 500 }, (_, index) => `call-${index}`) } as CallsSelection['filter'] }),
  ],
])('a query %s is not remembered', (_, selection) => {
  const hints = createPageRangeHints()
  hints.of('e/p', selection).record([aKey(20), aKey(10)])
  expect(hints.of('e/p', selection).ranges).toEqual([])
})

const aPage = (length: number) => Array.from({ length }, (_, index) => aKey(1_000 - index))
const newest50 = aSelection({ sort_by: [{ field: 'started_at', direction: 'desc' }], limit: 50 })
const withFilter = (filter: object) => ({ ...newest50, filter: filter as CallsSelection['filter'] })

test('a new query looks near the last page of another one, then further, and then where its own were', () => {
  const hints = createPageRangeHints()
  hints.of('e/p', newest50).record(aPage(50))
  const roots = withFilter({ trace_roots_only: true })
  expect(hints.of('e/p', roots).ranges).toEqual([{ from: 951 - 3 * 49 }, { from: 951 - 30 * 49 }])
  hints.of('e/p', roots).record(aPage(50))
  expect(hints.of('e/p', roots).ranges).toHaveLength(1)
})

test.each<[string, CallsSelection]>([
  ['in the other direction', { ...newest50, sort_by: null }],
  ['for the calls of a trace', withFilter({ trace_ids: ['t'] })],
  ['for calls by their ids', withFilter({ call_ids: ['c'] })],
])('a new query %s looks everywhere', (_, selection) => {
  const hints = createPageRangeHints()
  hints.of('e/p', newest50).record(aPage(50))
  expect(hints.of('e/p', selection).ranges).toEqual([])
})

test.each<[string, CallsSelection, number]>([
  ['that was not full', newest50, 49],
  ['of few calls', { ...newest50, limit: 19 }, 19],
  ['of the calls of a trace', withFilter({ trace_ids: ['t'] }), 50],
])('a page %s tells nothing to other queries', (_, selection, length) => {
  const hints = createPageRangeHints()
  hints.of('e/p', selection).record(aPage(length))
  expect(hints.of('e/p', withFilter({ trace_roots_only: true })).ranges).toEqual([])
})

test('a query whose page was not full looks everywhere from then on, whatever others found', () => {
  const hints = createPageRangeHints()
  const rare = withFilter({ op_names: ['rare'] })
  hints.of('e/p', rare).record(aPage(3))
  hints.of('e/p', newest50).record(aPage(50))
  expect(hints.of('e/p', rare).ranges).toEqual([])
})
