import { noTokens, priceCounts } from '@heddle/trace-model'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { aCall, record } from '../../contract-tests/testing/call-builders.ts'
import { sendRaw } from '../../contract-tests/testing/send-raw.ts'
import { startTestApp, type TestApp } from '../../testing/start-test-app.ts'
import { usageNames } from '../../otlp/map/fields/usage-names.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.close())

/** One request, which every sender reports in its own names. Cached tokens are part of its input, reasoning of its output, audio of both. */
const request = { input: 1000, cacheRead: 200, cacheWrite: 100, output: 300, reasoning: 50, inputAudio: 40, outputAudio: 30 }
type Kind = keyof typeof request

const rates = {
  input: 1,
  output: 2,
  cacheRead: 0.1,
  cacheWrite: 1.25,
  cacheWrite1h: 1.5,
  reasoning: 3,
  inputAudio: 5,
  inputImage: 7,
  outputAudio: 11,
  outputImage: 13,
  cacheReadAudio: 0.5,
  cacheReadImage: 0.7,
}
const price = {
  prompt_token_cost: rates.input,
  completion_token_cost: rates.output,
  cache_read_input_token_cost: rates.cacheRead,
  cache_creation_input_token_cost: rates.cacheWrite,
  cache_creation_1h_input_token_cost: rates.cacheWrite1h,
  reasoning_token_cost: rates.reasoning,
  input_audio_token_cost: rates.inputAudio,
  input_image_token_cost: rates.inputImage,
  output_audio_token_cost: rates.outputAudio,
  output_image_token_cost: rates.outputImage,
  cache_read_input_audio_token_cost: rates.cacheReadAudio,
  cache_read_input_image_token_cost: rates.cacheReadImage,
  effective_date: '2020-01-01',
}

type Counts = Partial<typeof noTokens>

/** Tokens and cost that the API must total. */
function expectedOf(counts: Counts) {
  const all = { ...noTokens, ...counts }
  return {
    input_tokens: all.input,
    output_tokens: all.output,
    total_tokens: all.input + all.output,
    cache_read_input_tokens: all.cacheRead,
    cache_creation_input_tokens: all.cacheWrite,
    cost: expect.closeTo(priceCounts(all, rates), 6) as number,
  }
}

interface Sender {
  name: string
  /** Attributes of a span. */
  span?: Record<string, unknown>
  /** Usage of a call, as its provider or client has it. */
  usage?: Record<string, unknown>
  /** What its names cannot say. */
  without?: readonly Kind[]
}

const audio = ['inputAudio', 'outputAudio'] as const
const json = JSON.stringify

