import { expect, test } from 'vitest'
import { maxConditions } from '../../filter/call-condition.ts'
import { FilterProblem } from '../../filter/read-tokens.ts'
import { searchOfTyped } from './typed-filter.ts'

const latency = { path: 'summary.weave.latency_ms', operator: '>' as const, value: 5 }

test.each([
  ['  ', {}],
  ['Łódź', { text: 'Łódź' }],
  ['say "HI" to', { text: 'say "HI" to' }],
  ['plan: ł~', { text: 'plan: ł~' }],
  ['who contains whom', { where: [{ path: 'who', operator: 'contains', value: 'whom' }] }],
  ['latency > 5', { where: [latency] }],
  ['a = 1 or b = 2', { filter: 'a = 1 or b = 2' }],
  ['status = failed', { status: 'error' }],
  ['status = failed and latency > 5', { where: [latency], status: 'error' }],
  ['model = a', { where: [{ path: 'summary.usage.a', operator: '!=', value: '' }], level: 'all' }],
])('%j is read as %j', (typed, expected) => expect(searchOfTyped(typed, {})).toEqual(expected))

test('conditions and filters are added to those that hold', () => {
  expect(searchOfTyped('a = 1', { where: [latency] }).where).toHaveLength(2)
  expect(searchOfTyped('a = 1 or b = 2', { filter: 'c = 3' })).toEqual({ filter: '(c = 3) and (a = 1 or b = 2)' })
})

test('more conditions than an address has stand as a filter', () =>
  expect(searchOfTyped('a = 1', { where: Array.from({ length: maxConditions }, () => latency) })).toEqual({ filter: 'a = 1' }))

test.each(['latency >', 'a = 1 and', 'x'.repeat(501)])('%j is refused with its place', (typed) =>
  expect(() => searchOfTyped(typed, {})).toThrow(FilterProblem),
)
