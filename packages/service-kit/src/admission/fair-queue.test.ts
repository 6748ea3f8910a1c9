import { trials } from '@heddle/testing'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createFairQueue, type FairQueue, type Flow } from './fair-queue.ts'

interface Work {
  flow: Flow
  weight: number
}

const any = () => true
const work = (caller: string, project = '', weight = 1): Work => ({ flow: { caller, project }, weight })
const push = (queue: FairQueue<Work>, ...items: Work[]) => items.forEach((item) => queue.push(item.flow, item))

/** Serves this many, each charged as it starts. */
function serve(queue: FairQueue<Work>, count: number): Work[] {
  return Array.from({ length: count }, () => {
    const next = queue.next(any)
    if (!next) throw new Error('the queue is empty')
    queue.charge(next.flow, next.weight)
    return next
  })
}

const namesOf = (served: readonly Work[]) => served.map(({ flow }) => flow.caller + flow.project).join(' ')
const many = (count: number, make: (index: number) => Work) => Array.from({ length: count }, (_, index) => make(index))

describe('the order of service', () => {
  test('rotates among callers, however many requests one of them has', () => {
    const queue = createFairQueue<Work>()
    push(queue, ...many(100, () => work('bulk')), work('a'), work('b'), work('a'))
    expect(namesOf(serve(queue, 7))).toBe('bulk a b bulk a bulk bulk')
  })

  test('rotates among the projects of a caller, which together get the share of one', () => {
    const queue = createFairQueue<Work>()
    push(queue, ...many(50, (index) => work('x', String(index % 25))), ...many(4, () => work('y')))
    const served = serve(queue, 8)
    expect(served.filter(({ flow }) => flow.caller === 'y')).toHaveLength(4)
    expect(new Set(served.map(({ flow }) => flow.project)).size).toBe(5)
  })

  test('depends on weight: one heavy request is followed by many light ones of others', () => {
    const queue = createFairQueue<Work>()
    push(queue, work('heavy', '', 10), work('heavy', '', 10), ...many(20, () => work('light')))
    expect(namesOf(serve(queue, 13))).toBe(`heavy ${'light '.repeat(10)}heavy light`)
  })

  test('counts work that started without waiting, and later additions to its weight', () => {
    const queue = createFairQueue<Work>()
    queue.charge(work('a').flow, 1)
    queue.addCharge(work('a').flow, 2)
    push(queue, work('a'), ...many(4, () => work('b')))
    expect(namesOf(serve(queue, 5))).toBe('b b b a b')
  })

  test('gives no credit for having been idle', () => {
    const queue = createFairQueue<Work>()
    push(queue, ...many(60, () => work('stays')))
    serve(queue, 50)
    push(queue, ...many(10, () => work('returns')))
    expect(namesOf(serve(queue, 6))).toBe('returns stays returns stays returns stays')
  })

  test('is that of arrival within a project', () => {
    const queue = createFairQueue<Work>()
    const items = many(20, (index) => work('a', 'p', 1 + (index % 3)))
    push(queue, ...items)
    expect(serve(queue, 20)).toEqual(items)
  })
})

test('any two flows that always wait are served equally, up to one request of each', () => {
  const weights = fc.array(fc.integer({ min: 1, max: 50 }), { minLength: 1, maxLength: 30 })
  fc.assert(
    fc.property(fc.array(weights, { minLength: 2, maxLength: 8 }), fc.nat({ max: 300 }), (flows, rounds) => {
      const queue = createFairQueue<Work>()
      const served = flows.map(() => 0)
      const pushOne = (index: number, at: number) => {
        const own = flows[index] ?? []
        push(queue, work(String(index), '', own[at % own.length]))
      }
      flows.forEach((_, index) => pushOne(index, 0))
      for (let round = 0; round < rounds; round++) {
        const [{ flow, weight }] = serve(queue, 1) as [Work]
        const index = Number(flow.caller)
        served[index] = (served[index] ?? 0) + weight
        pushOne(index, round + 1)
      }
      const heaviest = Math.max(...flows.flat())
      expect(Math.max(...served) - Math.min(...served)).toBeLessThanOrEqual(2 * heaviest)
    }),
    { seed: 20_261_121, numRuns: trials({ usual: 100, long: 3_000 }) },
  )
})

describe('waiting items', () => {
  test('are skipped while not eligible, with those behind them in their project', () => {
    const queue = createFairQueue<Work>()
    const [heavy, behind, other] = [work('a', 'p', 9), work('a', 'p'), work('a', 'q')]
    push(queue, heavy, behind, other)
    const isLight = ({ weight }: Work) => weight < 5
    expect(queue.next(isLight)).toBe(other)
    expect(queue.next(isLight)).toBeUndefined()
    expect(queue.next(any)).toBe(heavy)
    expect(queue.next(isLight)).toBe(behind)
    expect(queue.size).toBe(0)
  })

  test('can be removed from any position', () => {
    const queue = createFairQueue<Work>()
    const items = many(3, () => work('a', 'p'))
    const [first, second, third] = items as [Work, Work, Work]
    push(queue, ...items)
    queue.remove(second.flow, second)
    queue.remove(second.flow, second)
    queue.remove(work('unknown').flow, second)
    expect(queue.first(first.flow)).toBe(first)
    queue.remove(first.flow, first)
    expect(queue.first(first.flow)).toBe(third)
    expect([queue.size, queue.next(any), queue.first(first.flow), queue.size]).toEqual([1, third, undefined, 0])
  })
})
