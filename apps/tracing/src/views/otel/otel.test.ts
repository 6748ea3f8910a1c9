import { deflateSync, gzipSync } from 'node:zlib'
import { trials } from '@heddle/testing'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { findCalls, readCall } from '../../contract-tests/testing/call-builders.ts'
import { sendRaw, type RawRequest } from '../../contract-tests/testing/send-raw.ts'
import { encodeRequest } from '../../otlp/testing/encode-request.ts'
import { startTestApp, type TestApp } from '../../testing/start-test-app.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.close())

type Json = Record<string, unknown>
const text = (key: string, value: string) => ({ key, value: { stringValue: value } })

const aSpan = (over: Json = {}): Json => ({
  traceId: '0102030405060708090a0b0c0d0e0f10',
  spanId: '0102030405060708',
  name: 'work',
  kind: 1,
  startTimeUnixNano: '1772323200000000000',
  endTimeUnixNano: '1772323201500000000',
  ...over,
})

/** Spans of a resource. Null names no project. */
function resourceSpans(project_id: string | null, ...spans: Json[]): Json {
  const [entity = '', project = ''] = project_id?.split('/') ?? []
  const attributes = project_id === null ? [] : [text('wandb.entity', entity), text('wandb.project', project)]
  return { resource: { attributes }, scopeSpans: [{ spans: spans.length === 0 ? [aSpan()] : spans }] }
}

const json = { 'content-type': 'application/json' }
const protobuf = { 'content-type': 'application/x-protobuf' }
const send = (request: Partial<RawRequest>) => sendRaw(app, { path: '/otel/v1/traces', ...request })
const sendJson = (spans: Json[], headers: Record<string, string> = {}, apiKey?: string) =>
  send({ body: { resourceSpans: spans }, headers: { ...json, ...headers }, ...(apiKey !== undefined && { apiKey }) })

