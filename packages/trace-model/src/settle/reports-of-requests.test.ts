import { expect, test } from 'vitest'
import { aNode, type WrittenNode } from '../testing/nodes.ts'
import { reportsOfRequests } from './reports-of-requests.ts'
import { settleTrace } from './settle-trace.ts'

const report = (id: string, scope: string, rest: Partial<WrittenNode> = {}): WrittenNode => ({
  id,
  kind: 'L',
  parentId: 'agent',
  tokens: [10, 1],
  scope,
  ...rest,
})

test('reports of one request are together, the one that counts first, in the order of their first ones', () => {
  const nodes = [
    aNode({ id: 'agent', kind: 'A' }),
    aNode(report('outer', 'one', { responseId: 'x', startedAt: 1, endedAt: 9, tokens: [10, 2] })),
    aNode(report('middle', 'two', { responseId: 'x', startedAt: 2, endedAt: 8 })),
    aNode(report('alone', 'one', { startedAt: 2, endedAt: 3, tokens: [7, 1] })),
    aNode(report('inner', 'three', { startedAt: 3, endedAt: 7 })),
  ]
  const idsOf = (settled: Parameters<typeof reportsOfRequests>[1]) =>
    reportsOfRequests(nodes, settled).map((reports) => reports.map(({ id }) => id))
  expect(idsOf(settleTrace(nodes))).toEqual([['agent'], ['middle', 'outer', 'inner'], ['alone']])
  expect(idsOf(undefined)).toEqual([['agent'], ['outer'], ['middle'], ['alone'], ['inner']])
})
