import fc from 'fast-check'
import { expect, inject, test } from 'vitest'
import { forest } from '../testing/forest.ts'
import { aNode, type WrittenNode } from '../testing/nodes.ts'
import type { TokenCounts } from '../usage/token-counts.ts'
import { settleTrace } from './settle-trace.ts'
import type { TraceNode } from './trace-node.ts'
import { settleNaively } from '../testing/settle-naively.ts'

const sidesOf = ({ input, output, total }: TokenCounts) => [input, output, input + output > 0 ? 0 : total]
const numRuns = inject('long') ? 20_000 : 300

test('a trace is settled as the rule says, whatever its form', () => {
  fc.assert(
    fc.property(forest, (nodes) => {
      const settled = settleTrace(nodes)!
      expect({
        rootId: settled.rootId,
        isParentMissing: settled.isParentMissing,
        threadId: settled.threadId,
        status: settled.status,
        errors: settled.errors,
        roots: [...settled.marks].flatMap(([id, { isRoot }]) => (isRoot ? [id] : [])).sort(),
        counted: settled.rows.map(({ callId, model, counts }) => `${callId} ${model} ${sidesOf(counts).join('/')}`).sort(),
        moreThanBelow: settled.notes.flatMap(({ note, callId }) => (note === 'reports_more' ? [callId] : [])).sort(),
      }).toEqual(settleNaively(nodes))
    }),
    { numRuns },
  )
})

test('neither the order of calls nor what was settled before matters: deletions and late calls settle as if all had come at once', () => {
  fc.assert(
    fc.property(
      forest.chain((nodes) => fc.tuple(fc.constant(nodes), fc.shuffledSubarray(nodes, { minLength: 1 }))),
      ([nodes, part]) => {
        const settled = settleTrace(part)
        settleTrace(nodes)
        expect(settleTrace(part.toReversed())).toEqual(settled)
        expect(settleTrace(nodes.toReversed())).toEqual(settleTrace(nodes))
      },
    ),
    { numRuns },
  )
})

test('nothing is settled of no calls', () => expect(settleTrace([])).toBeUndefined())

test('what counts by model is the sum over the calls, and no call counts more than it reports', () => {
  fc.assert(
    fc.property(forest, (nodes) => {
      const { usage, rows, marks } = settleTrace(nodes)!
      for (const { model, counts } of usage) {
        const sum = rows.filter((row) => row.model === model).reduce((total, row) => total + row.counts.total, 0)
        expect(counts.total).toBe(sum)
      }
      for (const { id, usage: reported } of nodes) {
        const counted = marks.get(id)!.counted.reduce((total, { counts }) => total + counts.total, 0)
        expect(counted).toBeLessThanOrEqual(reported.reduce((total, { counts }) => total + counts.total, 0))
      }
    }),
    { numRuns },
  )
})

const large = 50_000
const many = (toNode: (at: number) => Partial<WrittenNode>): TraceNode[] =>
  Array.from({ length: large }, (_, at) => aNode({ id: `c${at}`, kind: 'L', tokens: [10, 1], ...toNode(at) }))

test.each<[string, TraceNode[], number]>([
  ['one chain', many((at) => ({ parentId: at === 0 ? null : `c${at - 1}`, startedAt: at, scope: `s${at % 2}` })), 1],
  ['one cycle', many((at) => ({ parentId: `c${(at + 1) % large}`, startedAt: at })), large],
  [
    'one parent, all at once, of two scopes',
    many((at) => ({ parentId: 'gone', scope: `s${at % 2}`, startedAt: at, endedAt: 2 * large - at })),
    large / 2,
  ],
  [
    'one parent, each in a scope of its own',
    many((at) => ({ parentId: 'gone', scope: `s${at}`, startedAt: at, endedAt: 2 * large - at })),
    large - 15,
  ],
  [
    'one parent, of eight scopes, none around another',
    many((at) => ({ parentId: 'gone', scope: `s${at % 8}`, startedAt: at, endedAt: large + at })),
    large,
  ],
  [
    'a chain of agents above one model call',
    many((at) => ({ parentId: at === 0 ? null : `c${at - 1}`, kind: at === large - 1 ? 'L' : 'A', startedAt: at })),
    1,
  ],
])('50,000 calls are settled without recursion, and in less than quadratic time: %s', (_, nodes, counting) => {
  const before = performance.now()
  expect(settleTrace(nodes)?.rows).toHaveLength(counting)
  // The square of so many steps takes minutes; this takes tenths of a second.
  expect(performance.now() - before).toBeLessThan(20_000)
})
