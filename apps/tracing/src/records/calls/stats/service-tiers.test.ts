import { bind, sql } from '@heddle/datastore'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { aCall, findCalls, newId, record } from '../../../contract-tests/testing/call-builders.ts'
import { sendRaw } from '../../../contract-tests/testing/send-raw.ts'
import { startTestApp, type TestApp } from '../../../testing/start-test-app.ts'
import { rebuildTraces } from '../settle/rebuild-traces-store.sql.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp({ own: {} })
})
afterAll(() => app.close())

const hex = (length: number) => Array.from({ length }, () => Math.floor(Math.random() * 16).toString(16)).join('')
const start = () => new Date(Date.now() - 86_400_000).toISOString()
const close = (cost: number) => expect.closeTo(cost, 9) as number

/** A prompt of 100 tokens and 10 of output cost 1.2 in the plain service. */
const m = {
  prompt_token_cost: 0.01,
  completion_token_cost: 0.02,
  cache_read_input_token_cost: 0.001,
  cache_creation_input_token_cost: 0.0125,
  cache_read_input_audio_token_cost: 0.004,
  cache_read_input_image_token_cost: 0.002,
  cache_creation_1h_input_token_cost: 0.02,
  input_audio_token_cost: 0.08,
  input_image_token_cost: 0.03,
  output_audio_token_cost: 0.16,
  output_image_token_cost: 0.06,
  reasoning_token_cost: 0.04,
  tiers: [
    { service_tier: 'flex', prompt_token_cost: 0.005, completion_token_cost: 0.01 },
    { service_tier: 'priority', prompt_token_cost: 0.02, completion_token_cost: 0.04 },
    { service_tier: 'batch', prompt_token_cost: 0.0025, completion_token_cost: 0.005 },
    { above_input_tokens: 200, prompt_token_cost: 0.03, completion_token_cost: 0.05 },
    { service_tier: 'flex', above_input_tokens: 200, prompt_token_cost: 0.015, completion_token_cost: 0.025 },
  ],
  effective_date: '2020-01-01',
}
const costs = { plain: 1.2, flex: 0.6, priority: 2.4, batch: 0.3 }

async function aProject(): Promise<string> {
  const project_id = app.newProject()
  await app.client.costs.create({ project_id, costs: { m } })
  return project_id
}

interface SentSpan {
  attributes: Record<string, string | number>
  parent?: string
  traceId?: string
}

async function sendSpan(
  project_id: string,
  { attributes, parent, traceId = hex(32) }: SentSpan,
): Promise<{ traceId: string; spanId: string }> {
  const spanId = hex(16)
  const at = BigInt(Date.now()) * 1_000_000n - 60_000_000_000n
  const span = {
    traceId,
    spanId,
    ...(parent !== undefined && { parentSpanId: parent }),
    name: 'step',
    startTimeUnixNano: String(at),
    endTimeUnixNano: String(at + 1_000_000n),
    attributes: Object.entries(attributes).map(([key, value]) => ({
      key,
      value: typeof value === 'string' ? { stringValue: value } : { intValue: String(value) },
    })),
  }
  const body = { resourceSpans: [{ scopeSpans: [{ scope: { name: 'one' }, spans: [span] }] }] }
  expect((await sendRaw(app, { path: '/otel/v1/traces', body, headers: { project_id } })).status).toBe(200)
  return { traceId, spanId }
}

const chat = (input = 100, output = 10) => ({
  'gen_ai.operation.name': 'chat',
  'gen_ai.request.model': 'm',
  'gen_ai.usage.input_tokens': input,
  'gen_ai.usage.output_tokens': output,
})

/** What each surface of the service says that a project costs, once for each. */
async function costsOf(project_id: string): Promise<(number | null)[]> {
  const { traces } = await app.client.calls.traceTotals({ project_id, start: start() })
  const sum = (values: readonly (number | null)[]) => values.reduce<number>((total, cost) => total + (cost ?? 0), 0)
  const groups = await Promise.all(
    (['model', 'op', 'user', 'thread'] as const).map(async (group_by) =>
      sum((await app.client.calls.usageTotals({ project_id, start: start(), group_by })).groups.map(({ cost }) => cost)),
    ),
  )
  const filter = { trace_roots_only: true }
  const stats = await app.client.calls.stats({ project_id, start: start(), filter, usage_metrics: [{ metric: 'total_cost' }] })
  const { projects } = await app.client.projects.query({ contains: project_id.split('/')[1] ?? '' })
  const buckets = stats.usage_buckets as { sum_total_cost: number }[]
  return [sum(traces.map(({ cost }) => cost)), ...groups, sum(buckets.map(({ sum_total_cost: cost }) => cost)), projects[0]!.cost_7d]
}

