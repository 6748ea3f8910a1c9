import { trials } from '@heddle/testing'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { withDescendants } from './descendants.ts'
import { type HashedNode, markDescendants } from './marked-descendants.ts'

/** Parents by the number of the node; beyond the nodes, parents that are not there. Loops are among them. */
const forests = fc.integer({ min: 1, max: 60 }).chain((size) =>
  fc.record({
    parents: fc.array(fc.nat({ max: size + 5 }), { minLength: size, maxLength: size }),
    given: fc.uniqueArray(fc.nat({ max: size - 1 }), { maxLength: 4 }),
  }),
)

/** Many hashes share their lower bits, and so begin at one slot. */
const hashOf = (index: number): HashedNode['hash'] => [index + 1, index % 3]

async function* blocksOf(nodes: readonly HashedNode[]): AsyncIterable<readonly HashedNode[]> {
  for (let at = 0; at < nodes.length; at += 7) yield nodes.slice(at, at + 7)
}

test('marks what the tree by ids finds, whatever the shape of the forest', async () => {
  await fc.assert(
    fc.asyncProperty(forests, async ({ parents, given }) => {
      const nodes = parents.map((parent, index) => ({ hash: hashOf(index), parent: hashOf(parent), isGiven: given.includes(index) }))
      const expected = await withDescendants(
        parents.map((parent, index) => ({ id: String(index), parent_id: String(parent) })),
        given.map(String),
      )
      const marked = await markDescendants(blocksOf(nodes))
      expect(marked?.count).toBe(expected.length)
      const found = parents.flatMap((_, index) => (marked?.has(hashOf(index)) ? [String(index)] : []))
      expect(found).toEqual(expected.toSorted((one, other) => Number(one) - Number(other)))
    }),
    { numRuns: trials({ usual: 200, long: 20_000 }) },
  )
})

test('a chain of a hundred thousand calls is marked from any of them down', async () => {
  const length = 100_000
  const spread = (index: number): HashedNode['hash'] => [index, Math.imul(index, 2_654_435_761) >>> 0]
  const chain = Array.from({ length }, (_, index) => ({ hash: spread(index), parent: spread(length + index), isGiven: index === 40_000 }))
  chain.forEach((node, index) => {
    if (index > 0) node.parent = spread(index - 1)
  })
  const marked = await markDescendants(blocksOf(chain))
  expect(marked?.count).toBe(60_000)
  expect([marked?.has(spread(39_999)), marked?.has(spread(length - 1)), marked?.has(spread(length))]).toEqual([false, true, false])
})

test('two nodes of one hash are told, so that other hashes are tried', async () => {
  const node = { hash: hashOf(1), parent: hashOf(9), isGiven: true }
  expect(await markDescendants(blocksOf([node, node]))).toBeUndefined()
})
