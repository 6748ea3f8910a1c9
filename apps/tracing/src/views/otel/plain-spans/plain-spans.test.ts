import { readFileSync } from 'node:fs'
import { callsTable, rowReader, type CallRow } from '@heddle/datastore'
import { trials } from '@heddle/testing'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { encodeRequest } from '../../../otlp/testing/encode-request.ts'
import { hostileProtobuf } from '../../../otlp/testing/hostile-protobuf.ts'
import { prepareByRules, rowByRules } from '../prepare-by-rules.ts'
import type { PreparedRequest, SpanRequest } from '../span-request.ts'
import { PlainSpanPreparer } from './prepare-plain-spans.ts'
import { field, findSpanGroups } from './span-groups.ts'
import { SpanTemplates } from './span-templates.ts'

type Json = Record<string, unknown>
interface Sent extends Json {
  attributes?: { key: string; value: Json }[]
}
interface Group {
  scopeSpans: { spans: Sent[] }[]
}

const rules = { prepare: prepareByRules, toRow: rowByRules }
const reader = rowReader(callsTable)
const vectorsFile = new URL('../../../vectors/otel-vectors.json', import.meta.url)
const { vectors } = JSON.parse(readFileSync(vectorsFile, 'utf8')) as { vectors: { name: string; resourceSpans: (Group & Json)[] }[] }

/** A repeatable source of numbers from 0 up to 1. */
function seededRandom(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return state / 2 ** 32
  }
}

const learner = (seed = 1) => new PlainSpanPreparer(rules, { costs: { sightings: 1, spansPerTemplate: 0 }, random: seededRandom(seed) })

function requestOf(resourceSpans: Json[], changes: Partial<SpanRequest> = {}): SpanRequest {
  return {
    bytes: encodeRequest(resourceSpans),
    encoding: 'protobuf',
    headers: { project: 'acme/demo', run: undefined },
    options: { conflicts: 'keep', maskSecrets: true },
    userId: 'u1',
    ...changes,
  }
}

function rowsOf(prepared: PreparedRequest | undefined): CallRow[] {
  if (prepared?.status !== 'prepared') return []
  const bytes = Buffer.from(prepared.rows.buffer, prepared.rows.byteOffset, prepared.rows.byteLength)
  return prepared.ends.map((_, index) => reader.open(bytes, prepared.ends[index - 1] ?? 0).toRow())
}

/** True when templates had a part in it. */
function givesWhatTheRulesGive(preparer: PlainSpanPreparer, request: SpanRequest): boolean {
  const byTemplates = preparer.prepare(request)
  if (byTemplates === undefined) return false
  const byRules = prepareByRules(request)
  expect(rowsOf(byTemplates)).toEqual(rowsOf(byRules))
  expect({ ...byTemplates, rows: 0, ends: 0 }).toEqual({ ...byRules, rows: 0, ends: 0 })
  return true
}

const hex = (bytes: number) => fc.uint8Array({ minLength: bytes, maxLength: bytes }).map((each) => Buffer.from(each).toString('hex'))
const text = fc.oneof(
  { weight: 12, arbitrary: fc.stringMatching(/^[a-z0-9 .:/_-]{1,40}$/) },
  fc.string({ maxLength: 12 }),
  fc.string({ minLength: 58, maxLength: 68 }),
  fc.string({ minLength: 195, maxLength: 205 }),
  fc.constantFrom(
    '',
    'same',
    'true',
    '5',
    '007',
    '2026-01-01T00:00:00Z',
    'ai.generateText',
    '{"a":1}',
    '[1]',
    'weave:///acme/demo/op/f:x',
    'ä\n"\\',
  ),
  {
    weight: 3,
    arbitrary: fc
      .array(fc.oneof(fc.jsonValue({ maxDepth: 2 }), fc.constantFrom('weave:///acme/demo/op/f:x', '\u0007')))
      .map((list) => JSON.stringify(list)),
  },
  fc.constantFrom('q'.repeat(70), `${'q '.repeat(40)}`, 'long '.repeat(220)),
)
const valueOf = {
  text: text.map((stringValue): Json => ({ stringValue })),
  integer: fc
    .oneof({ weight: 8, arbitrary: fc.nat() }, fc.integer(), fc.constantFrom(0, 2 ** 52))
    .map((value): Json => ({ intValue: String(value) })),
  double: fc.oneof(fc.double({ noNaN: false }), fc.constantFrom(0, -0, 0.7, 1, 1e-7)).map((doubleValue): Json => ({ doubleValue })),
  boolean: fc.boolean().map((boolValue): Json => ({ boolValue })),
}
const knownKeys = [
  ...new Set(
    vectors.flatMap(({ resourceSpans }) =>
      resourceSpans.flatMap(({ scopeSpans }) =>
        scopeSpans.flatMap(({ spans }) => spans.flatMap(({ attributes }) => (attributes ?? []).map(({ key }) => key))),
      ),
    ),
  ),
]
const key = fc.oneof(
  fc.constantFrom(...knownKeys),
  fc.constantFrom('app.user', 'app.user.id', 'app.api_key', 'authorization', 'x', '0', ''),
)
const kindOfValue = fc.constantFrom<keyof typeof valueOf>('text', 'text', 'integer', 'integer', 'double', 'boolean')
const nanoseconds = fc
  .oneof(
    { weight: 12, arbitrary: fc.bigInt({ min: 10n ** 18n, max: 7n * 10n ** 18n }) },
    fc.constantFrom(0n, 1767225600000000000n, 2n ** 64n - 1n),
  )
  .map(String)