const everywhere = (cost: number) => Array.from({ length: 7 }, () => close(cost))

const responseNames = [
  'openai.response.service_tier',
  'gen_ai.openai.response.service_tier',
  'gen_ai.response.service_tier',
  'llm.response.service_tier',
  'gen_ai.usage.service_tier',
  'aws.bedrock.response.service_tier',
  'openai.request.service_tier',
  'gen_ai.openai.request.service_tier',
  'gen_ai.request.service_tier',
  'llm.request.service_tier',
  'service_tier',
]
const texts: [name: string, (tier: string) => string][] = [
  ['ai.response.providerMetadata', (tier) => JSON.stringify({ openai: { serviceTier: tier } })],
  ['ai.response.providerMetadata', (tier) => JSON.stringify({ anthropic: { usage: { service_tier: tier } } })],
  [
    'ai.response.providerMetadata',
    (tier) => JSON.stringify({ google: { usageMetadata: { trafficType: `ON_DEMAND_${tier.toUpperCase()}` } } }),
  ],
  ['llm.invocation_parameters', (tier) => JSON.stringify({ model: 'm', service_tier: tier })],
  ['output.value', (tier) => JSON.stringify({ object: 'chat.completion', service_tier: tier, choices: [] })],
  ['output.value', (tier) => JSON.stringify({ type: 'message', usage: { service_tier: tier }, content: [] })],
  ['mlflow.spanOutputs', (tier) => JSON.stringify({ service_tier: tier })],
]

describe('spans name their service tier', () => {
  const cases = [
    ...responseNames.flatMap((name) => (['flex', 'priority', 'batch'] as const).map((tier) => [name, tier, tier] as const)),
    ...texts.flatMap(([name, toText]) => (['flex', 'priority'] as const).map((tier) => [name, tier, toText(tier)] as const)),
  ]

  test('under every name in use, and each request costs what its tier asks, on all surfaces', async () => {
    const project_id = await aProject()
    const byTrace = new Map<string, number>()
    for (const [name, tier, value] of cases) {
      const { traceId } = await sendSpan(project_id, { attributes: { ...chat(), [name]: value } })
      byTrace.set(`${traceId} ${name} ${value}`, costs[tier])
    }
    const { traces } = await app.client.calls.traceTotals({ project_id, start: start(), limit: 1_000 })
    const found = new Map(traces.map(({ trace_id, cost }) => [trace_id, cost]))
    expect(new Map([...byTrace.keys()].map((key) => [key, found.get(key.slice(0, 32))]))).toEqual(
      new Map([...byTrace].map(([key, cost]) => [key, close(cost)])),
    )
    expect(await costsOf(project_id)).toEqual(everywhere([...byTrace.values()].reduce((sum, cost) => sum + cost, 0)))
  })

  test.each<[string, Record<string, string>, number]>([
    ['the answer wins over the request', { 'openai.request.service_tier': 'flex', 'openai.response.service_tier': 'default' }, costs.plain],
    ['a request for any tier says nothing', { 'openai.request.service_tier': 'auto' }, costs.plain],
    ['a tier without a price has the plain one', { 'openai.response.service_tier': 'scale' }, costs.plain],
    [
      'a word in what a model was told is none',
      { 'gen_ai.input.messages': '[{"role":"user","parts":[{"type":"text","content":"{\\"service_tier\\":\\"flex\\"}"}]}]' },
      costs.plain,
    ],
    ['a long text is no tier', { 'openai.response.service_tier': 'x'.repeat(500) }, costs.plain],
  ])('%s', async (_, attributes, cost) => {
    const project_id = await aProject()
    await sendSpan(project_id, { attributes: { ...chat(), ...attributes } })
    expect(await costsOf(project_id)).toEqual(everywhere(cost))
  })
})

