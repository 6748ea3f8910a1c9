import { connect } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type RunningServer, serve } from './serve.ts'
import { rawClient } from '../testing/raw-client.ts'
import { sampleService } from '../testing/sample-service.ts'

let server: RunningServer
beforeAll(async () => {
  server = await serve({ fetch: sampleService().fetch, host: '127.0.0.1', port: 0 })
})
afterAll(() => server.close())

const body = '{"project_id":"e/p"}'
const length = `Content-Length: ${body.length}`
/** What a second server behind this one, or before it, might take for the start of another request. */
const smuggled = 'GET /smuggled HTTP/1.1\r\nHost: local\r\n\r\n'
const request = (headers: readonly string[], content = body, first = 'POST /sample/create HTTP/1.1') =>
  [first, 'Host: local', 'Authorization: Bearer key', ...headers, '', content].join('\r\n')

/** Statuses of all answers until the server closes the connection. */
async function statusesOf(text: string): Promise<number[]> {
  const client = await rawClient(server.port)
  client.write(text)
  return [...(await client.closed).matchAll(/^HTTP\/1\.1 (\d{3})/gm)].map(([, status]) => Number(status))
}

test.each<[string, string]>([
  ['two lengths', request([length, 'Content-Length: 5'])],
  ['two lengths in one header', request([`${length}, 5`])],
  ['a length and chunks', request([length, 'Transfer-Encoding: chunked'], `0\r\n\r\n${smuggled}`)],
  ['a length with a sign', request([`Content-Length: +${body.length}`])],
  ['a negative length', request(['Content-Length: -1'])],
  ['a length in hex', request(['Content-Length: 0x10'])],
  ['a length beyond all numbers', request([`Content-Length: ${'9'.repeat(40)}`])],
  ['chunks under another coding', request(['Transfer-Encoding: chunked, identity'], `0\r\n\r\n${smuggled}`)],
  ['an unknown coding', request(['Transfer-Encoding: xchunked'], smuggled)],
  ['a chunk whose length is not a number', request(['Transfer-Encoding: chunked'], `zz\r\n${body}\r\n0\r\n\r\n`)],
  ['a chunk longer than it says', request(['Transfer-Encoding: chunked', 'Connection: close'], `2\r\n${body}\r\n0\r\n\r\n`)],
  ['space before the colon', request([`Content-Length : ${body.length}`])],
  ['a header that is folded', request([length, 'X-A: b\r\n c: d'])],
  ['a header without a name', request([length, ': x'])],
  ['a NUL in a header', request([length, 'X-A: a\0b'])],
  ['a line feed alone in a header', request([length, 'X-A: a\nContent-Length: 0'])],
  ['no host', `GET /health HTTP/1.1\r\n\r\n`],
  ['two hosts', 'GET /health HTTP/1.1\r\nHost: local\r\nHost: evil.test\r\n\r\n'],
  ['one host twice', 'GET /health HTTP/1.1\r\nHost: local\r\nhOST: local\r\n\r\n'],
  ['a target with another host', 'GET http://evil.test/health HTTP/1.1\r\nHost: local\r\n\r\n'],
  ['a target with another port', 'GET http://local:81/health HTTP/1.1\r\nHost: local\r\n\r\n'],
  ['a target with the host as user', 'GET http://local@evil.test/health HTTP/1.1\r\nHost: local\r\n\r\n'],
  ['a target that is not a path', 'GET health HTTP/1.1\r\nHost: local\r\n\r\n'],
  ['an unknown version', `GET /health HTTP/7.7\r\nHost: local\r\n\r\n`],
])('%s: one answer, which is 400, and nothing of the rest is treated as a request', async (_what, text) => {
  expect(await statusesOf(text)).toEqual([400])
})

test.each([
  ['a target with the host of the header', 'http://local/health', 'local'],
  ['a target with that host in another spelling', 'http://LOCAL:80/health', 'local'],
  ['a target with that host and port', 'http://local:7400/health', 'LOCAL:7400'],
])('%s is one request', async (_what, target, host) => {
  expect(await statusesOf(`GET ${target} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`)).toEqual([200])
})

const form = '--b\r\ncontent-disposition: form-data; name="project_id"\r\n\r\ne/p\r\n--b--\r\n'

test.each<[string, string, string, string[], number]>([
  ['two equal lines', '/sample/create', body, ['application/json', 'application/json'], 200],
  ['three equal lines of a type with parameters', '/upload', form, Array(3).fill('multipart/form-data; boundary=b'), 200],
  ['equal lines of bytes', '/raw', body, ['application/x-protobuf', 'application/x-protobuf'], 200],
  ['a type with a comma in it', '/sample/create', body, ['application/json; a="b, b"'], 200],
  ['lines that differ', '/sample/create', body, ['application/json', 'text/html'], 415],
  ['lines that differ in a parameter', '/upload', form, ['multipart/form-data; boundary=b', 'multipart/form-data; boundary=c'], 400],
])('the content type of %s', async (_what, path, content, types, status) => {
  const headers = [`Content-Length: ${content.length}`, 'Connection: close', ...types.map((type) => `Content-Type: ${type}`)]
  expect(await statusesOf(request(headers, content, `POST ${path} HTTP/1.1`))).toEqual([status])
})

test('more bytes of headers than are read are 431', async () => {
  expect(await statusesOf(request([length, `X-A: ${'a'.repeat(80_000)}`]))).toEqual([431])
})

test('thousands of headers with names of every sort are one request', async () => {
  const names = ['__proto__', 'constructor', 'toString', ...Array.from({ length: 500 }, (_, index) => `x-${index}`)]
  const [status, ...others] = await statusesOf(request([length, 'Connection: close', ...names.map((name) => `${name}: x`)]))
  expect([status, others]).toEqual([200, []])
  expect(({} as { x?: unknown }).x).toBeUndefined()
})

test('pipelined requests are answered in order', async () => {
  const many = Array.from({ length: 20 }, (_, index) => {
    const content = `{"project_id":"e/${index}"}`
    return request([`Content-Length: ${content.length}`, ...(index === 19 ? ['Connection: close'] : [])], content)
  })
  const client = await rawClient(server.port)
  client.write(many.join(''))
  const answers = [...(await client.closed).matchAll(/"project_id":"e\/(\d+)"/g)].map(([, index]) => Number(index))
  expect(answers).toEqual(Array.from({ length: 20 }, (_, index) => index))
})

test('a client that sends far more headers than are read gets the whole answer, and its connection is not reset', async () => {
  const client = await rawClient(server.port)
  const errors: unknown[] = []
  client.socket.on('error', (error) => errors.push(error))
  client.write(`GET /health?ids=${'0'.repeat(8_000_000)}`)
  expect(await client.closed).toBe('HTTP/1.1 431 Request Header Fields Too Large\r\nConnection: close\r\nContent-Length: 0\r\n\r\n')
  expect(errors).toEqual([])
})

test('a client that keeps sending after that is cut', async () => {
  const socket = connect({ port: server.port, host: '127.0.0.1', allowHalfOpen: true })
  socket.on('error', () => undefined).resume()
  const closed = new Promise((resolve) => socket.once('close', resolve))
  const part = Buffer.alloc(2 ** 20, '0')
  const send = () => void (socket.writable && socket.write(part, send))
  socket.write('GET /health?ids=', send)
  await closed
  expect(socket.bytesRead).toBeGreaterThan(0)
})
