import fc from 'fast-check'
import { expect, test } from 'vitest'
import { buildTree, findNodes, listNodes, type TreeCall } from './build-tree.ts'

const call = (id: string, parentId: string | null = null, startedAt = 0, endedAt: number | null = 100): TreeCall => ({
  id,
  parentId,
  startedAt,
  endedAt,
})
const ids = (calls: TreeCall[]) => listNodes(buildTree(calls)).map(({ call }) => call.id)

const forest = fc
  .integer({ min: 0, max: 40 })
  .chain((count) =>
    fc.tuple(
      ...Array.from({ length: count }, (_, at) =>
        fc
          .tuple(fc.option(fc.integer({ min: 0, max: 45 })), fc.integer({ min: 0, max: 50 }))
          .map(([parent, start]) => call(`c${at}`, parent === null ? null : `c${parent}`, start)),
      ),
    ),
  )

test('every call is shown once, whatever its parent is', () => {
  fc.assert(
    fc.property(forest, (calls) => {
      expect(ids(calls).sort()).toEqual(calls.map(({ id }) => id).sort())
    }),
  )
})

test('a call stands directly below its parent, or at the top and says why', () => {
  fc.assert(
    fc.property(forest, (calls) => {
      const roots = buildTree(calls)
      for (const node of listNodes(roots))
        for (const child of node.children) expect([child.call.parentId, child.depth]).toEqual([node.call.id, node.depth + 1])
      for (const { call, isOrphan, isInCycle } of roots) expect(call.parentId === null || isOrphan || isInCycle).toBe(true)
    }),
  )
})

test('the order of arrival does not matter', () => {
  fc.assert(
    fc.property(forest, (calls) => {
      expect(ids([...calls].reverse())).toEqual(ids(calls))
    }),
  )
})

test('of calls that start in the same millisecond, what ended first stands first', () => {
  const at = (id: string, endedAt: number | null) => ({ id, parentId: null, startedAt: 0, endedAt })
  expect(ids([at('a', null), at('b', 186), at('c', 1)])).toEqual(['c', 'b', 'a'])
})

test('a call whose parent is missing is marked', () => {
  expect(buildTree([call('a'), call('b', 'gone')]).map(({ call, isOrphan }) => [call.id, isOrphan])).toEqual([
    ['a', false],
    ['b', true],
  ])
})

test('a cycle is cut once, and what hangs below it stays there', () => {
  const roots = buildTree([call('a', 'b'), call('b', 'a'), call('c', 'b'), call('self', 'self')])
  expect(roots.map(({ call, isInCycle }) => [call.id, isInCycle])).toEqual([
    ['a', true],
    ['self', true],
  ])
  expect(ids([call('a', 'b'), call('b', 'a'), call('c', 'b')])).toEqual(['a', 'b', 'c'])
})

test('what is below a collapsed call is not listed', () => {
  const roots = buildTree([call('a'), call('b', 'a'), call('c', 'b'), call('d')])
  expect(listNodes(roots, new Set(['a'])).map(({ call }) => call.id)).toEqual(['a', 'd'])
})

test('a chain as long as a trace is placed', () => {
  const chain = Array.from({ length: 30_000 }, (_, at) => call(`c${at}`, at === 0 ? null : `c${at - 1}`, at, null))
  expect(listNodes(buildTree(chain)).at(-1)!.depth).toBe(29_999)
})

test('calls are found below others that are not, in the order of the tree', () => {
  const roots = buildTree([call('a'), call('b', 'a'), call('wanted 2', 'b', 2), call('wanted 1', 'b', 1)])
  const found = findNodes(roots, ({ id }) => id.startsWith('wanted'))
  expect(found.map(({ call: { id }, depth }) => [id, depth])).toEqual([
    ['wanted 1', 2],
    ['wanted 2', 2],
  ])
})
