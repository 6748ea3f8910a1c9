import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readUsage } from './read-usage.ts'

const countsOf = (entry: object) => readUsage({ usage: { m: entry } })[0]?.counts

test.each<[string, object, object]>([
  ['counts of one spelling', { prompt_tokens: 10, completion_tokens: 2, total_tokens: 12 }, { input: 10, output: 2, total: 12 }],
  ['counts of the other spelling', { input_tokens: 10, output_tokens: 2 }, { input: 10, output: 2, total: 12 }],
  [
    'both spellings of the same tokens',
    { prompt_tokens: 10, input_tokens: 10, completion_tokens: 2, output_tokens: 2 },
    { input: 10, output: 2, total: 12 },
  ],
  ['a spelling that is 0 beside one that is not', { prompt_tokens: 0, input_tokens: 10 }, { input: 10, total: 10 }],
  ['a total alone', { total_tokens: 12 }, { input: 0, output: 0, total: 12 }],
  ['a total that is more than its parts', { input_tokens: 10, output_tokens: 2, total_tokens: 999 }, { total: 12 }],
  [
    'cached tokens among the input',
    { input_tokens: 100, output_tokens: 2, cache_read_input_tokens: 40, total_tokens: 102 },
    { input: 100, cacheRead: 40, total: 102 },
  ],
  [
    'more cached tokens than input',
    { input_tokens: 285, output_tokens: 257, cache_read_input_tokens: 1124, total_tokens: 542 },
    { input: 1409, output: 257, total: 1666 },
  ],
  [
    'a total with the cached tokens added',
    { input_tokens: 100, output_tokens: 2, cache_read_input_tokens: 40, total_tokens: 142 },
    { input: 140, output: 2, total: 142 },
  ],
  [
    'tokens that were written to a cache',
    { input_tokens: 5, output_tokens: 2, cache_creation_input_tokens: 30, cache_read_input_tokens: 4 },
    { input: 39, cacheWrite: 30, cacheRead: 4 },
  ],
  [
    'input that excludes cached tokens by the names of its provider',
    { requests: 1, input_tokens: 5000, output_tokens: 40, cache_read_input_tokens: 3000, cache_creation_input_tokens: 0 },
    { input: 8000, output: 40, cacheRead: 3000, total: 8040 },
  ],
  [
    'reasoning among the output',
    { input_tokens: 10, output_tokens: 200, reasoning_tokens: 128, total_tokens: 210 },
    { output: 200, reasoning: 128, total: 210 },
  ],
  [
    'a total with the reasoning added',
    { input_tokens: 1409, output_tokens: 129, reasoning_tokens: 128, total_tokens: 1666 },
    { input: 1409, output: 257, total: 1666 },
  ],
  ['more reasoning than output', { input_tokens: 10, output_tokens: 3, reasoning_tokens: 20 }, { output: 23, total: 33 }],
  [
    'a total with both added',
    { input_tokens: 100, output_tokens: 50, cache_read_input_tokens: 30, reasoning_tokens: 20, total_tokens: 200 },
    { input: 130, output: 70, total: 200 },
  ],
  [
    'as many cached as reasoning tokens in a total: the input is exclusive',
    { input_tokens: 100, output_tokens: 50, cache_read_input_tokens: 20, reasoning_tokens: 20, total_tokens: 170 },
    { input: 120, output: 50 },
  ],
  [
    'usage of OpenAI chat',
    {
      prompt_tokens: 100,
      completion_tokens: 50,
      total_tokens: 150,
      prompt_tokens_details: { cached_tokens: 40 },
      completion_tokens_details: { reasoning_tokens: 20 },
    },
    { input: 100, output: 50, cacheRead: 40, reasoning: 20, total: 150 },
  ],
  [
    'usage of OpenAI responses, with and without its total',
    { input_tokens: 100, output_tokens: 50, input_tokens_details: { cached_tokens: 40 }, output_tokens_details: { reasoning_tokens: 20 } },
    { input: 100, output: 50, cacheRead: 40, reasoning: 20, total: 150 },
  ],
  [
    'usage of Google, whose output excludes thoughts',
    {
      prompt_token_count: 100,
      candidates_token_count: 50,
      thoughts_token_count: 70,
      cached_content_token_count: 40,
      total_token_count: 220,
    },
    { input: 100, output: 120, cacheRead: 40, reasoning: 70, total: 220 },
  ],
  [
    'usage of Bedrock, whose input excludes cached tokens',
    { inputTokens: 5000, outputTokens: 40, cacheReadInputTokens: 3000, cacheWriteInputTokens: 100, totalTokens: 8140 },
    { input: 8100, output: 40, cacheRead: 3000, cacheWrite: 100, total: 8140 },
  ],
  [
    'usage of a realtime API, whose audio and cached tokens include cached audio',
    {
      input_tokens: 150,
      output_tokens: 20,
      total_tokens: 170,
      input_token_details: {
        text_tokens: 50,
        audio_tokens: 100,
        cached_tokens: 90,
        cached_tokens_details: { text_tokens: 10, audio_tokens: 80, image_tokens: 0 },
      },
      output_token_details: { text_tokens: 5, audio_tokens: 15 },
    },
    { input: 150, cacheRead: 90, cacheReadAudio: 80, cacheReadImage: 0, inputAudio: 20, output: 20, outputAudio: 15 },
  ],
  [
    'usage of Google with cached images',
    {
      promptTokenCount: 100,
      candidatesTokenCount: 5,
      cachedContentTokenCount: 60,
      promptTokensDetails: [
        { modality: 'TEXT', tokenCount: 30 },
        { modality: 'IMAGE', tokenCount: 70 },
      ],
      cacheTokensDetails: [{ modality: 'IMAGE', tokenCount: 50 }],
    },
    { input: 100, cacheRead: 60, cacheReadImage: 50, inputImage: 20, cacheReadAudio: 0, inputAudio: 0 },
  ],
  [
    'audio that is counted beside cached audio, which is more',
    { prompt_tokens: 100, completion_tokens: 1, cache_read_input_tokens: 60, cache_read_input_audio_tokens: 60, input_audio_tokens: 30 },
    { cacheRead: 60, cacheReadAudio: 60, inputAudio: 30 },
  ],
  ['a fraction and a text', { input_tokens: 1.5, output_tokens: 'two' }, { input: 1, output: 0, total: 1 }],
])('%s', (_, entry, counts) => expect(countsOf(entry)).toMatchObject(counts))

