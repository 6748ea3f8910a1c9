import { parseJson, stringifyJson, ScratchBuffer } from '@heddle/json'
import { trials } from '@heddle/testing'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { toNaiveText } from '../payload/naive-time.ts'
import { rawSpanMarkers } from '../payload/raw-span-text.ts'
import { mapRequest } from './map/map-request.ts'
import { toMicros } from './map/fields/span-times.ts'
import type { MappedSpan } from './map/map-span.ts'
import { writeRawSpan } from './raw-span.ts'
import type { Attributes, Span } from './span.ts'
import { aSpan } from './testing/a-span.ts'
import { rawSpanText, storedRawSpan } from './testing/raw-span-text.ts'

const { inputs, output, attributes, context, place, response_id, input_tokens, output_tokens } = rawSpanMarkers
const long = 'a text that is long enough to be worth a marker in the raw span, and more'

const sharesNothing = { id: '', trace_id: '', parent_id: '', started_at: 0, ended_at: 0, inputs: {}, output: null, attributes: {} }
const noTexts = { attributes: Buffer.alloc(0), summary: Buffer.alloc(0) }

function map(sent: Attributes, eventAttributes: Attributes = []): MappedSpan {
  const events = [{ name: 'gen_ai.content.prompt', timeNs: 1n, attributes: eventAttributes, droppedAttributesCount: 0 }]
  return mapSpanOf({ attributes: sent, events })
}

function mapSpanOf(span: Partial<Span>): MappedSpan {
  const resource = { resource: null, scopes: [{ scope: null, spans: [aSpan(span)] }] }
  const headers = { project: 'acme/demo', run: undefined }
  const { calls } = mapRequest({ resources: [resource], replacedTexts: 0 }, headers, { conflicts: 'keep', maskSecrets: true })
  return calls[0] as MappedSpan
}

test.each<[string, Attributes, string]>([
  ['messages that are the inputs', [['gen_ai.input.messages', `[{"content":"${long}"}]`]], `{"gen_ai":{"input":{"messages":${inputs}}}}`],
  ['messages that are the output', [['gen_ai.output.messages', `[{"content":"${long}"}]`]], `{"gen_ai":{"output":{"messages":${output}}}}`],
  ['a text that is the inputs', [['input.value', long]], `{"input":{"value":${inputs}}}`],
  ['an output that is a bare text', [['output', long]], `{"output":${output}}`],
  ['an output that is a bare object', [['output', '{"a": 1, "b": 2}']], `{"output":{"a":${output}}}`],
  ['inputs that are a bare object', [['inputs', '{"a": 1, "b": 2}']], `{"inputs":{"a":${inputs}}}`],
  [
    'inputs in attributes of their own',
    [
      ['ai.prompt.a', 1],
      ['ai.prompt.b', 2],
    ],
    `{"ai":{"prompt":${inputs}}}`,
  ],
  [
    'all attributes of a plain span',
    [
      ['http.method', 'GET'],
      ['http.target', '/'],
    ],
    attributes,
  ],
])('%s are stored once', (_name, sent, text) => {
  const call = map(sent)
  expect(storedRawSpan(call)).toContain(`"attributes":${text},"events"`)
  expect(JSON.parse(rawSpanText(call))).toMatchObject({ attributes: {} })
})

test.each<[string, Attributes]>([
  ['a short text', [['input.value', 'hi']]],
  ['messages of which a list was made', [['gen_ai.prompt.0.content', long]]],
])('%s stays', (_name, sent) => {
  const { attributes: written } = JSON.parse(storedRawSpan(map(sent))) as { attributes: unknown }
  expect(JSON.stringify(written)).not.toContain('\\u0000')
})

const times = { startNs: 1_767_225_600_123_456_000n, endNs: 1_767_225_601_000_000_000n }

test.each<[string, Partial<Span>, string]>([
  [
    'ids and times that are those of the call are stored once',
    { ...times, parentSpanId: 'aaaaaaaaaaaaaaaa' },
    `"context":${context},"kind":"INTERNAL","parent_id":${place},"status"`,
  ],
  ['a context with a state stays', { ...times, traceState: 'a=b' }, '"trace_state":"a=b"},'],
  [
    'the times of a span that has not ended stay',
    { ...times, endNs: 0n },
    '"parent_id":null,"start_time":"2026-01-01T00:00:00.123456","end_time":null,',
  ],
  [
    'the times of a span without a start stay',
    { ...times, startNs: 0n },
    '"parent_id":null,"start_time":"1970-01-01T00:00:00","end_time":"2026-01-01T00:00:01",',
  ],
  [
    'times that the call has otherwise stay',
    { ...times, attributes: [['langfuse.startTime', '2026-01-01']] },
    '"parent_id":null,"start_time":"2026-01-01T00:00:00.123456","end_time":"2026-01-01T00:00:01",',
  ],
])('%s', (_name, span, stored) => {
  const call = mapSpanOf(span)
  expect(storedRawSpan(call)).toContain(stored)
  const { span: sent, parentId } = call.rawSpan
  expect(JSON.parse(rawSpanText(call))).toMatchObject({
    context: { trace_id: sent.traceId, span_id: sent.spanId, trace_state: sent.traceState },
    parent_id: parentId,
    start_time: toNaiveText(toMicros(sent.startNs)),
    end_time: sent.endNs === 0n ? null : toNaiveText(toMicros(sent.endNs)),
  })
})

