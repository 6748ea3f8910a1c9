import { expect, test } from 'vitest'
import type { CallRow } from '../call-row.ts'
import { totalsOfRows } from './totals-of-rows.ts'

const row = (part: Partial<CallRow>): CallRow => ({
  id: 'a',
  traceId: 't',
  name: 'chat',
  kind: 'model',
  status: 'success',
  startedAt: '2026-03-01T00:00:00Z',
  latencyMs: 1,
  tokens: null,
  cost: null,
  costSource: { pricedAs: [], reported: 0 },
  input: '',
  output: '',
  error: undefined,
  version: undefined,
  tags: [],
  further: [],
  ...part,
})
const whole = row({ tokens: 30, cost: 3, isParentMissing: false })
const second = row({ id: 'b', tokens: 10, cost: 1 })

test('a trace with several roots counts once, whatever the order of its rows', () => {
  expect(totalsOfRows([whole, second], undefined)).toEqual({ tokens: 30, cost: 3 })
  expect(totalsOfRows([second, whole], undefined)).toEqual({ tokens: 30, cost: 3 })
})

test('a root counts its own usage if the root that represents its trace is not listed', () => {
  expect(totalsOfRows([second, row({ ...whole, traceId: 'u' })], undefined)).toEqual({ tokens: 40, cost: 4 })
})

test('a group of rows leaves out a further root if the root that represents its trace is in another group', () => {
  expect(totalsOfRows([second], undefined, [whole, second])).toEqual({ tokens: null, cost: null })
  expect(totalsOfRows([second], undefined)).toEqual({ tokens: 10, cost: 1 })
})

test('spans have no sum, nor have rows without a cost', () => {
  expect(totalsOfRows([whole, second], 'all')).toEqual({ tokens: null, cost: null })
  expect(totalsOfRows([row({ tokens: 5 })], undefined)).toEqual({ tokens: 5, cost: null })
})
