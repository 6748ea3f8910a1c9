import { stringifyJson } from '@heddle/json'
import { expect, test } from 'vitest'
import { type ExportHeaders, mapRequest } from './map-request.ts'
import type { MappedSpan } from './map-span.ts'
import { aSpan, anEvent, attributesOf } from '../testing/a-span.ts'
import { rawSpanText } from '../testing/raw-span-text.ts'
import type { DecodedRequest, ResourceSpans, Span } from '../span.ts'

const options = { conflicts: 'keep', maskSecrets: true } as const
const noHeaders: ExportHeaders = { project: undefined, run: undefined }
const demo = { 'wandb.entity': 'acme', 'wandb.project': 'demo' }

function group(resource: Record<string, unknown> | null, ...spans: Partial<Span>[]): ResourceSpans {
  return {
    resource: resource && { attributes: attributesOf(resource), droppedAttributesCount: 0 },
    scopes: [{ scope: { name: 's', version: '1' }, spans: spans.map((each) => aSpan(each)) }],
  }
}
const request = (...resources: ResourceSpans[]): DecodedRequest => ({ resources, replacedTexts: 0 })
const map = (decoded: DecodedRequest, headers: Partial<ExportHeaders> = {}) => mapRequest(decoded, { ...noHeaders, ...headers }, options)

test('each resource has its own project', () => {
  const { calls } = map(request(group(demo, {}), group({ 'wandb.entity': 'acme', 'wandb.project': 'other' }, {})))
  expect(calls.map(({ project }) => project)).toEqual(['acme/demo', 'acme/other'])
})

test.each([
  ['acme/demo', 'acme/demo'],
  ['acme%2Fdemo', 'acme/demo'],
  [' acme/demo ', 'acme/demo'],
])('the header %s is the project of resources without one', (header, project) => {
  expect(map(request(group(null, {})), { project: header }).calls[0]?.project).toBe(project)
  expect(map(request(group({ 'wandb.entity': 'half' }, {})), { project: header }).calls[0]?.project).toBe(project)
  expect(map(request(group({ 'wandb.entity': 'own', 'wandb.project': 'p' }, {})), { project: header }).calls[0]?.project).toBe('own/p')
})

test('spans without project are refused while others are kept', () => {
  const { calls, rejections } = map(request(group({}, {}, {}), group(demo, {})))
  expect(calls).toHaveLength(1)
  expect(rejections.count).toBe(2)
  expect(rejections.message).toContain('wandb.entity and wandb.project')
})

test('a request in which no resource has a project is refused', () => {
  expect(() => map(request(group({}, {})))).toThrow(/project-id: <entity>\/<project>/)
  expect(() => map(request(group({}, {})), { project: 'noslash' })).toThrow(/"noslash" is not a project/)
})

test('a request without spans is fine', () => {
  expect(map(request()).calls).toEqual([])
  expect(map(request(group({}))).rejections.message).toBe('')
})

test.each<[string, Partial<Span>]>([
  ['trace id of zeros', { traceId: '0'.repeat(32) }],
  ['short trace id', { traceId: 'ab' }],
  ['span id of zeros', { spanId: '0'.repeat(16) }],
  ['long span id', { spanId: 'a'.repeat(18) }],
  ['span id that is not hex', { spanId: 'x'.repeat(16) }],
])('a %s is refused', (_name, span) => {
  const { calls, rejections } = map(request(group(demo, { name: 'n', ...span })))
  expect(calls).toEqual([])
  expect(rejections.count).toBe(1)
  expect(rejections.message).toMatch(/^Rejected span \(name='n' trace_id='\w*' span_id='\w*'\): /)
})

test('the first twenty messages are returned', () => {
  const bad = Array.from({ length: 21 }, (_, index) => ({ name: `n${index}`, spanId: '' }))
  const twenty = map(request(group(demo, ...bad.slice(1)))).rejections
  const more = map(request(group(demo, ...bad))).rejections
  expect(twenty.message.split('; ')).toHaveLength(20)
  expect(more.message.split('; ')).toHaveLength(21)
  expect(more.message.endsWith('; ...')).toBe(true)
  expect(more.count).toBe(21)
})

