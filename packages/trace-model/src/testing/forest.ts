import fc from 'fast-check'
import type { TraceNode } from '../settle/trace-node.ts'
import { aNode, type WrittenNode } from './nodes.ts'

const kinds = ['L', 'L', 'L', 'A', 'C', 'T', 'W', 'WL'] as const
/** A number alone is a total. */
const tokens = fc.constantFrom<[number, number] | number | undefined>([10, 1], [10, 1], [20, 2], [0, 0], [7, 3], [30, 3], 11, 22, undefined)

/** Nodes of one trace with the kinds that they were written as. */
export interface WrittenForest {
  nodes: TraceNode[]
  kinds: WrittenNode['kind'][]
}

/** Calls of one trace, `c0` and on, with all that traces have: orphans, cycles, equal counts, both wires, several scopes, responses, service tiers and roots. Times are small numbers. */
export const writtenForest: fc.Arbitrary<WrittenForest> = fc.integer({ min: 1, max: 14 }).chain((count) =>
  fc
    .tuple(
      ...Array.from({ length: count }, (_, at) =>
        fc
          .record({
            kind: fc.constantFrom(...kinds),
            tokens,
            parent: fc.option(fc.integer({ min: 0, max: count }), { freq: 6 }),
            scope: fc.constantFrom(null, 'one', 'two', 'three'),
            responseId: fc.constantFrom(null, null, 'first', 'second'),
            model: fc.constantFrom('m', 'm', 'n'),
            startedAt: fc.integer({ min: 0, max: 12 }),
            lasts: fc.option(fc.integer({ min: 0, max: 12 }), { freq: 8 }),
            threadId: fc.constantFrom(null, null, 'x', 'y'),
            failed: fc.constantFrom('itself', 'itself', 'below', 'no', 'no'),
            serviceTier: fc.constantFrom('', '', 'flex', 'priority'),
            requests: fc.constantFrom(1, 1, 2),
          })
          .map(({ parent, lasts, failed, tokens: used, ...node }): WrittenNode => ({
            ...node,
            id: `c${at}`,
            parentId: parent === null ? null : `c${parent}`,
            endedAt: lasts === null ? null : node.startedAt + lasts,
            status: statusOf(node.kind, failed, lasts === null),
            ...(typeof used === 'number' ? { alone: used } : used && { tokens: used }),
          })),
      ),
    )
    .map((written) => ({ nodes: written.map(aNode), kinds: written.map(({ kind }) => kind) })),
)

/** A tracing client may count errors below a call, also of calls that it did not send. */
function statusOf(kind: WrittenNode['kind'], failed: string, isOpen: boolean): TraceNode['status'] {
  if (failed === 'itself') return 'error'
  if (isOpen) return 'running'
  return failed === 'below' && kind.startsWith('W') ? 'descendant_error' : 'success'
}

export const forest: fc.Arbitrary<TraceNode[]> = writtenForest.map(({ nodes }) => nodes)
