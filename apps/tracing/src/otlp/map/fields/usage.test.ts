import { expect, test } from 'vitest'
import { json, nested } from '../../testing/a-span.ts'
import { costNames, usageNames, separateUsage } from './usage-names.ts'
import { mapUsage, toSummary } from './usage.ts'

test.each<[string, Record<string, unknown>, unknown]>([
  [
    'input and output',
    { 'gen_ai.usage.input_tokens': 1, 'gen_ai.usage.output_tokens': 2 },
    { input_tokens: 1, output_tokens: 2, total_tokens: 3 },
  ],
  [
    'prompt and completion',
    { 'llm.token_count.prompt': 1, 'ai.usage.completionTokens': 2 },
    { prompt_tokens: 1, completion_tokens: 2, total_tokens: 3 },
  ],
  [
    'names of later versions',
    { 'ai.usage.inputTokens': 1, 'ai.usage.outputTokens': 2 },
    { prompt_tokens: 1, completion_tokens: 2, total_tokens: 3 },
  ],
  [
    'an explicit total wins',
    { 'gen_ai.usage.input_tokens': 1, 'gen_ai.usage.output_tokens': 2, 'llm.usage.total_tokens': 9 },
    { input_tokens: 1, output_tokens: 2, total_tokens: 9 },
  ],
  ['half a pair has no total', { 'gen_ai.usage.input_tokens': 1 }, { input_tokens: 1 }],
  [
    'a zero counts',
    { 'gen_ai.usage.input_tokens': 0, 'gen_ai.usage.output_tokens': 0 },
    { input_tokens: 0, output_tokens: 0, total_tokens: 0 },
  ],
  [
    'one of two names of a count is kept',
    { 'gen_ai.usage.input_tokens': 1, 'ai.usage.promptTokens': 1, 'gen_ai.usage.output_tokens': 2, 'ai.usage.completionTokens': 2 },
    { input_tokens: 1, output_tokens: 2, total_tokens: 3 },
  ],
  [
    'of an uneven pair both kinds stay',
    { 'gen_ai.usage.input_tokens': 1, 'ai.usage.completionTokens': 2 },
    { input_tokens: 1, completion_tokens: 2 },
  ],
  [
    'cache counts are not added',
    {
      'gen_ai.usage.input_tokens': 1,
      'gen_ai.usage.output_tokens': 2,
      'gen_ai.usage.cache_read.input_tokens': 5,
      'gen_ai.usage.cache_creation.input_tokens': 6,
    },
    { input_tokens: 1, output_tokens: 2, total_tokens: 3, cache_read_input_tokens: 5, cache_creation_input_tokens: 6 },
  ],
  ['details of cached tokens', { 'gen_ai.usage.prompt_tokens_details.cached_tokens': 4 }, { cache_read_input_tokens: 4 }],
  ['text numbers', { 'gen_ai.usage.input_tokens': ' 12 ' }, { input_tokens: 12 }],
  ['fractions are cut off', { 'gen_ai.usage.input_tokens': 3.9 }, { input_tokens: 3 }],
  ['numbers in another form', { 'gen_ai.usage.input_tokens': json('12.0') }, { input_tokens: 12 }],
  [
    'a value that is not a count is left out',
    { 'gen_ai.usage.input_tokens': 'many', 'gen_ai.usage.output_tokens': 2 },
    { output_tokens: 2 },
  ],
  ['counts beyond 2^53 are left out', { 'gen_ai.usage.input_tokens': json('99999999999999999999') }, undefined],
  [
    'usage details',
    { 'langfuse.observation.usage_details': '{"input":3,"output":4,"total":9,"cache_read_input_tokens":1}' },
    { input_tokens: 3, output_tokens: 4, total_tokens: 9, cache_read_input_tokens: 1 },
  ],
  [
    'usage details whose total is the sum of them all',
    {
      'langfuse.observation.usage_details':
        '{"input":385,"output":129,"total":1666,"input_cached_tokens":1024,"output_reasoning_tokens":128}',
    },
    { input_tokens: 1409, output_tokens: 257, total_tokens: 1666, cache_read_input_tokens: 1024, reasoning_tokens: 128 },
  ],
  [
    'usage details yield to names',
    { 'langfuse.observation.usage_details': '{"input":3}', 'gen_ai.usage.output_tokens': 2 },
    { output_tokens: 2 },
  ],
  ['a cost alone', { 'gen_ai.usage.cost': 0.1 }, { cost: 0.1 }],
  ['a cost of 0 alone does not count as usage', { 'gen_ai.usage.cost': json('0.0') }, undefined],
  ['costs that cannot be', { 'gen_ai.usage.cost': -1, 'llm.cost.total': 'free' }, undefined],
  ['nothing', { 'gen_ai.usage.other': 0.1 }, undefined],
])('%s', (_name, attributes, usage) => {
  expect(mapUsage(nested(attributes))).toEqual(usage)
})

