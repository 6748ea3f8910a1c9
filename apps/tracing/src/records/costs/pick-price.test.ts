import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { CostRow } from './cost-row.ts'
import { pickLatestPrice, pickPrice } from './pick-price.ts'
import { aCostRow } from './testing/a-cost-row.ts'

const started = 100
const inDefault = { pricing_level: 'default' } as const

const cases: [string, Partial<CostRow>[], string | undefined][] = [
  [
    'a price in force wins over a future one',
    [
      { id: 'now', effective_date: 100 },
      { id: 'future', effective_date: 101 },
    ],
    'now',
  ],
  [
    'a default price in force wins over a future one of the project',
    [
      { id: 'now', effective_date: 1, ...inDefault },
      { id: 'future', effective_date: 101 },
    ],
    'now',
  ],
  [
    'among prices in force the project comes before the default, whatever the dates',
    [
      { id: 'project', effective_date: 1 },
      { id: 'default', effective_date: 99, ...inDefault },
    ],
    'project',
  ],
  [
    'among future prices too',
    [
      { id: 'project', effective_date: 200 },
      { id: 'default', effective_date: 300, ...inDefault },
    ],
    'project',
  ],
  [
    'of one level the latest date wins',
    [
      { id: 'old', effective_date: 1 },
      { id: 'new', effective_date: 2 },
    ],
    'new',
  ],
  [
    'of future prices the latest date wins as well',
    [
      { id: 'near', effective_date: 101 },
      { id: 'far', effective_date: 102 },
    ],
    'far',
  ],
  [
    'of one date the one made last wins',
    [
      { id: 'b', created_at: 1 },
      { id: 'a', created_at: 2 },
    ],
    'a',
  ],
  ['a future price still wins over none', [{ id: 'future', effective_date: 101 }], 'future'],
  ['without rows there is none', [], undefined],
]

describe('the price of a call (3.4, 3.5)', () => {
  test.each(cases)('%s', (_, rows, id) => {
    for (const order of [rows, rows.toReversed()]) expect(pickPrice(order.map(aCostRow), started)?.id).toBe(id)
  })

  test('the order of the rows never matters', () => {
    const row = fc.record({
      id: fc.string({ maxLength: 2 }),
      effective_date: fc.integer({ min: 95, max: 105 }),
      pricing_level: fc.constantFrom('project' as const, 'default' as const),
      created_at: fc.integer({ min: 0, max: 2 }),
    })
    const rows = fc.uniqueArray(row, { selector: ({ id }) => id })
    fc.assert(
      fc.property(rows, fc.infiniteStream(fc.nat()), (some, keys) => {
        const shuffled = some.map((one) => [keys.next().value, one] as const).toSorted(([a], [b]) => a - b)
        const [one, other] = [some, shuffled.map(([, each]) => each)].map((each) => each.map(aCostRow))
        expect(pickPrice(one ?? [], started)).toEqual(pickPrice(other ?? [], started))
        expect(pickLatestPrice(one ?? [])).toEqual(pickLatestPrice(other ?? []))
      }),
    )
  })
})

describe('the price in statistics (5)', () => {
  test.each<[string, Partial<CostRow>[], string | undefined]>([
    [
      'the project comes before the default, whatever the dates',
      [
        { id: 'project', effective_date: 1 },
        { id: 'default', effective_date: 300, ...inDefault },
      ],
      'project',
    ],
    [
      'the latest date wins, also a future one',
      [
        { id: 'now', effective_date: 1 },
        { id: 'future', effective_date: 300 },
      ],
      'future',
    ],
    ['without rows there is none', [], undefined],
  ])('%s', (_, rows, id) => {
    for (const order of [rows, rows.toReversed()]) expect(pickLatestPrice(order.map(aCostRow))?.id).toBe(id)
  })
})
