import fc from 'fast-check'
import { expect, inject, test } from 'vitest'
import { readDefaultPrices } from './default-prices.ts'
import { priceNames } from './price-names.ts'
import { createPrices } from './prices.ts'

const defaultPrices = await readDefaultPrices()
const { prices } = createPrices({ costs: noCosts(), readDefaults: readDefaultPrices })

function noCosts() {
  const none = () => Promise.resolve([])
  return {
    findByModels: none,
    select: none,
    count: () => Promise.resolve(0),
    insert: () => Promise.resolve(),
    delete: () => Promise.resolve(),
  }
}

const matchOf = async (model: string) => (await prices({ id: 'a/b' } as never, [model])).get(model)?.[0]?.llm_id

test.each([
  ['gpt-4o', 'gpt-4o'],
  ['gpt-4o-2024-08-06', 'gpt-4o-2024-08-06'],
  ['openai/gpt-4o-2024-08-06', 'gpt-4o-2024-08-06'],
  ['openrouter/openai/gpt-4o', 'gpt-4o'],
  ['azure/eu/gpt-4o-2024-11-20', 'gpt-4o-2024-11-20'],
  ['gpt-5-mini-2031-01-02', 'gpt-5-mini'],
  ['openai:gpt-5-nano', 'gpt-5-nano'],
  ['anthropic/claude-sonnet-4.5', 'claude-sonnet-4-5'],
  ['claude-sonnet-4-5@20250929', 'claude-sonnet-4-5'],
  ['us.anthropic.claude-sonnet-4-5-20250929-v1:0', 'claude-sonnet-4-5-20250929'],
  ['bedrock/us.anthropic.claude-sonnet-4-5-20250929-v1:0', 'claude-sonnet-4-5-20250929'],
  ['bedrock/us-east-1/anthropic.claude-3-7-sonnet-20250219-v1:0', 'anthropic.claude-3-7-sonnet-20250219-v1:0'],
  ['eu.anthropic.claude-3-7-sonnet-20250219-v1:0', 'anthropic.claude-3-7-sonnet-20250219-v1:0'],
  ['arn:aws:bedrock:us-east-1:123456789012:inference-profile/eu.amazon.nova-lite-v1:0', 'amazon.nova-lite-v1:0'],
  ['vertex_ai/claude-haiku-4-5@20251001', 'claude-haiku-4-5'],
  ['models/gemini-2.5-flash', 'gemini-2.5-flash'],
  ['projects/p/locations/us-central1/publishers/google/models/gemini-2.5-pro', 'gemini-2.5-pro'],
  ['google-gla:gemini-2.5-flash-lite', 'gemini-2.5-flash-lite'],
  ['x-ai/grok-4.3', 'grok-4.3'],
])('%s has the price of %s', async (model, match) => expect(await matchOf(model)).toBe(match))

test.each([
  'gpt-4o-mini-audio', 'gpt-4o-audio-preview', 'gpt-4', 'gpt-5-mini-high', 'ft:gpt-4o-2024-08-06:acme::abc123', 'ft:gpt-4o-mini', 'openai/gpt-oss-120b',
  'fireworks_ai/accounts/fireworks/models/deepseek-v4-pro', 'groq/gemini-2.5-flash', 'openai/claude-sonnet-4-5', 'deepseek/gpt-4o',
  'gemini-2.5-flash-image', 'claude-sonnet-4', 'gpt-4o:free', 'openrouter/openai/gpt-4o:nitro', 'GPT-4o', 'my-gpt-4o', 'gpt-4o-2024-13-45', 'latest', 'openai/', '',
])('%s has no price: no other model stands in for it', async (model) => expect(await matchOf(model)).toBeUndefined()) // prettier-ignore

const names = [...new Set(defaultPrices.map(({ llm_id }) => llm_id))]
const numRuns = inject('long') ? 20_000 : 500

test('every name of the list has its own price, exactly', async () => {
  const found = await prices({ id: 'a/b' } as never, names)
  for (const name of names) expect(new Set(found.get(name)?.map(({ llm_id }) => llm_id))).toEqual(new Set([name]))
})

test('no name of one family leads to another, whatever is put before, after or inside of it', async () => {
  const known = new Set(names)
  const word = fc.stringMatching(/^[a-z0-9]{1,6}$/)
  const decorated = fc.tuple(
    fc.constantFrom(
      '',
      'openai/',
      'azure/',
      'openrouter/',
      'openrouter/anthropic/',
      'bedrock/',
      'us.anthropic.',
      'models/',
      'vertex_ai/',
      'x/',
    ),
    fc.constantFrom(...names),
    fc.oneof(
      fc.constant(''),
      word.map((text) => `-${text}`),
      word.map((text) => `.${text}`),
      word.map((text) => `:${text}`),
    ),
    fc.constantFrom('', '-20250929', '@20250929', '-2024-08-06', '-latest', '-v1:0'),
  )
  await fc.assert(
    fc.asyncProperty(decorated, async ([before, name, word, after]) => {
      const sent = `${before}${name}${word}${after}`
      const match = await matchOf(sent)
      if (known.has(sent)) return match === sent
      if (match === undefined) return true
      // What was matched is a whole part of the name, and what is left of it is the grammar's alone.
      const [head, tail] = sent.replace(/(?<=claude.*\d)\.(?=\d)/, '-').split(match)
      return (
        /^([a-z_-]+[/.])*$/.test(head ?? '?') && /^(-v\d+(:\d+)?)?([-@](\d{8}|\d{4}-\d\d-\d\d|latest))?(-v\d+(:\d+)?)?$/.test(tail ?? '?')
      )
    }),
    { numRuns },
  )
})

test('each name is the one before with one part less, and the first is what was sent', () => {
  fc.assert(
    fc.property(fc.string({ maxLength: 60 }), (model) => {
      const forms = priceNames(model).map(({ name }) => name)
      return forms[0] === model && forms.length < 24 && forms.every((name, at) => at === 0 || name.length <= forms[at - 1]!.length)
    }),
    { numRuns },
  )
})
