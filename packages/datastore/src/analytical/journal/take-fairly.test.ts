import fc from 'fast-check'
import { expect, test } from 'vitest'
import { takeFairly } from './take-fairly.ts'

const block = (tenant: string, bytes: number, name = `${tenant}${bytes}`) => ({ tenant, bytes, name })
const names = (blocks: readonly { name: string }[]) => blocks.map(({ name }) => name).join(' ')

test('what one tenant sends is written as a whole, and so is what is small', () => {
  expect(takeFairly([block('a', 60), block('a', 70)], 100)).toMatchObject({ taken: { length: 2 }, left: [] })
  expect(takeFairly([block('a', 60), block('b', 40)], 100)).toMatchObject({ taken: { length: 2 }, left: [] })
  expect(takeFairly([], 100)).toEqual({ taken: [], left: [] })
})

test('of several tenants the one with the least has its block in the next write, and bulk waits for its turn', () => {
  const waiting = [
    block('bulk', 40, 'b1'),
    block('bulk', 41, 'b2'),
    block('bulk', 42, 'b3'),
    block('calm', 5, 'c1'),
    block('middle', 30, 'm1'),
  ]
  const { taken, left } = takeFairly(waiting, 100)
  expect(names(taken)).toBe('b1 c1 m1 b2')
  expect(names(left)).toBe('b3')
})

test('whatever waits, each block is written once, those of a tenant in their order, the one that waits longest in the next write', () => {
  const blocks = fc.array(fc.record({ tenant: fc.constantFrom('a', 'b', 'c', 'd'), bytes: fc.integer({ min: 1, max: 60 }) }), {
    maxLength: 40,
  })
  fc.assert(
    fc.property(blocks, fc.integer({ min: 1, max: 120 }), (given, most) => {
      const written: (typeof given)[number][] = []
      for (let waiting = given; waiting.length > 0;) {
        const { taken, left } = takeFairly(waiting, most)
        expect(taken).toContain(waiting[0])
        const isShared = new Set(waiting.map(({ tenant }) => tenant)).size > 1
        const bytes = taken.reduce((sum, block) => sum + block.bytes, 0)
        if (isShared) expect(bytes - (taken.at(-1)?.bytes ?? 0)).toBeLessThan(most)
        written.push(...taken)
        waiting = left
      }
      expect(written).toHaveLength(given.length)
      for (const tenant of ['a', 'b', 'c', 'd']) {
        const own = (blocks: typeof given) => blocks.filter((block) => block.tenant === tenant)
        expect(own(written).every((block, at) => block === own(given)[at])).toBe(true)
      }
    }),
  )
})