describe('transport (1)', () => {
  test.each([
    '/otel/v1/traces',
    '/v1/traces',
    '/otel/v1/trace',
    '/agents/otel/v1/traces',
    '/traces/otel/v1/traces',
    '/traces/agents/otel/v1/traces',
  ])('%s takes spans', async (path) => {
    const project_id = app.newProject()
    expect(await send({ path, body: { resourceSpans: [resourceSpans(project_id)] }, headers: json })).toMatchObject({
      status: 200,
      body: {},
    })
    expect(await findCalls(app.client, { project_id })).toHaveLength(1)
  })

  test.each(['application/x-protobuf', 'application/protobuf'])('%s answers an empty message of protobuf', async (type) => {
    const project_id = app.newProject()
    const answer = await send({ body: encodeRequest([resourceSpans(project_id)]), headers: { 'content-type': type } })
    expect([answer.status, answer.text, answer.headers.get('content-type')]).toEqual([200, '', 'application/x-protobuf'])
    expect(await findCalls(app.client, { project_id })).toHaveLength(1)
  })

  test('JSON may name its character set', async () => {
    const project_id = app.newProject()
    const answer = await sendJson([resourceSpans(project_id)], { 'content-type': 'application/json; charset=utf-8' })
    expect([answer.status, answer.text, answer.headers.get('content-type')]).toEqual([200, '{}', 'application/json'])
  })

  test('a body without a type is treated as protobuf', async () => {
    const project_id = app.newProject()
    const bytes = encodeRequest([resourceSpans(project_id)]) as Uint8Array<ArrayBuffer>
    const request = new Request('http://heddle.test/otel/v1/traces', {
      method: 'POST',
      body: bytes,
      headers: { authorization: `Bearer ${app.apiKey}` },
    })
    expect(request.headers.get('content-type')).toBeNull()
    expect((await app.service.fetch(request)).status).toBe(200)
    expect(await findCalls(app.client, { project_id })).toHaveLength(1)
  })

  test.each([
    ['content-type', 'text/plain'],
    ['content-type', 'application/grpc'],
    ['content-encoding', 'br'],
    ['content-encoding', 'gzip, gzip'],
  ])('%s %s is 415', async (header, value) => {
    expect((await sendJson([resourceSpans(app.newProject())], { [header]: value })).status).toBe(415)
  })

  test.each([
    ['gzip', gzipSync],
    ['deflate', deflateSync],
    ['identity', (bytes: Buffer) => bytes],
  ])('%s is unpacked', async (encoding, pack) => {
    const project_id = app.newProject()
    const packed = new Uint8Array(pack(Buffer.from(encodeRequest([resourceSpans(project_id)]))))
    expect((await send({ body: packed, headers: { ...protobuf, 'content-encoding': encoding } })).status).toBe(200)
    expect(await findCalls(app.client, { project_id })).toHaveLength(1)
  })

  test('what is too large is 413, also when it is so only unpacked', async () => {
    const large = Buffer.alloc(33 * 2 ** 20)
    expect((await send({ body: new Uint8Array(large), headers: protobuf })).status).toBe(413)
    expect((await send({ body: new Uint8Array(gzipSync(large)), headers: { ...protobuf, 'content-encoding': 'gzip' } })).status).toBe(413)
  })

  test.each<[string, string | Uint8Array, Record<string, string>]>([
    ['broken protobuf', Uint8Array.of(0x0a, 0xff), protobuf],
    ['broken JSON', '{"resourceSpans":', json],
    ['JSON of another shape', '[]', json],
    ['JSON that is not UTF-8', Uint8Array.of(0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d), json],
    ['a body that is not compressed as its header says', '{}', { ...json, 'content-encoding': 'gzip' }],
  ])('%s is 400', async (_, body, headers) => {
    expect(await send({ body, headers })).toMatchObject({ status: 400, body: { reason: expect.any(String) } })
  })

  test('an empty request is 200 in both encodings', async () => {
    expect(await send({ body: new Uint8Array(), headers: protobuf })).toMatchObject({ status: 200, text: '' })
    expect(await send({ body: '{}', headers: json })).toMatchObject({ status: 200, text: '{}' })
    expect(await send({ body: '{"resourceSpans":[]}', headers: json })).toMatchObject({ status: 200, text: '{}' })
  })

  test('texts of protobuf that are not UTF-8 are repaired, and the answer warns without rejecting', async () => {
    const project_id = app.newProject()
    const bytes = Buffer.from(encodeRequest([resourceSpans(project_id, aSpan({ attributes: [text('input', 'ab#cd')] }))]))
    bytes[bytes.indexOf('ab#cd') + 2] = 0xff
    const answer = await send({ body: new Uint8Array(bytes), headers: protobuf })
    expect(answer.status).toBe(200)
    // Field 1 of the answer, then field 2 of the partial success at once: no count of rejected spans before the message.
    expect(answer.text.charCodeAt(0)).toBe(0x0a)
    expect(answer.text.charCodeAt(2)).toBe(0x12)
    expect(answer.text).toContain('UTF-8')
    expect(await findCalls(app.client, { project_id })).toMatchObject([{ inputs: { input: 'ab\uFFFDcd' } }])
  })

  test('attributes and texts nested far too deep cost no more than their span', async () => {
    const project_id = app.newProject()
    const nested = (levels: number) => `${'[{"a":'.repeat(levels)}1${'}]'.repeat(levels)}`
    for (const [index, levels] of [150, 201, 10_000, 1_000_000].entries()) {
      const deep = aSpan({
        spanId: `a${index}`.padEnd(16, '0'),
        attributes: [text('input', nested(levels)), text('llm.tools', nested(levels))],
      })
      const dotted = aSpan({ spanId: `b${index}`.padEnd(16, '0'), attributes: [text('a.'.repeat(levels), 'x')] })
      const other = aSpan({ spanId: `c${index}`.padEnd(16, '0') })
      const answer = await sendJson([resourceSpans(project_id, deep, dotted, other)])
      expect([levels, answer.status]).toEqual([levels, 200])
      expect(await app.client.calls.read({ project_id, id: String(other['spanId']) })).toMatchObject({ call: { id: other['spanId'] } })
    }
  })

  test('a large request is prepared to the same calls', async () => {
    const project_id = app.newProject()
    const spans = Array.from({ length: 2_000 }, (_, index) =>
      aSpan({ spanId: (index + 1).toString(16).padStart(16, '0'), attributes: [text('input', 'x'.repeat(500)), text('n', String(index))] }),
    )
    expect(await sendJson([resourceSpans(project_id, ...spans)])).toMatchObject({ status: 200, body: {} })
    expect(await app.client.calls.queryStats({ project_id })).toMatchObject({ count: 2_000 })
  })
})