describe('the size of one request decides its price', () => {
  test('and never the sum over several', async () => {
    const project_id = await aProject()
    const agent = await sendSpan(project_id, { attributes: { ...chat(600, 20), 'gen_ai.operation.name': 'invoke_agent' } })
    for (const input of [150, 200, 250])
      await sendSpan(project_id, { attributes: chat(input, 10), parent: agent.spanId, traceId: agent.traceId })
    await sendSpan(project_id, { attributes: { ...chat(250, 10), 'openai.response.service_tier': 'flex' } })
    await sendSpan(project_id, { attributes: { ...chat(250, 10), 'openai.response.service_tier': 'batch' } })
    // An agent alone: of how many requests its tokens are is not known.
    await sendSpan(project_id, { attributes: { ...chat(900, 10), 'gen_ai.operation.name': 'invoke_agent' } })
    const cost = 1.5 + 0.2 + (2 + 0.2) + (7.5 + 0.5) + (3.75 + 0.25) + (0.625 + 0.05) + (9 + 0.2)
    expect(await costsOf(project_id)).toEqual(everywhere(cost))
    const calls = await findCalls(app.client, { project_id, include_costs: true })
    const details = calls.map(({ summary }) => (summary as { weave: { cost_details?: { m: object } } }).weave.cost_details?.m)
    expect(details).toContainEqual(expect.objectContaining({ cost: close(8), above_input_tokens: 200 }))
    expect(details).toContainEqual(expect.objectContaining({ cost: close(4), above_input_tokens: 200, service_tier: 'flex' }))
    expect(details).toContainEqual(expect.objectContaining({ cost: close(0.675), service_tier: 'batch' }))
  })

  test('also of calls of tracing clients, which say of how many requests their tokens are', async () => {
    const project_id = await aProject()
    const times = { started_at: new Date(Date.now() - 60_000).toISOString(), ended_at: new Date().toISOString() }
    const send = (usage: object, more: object = {}) =>
      record(app.client, aCall({ project_id, ...times, summary: { usage: { m: usage } }, ...more }))
    await send({ requests: 1, prompt_tokens: 250, completion_tokens: 10 })
    await send({ requests: 2, prompt_tokens: 250, completion_tokens: 10 })
    await send(
      { requests: 1, prompt_tokens: 100, completion_tokens: 10 },
      { output: { object: 'chat.completion', service_tier: 'priority' } },
    )
    await send({ requests: 1, input_tokens: 100, output_tokens: 10, service_tier: 'batch' })
    const [trace_id, id] = [newId(), newId()]
    await send({ requests: 2, prompt_tokens: 350, completion_tokens: 20 }, { trace_id, id })
    await send({ requests: 1, prompt_tokens: 250, completion_tokens: 10 }, { trace_id, parent_id: id })
    // The remainder of the sum has the prices of the sum.
    expect(await costsOf(project_id)).toEqual(everywhere(8 + 2.7 + costs.priority + costs.batch + (8 + 1.2)))
  })
})

