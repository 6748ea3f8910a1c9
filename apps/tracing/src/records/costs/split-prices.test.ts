import fc from 'fast-check'
import { expect, test } from 'vitest'
import { findPrice } from './price-usage.ts'
import type { UsedModel } from '../../query/price-splits.ts'
import { joinSplits, splitPrices } from './split-prices.ts'
import { aCostRow } from './testing/a-cost-row.ts'

const used = (over: Partial<UsedModel>): UsedModel => ({
  model: 'one',
  first_micros: 0,
  last_micros: 0,
  least_request: 0,
  most_request: 0,
  service_tiers: [''],
  are_priceable: [true],
  ...over,
})

const rowsOf = (dates: readonly number[]) => dates.map((effective_date) => aCostRow({ id: String(effective_date), effective_date }))

test('the changes after the first call of a model and up to its last one count, each once, in their order', () => {
  const prices = new Map([
    ['one', rowsOf([5, 30, 10, 20, 20, 21])],
    ['two', rowsOf([1, 40])],
  ])
  const uses = [
    used({ model: 'one', first_micros: 15, last_micros: 20 }),
    used({ model: 'one', first_micros: 10, last_micros: 12 }),
    used({ model: 'two', first_micros: 10, last_micros: 20 }),
    used({ model: 'unknown', first_micros: 0, last_micros: 99 }),
  ]
  expect(splitPrices(uses, prices).changes).toEqual(new Map([['one', [20]]]))
})

test('usage of a model within two changes, two bounds and one tier of service has one price', () => {
  const tier = fc.record({
    service_tier: fc.constantFrom('', 'flex', 'batch'),
    above_input_tokens: fc.constantFrom(0, 3, 9),
    prompt_token_cost: fc.nat(99),
  })
  const row = fc.record({
    id: fc.string({ maxLength: 3 }),
    effective_date: fc.nat(20),
    created_at: fc.nat(2),
    pricing_level: fc.constantFrom('project' as const, 'default' as const),
    details: fc.array(tier, { maxLength: 4 }).map((tiers) => ({ tiers })),
  })
  const request = fc.record({ started_at: fc.nat(20), requestTokens: fc.nat(12), serviceTier: fc.constantFrom('', 'flex', 'priority') })
  fc.assert(
    fc.property(fc.uniqueArray(row, { selector: ({ id }) => id }), fc.array(request, { minLength: 1 }), (some, requests) => {
      const prices = new Map([['one', some.map(aCostRow)]])
      const all = used({
        first_micros: Math.min(...requests.map(({ started_at }) => started_at)),
        last_micros: Math.max(...requests.map(({ started_at }) => started_at)),
        least_request: Math.min(...requests.map(({ requestTokens }) => requestTokens)),
        most_request: Math.max(...requests.map(({ requestTokens }) => requestTokens)),
        service_tiers: requests.map(({ serviceTier }) => serviceTier),
      })
      const { changes, bounds, byTier } = splitPrices([all], prices)
      const keyOf = (of: (typeof requests)[number]) => [
        countReached(changes.get('one') ?? [], of.started_at),
        countReached(bounds.get('one') ?? [], of.requestTokens - 1),
        byTier ? of.serviceTier : '',
      ]
      for (const one of requests) {
        const alike = requests.filter((other) => String(keyOf(other)) === String(keyOf(one)))
        const first = { started_at: Math.min(...alike.map(({ started_at }) => started_at)) }
        const largest = { requestTokens: Math.max(...alike.map(({ requestTokens }) => requestTokens)) }
        const serviceTier = byTier ? one.serviceTier : all.service_tiers[0]
        const ofSum = findPrice({ model: 'one', ...first, ...largest, serviceTier }, prices)
        expect(findPrice({ model: 'one', ...one }, prices)?.rates).toEqual(ofSum?.rates)
      }
    }),
  )
})

const countReached = (limits: readonly number[], value: number) => limits.filter((limit) => limit <= value).length

test('what splits usage of several projects is joined by model', () => {
  const one = { changes: new Map([['a', [1, 3]]]), bounds: new Map([['a', [200]]]), byTier: false, byPriceable: true }
  const other = {
    changes: new Map(Object.entries({ a: [2, 3], b: [4] })),
    bounds: new Map([['a', [100, 200]]]),
    byTier: true,
    byPriceable: false,
  }
  expect(joinSplits([one, other])).toEqual({
    changes: new Map(Object.entries({ a: [1, 2, 3], b: [4] })),
    bounds: new Map([['a', [100, 200]]]),
    byTier: true,
    byPriceable: true,
  })
})