test.each([
  undefined,
  null,
  {},
  { usage: null },
  { usage: [] },
  { usage: 'none' },
  { usage: { m: {} } },
  { usage: { m: null } },
  { usage: { m: { input_tokens: null } } },
])('%j tells no usage', (summary) => expect(readUsage(summary)).toEqual([]))

test('a cost that the call carries is kept, also without tokens; a cost of 0 alone is not usage', () => {
  expect(countsOf({ input_tokens: 10, cost: 0.0125 })).toMatchObject({ input: 10, reportedCosts: 1, reportedNanos: 12_500_000 })
  expect(countsOf({ cost: 0.5 })).toMatchObject({ total: 0, reportedCosts: 1, reportedNanos: 5e8 })
  expect(countsOf({ cost: 0 })).toBeUndefined()
  expect(countsOf({ input_tokens: 10, cost: -1 })).toMatchObject({ reportedCosts: 0, reportedNanos: 0 })
})

test('a count that no call can have counts nothing', () => {
  expect(countsOf({ input_tokens: 1e300, output_tokens: 5 })).toMatchObject({ input: 0, output: 5, total: 5 })
})

test('models keep the order of the summary', () => {
  const usage = readUsage({ usage: { b: { input_tokens: 1 }, none: {}, a: { total_tokens: 5 } } })
  expect(usage.map(({ model }) => model)).toEqual(['b', 'a'])
})

test('usage without parts counts as it does where parts are searched for', () => {
  const count = fc.oneof(fc.integer({ min: -5, max: 100_000 }), fc.double({ noNaN: true }), fc.constantFrom(null, true, '7', 0))
  const names = [
    'prompt_tokens',
    'input_tokens',
    'inputTokens',
    'completion_tokens',
    'outputTokens',
    'total_tokens',
    'requests',
    'cost',
    'other',
  ]
  const entries = fc.dictionary(fc.constantFrom(...names), count, { noNullPrototype: true })
  // A member that is an object may hold parts.
  fc.assert(
    fc.property(entries, (entry) => {
      expect(countsOf(entry)).toEqual(countsOf({ ...entry, parts: {} }))
    }),
  )
})