const senders: readonly Sender[] = [
  {
    name: 'OpenTelemetry',
    span: {
      'gen_ai.usage.input_tokens': 1000,
      'gen_ai.usage.output_tokens': 300,
      'gen_ai.usage.cache_read.input_tokens': 200,
      'gen_ai.usage.cache_write.input_tokens': 100,
      'gen_ai.usage.reasoning.output_tokens': 50,
    },
    without: audio,
  },
  {
    name: 'OpenTelemetry before 1.40',
    span: {
      'gen_ai.usage.input_tokens': 1000,
      'gen_ai.usage.output_tokens': 300,
      'gen_ai.usage.cache_read.input_tokens': 200,
      'gen_ai.usage.cache_creation.input_tokens': 100,
    },
    without: [...audio, 'reasoning'],
  },
  {
    name: 'OpenTelemetry before 1.27',
    span: { 'gen_ai.usage.prompt_tokens': 1000, 'gen_ai.usage.completion_tokens': 300 },
    without: [...audio, 'reasoning', 'cacheRead', 'cacheWrite'],
  },
  {
    name: 'OpenInference',
    span: {
      'llm.token_count.prompt': 1000,
      'llm.token_count.completion': 300,
      'llm.token_count.total': 1300,
      'llm.token_count.prompt_details.cache_read': 200,
      'llm.token_count.prompt_details.cache_write': 100,
      'llm.token_count.prompt_details.audio': 40,
      'llm.token_count.completion_details.reasoning': 50,
      'llm.token_count.completion_details.audio': 30,
    },
  },
  {
    name: 'OpenLLMetry',
    span: {
      'gen_ai.usage.input_tokens': 1000,
      'gen_ai.usage.output_tokens': 300,
      'gen_ai.usage.total_tokens': 1300,
      'gen_ai.usage.cache_read.input_tokens': 200,
      'gen_ai.usage.cache_creation.input_tokens': 100,
      'gen_ai.usage.reasoning_tokens': 50,
    },
    without: audio,
  },
  {
    name: 'OpenLLMetry before 0.53',
    span: {
      'gen_ai.usage.prompt_tokens': 1000,
      'gen_ai.usage.completion_tokens': 300,
      'llm.usage.total_tokens': 1300,
      'gen_ai.usage.cache_read_input_tokens': 200,
      'gen_ai.usage.cache_creation_input_tokens': 100,
      'llm.usage.reasoning_tokens': 50,
    },
    without: audio,
  },
  {
    name: 'AI SDK 4 with OpenAI',
    span: {
      'ai.usage.promptTokens': 1000,
      'ai.usage.completionTokens': 300,
      'ai.response.providerMetadata': json({ openai: { cachedPromptTokens: 200, reasoningTokens: 50 } }),
    },
    without: [...audio, 'cacheWrite'],
  },
  {
    name: 'AI SDK 4 with Anthropic',
    span: {
      'ai.usage.promptTokens': 700,
      'ai.usage.completionTokens': 300,
      'ai.response.providerMetadata': json({ anthropic: { cacheReadInputTokens: 200, cacheCreationInputTokens: 100 } }),
    },
    without: [...audio, 'reasoning'],
  },
  {
    name: 'AI SDK 5 with OpenAI',
    span: {
      'ai.usage.inputTokens': 1000,
      'ai.usage.outputTokens': 300,
      'ai.usage.totalTokens': 1300,
      'ai.usage.cachedInputTokens': 200,
      'ai.usage.reasoningTokens': 50,
    },
    without: [...audio, 'cacheWrite'],
  },
  {
    name: 'AI SDK 5 with Anthropic',
    span: {
      'ai.usage.inputTokens': 700,
      'ai.usage.outputTokens': 300,
      'ai.usage.totalTokens': 1000,
      'ai.usage.cachedInputTokens': 200,
      'ai.response.providerMetadata': json({
        anthropic: {
          usage: { input_tokens: 700, cache_creation_input_tokens: 100, cache_read_input_tokens: 200 },
          cacheCreationInputTokens: 100,
        },
      }),
    },
    without: [...audio, 'reasoning'],
  },
  {
    name: 'AI SDK 6',
    span: {
      'ai.usage.inputTokens': 1000,
      'ai.usage.outputTokens': 300,
      'ai.usage.totalTokens': 1300,
      'ai.usage.inputTokenDetails.cacheReadTokens': 200,
      'ai.usage.inputTokenDetails.cacheWriteTokens': 100,
      'ai.usage.inputTokenDetails.noCacheTokens': 700,
      'ai.usage.outputTokenDetails.reasoningTokens': 50,
    },
    without: audio,
  },
  {
    name: 'AI SDK 7',
    span: {
      'gen_ai.usage.input_tokens': 1000,
      'gen_ai.usage.output_tokens': 300,
      'gen_ai.usage.cache_read.input_tokens': 200,
      'gen_ai.usage.cache_creation.input_tokens': 100,
      'ai.usage.outputTokenDetails.reasoningTokens': 50,
    },
    without: audio,
  },
  {
    name: 'Langfuse',
    span: {
      'langfuse.observation.usage_details': json({
        input: 660,
        input_cached_tokens: 200,
        input_cache_creation: 100,
        input_audio_tokens: 40,
        output: 220,
        output_reasoning_tokens: 50,
        output_audio_tokens: 30,
        total: 1300,
      }),
    },
  },
  {
    name: 'Langfuse without a total',
    span: {
      'langfuse.observation.usage_details': json({
        input: 700,
        input_cached_tokens: 200,
        input_cache_creation: 100,
        output: 250,
        output_reasoning: 50,
      }),
    },
    without: audio,
  },
  {
    name: 'LiteLLM',
    span: {
      'gen_ai.usage.input_tokens': 1000,
      'gen_ai.usage.output_tokens': 300,
      'gen_ai.usage.total_tokens': 1300,
      'gen_ai.usage.cache_read.input_tokens': 200,
      'gen_ai.usage.cache_creation.input_tokens': 100,
    },
    without: [...audio, 'reasoning'],
  },
  {
    name: 'LiteLLM, as its usage names them',
    span: {
      'gen_ai.usage.prompt_tokens': 1000,
      'gen_ai.usage.completion_tokens': 300,
      'gen_ai.usage.prompt_tokens_details.cached_tokens': 200,
      'gen_ai.usage.prompt_tokens_details.cache_creation_tokens': 100,
      'gen_ai.usage.prompt_tokens_details.audio_tokens': 40,
      'gen_ai.usage.completion_tokens_details.reasoning_tokens': 50,
      'gen_ai.usage.completion_tokens_details.audio_tokens': 30,
    },
  },
  {
    name: 'pydantic-ai',
    span: {
      'gen_ai.usage.input_tokens': 1000,
      'gen_ai.usage.output_tokens': 300,
      'gen_ai.usage.details.cache_read_tokens': 200,
      'gen_ai.usage.details.cache_write_tokens': 100,
      'gen_ai.usage.details.reasoning_tokens': 50,
      'gen_ai.usage.details.input_audio_tokens': 40,
      'gen_ai.usage.details.output_audio_tokens': 30,
    },
  },
  {
    name: 'pydantic-ai with Anthropic',
    span: {
      'gen_ai.usage.input_tokens': 1000,
      'gen_ai.usage.output_tokens': 300,
      'gen_ai.usage.details.input_tokens': 700,
      'gen_ai.usage.details.output_tokens': 300,
      'gen_ai.usage.details.cache_read_input_tokens': 200,
      'gen_ai.usage.details.cache_creation_input_tokens': 100,
    },
    without: [...audio, 'reasoning'],
  },
  {
    name: 'MLflow',
    span: {
      'mlflow.chat.tokenUsage': json({
        input_tokens: 1000,
        output_tokens: 300,
        total_tokens: 1300,
        cache_read_input_tokens: 200,
        cache_creation_input_tokens: 100,
      }),
    },
    without: [...audio, 'reasoning'],
  },
  {
    name: 'MLflow with counts that exclude each other',
    span: {
      'mlflow.chat.tokenUsage': json({
        input_tokens: 700,
        output_tokens: 300,
        total_tokens: 1300,
        cache_read_input_tokens: 200,
        cache_creation_input_tokens: 100,
      }),
    },
    without: [...audio, 'reasoning'],
  },
  {
    name: 'Claude Code',
    span: { input_tokens: 700, output_tokens: 300, cache_read_tokens: 200, cache_creation_tokens: 100 },
    without: [...audio, 'reasoning'],
  },
  {
    name: 'Anthropic',
    usage: { input_tokens: 700, output_tokens: 300, cache_read_input_tokens: 200, cache_creation_input_tokens: 100 },
    without: [...audio, 'reasoning'],
  },
  {
    name: 'Bedrock',
    usage: { inputTokens: 700, outputTokens: 300, totalTokens: 1300, cacheReadInputTokens: 200, cacheWriteInputTokens: 100 },
    without: [...audio, 'reasoning'],
  },
  {
    name: 'OpenAI chat',
    usage: {
      prompt_tokens: 1000,
      completion_tokens: 300,
      total_tokens: 1300,
      prompt_tokens_details: { cached_tokens: 200, audio_tokens: 40 },
      completion_tokens_details: { reasoning_tokens: 50, audio_tokens: 30 },
    },
    without: ['cacheWrite'],
  },
  {
    name: 'OpenAI responses',
    usage: {
      input_tokens: 1000,
      output_tokens: 300,
      total_tokens: 1300,
      input_tokens_details: { cached_tokens: 200 },
      output_tokens_details: { reasoning_tokens: 50 },
    },
    without: [...audio, 'cacheWrite'],
  },
  {
    name: 'OpenRouter',
    usage: {
      prompt_tokens: 1000,
      completion_tokens: 300,
      total_tokens: 1300,
      prompt_tokens_details: { cached_tokens: 200, cache_write_tokens: 100, audio_tokens: 40 },
      completion_tokens_details: { reasoning_tokens: 50, audio_tokens: 30 },
    },
  },
  {
    name: 'LiteLLM, of its answers',
    usage: {
      prompt_tokens: 1000,
      completion_tokens: 300,
      total_tokens: 1300,
      cache_read_input_tokens: 200,
      cache_creation_input_tokens: 100,
      prompt_tokens_details: { cached_tokens: 200, cache_creation_tokens: 100, audio_tokens: 40 },
      completion_tokens_details: { reasoning_tokens: 50, audio_tokens: 30 },
    },
  },
  {
    name: 'Google',
    usage: {
      promptTokenCount: 1000,
      candidatesTokenCount: 250,
      thoughtsTokenCount: 50,
      cachedContentTokenCount: 200,
      totalTokenCount: 1300,
      promptTokensDetails: [{ modality: 'AUDIO', tokenCount: 40 }],
      candidatesTokensDetails: [{ modality: 'AUDIO', tokenCount: 30 }],
    },
    without: ['cacheWrite'],
  },
  {
    name: 'LangChain',
    usage: {
      input_tokens: 1000,
      output_tokens: 300,
      total_tokens: 1300,
      input_token_details: { cache_read: 200, cache_creation: 100, audio: 40 },
      output_token_details: { reasoning: 50, audio: 30 },
    },
  },
  {
    name: 'AI SDK 4, of its results',
    usage: { promptTokens: 1000, completionTokens: 300, totalTokens: 1300 },
    without: [...audio, 'reasoning', 'cacheRead', 'cacheWrite'],
  },
  {
    name: 'AI SDK 5, of its results',
    usage: { inputTokens: 1000, outputTokens: 300, totalTokens: 1300, cachedInputTokens: 200, reasoningTokens: 50 },
    without: [...audio, 'cacheWrite'],
  },
  {
    name: 'AI SDK 6 and 7, of their results',
    usage: {
      inputTokens: 1000,
      inputTokenDetails: { noCacheTokens: 700, cacheReadTokens: 200, cacheWriteTokens: 100 },
      outputTokens: 300,
      outputTokenDetails: { textTokens: 250, reasoningTokens: 50 },
      totalTokens: 1300,
      cachedInputTokens: 200,
      reasoningTokens: 50,
    },
    without: audio,
  },
  {
    name: 'pydantic-ai, of its results',
    usage: {
      input_tokens: 1000,
      output_tokens: 300,
      cache_read_tokens: 200,
      cache_write_tokens: 100,
      input_audio_tokens: 40,
      details: { reasoning_tokens: 50 },
      requests: 1,
    },
    without: ['outputAudio'],
  },
]

