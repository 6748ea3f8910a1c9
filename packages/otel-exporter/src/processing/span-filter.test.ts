import { trials } from '@heddle/testing'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { aSpan, hex } from '../testing/a-span.ts'
import { TreeFilter } from './span-filter.ts'

/** Parents by index: each span but the first hangs below an earlier one. */
const tree = fc
  .array(fc.nat(), { minLength: 1, maxLength: 30 })
  .map((picks) => picks.map((pick, index) => (index === 0 ? undefined : pick % index)))

test('in any tree, whatever the order in which spans end, each kept span hangs below its nearest kept ancestor', () => {
  fc.assert(
    fc.property(
      tree,
      fc.infiniteStream(fc.boolean()),
      fc.infiniteStream(fc.nat()),
      fc.boolean(),
      (parents, wanted, order, childrenFirst) => {
        const isWanted = parents.map(() => wanted.next().value)
        const filter = new TreeFilter((span) => isWanted[indexOf(span.spanContext().spanId)] === true)
        const traceId = hex(1, 32)
        for (const _ of parents) filter.start(traceId)
        const indexes = parents.map((_, index) => index)
        const ends = childrenFirst
          ? indexes.toReversed()
          : indexes
              .map((index) => [order.next().value, index] as const)
              .toSorted((a, b) => a[0] - b[0])
              .map(([, index]) => index)
        const kept = new Map<number, number | undefined>()
        for (const index of ends) {
          const parent = parents[index]
          const span = filter.end(aSpan({ id: index + 1, ...(parent !== undefined && { parent: parent + 1 }) }))
          if (span !== undefined) kept.set(index, span.parentSpanContext && indexOf(span.parentSpanContext.spanId))
        }
        for (const [index, keptBelow] of kept) {
          let ancestor = parents[index]
          while (ancestor !== undefined && !kept.has(ancestor)) ancestor = parents[ancestor]
          expect(keptBelow).toBe(ancestor)
        }
        for (const index of indexes) if (isWanted[index] === true) expect(kept.has(index)).toBe(true)
        if (childrenFirst)
          for (const [index] of kept) for (let up = parents[index]; up !== undefined; up = parents[up]) expect(kept.has(up)).toBe(true)
      },
    ),
    { numRuns: trials({ usual: 300, long: 10_000 }), seed: 20_261_104 },
  )
})

test('the cache is bounded: very old traces are evicted, and new ones stay whole', () => {
  const filter = new TreeFilter((span) => span.name === 'chat')
  for (let trace = 1; trace <= 5000; trace++) {
    for (let id = 1; id <= 20; id++) {
      filter.start(hex(trace, 32))
      filter.end(aSpan({ trace, id, name: 'noise' }))
    }
  }
  filter.start(hex(5001, 32))
  filter.start(hex(5001, 32))
  expect(filter.end(aSpan({ trace: 5001, id: 2, parent: 1, name: 'chat' }))).toBeDefined()
  expect(filter.end(aSpan({ trace: 5001, id: 1, name: 'root' }))).toBeDefined()
})

function indexOf(spanId: string): number {
  return Number.parseInt(spanId, 16) - 1
}
