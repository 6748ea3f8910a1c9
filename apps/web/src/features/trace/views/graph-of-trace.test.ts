import { expect, test } from 'vitest'
import { buildTree } from '@heddle/trace-model'
import { graphOf, maxNodes } from './graph-of-trace.ts'

const call = (id: string, parentId: string | null, name: string, status = 'success') => ({
  id,
  parentId,
  name,
  startedAt: 0,
  endedAt: 10,
  status,
})

test('names are nodes, and calls between them are counted, also of a name by itself', () => {
  const { nodes, edges, leftOut } = graphOf(
    buildTree([
      call('a', null, 'agent'),
      call('b', 'a', 'model'),
      call('c', 'a', 'tool', 'error'),
      call('d', 'a', 'model'),
      call('e', 'd', 'model'),
    ]),
  )
  expect(leftOut).toBe(0)
  expect(nodes).toEqual([
    { name: 'model', calls: 3, failed: 0, totalMs: 30, first: 'b' },
    { name: 'agent', calls: 1, failed: 0, totalMs: 10, first: 'a' },
    { name: 'tool', calls: 1, failed: 1, totalMs: 10, first: 'c' },
  ])
  expect(edges).toEqual([
    { from: 'agent', to: 'model', calls: 2 },
    { from: 'agent', to: 'tool', calls: 1 },
    { from: 'model', to: 'model', calls: 1 },
  ])
})

test('names beyond what a drawing holds are counted, and no line leads to them', () => {
  const calls = Array.from({ length: maxNodes + 5 }, (_, at) => call(`c${at}`, 'root', `name ${at}`))
  const graph = graphOf(buildTree([call('root', null, 'root'), ...calls]))
  expect([graph.nodes.length, graph.leftOut]).toEqual([maxNodes, 6])
  expect(graph.edges.length).toBeLessThan(maxNodes)
})
