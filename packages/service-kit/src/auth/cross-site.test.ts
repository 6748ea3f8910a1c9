import { afterAll, beforeAll, expect, test } from 'vitest'
import { isCrossSite, isFromBrowser } from './cross-site.ts'
import { type RunningServer, serve } from '../http/serve.ts'
import { sampleService } from '../testing/sample-service.ts'

const names = new Set(['localhost', '127.0.0.1', '::1'])

test.each<[string, Record<string, string>, boolean]>([
  ['a program that is not a browser', {}, false],
  ['a page of this server', { origin: 'http://local:7400', 'sec-fetch-site': 'same-origin' }, false],
  ['a page of this server in an older browser', { origin: 'http://LOCAL:7400' }, false],
  ['a page of this server under another of its names', { origin: 'http://localhost:7400' }, false],
  ['a page of this server under its address', { origin: 'http://[::1]:7400' }, false],
  ['a page of another site', { origin: 'https://evil.test' }, true],
  ['a page of another site at the same port', { origin: 'http://evil.test:7400' }, true],
  ['a page of another port of this machine', { origin: 'http://localhost:3000' }, true],
  ['a name that begins like this one', { origin: 'http://local:7400.evil.test' }, true],
  ['a name that ends like this one', { origin: 'http://evil-local:7400' }, true],
  ['a page without an origin of its own', { origin: 'null' }, true],
  ['a file', { origin: 'file://' }, true],
  ['an extension', { origin: 'chrome-extension://local:7400' }, true],
  ['no URL', { origin: 'http://' }, true],
  ['an empty origin', { origin: '' }, true],
  ['two origins', { origin: 'http://local:7400, http://evil.test' }, true],
  ['a browser with a session that does not say from where', { cookie: 'heddle_session=hs_x' }, true],
  ['a page of this server with a session', { cookie: 'heddle_session=hs_x', 'sec-fetch-site': 'same-origin' }, false],
  ['a browser with another cookie', { cookie: 'theme=dark' }, false],
  ['another site that gives no origin', { 'sec-fetch-site': 'cross-site' }, true],
  ['another site that says it has this origin', { origin: 'http://local:7400', 'sec-fetch-site': 'cross-site' }, true],
])('a write of %s', (_who, headers, expected) => {
  const from = { headers: new Headers(headers), authority: 'local:7400', names }
  expect(['POST', 'PUT', 'PATCH', 'DELETE'].map((method) => isCrossSite({ ...from, method }))).toEqual(Array(4).fill(expected))
  expect(['GET', 'HEAD', 'OPTIONS'].map((method) => isCrossSite({ ...from, method }))).toEqual(Array(3).fill(false))
})

test.each([
  ['https://heddle.test', 'heddle.test', false],
  ['https://heddle.test', 'heddle.test:443', false],
  ['http://heddle.test', 'heddle.test:80', false],
  ['https://heddle.test:8443', 'heddle.test', true],
  ['https://heddle.test', '', true],
])('%s may write to the server that is addressed as "%s" unless true: %s', (origin, authority, expected) => {
  expect(isCrossSite({ method: 'POST', headers: new Headers({ origin }), authority, names: undefined })).toBe(expected)
})

test.each<[Record<string, string>, boolean]>([
  [{ 'sec-fetch-mode': 'cors' }, true],
  [{ origin: 'http://evil.test' }, true],
  [{ 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0' }, true],
  [{ 'user-agent': 'python-requests/2.32.3' }, false],
  [{}, false],
])('the headers %j are those of a browser: %s', (headers, expected) => {
  expect(isFromBrowser(new Headers(headers))).toBe(expected)
})

let server: RunningServer
let handled: unknown[]
beforeAll(async () => {
  const echo = async (input: unknown) => {
    handled.push(input)
    return input
  }
  handled = []
  const service = sampleService({
    handlers: { create: echo, tag: echo, remove: echo },
    raw: [{ name: 'raw', method: 'POST', path: '/outside', handle: () => Response.json(handled.push('outside')) }],
  })
  server = await serve({ fetch: service.fetch, host: '127.0.0.1', port: 0, hosts: ['127.0.0.1', 'localhost'] })
})
afterAll(() => server.close())

const writes = [
  ['POST', '/sample/create', '{"project_id":"e/p"}'],
  ['PUT', '/samples/x/tags/y', undefined],
  ['DELETE', '/samples/x', '{}'],
  ['POST', '/outside', '{}'],
] as const

const send = ([method, path, body]: (typeof writes)[number], headers: Record<string, string>) =>
  fetch(server.url + path, { method, headers: { authorization: 'Bearer key', ...headers }, ...(body !== undefined && { body }) })

test('a page of another site reaches no write, whatever its key, and nothing tells it more', async () => {
  for (const write of writes) {
    const response = await send(write, { origin: 'https://evil.test' })
    expect([response.status, await response.json()]).toEqual([403, { reason: expect.stringContaining('another site') }])
    expect([...response.headers.keys()].filter((name) => name.startsWith('access-control') || name === 'www-authenticate')).toEqual([])
  }
  expect(handled).toEqual([])
})

test('programs and pages of this server write', async () => {
  for (const headers of [{}, { origin: server.url }]) for (const write of writes) expect((await send(write, headers)).status).toBe(200)
  expect(handled).toHaveLength(2 * writes.length)
})
