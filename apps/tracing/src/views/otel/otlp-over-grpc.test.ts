import { connect, constants, type IncomingHttpHeaders, type OutgoingHttpHeaders } from 'node:http2'
import { gzipSync } from 'node:zlib'
import { Metadata } from '@grpc/grpc-js'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-grpc'
import { ProtobufTraceSerializer } from '@opentelemetry/otlp-transformer'
import { type GrpcServer, serveGrpc } from '@heddle/service-kit'
import { packZstd } from '@heddle/service-kit/testing'
import { InMemorySpanExporter, type ReadableSpan, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-base'
import { NodeTracerProvider } from '@opentelemetry/sdk-trace-node'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../testing/index.ts'
import { otlpGrpcMethods } from './grpc-methods.ts'

let app: TestApp
let server: GrpcServer
beforeAll(async () => {
  app = await startTestApp()
  server = await serveGrpc({ host: '127.0.0.1', port: 0, methods: otlpGrpcMethods, fetch: app.service.fetch })
}, 120_000)
afterAll(async () => {
  await server.close()
  await app.close()
})

const [traces = '', logs = ''] = otlpGrpcMethods.keys()
const success = { code: 0 }

/** Ended spans of a program. */
function someSpans(count: number): ReadableSpan[] {
  const memory = new InMemorySpanExporter()
  const provider = new NodeTracerProvider({ spanProcessors: [new SimpleSpanProcessor(memory)] })
  const tracer = provider.getTracer('program')
  for (let n = 0; n < count; n++) tracer.startSpan(`work ${n}`, { attributes: { 'input.value': `in ${n}`, size: 2 ** 52 + n } }).end()
  return memory.getFinishedSpans()
}

interface Answer {
  headers: IncomingHttpHeaders
  trailers: IncomingHttpHeaders
  body: Buffer
}

/** A call as it is on the wire. */
async function call(path: string, body: Uint8Array, headers: OutgoingHttpHeaders = {}): Promise<Answer> {
  const session = connect(`http://127.0.0.1:${server.port}`)
  try {
    return await new Promise<Answer>((resolve, reject) => {
      session.once('error', reject)
      const stream = session.request({
        [constants.HTTP2_HEADER_METHOD]: 'POST',
        [constants.HTTP2_HEADER_PATH]: path,
        'content-type': 'application/grpc',
        te: 'trailers',
        authorization: `Bearer ${app.apiKey}`,
        ...headers,
      })
      const answer: Answer = { headers: {}, trailers: {}, body: Buffer.alloc(0) }
      stream.on('response', (found) => (answer.headers = found))
      stream.on('trailers', (found) => (answer.trailers = found))
      stream.on('data', (part: Buffer) => (answer.body = Buffer.concat([answer.body, part])))
      stream.on('close', () => resolve(answer))
      stream.on('error', () => undefined)
      stream.end(body)
    })
  } finally {
    session.close()
  }
}

function frame(message: Uint8Array, flag = 0): Buffer {
  const prefix = Buffer.alloc(5)
  prefix.writeUInt8(flag)
  prefix.writeUInt32BE(message.length, 1)
  return Buffer.concat([prefix, message])
}
const statusOf = ({ headers, trailers }: Answer) => Number(trailers['grpc-status'] ?? headers['grpc-status'])
const messageOf = ({ headers }: Answer) => decodeURIComponent(String(headers['grpc-message'] ?? ''))
const request = (count = 1) => ProtobufTraceSerializer.serializeRequest(someSpans(count)) ?? new Uint8Array()

test.each(['none', 'gzip'] as const)('the exporter of OpenTelemetry sends its spans with compression %s', async (compression) => {
  const project_id = app.newProject()
  const metadata = new Metadata()
  metadata.set('authorization', `Bearer ${app.apiKey}`)
  metadata.set('project_id', project_id)
  const exporter = new OTLPTraceExporter({
    url: `http://127.0.0.1:${server.port}`,
    metadata,
    ...(compression === 'gzip' && { compression: 'gzip' as never }),
  })
  const spans = someSpans(300)
  try {
    expect(await new Promise((resolve) => exporter.export(spans, resolve))).toMatchObject(success)
  } finally {
    await exporter.shutdown()
  }
  const { calls } = await app.client.calls.query({ project_id, limit: 1_000 })
  expect(calls.map(({ id }) => id).toSorted()).toEqual(spans.map((span) => span.spanContext().spanId).toSorted())
  expect(calls.find(({ inputs }) => Object.values(inputs).includes('in 7'))?.attributes).toMatchObject({
    otel_span: { attributes: { size: 2 ** 52 + 7 } },
  })
})

test('messages compressed with gzip and zstd are read, and the answer is an empty message with status 0', async () => {
  for (const [name, compress] of Object.entries({ gzip: gzipSync, zstd: packZstd })) {
    const project_id = app.newProject()
    const answer = await call(traces, frame(compress(request(3)), 1), { project_id, 'grpc-encoding': name })
    expect([statusOf(answer), answer.body]).toEqual([0, Buffer.alloc(5)])
    expect((await app.client.calls.query({ project_id })).calls).toHaveLength(3)
  }
})

test('log records are taken, and others than events of generative AI are counted as rejected', async () => {
  // ExportLogsServiceRequest with one resource, scope and log record, all of them empty.
  const answer = await call(logs, frame(Uint8Array.from([0x0a, 0x04, 0x12, 0x02, 0x12, 0x00])), { project_id: app.newProject() })
  expect(statusOf(answer)).toBe(0)
  expect(answer.body.subarray(5).length).toBeGreaterThan(0)
})

test('a call without a sound key is unauthenticated, and one for a project that the key may not write is denied', async () => {
  const { secret } = await app.identity.createKey({ name: 'reader', role: 'reader' })
  const refused = await call(traces, frame(request()), { authorization: 'Bearer heddle', project_id: app.newProject() })
  const denied = await call(traces, frame(request()), { authorization: `Bearer ${secret}`, project_id: app.newProject() })
  expect([statusOf(refused), statusOf(denied)]).toEqual([16, 7])
  expect(messageOf(refused)).not.toBe('')
})

test.each([
  ['of another service', '/grpc.health.v1.Health/Check', frame(new Uint8Array()), {}, 12],
  ['without a message', traces, Buffer.alloc(0), {}, 3],
  ['that ends within its message', traces, frame(request()).subarray(0, 20), {}, 3],
  ['with more than its message', traces, Buffer.concat([frame(request()), Buffer.from('more')]), {}, 3],
  ['whose message is not an export request', traces, frame(Buffer.from('not protobuf')), {}, 3],
  ['whose message is compressed in an unknown way', traces, frame(request(), 1), { 'grpc-encoding': 'snappy' }, 12],
  ['whose compression is not named', traces, frame(request(), 1), {}, 3],
  ['of another content type', traces, frame(request()), { 'content-type': 'application/json' }, 12],
  ['with a time limit that has passed', traces, frame(request()), { 'grpc-timeout': '1n' }, 4],
])('a call %s gets a status and stores nothing', async (_what, path, body, headers, code) => {
  const project_id = app.newProject()
  const answer = await call(path, body, { project_id, ...headers })
  expect([statusOf(answer), answer.headers[':status']]).toEqual([code, 200])
  expect((await app.client.calls.query({ project_id })).calls).toEqual([])
})

test('a message above the limit of a body is refused before it is read, and says the limit', async () => {
  const length = Buffer.from([0, 0xff, 0xff, 0xff, 0xff])
  const answer = await call(traces, length, { project_id: app.newProject() })
  expect(statusOf(answer)).toBe(8)
  expect(messageOf(answer)).toMatch(/byte|large/i)
  expect(answer.headers['grpc-status-details-bin']).toBeUndefined()
})

test('a closing server finishes the calls in progress and refuses later ones', async () => {
  let arrive = () => {}
  let answer = () => {}
  const arrived = new Promise<void>((resolve) => (arrive = resolve))
  const mayAnswer = new Promise<void>((resolve) => (answer = resolve))
  const other = await serveGrpc({
    host: '127.0.0.1',
    port: 0,
    methods: otlpGrpcMethods,
    fetch: async () => {
      arrive()
      await mayAnswer
      return new Response(new Uint8Array([1, 2]))
    },
  })
  const session = connect(`http://127.0.0.1:${other.port}`)
  session.on('error', () => undefined)
  const stream = session.request({ ':method': 'POST', ':path': traces, 'content-type': 'application/grpc' })
  const trailers = new Promise<IncomingHttpHeaders>((resolve) => stream.once('trailers', resolve))
  stream.resume()
  stream.end(frame(new Uint8Array()))
  await arrived
  const closed = other.close()
  answer()
  expect((await trailers)['grpc-status']).toBe('0')
  await closed
  expect(session.closed || session.destroyed).toBe(true)
})
