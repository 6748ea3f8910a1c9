import { afterAll, beforeAll, expect, test } from 'vitest'
import { aBlock, aCallRow, startTestStores, type TestStores } from '../../testing/index.ts'
import { bind, sql } from '../sql.ts'
import { type CallRow, callsTable } from './calls.ts'

let stores: TestStores
let projects = 0
beforeAll(async () => {
  stores = await startTestStores()
})
afterAll(() => stores.close())

/** The tiers that the store finds in calls with these payloads. */
async function tiersOf(...payloads: readonly Partial<CallRow>[]): Promise<string[]> {
  const project_id = `tiers/${projects++}`
  const rows = payloads.map((each, at) => aCallRow({ project_id, id: String(at).padStart(4, '0'), ...each }))
  await stores.analytical.insert(callsTable, aBlock(callsTable, ...rows))
  const found = await stores.analytical.rows<{ tier: string }>(
    sql`SELECT toString(service_tier) AS tier FROM heddle.calls FINAL WHERE project_id = ${bind('String', project_id)} ORDER BY id`,
  )
  return found.map(({ tier }) => tier)
}

const nested = (path: readonly string[], value: unknown): unknown => path.reduceRight((inner, name) => ({ [name]: inner }), value)
const span = (name: string) => ({ otel: JSON.stringify({ attributes: nested(name.split('.'), 'flex') }) })
const output = (...path: string[]) => ({ output: JSON.stringify(nested(path, 'flex')) })

const ofResponses = ['openai.response', 'gen_ai.openai.response', 'gen_ai.response', 'llm.response', 'gen_ai.usage', 'aws.bedrock.response']
const ofRequests = [
  'openai.request',
  'gen_ai.openai.request',
  'gen_ai.request',
  'llm.request',
  'llm.invocation_parameters',
  'aws.bedrock.request',
]
const ofProviders = [
  'openai.serviceTier',
  'azure.serviceTier',
  'anthropic.usage.service_tier',
  'google.serviceTier',
  'google.usageMetadata.trafficType',
  'vertex.usageMetadata.trafficType',
  'bedrock.serviceTier.type',
]
const bodies = [['service_tier'], ['usage', 'service_tier'], ['usage_metadata', 'traffic_type'], ['usageMetadata', 'trafficType']]
const outputNames = ['output.value', 'mlflow.spanOutputs', 'langfuse.observation.output', 'traceloop.entity.output', 'gen_ai.completion']

test('each attribute of a span that names a tier is found', async () => {
  const calls = [...ofResponses, ...ofRequests].map((name) => span(`${name}.service_tier`)).concat(span('service_tier'))
  expect(await tiersOf(...calls)).toEqual(calls.map(() => 'flex'))
})

test('metadata of providers is read, as JSON and as a text of JSON', async () => {
  const calls = ofProviders.flatMap((name) => {
    const metadata = nested(name.split('.'), 'flex')
    return [metadata, JSON.stringify(metadata)].flatMap((providerMetadata) => [
      { otel: JSON.stringify({ attributes: { ai: { response: { providerMetadata } } } }) },
      { output: JSON.stringify({ 'ai.response': { providerMetadata } }) },
    ])
  })
  expect(await tiersOf(...calls)).toEqual(calls.map(() => 'flex'))
})

test('the body of a response is read, even in the attribute of a convention', async () => {
  const calls = [...bodies, ['serviceTier', 'type']].map((path) => output(...path))
  const named = outputNames.flatMap((name) => bodies.map((path) => output(name, ...path)))
  expect(await tiersOf(...calls, ...named)).toEqual([...calls, ...named].map(() => 'flex'))
})

test('attributes, parameters and the request are read if no response names a tier', async () => {
  const calls = [
    { attributes: '{"service_tier":"flex"}' },
    { attributes: '{"model_parameters":{"service_tier":"flex"}}' },
    { attributes: '{"model_parameters":{"serviceTier":"flex"}}' },
    { attributes: JSON.stringify({ model_parameters: '{"serviceTier":"flex"}' }) },
    { inputs: '{"service_tier":"flex"}' },
    { inputs: '{"serviceTier":{"type":"flex"}}' },
  ]
  expect(await tiersOf(...calls)).toEqual(calls.map(() => 'flex'))
  const answered = calls.map((call) => ({ ...call, output: '{"usage":{"service_tier":"priority"}}' }))
  expect(await tiersOf(...answered)).toEqual(calls.map(() => 'priority'))
})

const longest = 'x'.repeat(64)

test.each([
  ['no payload', {}, ''],
  ['an empty word', { output: '{"service_tier":"","usage":{"service_tier":"batch"}}' }, 'batch'],
  ['a null', { output: '{"service_tier":null,"usage":{"service_tier":"batch"}}' }, 'batch'],
  ['a word of 64 bytes', { output: `{"service_tier":"${longest}"}` }, longest],
  ['a longer one', { output: `{"service_tier":"${longest}x","usage":{"service_tier":"batch"}}` }, 'batch'],
  ['a name within other texts', { output: '{"text":"service_tier"}', inputs: '{"service_tier":"auto"}' }, 'auto'],
  ['a text that is not JSON', { output: '"service_tier" is not JSON' }, ''],
  ['a body that is a list', { output: '[{"service_tier":"flex"}]' }, ''],
  [
    'two attributes of a response',
    { otel: '{"attributes":{"openai":{"response":{"service_tier":"a"}},"gen_ai":{"usage":{"service_tier":"b"}}}}' },
    'a',
  ],
  [
    'response and request',
    { otel: '{"attributes":{"openai":{"request":{"service_tier":"auto"},"response":{"service_tier":"flex"}}}}' },
    'flex',
  ],
])('%s: %j has the tier "%s"', async (_, payloads, tier) => {
  expect(await tiersOf(payloads)).toEqual([tier])
})

test('among calls that name none, each call has its own tier', async () => {
  const calls = Array.from({ length: 300 }, (_, index) =>
    index % 7 === 0 ? { output: `{"service_tier":"tier-${index}"}` } : { output: `{"text":"${index}"}` },
  )
  expect(await tiersOf(...calls)).toEqual(calls.map((_, index) => (index % 7 === 0 ? `tier-${index}` : '')))
})