describe('partial success (1)', () => {
  const wrong = aSpan({ traceId: '00000000000000000000000000000000', name: 'lost' })

  test('says in JSON how many spans are missing, and which', async () => {
    const project_id = app.newProject()
    const answer = await sendJson([resourceSpans(project_id, aSpan(), wrong)])
    expect(answer).toMatchObject({
      status: 200,
      body: {
        partialSuccess: {
          rejectedSpans: '1',
          errorMessage: expect.stringMatching(/^Rejected span \(name='lost' trace_id='0{32}' span_id='0102030405060708'\)/),
        },
      },
    })
    expect(await findCalls(app.client, { project_id })).toHaveLength(1)
  })

  test('says the same in protobuf', async () => {
    const project_id = app.newProject()
    const answer = await send({ body: encodeRequest([resourceSpans(project_id, aSpan(), wrong)]), headers: protobuf })
    expect([...Buffer.from(answer.text, 'latin1').subarray(0, 1)]).toEqual([0x0a])
    expect(answer.headers.get('content-type')).toBe('application/x-protobuf')
    expect(answer.text).toContain("Rejected span (name='lost'")
    expect(answer.text).toContain('\u0008\u0001')
  })
})

describe('project', () => {
  test('the resource wins over the header', async () => {
    const [resource, header] = [app.newProject(), app.newProject()]
    await sendJson([resourceSpans(resource)], { project_id: header })
    expect(await findCalls(app.client, { project_id: resource })).toHaveLength(1)
    expect(await findCalls(app.client, { project_id: header })).toEqual([])
  })

  test.each(['project_id', 'project-id'])('the header %s names it for resources that name none, also percent-encoded', async (name) => {
    const project_id = app.newProject()
    expect(await sendJson([resourceSpans(null)], { [name]: project_id })).toMatchObject({ status: 200, body: {} })
    const encoded = resourceSpans(null, aSpan({ spanId: '1102030405060708' }))
    expect(await sendJson([encoded], { [name]: project_id.replace('/', '%2F') })).toMatchObject({ status: 200, body: {} })
    expect(await findCalls(app.client, { project_id })).toHaveLength(2)
  })

  test.each(['nowhere', '%zz', 'a/b/c', '%00/x', ' / '])(
    'the header %j is 400 alone, and rejects its spans beside others',
    async (header) => {
      const project_id = app.newProject()
      expect(await sendJson([resourceSpans(null)], { project_id: header })).toMatchObject({
        status: 400,
        body: { reason: expect.any(String) },
      })
      const beside = await sendJson([resourceSpans(project_id), resourceSpans(null)], { project_id: header })
      expect(beside).toMatchObject({ status: 200, body: { partialSuccess: { rejectedSpans: '1' } } })
      expect(await findCalls(app.client, { project_id })).toHaveLength(1)
    },
  )

  test('resources without one are rejected beside others, which the state of the server counts, and 400 when all are', async () => {
    const project_id = app.newProject()
    const rejected = async () => (await app.client.service.stats()).rejected_spans
    const before = await rejected()
    const beside = await sendJson([resourceSpans(project_id), resourceSpans(null)])
    expect(beside).toMatchObject({
      status: 200,
      body: { partialSuccess: { rejectedSpans: '1', errorMessage: expect.stringContaining('project') } },
    })
    expect(await findCalls(app.client, { project_id })).toHaveLength(1)
    expect((await rejected()) - before).toBe(1)
    expect(await sendJson([resourceSpans(null)])).toMatchObject({ status: 400, body: { reason: expect.stringContaining('project') } })
  })

  test('one request may carry several', async () => {
    const projects = [app.newProject(), app.newProject()]
    expect(await sendJson(projects.map((project_id) => resourceSpans(project_id)))).toMatchObject({ status: 200, body: {} })
    for (const project_id of projects) expect(await findCalls(app.client, { project_id })).toHaveLength(1)
  })

  test('spans of a project that is closed to the key are rejected, and 403 only when nothing else is left', async () => {
    const [mine, theirs] = [app.newProject(), app.newProject()]
    const { secret } = await app.identity.createKey({ name: 'limited', role: 'ingest', projects: [{ project_id: mine, role: 'ingest' }] })
    const both = await sendJson([resourceSpans(mine), resourceSpans(theirs)], {}, secret)
    expect(both).toMatchObject({
      status: 200,
      body: { partialSuccess: { rejectedSpans: '1', errorMessage: expect.stringContaining(theirs) } },
    })
    expect(await findCalls(app.client, { project_id: mine })).toHaveLength(1)
    expect((await sendJson([resourceSpans(theirs)], {}, secret)).status).toBe(403)
    expect(await findCalls(app.client, { project_id: theirs })).toEqual([])
  })

  test('the header wandb-api-key is a credential too', async () => {
    const project_id = app.newProject()
    const headers = { ...json, 'wandb-api-key': app.apiKey }
    expect((await send({ body: { resourceSpans: [resourceSpans(project_id)] }, headers, apiKey: null })).status).toBe(200)
    expect(await findCalls(app.client, { project_id })).toHaveLength(1)
  })
})

