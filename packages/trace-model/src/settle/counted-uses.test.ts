import { expect, test } from 'vitest'
import { aNode, type WrittenNode } from '../testing/nodes.ts'
import { countedUses, type RestOfUse } from './counted-uses.ts'
import { settleTrace } from './settle-trace.ts'

interface Use {
  model: string
  cost: number | null
  rest?: RestOfUse
}

function countedOf(nodes: readonly WrittenNode[], reported: Record<string, Use[]>) {
  return countedUses(settleTrace(nodes.map(aNode)), new Map(Object.entries(reported)), (own, rest) => ({ ...own, cost: rest.cost, rest }))
}

test('a call whose usage counts has all of its uses, and one above it none', () => {
  const nodes: WrittenNode[] = [
    { id: 'a', kind: 'A', tokens: [10, 1] },
    { id: 'l', kind: 'L', tokens: [10, 1], parentId: 'a' },
  ]
  const own = [{ model: 'm', cost: 2 }]
  expect(countedOf(nodes, { a: own, l: own })).toEqual(new Map([['l', own]]))
})

test('of the sum of a tracing client the rest counts, with the cost that is left', () => {
  const nodes: WrittenNode[] = [
    { id: 'w', kind: 'W', tokens: [120, 12] },
    { id: 'x', kind: 'WL', tokens: [60, 5], parentId: 'w' },
    { id: 'y', kind: 'WL', tokens: [40, 5], parentId: 'w' },
  ]
  const uses = (cost: number | null): Use[] => [{ model: 'm', cost }]
  const counted = countedOf(nodes, { w: uses(12), x: uses(6), y: uses(4) })
  expect(counted.get('w')).toMatchObject([{ cost: 2, rest: { counts: { input: 20, output: 2 } } }])
  expect(countedOf(nodes, { w: uses(9), x: uses(6), y: uses(4) }).get('w')).toMatchObject([{ cost: 0 }])
  expect(countedOf(nodes, { w: uses(null), x: uses(6), y: uses(4) }).get('w')).toMatchObject([{ cost: null }])
})

test('no trace has no counted uses', () => expect(countedUses(undefined, new Map(), (own: Use) => own)).toEqual(new Map()))