const startedAt = Date.parse('2026-03-01T00:00:00Z')
const range = { start: '2026-03-01', end: '2026-03-02' }
const hex = (at: number, digits: number) => (at + 1).toString(16).padStart(digits, '0')

function toAttribute(key: string, value: unknown) {
  return { key, value: typeof value === 'number' ? { intValue: String(value) } : { stringValue: String(value) } }
}

/** Sends a span for each list of attributes, of a model that has the name of its place. */
async function sendSpans(project_id: string, spans: readonly (readonly [model: string, Record<string, unknown>])[]): Promise<void> {
  const sent = spans.map(([model, attributes], at) => ({
    traceId: hex(at, 32),
    spanId: hex(at, 16),
    name: 'chat',
    startTimeUnixNano: `${startedAt}000000`,
    endTimeUnixNano: `${startedAt}000001`,
    attributes: Object.entries({ 'gen_ai.request.model': model, ...attributes }).map(([key, value]) => toAttribute(key, value)),
  }))
  const headers = { 'content-type': 'application/json', 'project-id': project_id }
  const body = { resourceSpans: [{ scopeSpans: [{ spans: sent }] }] }
  expect((await sendRaw(app, { path: '/otel/v1/traces', body, headers })).status).toBe(200)
}

async function totalsOf(project_id: string, models: readonly string[]) {
  await app.client.costs.create({ project_id, costs: Object.fromEntries(models.map((model) => [model, price])) })
  const { groups } = await app.client.calls.usageTotals({ project_id, ...range, group_by: 'model', limit: 1_000 })
  return new Map(
    groups.map(({ key, ...total }) => [
      key,
      {
        input_tokens: total.input_tokens,
        output_tokens: total.output_tokens,
        total_tokens: total.total_tokens,
        cache_read_input_tokens: total.cache_read_input_tokens,
        cache_creation_input_tokens: total.cache_creation_input_tokens,
        cost: total.cost,
      },
    ]),
  )
}