/** Spans of the same keys, most of whose values are of the same kind. */
const likeSpans = fc
  .record({
    name: fc.constantFrom('chat gpt', 'GET /users/{id}', 'Ünï', 'f', 'n'.repeat(140)),
    kind: fc.nat(5),
    isRoot: fc.boolean(),
    keys: fc.array(fc.tuple(key, kindOfValue), { maxLength: 9 }),
    code: fc.nat(3),
  })
  .chain(({ name, kind, isRoot, keys, code }) =>
    fc.array(
      fc.record(
        {
          traceId: hex(16),
          spanId: hex(8),
          ...(!isRoot && { parentSpanId: hex(8) }),
          name: fc.constant(name),
          kind: fc.constant(kind),
          startTimeUnixNano: nanoseconds,
          endTimeUnixNano: nanoseconds,
          attributes: fc.tuple(...keys.map(([name, of]) => valueOf[of].map((value) => ({ key: name, value })))),
          status: fc.record({ code: fc.constant(code), message: fc.constantFrom('', 'no answer', 'bad "quote"') }),
          events: fc.oneof({ weight: 9, arbitrary: fc.constant([]) }, { weight: 1, arbitrary: fc.constant([{ name: 'e' }]) }),
        },
        { noNullPrototype: true },
      ),
      { minLength: 4, maxLength: 10 },
    ),
  )
const resource = fc.constantFrom(undefined, { attributes: [{ key: 'service.name', value: { stringValue: 'agent' } }] }, { attributes: [
  { key: 'wandb.entity', value: { stringValue: 'acme' } }, { key: 'wandb.project', value: { stringValue: 'other' } }, { key: 'api_key', value: { stringValue: 's' } },
] }) // prettier-ignore

test('spans become the same rows by templates as by the rules of mapping, whatever they hold', () => {
  let byTemplates = 0
  fc.assert(
    fc.property(
      fc.array(fc.tuple(resource, likeSpans), { minLength: 1, maxLength: 3 }),
      fc.boolean(),
      fc.boolean(),
      (groups, rejects, masks) => {
        const preparer = learner()
        const sent = groups.map(([of, spans]) => ({
          ...(of && { resource: of }),
          scopeSpans: [{ scope: { name: 's', version: '1' }, spans }],
        }))
        const request = requestOf(sent, { options: { conflicts: rejects ? 'reject' : 'keep', maskSecrets: masks } })
        for (let time = 0; time < 2; time += 1) if (givesWhatTheRulesGive(preparer, request)) byTemplates += 1
      },
    ),
    { numRuns: trials({ usual: 100, long: 20_000 }) },
  )
  expect(byTemplates).toBeGreaterThan(50)
}, 1_200_000)

test.each(vectors)('the recorded request $name becomes the same rows by templates', ({ resourceSpans }) => {
  const preparer = learner()
  for (const conflicts of ['keep', 'reject'] as const) {
    const request = requestOf(resourceSpans, { options: { conflicts, maskSecrets: true } })
    for (let time = 0; time < 4; time += 1) givesWhatTheRulesGive(preparer, request)
  }
})

test('hostile bytes become what the rules make of them', () => {
  const preparer = learner()
  fc.assert(
    fc.property(hostileProtobuf, ({ bytes }) => {
      const request = { ...requestOf([]), bytes: new Uint8Array(bytes) }
      for (let time = 0; time < 3; time += 1) givesWhatTheRulesGive(preparer, request)
    }),
    { numRuns: trials({ usual: 120, long: 20_000 }) },
  )
}, 600_000)

const plainSpan = (index: number, changes: Json = {}): Json => ({
  traceId: '0af7651916cd43dd8448eb211c80319c',
  spanId: (index + 1).toString(16).padStart(16, '0'),
  name: 'GET /users',
  kind: 2,
  startTimeUnixNano: '1767225600000000000',
  endTimeUnixNano: '1767225600250001000',
  attributes: [
    { key: 'http.route', value: { stringValue: `/users/${index}` } },
    { key: 'http.status', value: { intValue: String(200 + index) } },
  ],
  ...changes,
})
const groupOf = (spans: Json[]): Json[] => [{ scopeSpans: [{ spans }] }]

