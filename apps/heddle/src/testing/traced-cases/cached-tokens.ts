import type { ExpectedTrace, SentCall, SentSpan, TracedCase } from './traced-case.ts'

/** $3 for a million tokens of input, 0.30 read from a cache, 3.75 written to it, 15 of output. */
const model = 'claude-sonnet-4-5'

type Attributes = Record<string, string | number>

/** Counts of input that do not contain the cached ones. */
interface Fresh {
  fresh: number
  output: number
  cached: number
}

const fewFresh: Fresh = { fresh: 12, output: 40, cached: 1_000 }
const moreFresh: Fresh = { fresh: 5_000, output: 40, cached: 3_000 }

const expectedOf = (root: string, { fresh, output, cached }: Fresh): ExpectedTrace => ({
  root,
  status: 'success',
  used: { [model]: { uses: 1, input: fresh + cached, output, cached } },
  cost: (fresh * 3 + cached * 0.3 + output * 15) / 1e6,
})

const byClient = (name: string, { fresh, output, cached }: Fresh): SentCall => ({
  name,
  usage: {
    [model]: {
      requests: 1,
      input_tokens: fresh,
      output_tokens: output,
      cache_read_input_tokens: cached,
      cache_creation_input_tokens: 0,
    },
  },
})

const langfuse = { 'langfuse.observation.type': 'generation', 'langfuse.observation.model.name': model }

const exclusiveSpans: readonly { span: SentSpan; counts: Fresh }[] = [
  {
    span: {
      name: 'a total without them',
      attributes: {
        'gen_ai.provider.name': 'aws.bedrock',
        'gen_ai.request.model': model,
        'gen_ai.usage.input_tokens': 12,
        'gen_ai.usage.output_tokens': 40,
        'gen_ai.usage.cache_read.input_tokens': 1_000,
        'gen_ai.usage.total_tokens': 52,
      },
    },
    counts: fewFresh,
  },
  {
    span: {
      name: 'details that add up to the total',
      attributes: {
        ...langfuse,
        'langfuse.observation.usage_details': '{"input":5000,"output":40,"cache_read_input_tokens":3000,"total":8040}',
      },
    },
    counts: moreFresh,
  },
  {
    span: {
      name: 'details without a total',
      attributes: { ...langfuse, 'langfuse.observation.usage_details': '{"input":12,"output":40,"input_cached_tokens":1000}' },
    },
    counts: fewFresh,
  },
]

const sums = { 'gen_ai.request.model': model, 'gen_ai.usage.input_tokens': 1_000, 'gen_ai.usage.output_tokens': 10 }

/** 900 tokens that were read from a cache and 50 that were written to it, by the convention of their names. */
const namesOfCounts: Record<string, Attributes> = {
  'short names': { 'gen_ai.usage.cache_read_tokens': 900, 'gen_ai.usage.cache_write_tokens': 50 },
  'names of details': { 'gen_ai.usage.details.cache_read_tokens': 900, 'gen_ai.usage.details.cache_write_tokens': 50 },
  'names of Langfuse': { 'gen_ai.usage.input_cached_tokens': 900, 'gen_ai.usage.input_cache_creation': 50 },
  'names below the sums': {
    'gen_ai.usage.input_tokens.cached': 900,
    'gen_ai.usage.input_tokens.cache_write': 50,
    'gen_ai.usage.output_tokens.reasoning': 4,
  },
}

const inclusiveSpans: readonly SentSpan[] = [
  ...Object.entries(namesOfCounts).flatMap(([name, cached]) => [
    { name: `${name}, after the sums`, attributes: { ...sums, ...cached } },
    { name: `${name}, before the sums`, attributes: { ...cached, ...sums } },
  ]),
  {
    name: 'names of the AI SDK',
    attributes: {
      'ai.operationId': 'ai.generateText.doGenerate',
      'ai.model.id': model,
      'ai.usage.inputTokens': 1_000,
      'ai.usage.outputTokens': 10,
      'ai.usage.inputTokenDetails.cacheReadTokens': 900,
      'ai.usage.inputTokenDetails.cacheWriteTokens': 50,
    },
  },
]

export const cachedTokens: readonly TracedCase[] = [
  {
    name: "a client sends the provider's counts, whose input is without cached tokens",
    sent: { protocol: 'calls', traces: [byClient('mostly cached', fewFresh), byClient('mostly fresh', moreFresh)] },
    traces: [expectedOf('mostly cached', fewFresh), expectedOf('mostly fresh', moreFresh)],
  },
  {
    name: 'the input of spans is without cached tokens',
    sent: { protocol: 'spans', traces: exclusiveSpans.map(({ span }) => span) },
    traces: exclusiveSpans.map(({ span, counts }) => expectedOf(span.name, counts)),
  },
  {
    name: 'cached tokens are part of the input, under any of their names and in any order',
    sent: { protocol: 'spans', traces: inclusiveSpans },
    traces: inclusiveSpans.map(({ name }) => ({
      root: name,
      status: 'success',
      used: { [model]: { uses: 1, input: 1_000, output: 10, cached: 900, written: 50 } },
      cost: 0.000_757_5,
    })),
  },
]