test('any JSON instead of a part of a request is answered with 200 or 400', async () => {
  const part = fc.oneof(
    fc.jsonValue(),
    fc.constantFrom<unknown>([null], [{}], { values: [null] }, [{ key: 'a', value: { intValue: 'x' } }]),
  )
  const spanField = fc.constantFrom(
    'traceId',
    'spanId',
    'parentSpanId',
    'name',
    'kind',
    'startTimeUnixNano',
    'endTimeUnixNano',
    'attributes',
    'events',
    'links',
    'status',
  )
  await fc.assert(
    fc.asyncProperty(spanField, part, async (field, value) => {
      const project_id = app.newProject()
      const other = aSpan({ spanId: '1102030405060708' })
      const answer = await sendJson([resourceSpans(project_id, aSpan({ [field]: value }), other)])
      expect([200, 400]).toContain(answer.status)
      if (answer.status === 200)
        expect(await app.client.calls.read({ project_id, id: '1102030405060708' })).toMatchObject({ call: { id: '1102030405060708' } })
    }),
    { numRuns: trials({ usual: 10, long: 2_000 }) },
  )
}, 600_000)

describe('spans as calls (3)', () => {
  test('a span sent again makes no second call; the last one counts as a whole', async () => {
    const project_id = app.newProject()
    for (const input of ['one', 'two']) await sendJson([resourceSpans(project_id, aSpan({ attributes: [text('input', input)] }))])
    expect(await findCalls(app.client, { project_id })).toMatchObject([{ inputs: { input: 'two' } }])
  })

  test('a span that is there twice in one request is one call, the later one', async () => {
    const project_id = app.newProject()
    await sendJson([
      resourceSpans(
        project_id,
        aSpan(),
        aSpan({ name: 'other', spanId: '0102030405060709' }),
        aSpan({ statusMessage: 'x', name: 'later' }),
      ),
    ])
    const calls = await findCalls(app.client, { project_id })
    expect(calls.map(({ op_name }) => op_name?.split('/').at(-1)?.split(':')[0]).sort()).toEqual(['later', 'other'])
  })

  test('a span completes a call that another client began, and an end completes a span that has none', async () => {
    const project_id = app.newProject()
    const id = '0102030405060708'
    const trace_id = '0102030405060708090a0b0c0d0e0f10'
    const start = { project_id, id, trace_id, op_name: 'mine', started_at: '2026-03-01T00:00:00Z', attributes: {}, inputs: {} }
    await app.client.calls.start({ start })
    await sendJson([resourceSpans(project_id, aSpan({ attributes: [text('output.value', 'done')] }))])
    expect(await readCall(app.client, { project_id, id })).toMatchObject({
      op_name: expect.stringContaining('/op/work:'),
      output: { 'output.value': 'done' },
      ended_at: '2026-03-01T00:00:01.500000Z',
    })
    const open = '0102030405060709'
    await sendJson([resourceSpans(project_id, aSpan({ spanId: open, endTimeUnixNano: '0', attributes: [text('input.value', 'go')] }))])
    await app.client.calls.end({ end: { project_id, id: open, ended_at: '2026-03-01T00:00:05Z', output: 7, summary: {} } })
    expect(await readCall(app.client, { project_id, id: open })).toMatchObject({ inputs: { 'input.value': 'go' }, output: 7 })
  })

  test('spans are kept as long as the project says', async () => {
    const project_id = app.newProject()
    await app.client.projects.updateTtlSettings({ project_id, retention_days: 36_500 })
    await sendJson([resourceSpans(project_id)])
    expect((await findCalls(app.client, { project_id }))[0]?.expire_at).toBe('2126-02-05T00:00:00Z')
  })

  test('a deleted span stays deleted when it is sent again', async () => {
    const project_id = app.newProject()
    await sendJson([resourceSpans(project_id)])
    await app.client.calls.delete({ project_id, call_ids: ['0102030405060708'] })
    await sendJson([resourceSpans(project_id)])
    expect(await findCalls(app.client, { project_id })).toEqual([])
  })

  test('spans of one name share an op object, and the op is there to read', async () => {
    const project_id = app.newProject()
    await sendJson([resourceSpans(project_id, aSpan({ name: 'My Op' }), aSpan({ name: 'my op', spanId: '1102030405060708' }))])
    const calls = await findCalls(app.client, { project_id })
    expect(new Set(calls.map((call) => call.op_name)).size).toBe(1)
    const digest = calls[0]?.op_name.split(':').at(-1) ?? ''
    expect(await app.client.objects.read({ project_id, object_id: 'my_op', digest })).toMatchObject({
      obj: { kind: 'op', version_index: 0 },
    })
    expect(calls[0]?.summary).toMatchObject({ weave: { trace_name: 'my_op', latency_ms: 1500 } })
  })

  test('secrets are masked in inputs and in the raw span', async () => {
    const project_id = app.newProject()
    await sendJson([resourceSpans(project_id, aSpan({ attributes: [text('input', '{"api_key":"k"}'), text('my.api_key', 'k')] }))])
    const call = await readCall(app.client, { project_id, id: '0102030405060708' })
    expect(call.inputs).toEqual({ api_key: 'REDACTED' })
    expect(call.attributes).toMatchObject({ otel_span: { attributes: { my: { api_key: 'REDACTED' } } } })
  })

  test('a query reaches into the raw span', async () => {
    const project_id = app.newProject()
    const named = resourceSpans(project_id)
    ;(named['resource'] as { attributes: unknown[] }).attributes.push(text('service.name', 'shop'))
    await sendJson([named, resourceSpans(project_id, aSpan({ spanId: '1102030405060708' }))])
    const field = { $getField: 'attributes.otel_span.resource.attributes.service.name' }
    expect(await findCalls(app.client, { project_id, query: { $expr: { $eq: [field, { $literal: 'shop' }] } } })).toHaveLength(1)
  })

  test.each([
    ['context.span_id', '1102030405060708'],
    ['parent_id', '0102030405060708'],
    ['start_time', '2026-03-01T00:00:00.000001'],
    ['end_time', '2026-03-01T00:00:02'],
  ])('a query reaches %s of the raw span, which the call has as well, and answers show it', async (path, literal) => {
    const project_id = app.newProject()
    const times = { startTimeUnixNano: '1772323200000001000', endTimeUnixNano: '1772323202000000000' }
    const below = aSpan({ spanId: '1102030405060708', parentSpanId: '0102030405060708', ...times })
    const running = aSpan({ spanId: '2102030405060708', startTimeUnixNano: '1772323200500000000', endTimeUnixNano: '0' })
    await sendJson([resourceSpans(project_id, aSpan(), below, running)])
    const equal = { $eq: [{ $getField: `attributes.otel_span.${path}` }, { $literal: literal }] }
    const whole = { $contains: { input: { $getField: 'attributes.otel_span' }, substr: { $literal: `"${literal}"` } } }
    for (const $expr of [equal, { $and: [equal, whole] }]) {
      const [call, ...others] = await findCalls(app.client, { project_id, query: { $expr } })
      expect(others).toEqual([])
      expect(call?.attributes).toMatchObject({
        otel_span: {
          context: { trace_id: '0102030405060708090a0b0c0d0e0f10', span_id: '1102030405060708', trace_state: '' },
          parent_id: '0102030405060708',
          start_time: '2026-03-01T00:00:00.000001',
          end_time: '2026-03-01T00:00:02',
        },
      })
    }
    const sort_by = [{ field: `attributes.otel_span.${path}`, direction: 'desc' as const }]
    expect(await findCalls(app.client, { project_id, sort_by })).toHaveLength(3)
  })

  test('a query reaches id of the response and tokens of the raw span, which the call has as well, and answers show them', async () => {
    const project_id = app.newProject()
    const count = (key: string, intValue: string) => ({ key, value: { intValue } })
    const attributes = (id: string, tokens: string) => [
      text('gen_ai.request.model', 'm'),
      text('gen_ai.response.id', id),
      count('gen_ai.usage.input_tokens', tokens),
      count('gen_ai.usage.output_tokens', '7'),
    ]
    const other = aSpan({ spanId: '1102030405060708', attributes: attributes('r-2', '99') })
    await sendJson([resourceSpans(project_id, aSpan({ attributes: attributes('r-1', '120') }), other)])
    const field = (path: string) => ({ $getField: `attributes.otel_span${path}` })
    const id = { $eq: [field('.attributes.gen_ai.response.id'), { $literal: 'r-1' }] }
    const contains = (path: string, substr: string) => ({ $contains: { input: field(path), substr: { $literal: substr } } })
    const usage = '"usage":{"input_tokens":120,"output_tokens":7}'
    for (const $expr of [
      id,
      contains('', usage),
      contains('.attributes', '"response":{"id":"r-1"}'),
      contains('.attributes.gen_ai', usage),
    ]) {
      const [call, ...others] = await findCalls(app.client, { project_id, query: { $expr }, columns: ['attributes'] })
      expect(others).toEqual([])
      expect(call?.attributes).toMatchObject({
        otel_span: { attributes: { gen_ai: { response: { id: 'r-1' }, usage: { input_tokens: 120, output_tokens: 7 } } } },
      })
    }
  })
})

describe('a span that is sent while it runs and when it has ended', () => {
  const running = aSpan({ endTimeUnixNano: '0', attributes: [text('input', 'begun')] })
  const ended = aSpan({ attributes: [text('input', 'whole'), text('output', 'done')] })
  test.each([
    ['in its order', [running, ended]],
    ['the other way round', [ended, running]],
    ['again and again', [running, ended, ended, running]],
  ])('is the ended one, whether it arrives %s', async (_order, spans) => {
    const project_id = app.newProject()
    for (const span of spans) expect(await sendJson([resourceSpans(project_id, span)])).toMatchObject({ status: 200 })
    const [call, ...others] = await findCalls(app.client, { project_id })
    expect(others).toEqual([])
    expect(call).toMatchObject({ output: 'done', ended_at: '2026-03-01T00:00:01.500000Z' })
  })
})