test('replaced texts are a warning, not a rejection', () => {
  const { rejections } = map({ ...request(group(demo, {})), replacedTexts: 3 })
  expect(rejections.count).toBe(0)
  expect(rejections.message).toContain('3 texts were not valid UTF-8')
})

test.each([
  ['a name in the header', { run: 'r' }, {}, 'acme/demo/r'],
  ['a whole id in the header', { run: 'a/b/r' }, {}, 'a/b/r'],
  ['a name on the resource', {}, { 'wandb.wb_run_id': 'r' }, 'acme/demo/r'],
  ['something else', { run: 'a/b' }, {}, null],
])('the run of %s is that of every span', (_name, headers, resource, run) => {
  expect(map(request(group({ ...demo, ...resource }, {})), headers).calls[0]?.wb_run_id).toBe(run)
})

test('secrets are masked in inputs, attributes and the raw span, and not in the output', () => {
  const secret = { api_key: 'sk' }
  const span = {
    attributes: attributesOf({
      'input.value': '{"api_key":"sk"}',
      'output.value': '{"api_key":"sk"}',
      'llm.invocation_parameters': '{"apiKey":"sk"}',
    }),
    events: [anEvent('e', { authorization: 'sk' })],
    links: [
      { traceId: '', spanId: '', traceState: '', attributes: attributesOf({ client_secret: 'sk' }), droppedAttributesCount: 0, flags: 0 },
    ],
  }
  const decoded = request(group({ ...demo, 'x.api_key': 'sk' }, span))
  const [call] = map(decoded).calls
  expect(call?.inputs).toEqual({ 'input.value': { api_key: 'REDACTED' } })
  expect(call?.output).toEqual({ 'output.value': secret })
  expect(call && rawSpanText(call)).not.toContain('"sk"')
  expect(stringifyJson(call?.attributes)).not.toContain('"sk"')
  const [open] = mapRequest(decoded, noHeaders, { ...options, maskSecrets: false }).calls
  expect(open?.inputs).toEqual({ 'input.value': secret })
})

const rawSpan = (call: MappedSpan | undefined) => JSON.parse(call ? rawSpanText(call) : 'null') as unknown

test('JSON texts and large numbers are stored as they were sent', () => {
  const span = {
    attributes: attributesOf({ 'input.value': '{"a":1.0,"b":9007199254740993}' }),
    events: [anEvent('e', {}, 1767225600000001001n)],
  }
  const [call] = map(request(group(demo, span))).calls
  expect(stringifyJson(call?.inputs)).toBe('{"input.value":{"a":1.0,"b":9007199254740993}}')
  expect(call && rawSpanText(call)).toContain('"attributes":{"input":{"value":{"a":1.0,"b":9007199254740993}}}')
  expect(call && rawSpanText(call)).toContain('"timestamp":1767225600000001001')
  expect(rawSpan(call)).toMatchObject({
    name: 'f',
    kind: 'INTERNAL',
    scope: { name: 's', version: '1' },
    events: [{ name: 'e' }],
    links: [],
  })
})

test('a span that has not ended has no end in the raw span either', () => {
  const [call] = map(request(group(demo, { endNs: 0n }))).calls
  expect(call).toMatchObject({ ended_at: null })
  expect(rawSpan(call)).toMatchObject({ end_time: null })
})

test.each<[string, string | null]>([
  ['', null],
  ['0'.repeat(16), null],
  ['ab', null],
  ['00000000000000ff', '00000000000000ff'],
])('parent id "%s" is %s', (parentSpanId, parent_id) => {
  const [call] = map(request(group(demo, { parentSpanId }))).calls
  expect(call?.parent_id).toBe(parent_id)
  expect(rawSpan(call)).toMatchObject({ parent_id })
})

test('unknown kinds and status codes are unspecified and unset', () => {
  const [call] = map(request(group(demo, { kind: 9, statusCode: -1 }))).calls
  expect(call?.exception).toBeNull()
  expect(rawSpan(call)).toMatchObject({ kind: 'UNSPECIFIED', status: { code: 'UNSET' } })
})
