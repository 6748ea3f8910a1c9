import fc from 'fast-check'
import { expect, test } from 'vitest'
import { findInTree, leafText, treeRows } from './tree-rows.ts'

const value = { question: 'Why?', messages: [{ role: 'user', content: 'hello' }, { role: 'assistant' }], score: 0.5, none: null }
const all = { path: 'inputs', isOpen: () => true }

test('members are listed in their order, each with its path, and those of a closed one are left out', () => {
  expect(
    treeRows(value, { path: 'inputs', isOpen: ({ name }) => name === 'messages' || name === '1' }).rows.map(({ path }) => path),
  ).toEqual([
    'inputs.question',
    'inputs.messages',
    'inputs.messages.0',
    'inputs.messages.1',
    'inputs.messages.1.role',
    'inputs.score',
    'inputs.none',
  ])
})

test('a row says how many members it has', () => {
  const sizes = treeRows(value, all).rows.map(({ name, size }) => [name, size])
  expect(sizes).toContainEqual(['messages', 2])
  expect(sizes).toContainEqual(['question', null])
})

test('names and texts are found, whatever their case, with what they are in', () => {
  const { found, above } = findInTree(value, { path: 'inputs', words: 'HELLO', limit: 10 })
  expect([...found]).toEqual(['inputs.messages.0.content'])
  expect([...above]).toEqual(['inputs.messages', 'inputs.messages.0'])
})

test('a search ends at its limit', () => {
  expect([...findInTree(value, { path: 'inputs', words: 'role', limit: 1 }).found]).toEqual(['inputs.messages.0.role'])
})

test('a value that is nested ten thousand times has a tree of sixty levels', () => {
  let deep: unknown = 'end'
  for (let level = 0; level < 10_000; level++) deep = [deep]
  expect(treeRows(deep, all).rows).toHaveLength(61)
})

test('of more rows than a person reads the first are there, and it is said', () => {
  const { rows, hasMore } = treeRows(
    Array.from({ length: 60_000 }, () => 1),
    all,
  )
  expect([rows.length, hasMore]).toEqual([50_000, true])
})

test('every text and number of a value is a row of its tree', () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 5 }), (json) => {
      const leaves = treeRows({ json }, all)
        .rows.filter(({ size }) => size === null)
        .map((row) => leafText(row.value))
      expect(leaves).toEqual(leavesOf(json))
    }),
  )
})

function leavesOf(json: unknown): string[] {
  if (typeof json !== 'object' || json === null) return [leafText(json)]
  return Object.values(json).flatMap(leavesOf)
}
