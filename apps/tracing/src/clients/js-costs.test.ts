import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { runProgram } from './testing/run-program.ts'
import { startServer, type ServerUnderTest } from './testing/start-server.ts'

interface Told {
  usage: Record<string, Record<string, number>>
  costs?: Record<string, Record<string, unknown>>
}

let server: ServerUnderTest
/** What the client read of its one root, without and with costs. */
let seen: { without: Told[]; withCosts: Told[] }
beforeAll(async () => {
  server = await startServer()
  const project_id = server.newProject()
  const price = { prompt_token_cost: 2, completion_token_cost: 3, cache_read_input_token_cost: 0.5, effective_date: '2026-01-01' }
  await server.client.costs.create({ project_id, costs: { 'our-model': price } })
  const env = { WF_TRACE_SERVER_URL: server.url, WANDB_API_KEY: server.apiKey }
  const output = await runProgram({ name: 'js-costs.mjs', args: [project_id], env })
  seen = JSON.parse(output.split('\n').at(-1) ?? '') as typeof seen
})
afterEach(() => expect(server.failures).toEqual([]))
afterAll(() => server.close())

test('the JavaScript client reads the usage that it rolled up into the root', () => {
  for (const [root] of [seen.without, seen.withCosts]) {
    expect(root?.usage['gpt-4o-mini']).toMatchObject({ prompt_tokens: 1_000_000, completion_tokens: 100_000 })
    expect(Object.keys(root?.usage ?? {})).toEqual(expect.arrayContaining(['our-model', 'unknown-model']))
  }
})

test('the JavaScript client gets costs when it requests them: of the project, of the server, and none without a price', () => {
  expect(seen.without[0]).not.toHaveProperty('costs')
  const costs = seen.withCosts[0]?.costs ?? {}
  expect(Object.keys(costs).toSorted()).toEqual(['gpt-4o-mini', 'our-model'])
  expect(costs['our-model']).toMatchObject({
    prompt_tokens: 10,
    prompt_tokens_total_cost: 12,
    completion_tokens_total_cost: 3,
    cache_read_input_tokens_total_cost: 2,
    pricing_level: 'project',
  })
  expect(costs['gpt-4o-mini']).toMatchObject({ pricing_level: 'default', prompt_token_cost_unit: 'USD' })
  expect(costs['gpt-4o-mini']?.['prompt_tokens_total_cost']).toBeCloseTo(0.15, 9)
  expect(costs['gpt-4o-mini']?.['completion_tokens_total_cost']).toBeCloseTo(0.06, 9)
})