test.each(['ai.generateText', 'ai.streamText', 'ai.generateObject', 'ai.streamObject', 'ai.embed', 'ai.embedMany'])(
  '%s repeats the counts of its inner spans',
  (operation) => {
    expect(mapUsage(nested({ 'ai.operationId': operation, 'gen_ai.usage.input_tokens': 1 }))).toBeUndefined()
    expect(mapUsage(nested({ 'ai.operationId': `${operation}.doIt`, 'gen_ai.usage.input_tokens': 1 }))).toEqual({ input_tokens: 1 })
  },
)

test.each<[string, Parameters<typeof toSummary>[1], Parameters<typeof toSummary>[2], string]>([
  ['the model', 'm', { model: 'p' }, 'm'],
  ['the model of the parameters', undefined, { model: 'p' }, 'p'],
  ['usage where the parameters are text', undefined, 'p', 'usage'],
  ['usage where nothing is known', undefined, undefined, 'usage'],
  ['a number as text', 7, undefined, '7'],
  ['usage where the model is not a name', ['m'], undefined, 'usage'],
  ['a strange name', '__proto__', undefined, '__proto__'],
])('counts are under %s', (_name, model, parameters, key) => {
  expect(Object.entries(toSummary({ input_tokens: 1 }, model, parameters)['usage'] as object)).toEqual([[key, { input_tokens: 1 }]])
})

test('without counts the summary is empty', () => {
  expect(toSummary(undefined, 'm', undefined)).toEqual({})
})

const known = Object.entries(usageNames).flatMap(([count, names]) => names.map(([name, source]) => [name, count, source] as const))

test.each(known)('%s is read as %s (%s)', (name, count) => {
  expect(mapUsage(nested({ [name]: 7 }))).toEqual({ [count]: 7 })
})

test.each(costNames)('%s is read as a cost (%s)', (name) => {
  expect(mapUsage(nested({ [name]: 0.25 }))).toEqual({ cost: 0.25 })
})

test('no name means two counts', () => {
  const names = known.map(([name]) => name)
  expect(names.filter((name, at) => names.indexOf(name) !== at)).toEqual([])
})

const inside = separateUsage.flatMap(({ path, names }) => names.map(([name, count]) => [path.join('.'), name, count] as const))

test.each(inside)('in "%s", %s is read as %s', (path, name, count) => {
  const attributes = path === '' ? { [name]: 7 } : { [path]: JSON.stringify(nested({ [name]: 7 })) }
  expect(mapUsage(nested(attributes))).toMatchObject({ [count]: 7 })
})

test('cached tokens of the AI SDK are part of the input in each of its versions', () => {
  const metadata = (anthropic: object) => JSON.stringify({ anthropic })
  const own = { input_tokens: 5000, output_tokens: 40, cache_read_input_tokens: 3000, cache_creation_input_tokens: 100 }
  const versions = {
    4: {
      'ai.usage.promptTokens': 5000,
      'ai.usage.completionTokens': 40,
      'ai.response.providerMetadata': metadata({ cacheCreationInputTokens: 100, cacheReadInputTokens: 3000 }),
    },
    5: {
      'ai.usage.inputTokens': 5000,
      'ai.usage.outputTokens': 40,
      'ai.usage.totalTokens': 5040,
      'ai.usage.cachedInputTokens': 3000,
      'ai.response.providerMetadata': metadata({ usage: own, cacheCreationInputTokens: 100 }),
    },
    6: {
      'ai.usage.inputTokens': 8100,
      'ai.usage.outputTokens': 40,
      'ai.usage.totalTokens': 8140,
      'ai.usage.inputTokenDetails.noCacheTokens': 5000,
      'ai.usage.inputTokenDetails.cacheReadTokens': 3000,
      'ai.usage.inputTokenDetails.cacheWriteTokens': 100,
      'ai.response.providerMetadata': metadata({ usage: own, cacheCreationInputTokens: 100 }),
    },
  }
  const usage = { prompt_tokens: 8100, completion_tokens: 40, total_tokens: 8140, cache_read_input_tokens: 3000 }
  for (const attributes of Object.values(versions))
    expect(mapUsage(nested(attributes))).toEqual({ ...usage, cache_creation_input_tokens: 100 })
})
