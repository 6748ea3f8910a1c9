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
  expect(reach.of('e/other', newestFirst).range).toBeUndefined()
  expect(reach.of('e/p', aSelection({})).range).toBeUndefined()
})

test.each([
  ['newest first', newestFirst, [aKey(1_000), aKey(990)], { from: 960 }],
  ['oldest first', aSelection({}), [aKey(990), aKey(1_000)], { until: 1_030 }],
  ['one call', { ...newestFirst, limit: 1 }, [aKey(1_000)], { from: 1_000 }],
])('the range of a page, %s, reaches several pages further', (_, selection, page, range) => {
  const reach = createPageReach()
  reach.of('e/p', selection).learn(page)
  expect(reach.of('e/p', { ...selection, offset: 50 }).range).toEqual(range)
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
  expect(reach.of('e/p', selection).range).toEqual({ from: 10 })
})

test.each([
  ['an empty page', []],
  ['a page that is not full', [aKey(1_000)]],
])('%s teaches nothing, and what was known is forgotten', (_, page) => {
  const reach = createPageReach()
  reach.of('e/p', newestFirst).learn([aKey(20), aKey(10)])
  reach.of('e/p', newestFirst).learn(page)
  expect(reach.of('e/p', newestFirst).range).toBeUndefined()
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
  expect(reach.of('e/p', selection).range).toBeUndefined()
})