describe('tokens with prices of their own', () => {
  test.each<[string, Record<string, number | string>, number]>([
    [
      'caches of an hour',
      { 'gen_ai.usage.cache_creation.input_tokens': 50, 'gen_ai.usage.cache_creation.ephemeral_1h_input_tokens': 20 },
      0.5 + 30 * 0.0125 + 20 * 0.02 + 0.2,
    ],
    [
      'audio',
      { 'gen_ai.usage.prompt_tokens_details.audio_tokens': 40, 'gen_ai.usage.completion_tokens_details.audio_tokens': 4 },
      0.6 + 40 * 0.08 + 0.12 + 4 * 0.16,
    ],
    [
      'images',
      { 'gen_ai.usage.input_tokens_details.image_tokens': 40, 'gen_ai.usage.output_tokens_details.image_tokens': 4 },
      0.6 + 40 * 0.03 + 0.12 + 4 * 0.06,
    ],
    [
      'cached audio and images',
      {
        'gen_ai.usage.input_token_details.audio_tokens': 40,
        'gen_ai.usage.prompt_tokens_details.audio_tokens': 40,
        'gen_ai.usage.cache_read.input_tokens': 50,
        'gen_ai.usage.input_token_details.cached_tokens_details.audio_tokens': 30,
        'gen_ai.usage.input_token_details.cached_tokens_details.image_tokens': 15,
      },
      40 * 0.01 + 10 * 0.08 + 5 * 0.001 + 30 * 0.004 + 15 * 0.002 + 0.2,
    ],
    ['reasoning', { 'gen_ai.usage.reasoning.output_tokens': 6 }, 1 + 4 * 0.02 + 6 * 0.04],
    [
      'audio of another tier, where it states none',
      { 'llm.token_count.prompt_details.audio': 40, 'openai.response.service_tier': 'flex' },
      60 * 0.005 + 40 * 0.08 + 0.1,
    ],
  ])('of spans: %s', async (_, attributes, cost) => {
    const project_id = await aProject()
    await sendSpan(project_id, { attributes: { ...chat(), ...attributes } })
    expect(await costsOf(project_id)).toEqual(everywhere(cost))
  })

  test.each<[string, object, number]>([
    [
      'of Anthropic',
      {
        input_tokens: 50,
        output_tokens: 10,
        cache_creation_input_tokens: 50,
        cache_creation: { ephemeral_5m_input_tokens: 30, ephemeral_1h_input_tokens: 20 },
        service_tier: 'standard',
      },
      0.5 + 30 * 0.0125 + 20 * 0.02 + 0.2,
    ],
    [
      'of OpenAI',
      {
        prompt_tokens: 100,
        completion_tokens: 10,
        total_tokens: 110,
        prompt_tokens_details: { audio_tokens: 40, cached_tokens: 10 },
        completion_tokens_details: { audio_tokens: 4, reasoning_tokens: 2 },
      },
      50 * 0.01 + 10 * 0.001 + 40 * 0.08 + 4 * 0.02 + 4 * 0.16 + 2 * 0.04,
    ],
    [
      'of Google',
      {
        promptTokenCount: 100,
        candidatesTokenCount: 10,
        totalTokenCount: 110,
        promptTokensDetails: [
          { modality: 'TEXT', tokenCount: 60 },
          { modality: 'AUDIO', tokenCount: 40 },
        ],
        candidatesTokensDetails: [{ modality: 'IMAGE', tokenCount: 4 }],
      },
      0.6 + 40 * 0.08 + 0.12 + 4 * 0.06,
    ],
  ])('in the usage %s, as tracing clients pass it on', async (_, usage, cost) => {
    const project_id = await aProject()
    const times = { started_at: new Date(Date.now() - 60_000).toISOString(), ended_at: new Date().toISOString() }
    await record(app.client, aCall({ project_id, ...times, summary: { usage: { m: usage } } }))
    expect(await costsOf(project_id)).toEqual(everywhere(cost))
  })
})

test('rows from before there were tiers have the plain price until they are computed again', async () => {
  const project_id = await aProject()
  await sendSpan(project_id, { attributes: { ...chat(), 'openai.response.service_tier': 'flex' } })
  await sendSpan(project_id, { attributes: chat(250) })
  expect(await costsOf(project_id)).toEqual(everywhere(costs.flex + 8))
  const { analytical } = app.stores
  const emptied = sql`INSERT INTO heddle.usage SELECT * REPLACE (NULL AS request_tokens, NULL AS cache_write_1h_tokens, NULL AS input_audio_tokens,
    '' AS service_tier, version + 1 AS version) FROM heddle.usage FINAL WHERE project_id = ${bind('String', project_id)}`
  await analytical.execute(emptied)
  expect(await costsOf(project_id)).toEqual(everywhere(costs.plain + 2.7))
  await rebuildTraces({ analytical })
  expect(await costsOf(project_id)).toEqual(everywhere(costs.flex + 8))
})

test('a price shows its tiers where all of it is requested, and one without any has the fields of old alone', async () => {
  const project_id = await aProject()
  await app.client.costs.create({ project_id, costs: { plain: { prompt_token_cost: 1, completion_token_cost: 2 } } })
  const { results } = await app.client.costs.query({ project_id })
  const tiers = m.tiers.map((tier) => ({ service_tier: null, above_input_tokens: 0, ...tier }))
  expect(results[0]).toMatchObject({ llm_id: 'm', reasoning_token_cost: 0.04, tiers })
  expect(Object.keys(results[1]!)).toHaveLength(10)
  const { results: some } = await app.client.costs.query({ project_id, fields: ['llm_id'] })
  expect(Object.keys(some[0]!)).toHaveLength(10)
})