test('a request has the same totals in the names of every sender', async () => {
  const project_id = app.newProject()
  const spans = senders.flatMap(({ name, span }) => (span === undefined ? [] : [[name, span] as const]))
  const calls = senders.flatMap(({ name, usage }) =>
    usage === undefined ? [] : [aCall({ project_id, summary: { usage: { [name]: usage } } })],
  )
  await sendSpans(project_id, spans)
  await record(app.client, ...calls)
  const totals = await totalsOf(
    project_id,
    senders.map(({ name }) => name),
  )
  const expected = senders.map(({ name, without = [] }) => {
    const known = Object.entries(request).filter(([kind]) => !without.includes(kind as Kind))
    return [name, expectedOf(Object.fromEntries(known))] as const
  })
  expect(Object.fromEntries(totals)).toEqual(Object.fromEntries(expected))
})

const kinds = {
  cache_creation_input_tokens: 'cacheWrite',
  cache_creation_1h_input_tokens: 'cacheWrite1h',
  cache_read_input_tokens: 'cacheRead',
  cache_read_input_audio_tokens: 'cacheReadAudio',
  cache_read_input_image_tokens: 'cacheReadImage',
  reasoning_tokens: 'reasoning',
  input_audio_tokens: 'inputAudio',
  output_audio_tokens: 'outputAudio',
  input_image_tokens: 'inputImage',
  output_image_tokens: 'outputImage',
} as const satisfies Partial<Record<keyof typeof usageNames, keyof typeof noTokens>>