const model = 'gen_ai.request.model'
const leafNames = { response: 'gen_ai.response.id', input: 'gen_ai.usage.input_tokens', output: 'gen_ai.usage.output_tokens' }
const cached = 'gen_ai.usage.cache_read.input_tokens'
const nestedId = '{"response_id":"r-1"}'

test.each<[string, Attributes, string]>([
  [
    'id of the response and tokens that the call has are stored once',
    [
      [model, 'm'],
      [leafNames.response, 'r-1'],
      [leafNames.input, 120],
      [leafNames.output, 7],
    ],
    `"response":{"id":${response_id}},"usage":{"input_tokens":${input_tokens},"output_tokens":${output_tokens}}`,
  ],
  [
    'tokens of a cache come before those with their name',
    [
      [cached, 3],
      [leafNames.input, 120],
    ],
    `"usage":{"cache_read":{"input_tokens":3},"input_tokens":${input_tokens}}`,
  ],
  ['a count that was not sent as an integer stays', [[leafNames.input, '120']], '"usage":{"input_tokens":"120"}'],
  ['a fraction, of which the call has the whole part, stays', [[leafNames.input, 120.5]], '"usage":{"input_tokens":120.5}'],
  ['an id with letters beyond ASCII stays', [[leafNames.response, 'é']], '"response":{"id":"é"}'],
  ['an id with escapes stays', [[leafNames.response, 'a"b']], '"response":{"id":"a\\"b"}'],
  [
    'an id stays where another one comes first in the attributes of the call',
    [
      ['llm.invocation_parameters', '{"response_id":"r-2"}'],
      [leafNames.response, 'r-1'],
    ],
    '"response":{"id":"r-1"}',
  ],
  [
    'an id is found where its name is in a text before it',
    [
      ['gen_ai.system', `${nestedId} in a text`],
      [leafNames.response, 'r-1'],
    ],
    `"response":{"id":${response_id}}`,
  ],
])('%s', (_name, sent, stored) => {
  const call = map(sent)
  expect(storedRawSpan(call)).toContain(stored)
  const whole = Buffer.from(writeRawSpan(call.rawSpan, sharesNothing, noTexts, new ScratchBuffer())).toString()
  expect(JSON.parse(rawSpanText(call))).toEqual(JSON.parse(whole))
})

test('of equal texts one is stored elsewhere', () => {
  const call = map([
    ['input.value', long],
    ['other', long],
  ])
  expect(storedRawSpan(call)).toContain(`"attributes":{"input":{"value":${inputs}},"other":"${long}"}`)
})

test('whatever a span holds is the same JSON when it is filled from its call, and what is stored is JSON', () => {
  const marker = fc.constantFrom('\0inputs', '\0output', '\0attributes', '\0context', '\0place', '\0input_tokens', '"\0inputs', long)
  const member = fc.oneof(fc.jsonValue({ maxDepth: 2 }), marker)
  const json = fc
    .tuple(fc.oneof(fc.array(member, { maxLength: 3 }), fc.dictionary(fc.oneof(fc.string(), marker), member, { maxKeys: 3 })), fc.nat(2))
    .map(([value, space]) => JSON.stringify(value, null, space).replaceAll('\n', '') + ' '.repeat(space))
  const text = fc.oneof(marker, json, json, fc.constantFrom('{"a" : 1}', '{ "a":1}', '{"\\u0061":[1]}', '{"1":{"a":2},"b":1.0}', '[1.0]'))
  const name = fc.constantFrom(
    'input',
    'inputs',
    'output',
    'outputs',
    'input.value',
    'output.value',
    'gen_ai.prompt',
    'ai.prompt.a',
    'x',
    'x.y',
    ...Object.values(leafNames),
    cached,
    'llm.invocation_parameters',
  )
  const leaf = fc.tuple(
    fc.constantFrom(...Object.values(leafNames), cached),
    fc.oneof(fc.constantFrom(1, 12, 1.5, 0, -1), fc.maxSafeInteger()),
  )
  const sent = fc.array(fc.oneof(fc.tuple(name, text), leaf), { maxLength: 5 })
  fc.assert(
    fc.property(sent, sent, (own, ofEvent) => {
      const call = map(own, ofEvent)
      const whole = Buffer.from(writeRawSpan(call.rawSpan, sharesNothing, noTexts, new ScratchBuffer())).toString()
      expect(() => JSON.parse(storedRawSpan(call)) as unknown).not.toThrow()
      expect(stringifyJson(parseJson(rawSpanText(call)))).toBe(stringifyJson(parseJson(whole)))
    }),
    { numRuns: trials({ usual: 500, long: 20_000 }) },
  )
})
