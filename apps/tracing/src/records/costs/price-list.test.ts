import { describe, expect, test } from 'vitest'
import list from './default-prices.json' with { type: 'json' }
import { readDefaultPrices } from './default-prices.ts'
import { readPriceList } from './price-list.ts'

const defaultPrices = await readDefaultPrices()

const head = { about: 'a', sources: [{ kind: 'k', name: 'n', date: '2026-01-02' }], date: '2026-01-02', currency: 'EUR' }
const aPrice = { provider_id: 'p', models: ['m-1', 'm-2'], effective_date: '2026-01-01', prompt_token_cost: 0.5, completion_token_cost: 1 }

test('each name of a price becomes a row of level default', () => {
  const rows = readPriceList({ ...head, prices: [{ ...aPrice, cache_read_input_token_cost: 0.25 }] })
  expect(rows.map(({ llm_id }) => llm_id)).toEqual(['m-1', 'm-2'])
  expect(rows[0]).toEqual({
    id: 'default:m-1:1767225600000000',
    pricing_level: 'default',
    pricing_level_id: 'default',
    provider_id: 'p',
    llm_id: 'm-1',
    effective_date: 1_767_225_600_000_000,
    prompt_token_cost: 0.5,
    completion_token_cost: 1,
    cache_read_input_token_cost: 0.25,
    cache_creation_input_token_cost: 0,
    prompt_token_cost_unit: 'EUR',
    completion_token_cost_unit: 'EUR',
    created_by: 'system',
    created_at: 1_767_312_000_000_000,
    details: null,
  })
})

test('a list without prices has no rows', () => expect(readPriceList({ ...head, prices: [] })).toEqual([]))

test.each<[string, unknown, RegExp]>([
  ['no list', 'prices', /^the list: /],
  ['a list without a source', { ...head, sources: [], prices: [] }, /^sources: /],
  ['a source without a day', { ...head, sources: [{ kind: 'k', name: 'n', date: 'now' }], prices: [] }, /^sources\[0\]\.date: /],
  ['a price without a number', { ...head, prices: [{ ...aPrice, prompt_token_cost: undefined }] }, /^prices\[0\]\.prompt_token_cost: /],
  [
    'a price that is not a number',
    { ...head, prices: [aPrice, { ...aPrice, completion_token_cost: 'free' }] },
    /^prices\[1\]\.completion_token_cost: /,
  ],
  ['a price below 0', { ...head, prices: [{ ...aPrice, prompt_token_cost: -1 }] }, /^prices\[0\]\.prompt_token_cost: /],
  ['a price of no model', { ...head, prices: [{ ...aPrice, models: [] }] }, /^prices\[0\]\.models: /],
  ['a field with a typing error', { ...head, prices: [{ ...aPrice, promt_token_cost: 1 }] }, /^prices\[0\]: .*promt_token_cost/],
])('%s is refused with its place', (_, wrong, message) => expect(() => readPriceList(wrong)).toThrow(message))

describe('the prices that come with the server', () => {
  test('name their sources and days', () => {
    expect(list.about).not.toBe('')
    for (const source of list.sources) for (const text of Object.values(source)) expect(text).not.toBe('')
  })

  test('have one price per model and day, none of them in the future of the list', () => {
    const keys = defaultPrices.map(({ llm_id, effective_date }) => `${llm_id} ${effective_date}`)
    expect(keys.filter((key, index) => keys.indexOf(key) !== index)).toEqual([])
    expect(defaultPrices.filter(({ effective_date, created_at }) => effective_date > created_at)).toEqual([])
  })

  test('are of one token, not of a thousand or a million', () => {
    // The dearest model of all asks 600 USD for a million tokens.
    for (const { llm_id, prompt_token_cost, completion_token_cost } of defaultPrices) {
      expect([llm_id, prompt_token_cost > 0 && prompt_token_cost <= 150e-6]).toEqual([llm_id, true])
      expect([llm_id, completion_token_cost <= 600e-6]).toEqual([llm_id, true])
    }
  })

  test.each([
    ['gpt-4o-mini-2024-07-18', 0.15, 0.6, 0.075, 0],
    ['gpt-5', 1.25, 10, 0.125, 0],
    ['claude-sonnet-4-5-20250929', 3, 15, 0.3, 3.75],
    ['gemini-2.5-pro', 1.25, 10, 0.125, 0],
  ])('have %s at its public price', (model, ...perMillion) => {
    const price = defaultPrices.find(({ llm_id }) => llm_id === model)
    const costs = [
      price?.prompt_token_cost,
      price?.completion_token_cost,
      price?.cache_read_input_token_cost,
      price?.cache_creation_input_token_cost,
    ]
    costs.forEach((cost, index) => expect(cost).toBeCloseTo((perMillion[index] ?? 0) / 1e6, 12))
  })

  test.each([
    ['claude-sonnet-4-5', 200_000, 6, 22.5, 0.6, 7.5],
    ['gemini-2.5-pro', 200_000, 2.5, 15, 0.25, 0],
  ])('have %s at its public price above %d tokens of a prompt', (model, above, ...perMillion) => {
    const price = defaultPrices.find(({ llm_id }) => llm_id === model)
    const tier = price?.details?.tiers?.find(({ service_tier, above_input_tokens }) => !service_tier && above_input_tokens === above)
    const costs = [
      tier?.prompt_token_cost,
      tier?.completion_token_cost,
      tier?.cache_read_input_token_cost,
      tier?.cache_creation_input_token_cost ?? 0,
    ]
    costs.forEach((cost, index) => expect(cost).toBeCloseTo((perMillion[index] ?? 0) / 1e6, 12))
  })
})
