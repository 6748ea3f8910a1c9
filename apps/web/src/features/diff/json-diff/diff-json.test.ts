import fc from 'fast-check'
import { parseExactJson, stringifyJson } from '@heddle/json/exact'
import { expect, inject, test } from 'vitest'
import { maxPairs } from './common-elements.ts'
import { diffJson, type JsonChange, maxLevels } from './diff-json.ts'
import { applyChanges } from './testing/apply-changes.ts'

const numRuns = inject('long') ? 20_000 : 500
// Few different parts, so that values often share some.
const keys = fc.constantFrom('a', 'b', '__proto__', '0')
const { json } = fc.letrec((tie) => ({
  json: fc.oneof({ maxDepth: 4 }, fc.constantFrom(null, true, 0, 1, '', 'x', '1'), tie('list'), tie('members')),
  list: fc.array(tie('json'), { maxLength: 6 }),
  members: fc.array(fc.tuple(keys, tie('json')), { maxLength: 4 }).map((entries): unknown => Object.fromEntries(entries)),
}))
/** Lists that have several longest common subsequences. */
const letters = fc.array(fc.constantFrom('x', 'y', 'z'), { minLength: 2, maxLength: 8 })
const pairs = fc.oneof(fc.tuple(json, json), fc.tuple(letters, letters))
const changesOf = (before: unknown, after: unknown) => diffJson(before, after)?.changes ?? []

test('the changes of two values, applied to the older one, make the newer one', () => {
  const anyJson = fc.oneof(
    json,
    letters,
    fc.jsonValue().map((value): unknown => JSON.parse(JSON.stringify(value))),
  )
  fc.assert(
    fc.property(anyJson, anyJson, (before, after) => {
      expect(applyChanges(before, changesOf(before, after))).toEqual(after)
    }),
    { numRuns },
  )
})

test('equal values have no changes, whatever the order of their keys', () => {
  fc.assert(
    fc.property(json, (value) => {
      expect(diffJson(value, reversed(value))).toEqual({ changes: [], listsByPosition: 0 })
    }),
    { numRuns },
  )
})

test('changes of swapped values are the same changes swapped', () => {
  const swapped = (change: JsonChange): JsonChange => {
    const path = change.path.map((part) => (typeof part === 'string' ? part : swapPlaces(part)))
    if (change.kind === 'added') return { kind: 'removed', path, before: change.after }
    if (change.kind === 'removed') return { kind: 'added', path, after: change.before }
    return { kind: 'changed', path, before: change.after, after: change.before }
  }
  fc.assert(
    fc.property(pairs, ([before, after]) => {
      expect(changesOf(after, before)).toEqual(changesOf(before, after).map(swapped))
    }),
    { numRuns },
  )
})

test.each<[string, unknown, unknown, JsonChange[]]>([
  ['a member that was added', {}, { a: 1 }, [{ kind: 'added', path: ['a'], after: 1 }]],
  ['a member that was removed', { a: null }, {}, [{ kind: 'removed', path: ['a'], before: null }]],
  [
    'a part inside',
    { a: { b: [1] } },
    { a: { b: [2] } },
    [{ kind: 'changed', path: ['a', 'b', { before: 0, after: 0 }], before: 1, after: 2 }],
  ],
  ['an element put first', [1, 2, 3], [0, 1, 2, 3], [{ kind: 'added', path: [{ after: 0 }], after: 0 }]],
  ['an element taken out of the middle', ['a', 'b', 'c'], ['a', 'c'], [{ kind: 'removed', path: [{ before: 1 }], before: 'b' }]],
  [
    'a member of an element that moved',
    [1, { a: 1 }],
    [{ a: 2 }],
    [
      { kind: 'changed', path: [{ before: 0, after: 0 }], before: 1, after: { a: 2 } },
      { kind: 'removed', path: [{ before: 1 }], before: { a: 1 } },
    ],
  ],
  ['another type', { a: [] }, { a: {} }, [{ kind: 'changed', path: ['a'], before: [], after: {} }]],
  ['a number and its text', 1, '1', [{ kind: 'changed', path: [], before: 1, after: '1' }]],
])('%s is told by its path', (_what, before, after, changes) => {
  expect(changesOf(before, after)).toEqual(changes)
})

test('lists that are too long for a common subsequence are compared by position, which is told', () => {
  const size = Math.ceil(Math.sqrt(maxPairs)) + 1
  const before = Array.from({ length: size }, (_, at) => at)
  const after = before.map((value) => value + 1_000_000)
  expect(diffJson(before, after)).toMatchObject({ listsByPosition: 1, changes: { length: size } })
  // The same length with one change at its end is compared whole.
  expect(diffJson(before, [...before.slice(0, -1), -1])).toMatchObject({ listsByPosition: 0, changes: { length: 1 } })
})

test('a comparison that takes too long has no result, and neither has one of values that are too deep', () => {
  const many = (from: number) => Array.from({ length: 100_000 }, (_, at) => ({ at: from + at }))
  expect(diffJson(many(0), many(500_000), 1)).toBeUndefined()
  const nested = (levels: number) => JSON.parse('['.repeat(levels) + ']'.repeat(levels)) as unknown
  expect(diffJson(nested(maxLevels), nested(maxLevels - 1))?.changes).toHaveLength(1)
  expect(diffJson(nested(100_000), 1)).toBeUndefined()
})

const swapPlaces = ({ before, after }: { before?: number; after?: number }) => ({
  ...(after !== undefined && { before: after }),
  ...(before !== undefined && { after: before }),
})

function reversed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reversed)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .map(([key, inner]) => [key, reversed(inner)])
      .toReversed(),
  )
}

test('numbers are compared as they are written, also those that JavaScript cannot tell apart', () => {
  const value = (text: string) => parseExactJson(`{"list":[${text}],"one":${text}}`)
  for (const [before, after] of [
    ['9007199254740992', '9007199254740993'],
    ['1', '1.0'],
    ['0', '-0'],
    ['1e400', '1e401'],
    ['0.1', '0.1000000000000000055511151231257827'],
  ] as const) {
    const [old, now] = [value(before), value(after)]
    expect(changesOf(old, value(before))).toEqual([])
    expect(changesOf(old, now).map(({ path }) => path)).toEqual([['list', { before: 0, after: 0 }], ['one']])
    expect(stringifyJson(applyChanges(old, changesOf(old, now)))).toBe(stringifyJson(now))
  }
})
