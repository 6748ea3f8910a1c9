import { expect, test } from 'vitest'
import type { CallKey, CallsSelection } from './calls-store.ts'
import { createPageReach } from './page-reach.ts'

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

test('a question that was not asked before has no range', () => {
  const reach = createPageReach()
  reach.of('e/p', newestFirst).learn([aKey(20), aKey(10)])
  expect(reach.of('e/other', newestFirst).ranges).toEqual([])
  expect(reach.of('e/p', aSelection({})).ranges).toEqual([])
})

test.each([
  ['newest first', newestFirst, [aKey(1_000), aKey(990)], { from: 960 }],
  ['oldest first', aSelection({}), [aKey(990), aKey(1_000)], { until: 1_030 }],
  ['one call', { ...newestFirst, limit: 1 }, [aKey(1_000)], { from: 1_000 }],
])('the range of a page, %s, reaches several pages further', (_, selection, page, range) => {
  const reach = createPageReach()
  reach.of('e/p', selection).learn(page)
  expect(reach.of('e/p', { ...selection, offset: 50 }).ranges).toEqual([range])
})

test('a question with an integer beyond the exact numbers is remembered as well', () => {
  const reach = createPageReach()
  const literal = { $literal: 2n ** 60n }
  const selection = {
    ...newestFirst,
    limit: 1,
    query: { $expr: { $eq: [{ $getField: 'output.n' }, literal] } } as unknown as CallsSelection['query'],
  }
  reach.of('e/p', selection).learn([aKey(10)])
  expect(reach.of('e/p', selection).ranges).toEqual([{ from: 10 }])
})

test.each([
  ['an empty page', []],
  ['a page that is not full', [aKey(1_000)]],
])('%s teaches nothing, and what was known is forgotten', (_, page) => {
  const reach = createPageReach()
  reach.of('e/p', newestFirst).learn([aKey(20), aKey(10)])
  reach.of('e/p', newestFirst).learn(page)
  expect(reach.of('e/p', newestFirst).ranges).toEqual([])
})

test.each([
  ['in another order', aSelection({ sort_by: [{ field: 'display_name', direction: 'desc' }] })],
  ['without a limit', aSelection({ limit: null })],
  [
    'of great length',
    aSelection({ filter: { call_ids: Array.from({ length: 500 }, (_, index) => `call-${index}`) } as CallsSelection['filter'] }),
  ],
])('a question %s is not remembered', (_, selection) => {
  const reach = createPageReach()
  reach.of('e/p', selection).learn([aKey(20), aKey(10)])
  expect(reach.of('e/p', selection).ranges).toEqual([])
})

const aPage = (length: number) => Array.from({ length }, (_, index) => aKey(1_000 - index))
const newest50 = aSelection({ sort_by: [{ field: 'started_at', direction: 'desc' }], limit: 50 })
const withFilter = (filter: object) => ({ ...newest50, filter: filter as CallsSelection['filter'] })

test('a new question looks near the last page of another one, then further, and then where its own were', () => {
  const reach = createPageReach()
  reach.of('e/p', newest50).learn(aPage(50))
  const roots = withFilter({ trace_roots_only: true })
  expect(reach.of('e/p', roots).ranges).toEqual([{ from: 951 - 3 * 49 }, { from: 951 - 30 * 49 }])
  reach.of('e/p', roots).learn(aPage(50))
  expect(reach.of('e/p', roots).ranges).toHaveLength(1)
})

test.each<[string, CallsSelection]>([
  ['in the other direction', { ...newest50, sort_by: null }],
  ['for the calls of a trace', withFilter({ trace_ids: ['t'] })],
  ['for calls by their ids', withFilter({ call_ids: ['c'] })],
])('a new question %s looks everywhere', (_, selection) => {
  const reach = createPageReach()
  reach.of('e/p', newest50).learn(aPage(50))
  expect(reach.of('e/p', selection).ranges).toEqual([])
})

test.each<[string, CallsSelection, number]>([
  ['that was not full', newest50, 49],
  ['of few calls', { ...newest50, limit: 19 }, 19],
  ['of the calls of a trace', withFilter({ trace_ids: ['t'] }), 50],
])('a page %s tells nothing to other questions', (_, selection, length) => {
  const reach = createPageReach()
  reach.of('e/p', selection).learn(aPage(length))
  expect(reach.of('e/p', withFilter({ trace_roots_only: true })).ranges).toEqual([])
})

test('a question whose page was not full looks everywhere from then on, whatever others found', () => {
  const reach = createPageReach()
  const rare = withFilter({ op_names: ['rare'] })
  reach.of('e/p', rare).learn(aPage(3))
  reach.of('e/p', newest50).learn(aPage(50))
  expect(reach.of('e/p', rare).ranges).toEqual([])
})