test('spans keep their order where some have a template and others none', () => {
  const preparer = learner()
  const spans = Array.from({ length: 12 }, (_, index) => plainSpan(index, index % 3 === 1 ? { events: [{ name: 'retry' }] } : {}))
  const request = requestOf(groupOf(spans))
  preparer.prepare(request)
  expect(givesWhatTheRulesGive(preparer, request)).toBe(true)
  expect(rowsOf(preparer.prepare(request)).map(({ id }) => id)).toEqual(spans.map(({ spanId }) => spanId))
})

test('a template serves no other user, project, run or rule than it was learned for', () => {
  const preparer = learner()
  const spans = groupOf([plainSpan(0), plainSpan(1), plainSpan(2)])
  const changes: Partial<SpanRequest>[] = [
    {},
    { userId: 'u2' },
    { headers: { project: 'acme/other', run: undefined } },
    { headers: { project: 'acme/demo', run: 'r1' } },
    { options: { conflicts: 'reject', maskSecrets: false } },
  ]
  for (const change of changes) expect(givesWhatTheRulesGive(preparer, requestOf(spans, change))).toBe(true)
  expect(rowsOf(preparer.prepare(requestOf(spans, { userId: 'u2' })))[0]?.wb_user_id).toBe('u2')
})

test('a request that is refused, or has a rejected span, is left to the rules', () => {
  const preparer = learner()
  const spans = [plainSpan(0), plainSpan(1), plainSpan(2), plainSpan(3, { traceId: '00' })]
  expect(preparer.prepare(requestOf(groupOf(spans)))).toBeUndefined()
  const nowhere = { headers: { project: undefined, run: undefined } }
  for (let time = 0; time < 3; time += 1) expect(preparer.prepare(requestOf(groupOf(spans.slice(0, 3)), nowhere))).toBeUndefined()
})

test('spans with lists of messages have templates too', () => {
  const preparer = learner()
  const withMessages = (index: number) => ({
    attributes: [
      { key: 'gen_ai.input.messages', value: { stringValue: JSON.stringify([{ role: 'user', content: `question ${index}\n"?"` }]) } },
      { key: 'gen_ai.output.messages', value: { stringValue: JSON.stringify([{ role: 'assistant', content: `ä ${index}` }, 1]) } },
    ],
  })
  const request = requestOf(groupOf(Array.from({ length: 5 }, (_, index) => plainSpan(index, withMessages(index)))))
  expect(givesWhatTheRulesGive(preparer, request)).toBe(true)
  expect(rowsOf(preparer.prepare(request))[4]?.inputs).toBe('{"gen_ai.input.messages":[{"role":"user","content":"question 4\\n\\"?\\""}]}')
})

test('a template is learned once there were enough spans to pay for it', () => {
  const preparer = new PlainSpanPreparer(rules, { costs: { sightings: 2, spansPerTemplate: 8 } })
  const ofTwoKinds = requestOf(groupOf([plainSpan(0), plainSpan(1, { name: 'POST /users' })]))
  const learned = Array.from({ length: 9 }, () => preparer.prepare(ofTwoKinds) !== undefined)
  expect(learned).toEqual([false, false, false, true, true, true, true, true, true])
  expect(givesWhatTheRulesGive(preparer, ofTwoKinds)).toBe(true)
})

test('plain spans are found again after many others', () => {
  const preparer = learner()
  const others = Array.from({ length: 600 }, (_, index) => plainSpan(index, { events: [{ name: 'retry' }] }))
  expect(preparer.prepare(requestOf(groupOf(others)))).toBeUndefined()
  const plain = requestOf(groupOf(Array.from({ length: 30 }, (_, index) => plainSpan(index))))
  expect(givesWhatTheRulesGive(preparer, plain)).toBe(true)
})

test('of a request with many more spans than its bytes can hold nothing is kept', () => {
  const empty = Buffer.concat(Array.from({ length: 40_000 }, () => Buffer.from([18, 0])))
  expect(findSpanGroups(field(10, field(18, empty)))).toBeUndefined()
  expect(findSpanGroups(field(10, field(18, empty.subarray(0, 18_000))))?.[0]?.spans.length).toBe(9_000)
})

test('templates that are too many are forgotten, those used last being kept', () => {
  const templates = new SpanTemplates({ sightings: 1, spansPerTemplate: 0 })
  const keys = Array.from({ length: 400 }, (_, index) => `group ${index} `.padEnd(100_000))
  const first = templates.group(keys[0] as string)
  for (const name of keys) {
    templates.group(name)
    expect(templates.group(keys[0] as string)).toBe(first)
  }
  expect(templates.weight).toBeLessThanOrEqual(17 << 20)
})
