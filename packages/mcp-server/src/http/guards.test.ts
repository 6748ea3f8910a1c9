import { expect, test } from 'vitest'
import { fakeServices } from '../testing/fake-services.ts'
import { createHttpHandler } from './create-http-handler.ts'
import type { HttpOptions } from './http-options.ts'

const goodKey = 'good-key'
const keyOf = (headers: Headers) => Buffer.from(headers.get('authorization')?.slice('Basic '.length) ?? '', 'base64').toString()

function start(options: Partial<HttpOptions> = {}) {
  const services = fakeServices({
    'service.projectsInfo': ({ headers }) =>
      keyOf(headers) === `api:${goodKey}` ? [] : Response.json({ detail: 'Not authenticated' }, { status: 401 }),
    'calls.queryStats': () => ({ count: 0, has_more: false, total_storage_size_bytes: null }),
    'calls.streamQuery': () => [],
  })
  const handler = createHttpHandler({ baseUrl: 'http://services.test', project: 'e/p', fetch: services, ...options })
  const post = (headers: Record<string, string>, message: object = { method: 'tools/list' }) =>
    handler.fetch(
      new Request('http://localhost/mcp', {
        method: 'POST',
        headers: {
          host: 'localhost',
          accept: 'application/json, text/event-stream',
          'content-type': 'application/json',
          authorization: `Bearer ${goodKey}`,
          ...headers,
        },
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, params: {}, ...message }),
      }),
    )
  return { post, services }
}

test.each([
  ['a rebinding name', { host: 'evil.example' }],
  ['a name that begins like ours', { host: 'localhost.evil.example' }],
  ['a name with a port', { host: 'evil.example:7402' }],
  ['a foreign IPv6 address', { host: '[fd00::1]:7402' }],
  ['a page of others', { origin: 'https://evil.example' }],
  ['a page of a name that begins like ours', { origin: 'http://localhost.evil.example' }],
  ['a page without an origin of its own', { origin: 'null' }],
])('%s is refused before the key is looked at', async (_, headers) => {
  const { post, services } = start()
  expect((await post(headers)).status).toBe(403)
  expect(services.requests).toEqual([])
})

test.each([
  { host: '127.0.0.1:7402' },
  { host: '[::1]:7402' },
  { host: 'localhost:1' },
  { origin: 'http://localhost:3000' },
  { origin: 'http://127.0.0.1' },
])('%j may pass', async (headers) => {
  const { post } = start()
  expect((await post(headers)).status).toBe(200)
})

test('a missing key and a wrong one get 401 with the challenge; neither is repeated', async () => {
  const { post } = start()
  const missing = await post({ authorization: '' })
  expect([missing.status, missing.headers.get('www-authenticate')]).toEqual([401, 'Bearer realm="heddle"'])
  const wrong = await post({ authorization: 'Bearer wrong-key' })
  expect([wrong.status, wrong.headers.get('www-authenticate')]).toEqual([401, 'Bearer realm="heddle", error="invalid_token"'])
  expect(await wrong.text()).not.toContain('wrong-key')
})

test('a good key is checked once a minute, and is the one that tools use', async () => {
  let now = 0
  const { post, services } = start({ now: () => now })
  const checks = () => services.requests.filter(({ operation }) => operation === 'service.projectsInfo').length
  await post({})
  await post({}, { method: 'tools/call', params: { name: 'evals_list', arguments: {} } })
  expect(checks()).toBe(1)
  expect(new Set(services.requests.map(({ headers }) => keyOf(headers)))).toEqual(new Set([`api:${goodKey}`]))
  now = 61_000
  await post({})
  expect(checks()).toBe(2)
})

test('with a token of its own the server takes that alone', async () => {
  const { post } = start({ auth: { mode: 'static', token: 'a-token-of-our-own' }, apiKey: goodKey })
  expect((await post({})).status).toBe(401)
  expect((await post({ authorization: 'Bearer a-token-of-our-own' })).status).toBe(200)
})

test('a caller beyond the rate has to wait, and others do not', async () => {
  const { post } = start({ maxRequestsPerSecond: 3, now: () => 0 })
  const statuses = await Promise.all(Array.from({ length: 5 }, async () => (await post({})).status))
  expect(statuses.toSorted()).toEqual([200, 200, 200, 429, 429])
})

test('headers narrow the tools, and cannot widen them', async () => {
  const { post } = start()
  const list = async (headers: Record<string, string>) => {
    const text = await (await post(headers)).text()
    const { result } = JSON.parse(text.replace(/^event: .*\ndata: /, '')) as { result: { tools: { name: string }[] } }
    return result.tools.map(({ name }) => name)
  }
  expect(await list({ 'x-heddle-toolsets': 'traces' })).toEqual(['trace_get', 'trace_stats', 'traces_search'])
  expect(await list({ 'x-heddle-tools': 'evals_list,model_delete' })).toEqual(['evals_list'])
  expect(await list({ 'x-heddle-read-only': 'true' })).not.toContain('training_job_create')
  expect(await list({ 'x-heddle-toolsets': 'annotate' })).toEqual([])
})

test('without headers a request is offered the default set, and with headers all that is allowed and nothing more', async () => {
  const all = { toolsets: ['evals', 'traces', 'training', 'annotate'], allowWrites: true, allowDestructive: true } as const
  const { post } = start({ ...all, withoutHeaders: { toolsets: ['evals', 'traces', 'training'], allowDestructive: false } })
  const list = async (headers: Record<string, string>) => {
    const text = await (await post(headers)).text()
    const { result } = JSON.parse(text.replace(/^event: .*\ndata: /, '')) as { result: { tools: { name: string }[] } }
    return result.tools.map(({ name }) => name)
  }
  const byDefault = await list({})
  expect(byDefault).toHaveLength(19)
  expect(byDefault).toEqual(expect.arrayContaining(['evals_list', 'trace_get', 'training_job_create']))
  expect(byDefault).not.toEqual(expect.arrayContaining(['feedback_create']))
  expect(byDefault).not.toEqual(expect.arrayContaining(['model_delete']))
  expect(await list({ 'x-heddle-exclude-tools': 'evals_list' })).toEqual(byDefault.filter((name) => name !== 'evals_list'))
  expect(await list({ 'x-heddle-toolsets': 'annotate' })).toEqual(['annotation_queue_add', 'feedback_create'])
  expect(await list({ 'x-heddle-toolsets': 'training' })).toContain('model_delete')
  expect(await list({ 'x-heddle-tools': 'model_delete' })).toEqual(['model_delete'])
  expect(await list({ 'x-heddle-read-only': 'true' })).not.toContain('training_job_create')
})

test('a body that is too large is refused', async () => {
  const { post } = start()
  expect((await post({}, { method: 'tools/list', params: { padding: 'x'.repeat(2 ** 20) } })).status).toBe(413)
})

test('a key is sent to no other server: redirects of the service are refused', async () => {
  const redirects: (RequestRedirect | undefined)[] = []
  const { post } = start({
    fetch: async (_, init) => {
      redirects.push(init?.redirect)
      throw new TypeError('unexpected redirect')
    },
  })
  expect((await post({})).status).toBe(503)
  expect(new Set(redirects)).toEqual(new Set(['error']))
})
