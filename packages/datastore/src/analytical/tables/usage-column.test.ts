import fc from 'fast-check'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { aBlock, aCallRow, startTestStores, type TestStores } from '../../testing/index.ts'
import { bind, sql } from '../sql.ts'
import { callsTable } from './calls.ts'

let stores: TestStores
let projects = 0
beforeAll(async () => {
  stores = await startTestStores()
})
afterAll(() => stores.close())

/** An entry of the column as an answer writes it: 64-bit integers are texts. */
interface Entry {
  model: string
  input_tokens: string
  output_tokens: string
  total_tokens: string | null
  cache_read_input_tokens: string
  cache_creation_input_tokens: string
}

/** The column of one call for each summary, in order. */
async function usageOf(summaries: readonly string[]): Promise<Entry[][]> {
  const project_id = `acme/${projects++}`
  const rows = summaries.map((summary, index) => aCallRow({ project_id, id: String(index).padStart(4, '0'), summary }))
  await stores.analytical.insert(callsTable, aBlock(callsTable, ...rows))
  const found = await stores.analytical.rows<{ usage: Entry[] }>(
    sql`SELECT usage FROM heddle.calls FINAL WHERE project_id = ${bind('String', project_id)} ORDER BY id`,
  )
  return found.map(({ usage }) => usage)
}

const nothing = {
  input_tokens: '0',
  output_tokens: '0',
  total_tokens: null,
  cache_read_input_tokens: '0',
  cache_creation_input_tokens: '0',
}

test.each([
  ['counts under the names of one convention', '{"prompt_tokens":1,"completion_tokens":2,"total_tokens":3}', ['1', '2', '3']],
  ['counts under the names of the other', '{"input_tokens":1,"output_tokens":2,"total_tokens":3}', ['1', '2', '3']],
  ['both spellings, which add up', '{"prompt_tokens":1,"input_tokens":10,"completion_tokens":2,"output_tokens":20}', ['11', '22', null]],
  ['other members', '{"requests":9,"prompt_tokens_details":{"total_tokens":7}}', ['0', '0', null]],
])('a model has %s', async (_, sent, [input_tokens, output_tokens, total_tokens]) => {
  expect(await usageOf([`{"usage":{"m":${sent}}}`])).toEqual([[{ ...nothing, model: 'm', input_tokens, output_tokens, total_tokens }]])
})

test.each([
  '{}',
  '{"usage":{}}',
  '{"usage":null}',
  '{"usage":[{"total_tokens":1}]}',
  '{"usage":"{}"}',
  '{"usage":1e999}',
  '{"own":{"usage":{"m":{}}}}',
])('the summary %s has no usage', async (summary) => {
  expect(await usageOf([summary])).toEqual([[]])
})

const used = '"usage":{"m":{"total_tokens":1}}'
test.each([
  ['with a million numbers, one of them huge', `{"a":[${'1,'.repeat(1_000_000)}1e999],${used}}`, true],
  ['with a text of escapes and a huge number', `{"a":"${'\\"'.repeat(200_000)}","b":1e999,${used}}`, true],
  ['with half of a surrogate pair', `{"a":"\\ud800",${used}}`, false],
  ['deeper than the engine reads', `{"a":${'['.repeat(5_000)}${']'.repeat(5_000)},${used}}`, false],
  ['that is not JSON', `{${used}`, false],
])('a call whose summary is a text %s is stored', async (_, summary, counts) => {
  const [entries] = await usageOf([summary])
  expect(entries).toEqual(counts ? [{ ...nothing, model: 'm', total_tokens: '1' }] : [])
})

interface Value {
  text: string
  /** The whole number that it counts; null for none. */
  count: bigint | null
}

const uncounted = fc.oneof(
  fc.constantFrom('null', '{}', '[]', '[7]', '{"sum":7}', '""', '"7 "', '"seven"', '"\\u0037x"'),
  // Beyond 64 bits, signed or as the engine's parser has them.
  fc.constantFrom(
    '9223372036854775808',
    '99999999999999999999',
    '-99999999999999999999',
    '1e19',
    '1e400',
    '-1E+400',
    `1${'0'.repeat(400)}`,
  ),
  fc.string({ unit: 'grapheme' }).map((each) => JSON.stringify(`x${each}`)),
)
const value: fc.Arbitrary<Value> = fc.oneof(
  fc.maxSafeInteger().map((number) => ({ text: String(number), count: BigInt(number) })),
  fc.maxSafeInteger().map((number) => ({ text: `"${number}"`, count: BigInt(number) })),
  fc.tuple(fc.integer(), fc.integer({ min: 0, max: 9 })).map(([whole, part]) => ({ text: `${whole}.${part}`, count: BigInt(whole) })),
  fc.constantFrom({ text: '1e3', count: 1_000n }, { text: 'true', count: 1n }, { text: 'false', count: 0n }),
  uncounted.map((each) => ({ text: each, count: null })),
)

const names = ['prompt_tokens', 'input_tokens', 'completion_tokens', 'output_tokens', 'total_tokens', 'cache_read_input_tokens', 'cache_creation_input_tokens'] // prettier-ignore
const member = fc.tuple(fc.oneof({ weight: 9, arbitrary: fc.constantFrom(...names) }, fc.string()), value)
const members = fc.uniqueArray(member, { selector: ([name]) => name, maxLength: 9 })
const modelName = fc.oneof(
  fc.constantFrom('gpt-4o', '', '__proto__', 'a.b', '"', '\\', '\\"', '99999999999999999999', '{"usage":{}}', ': -1e999,', '\0', '🦊'),
  fc.string({ unit: 'grapheme', maxLength: 12 }),
)
const model = fc.tuple(modelName, fc.oneof({ weight: 5, arbitrary: members }, uncounted))
const beside = fc.constantFrom('', '"weave":{"latency_ms":99999999999999999999},', '"a":"\\"usage\\":{\\"m\\":1}",', '"cost":1e400,')
const summary = fc.record({ models: fc.uniqueArray(model, { selector: ([name]) => name, maxLength: 4 }), beside })

type Summary = typeof summary extends fc.Arbitrary<infer S> ? S : never
const object = (pairs: readonly (readonly [string, string])[]) =>
  `{${pairs.map(([name, inner]) => `${JSON.stringify(name)}:${inner}`).join(',')}}`
const textOf = ({ models, beside: before }: Summary) =>
  `{${before}"usage":${object(models.map(([name, sent]) => [name, typeof sent === 'string' ? sent : object(sent.map(([key, each]) => [key, each.text]))]))}}`

function entryOf([name, sent]: Summary['models'][number]): Entry {
  const counts = new Map(typeof sent === 'string' ? [] : sent.map(([key, each]) => [key, each.count]))
  const sum = (...keys: string[]) => String(keys.reduce((all, key) => all + (counts.get(key) ?? 0n), 0n))
  return {
    model: name,
    input_tokens: sum('prompt_tokens', 'input_tokens'),
    output_tokens: sum('completion_tokens', 'output_tokens'),
    total_tokens: counts.get('total_tokens')?.toString() ?? null,
    cache_read_input_tokens: sum('cache_read_input_tokens'),
    cache_creation_input_tokens: sum('cache_creation_input_tokens'),
  }
}

test('the column counts the usage in any summary text', async () => {
  const property = fc.asyncProperty(fc.array(summary, { minLength: 1, maxLength: 100 }), async (summaries) => {
    expect(await usageOf(summaries.map(textOf))).toEqual(summaries.map(({ models }) => models.map(entryOf)))
  })
  await fc.assert(property, { numRuns: inject('long') ? 1_000 : 20 })
})