/** The counts that contain a detail of them. */
const wholes: Partial<Record<(typeof kinds)[keyof typeof kinds], Counts>> = {
  cacheWrite1h: { cacheWrite: 9 },
  cacheReadAudio: { cacheRead: 9 },
  cacheReadImage: { cacheRead: 9 },
}
const nameOfWhole: Partial<Record<string, string>> = {
  cacheWrite1h: 'gen_ai.usage.cache_creation.input_tokens',
  cacheReadAudio: 'gen_ai.usage.cache_read.input_tokens',
  cacheReadImage: 'gen_ai.usage.cache_read.input_tokens',
}

test('each kind of token is priced under each of its names', async () => {
  const project_id = app.newProject()
  const named = Object.entries(kinds).flatMap(([count, kind]) => usageNames[count as keyof typeof kinds].map(([name]) => ({ name, kind })))
  const base = { 'gen_ai.usage.input_tokens': 100, 'gen_ai.usage.output_tokens': 50 }
  const spans = named.map(({ name, kind }) => {
    const whole = nameOfWhole[kind]
    return [name, { ...base, ...(whole !== undefined && { [whole]: 9 }), [name]: 9 }] as const
  })
  await sendSpans(project_id, spans)
  const totals = await totalsOf(
    project_id,
    named.map(({ name }) => name),
  )
  const expected = named.map(({ name, kind }) => [name, expectedOf({ input: 100, output: 50, ...wholes[kind], [kind]: 9 })] as const)
  expect(Object.fromEntries(totals)).toEqual(Object.fromEntries(expected))
})
