import { expect, test } from 'vitest'
import { buildTree } from '@heddle/trace-model'
import { flameOf, maxDepth } from './flame-of-trace.ts'

const call = (id: string, parentId: string | null, name: string, [startedAt, endedAt]: [number, number | null], status = 'success') => ({
  id,
  parentId,
  name,
  startedAt,
  endedAt,
  status,
})

test('calls of one name below one path are one block, the longest first, with their own time', () => {
  const { blocks, leftOut } = flameOf(
    buildTree([
      call('root', null, 'agent', [0, 100]),
      call('a', 'root', 'search', [0, 20]),
      call('b', 'root', 'model', [20, 60]),
      call('c', 'root', 'search', [60, 90], 'error'),
      call('d', 'c', 'fetch', [60, 85]),
    ]),
  )
  expect(leftOut).toBe(0)
  expect(blocks).toEqual([
    { path: ['agent'], depth: 0, calls: 1, failed: 0, totalMs: 100, selfMs: 10, left: 0, width: 1, first: 'root' },
    { path: ['agent', 'search'], depth: 1, calls: 2, failed: 1, totalMs: 50, selfMs: 25, left: 0, width: 0.5, first: 'a' },
    { path: ['agent', 'search', 'fetch'], depth: 2, calls: 1, failed: 0, totalMs: 25, selfMs: 25, left: 0, width: 0.25, first: 'd' },
    { path: ['agent', 'model'], depth: 1, calls: 1, failed: 0, totalMs: 40, selfMs: 40, left: 0.5, width: 0.4, first: 'b' },
  ])
})

test('calls that ran at the same time share the width of what they are below', () => {
  const { blocks } = flameOf(
    buildTree([call('root', null, 'agent', [0, 10]), call('a', 'root', 'x', [0, 10]), call('b', 'root', 'y', [0, 10])]),
  )
  expect(blocks.map(({ left, width }) => [left, width])).toEqual([
    [0, 1],
    [0, 0.5],
    [0.5, 0.5],
  ])
})

test('what is too narrow or too deep to be seen is counted', () => {
  const narrow = buildTree([call('a', null, 'long', [0, 1_000_000]), call('b', null, 'short', [0, 1]), call('c', null, 'runs', [0, null])])
  expect(flameOf(narrow)).toMatchObject({ blocks: [{ path: ['long'] }], leftOut: 2 })
  const deep = buildTree(
    Array.from({ length: maxDepth + 5 }, (_, at) => call(String(at), at === 0 ? null : String(at - 1), 'again', [at, 1_000])),
  )
  expect(flameOf(deep).blocks).toHaveLength(maxDepth)
  expect(flameOf(deep).leftOut).toBe(5)
})
