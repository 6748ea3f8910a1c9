import { exportJWK, generateKeyPair, SignJWT } from 'jose'
import { beforeAll, expect, test } from 'vitest'
import { runProgram } from '../command/run-program.ts'
import { fakeServices } from '../testing/fake-services.ts'
import { createHttpHandler } from './create-http-handler.ts'

const issuer = 'https://login.example'
const jwksUri = `${issuer}/keys`
const resource = 'https://tools.example/mcp'
type KeyPair = Awaited<ReturnType<typeof generateKeyPair>>

let ours: KeyPair
let others: KeyPair
let publicKey: object
beforeAll(async () => {
  ;[ours, others] = await Promise.all([generateKeyPair('ES256'), generateKeyPair('ES256')])
  publicKey = { ...(await exportJWK(ours.publicKey)), kid: 'one', alg: 'ES256' }
})

interface TokenFields {
  scope?: string
  scp?: string[]
  iss?: string
  aud?: string
  expiresIn?: number
  key?: KeyPair
}

function sign({ scope, scp, iss = issuer, aud = resource, expiresIn = 60, key = ours }: TokenFields = {}): Promise<string> {
  return new SignJWT({ ...(scope !== undefined && { scope }), ...(scp && { scp }) })
    .setProtectedHeader({ alg: 'ES256', kid: 'one' })
    .setIssuer(iss)
    .setAudience(aud)
    .setSubject('person-1')
    .setExpirationTime(Math.floor(Date.now() / 1_000) + expiresIn)
    .sign(key.privateKey)
}

function start({ keysFail = false } = {}) {
  const services = fakeServices({ 'models.list': () => ({ object: 'list', data: [], first_id: '', last_id: '', has_more: false }) })
  const asked: string[] = []
  const fetch = async (input: string | URL | Request, init?: RequestInit) => {
    const url = String(input instanceof Request ? input.url : input)
    asked.push(url)
    if (url === jwksUri) return keysFail ? new Response('', { status: 500 }) : Response.json({ keys: [publicKey] })
    return services(input, init)
  }
  const handler = createHttpHandler({
    baseUrl: 'http://services.test',
    project: 'e/p',
    apiKey: 'key-of-the-server',
    allowWrites: true,
    allowDestructive: true,
    toolsets: ['evals', 'traces', 'training', 'annotate'],
    allowedHosts: ['tools.example'],
    auth: { mode: 'oauth', issuer, jwksUri, resource },
    fetch: fetch as typeof globalThis.fetch,
  })
  const send = (token: string | undefined, message: object = { method: 'tools/list' }, headers: Record<string, string> = {}) =>
    handler.fetch(
      new Request(resource, {
        method: 'POST',
        headers: {
          host: 'tools.example',
          accept: 'application/json, text/event-stream',
          'content-type': 'application/json',
          ...(token !== undefined && { authorization: `Bearer ${token}` }),
          ...headers,
        },
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, params: {}, ...message }),
      }),
    )
  const toolsOf = async (token: string, headers: Record<string, string> = {}) => {
    const text = await (await send(token, { method: 'tools/list' }, headers)).text()
    const { result } = JSON.parse(text.replace(/^event: .*\ndata: /, '')) as { result: { tools: { name: string }[] } }
    return result.tools.map(({ name }) => name)
  }
  return { handler, send, toolsOf, services, asked }
}

test('the metadata names the authorization server and the scopes, and needs no token', async () => {
  const { handler } = start()
  for (const path of ['/.well-known/oauth-protected-resource', '/.well-known/oauth-protected-resource/mcp']) {
    const response = await handler.fetch(new Request(`https://tools.example${path}`, { headers: { host: 'tools.example' } }))
    expect(await response.json()).toMatchObject({
      resource,
      authorization_servers: [issuer],
      scopes_supported: ['evals:read', 'traces:read', 'training:read', 'training:write', 'admin'],
    })
  }
})

test('a missing token gets a challenge that leads to the metadata', async () => {
  const response = await start().send(undefined)
  expect([response.status, response.headers.get('www-authenticate')]).toEqual([
    401,
    'Bearer realm="heddle", scope="evals:read traces:read training:read training:write admin", resource_metadata="https://tools.example/.well-known/oauth-protected-resource/mcp"',
  ])
})

test.each<[string, TokenFields | string]>([
  [
    'of another key',
    {
      scope: 'admin',
      get key() {
        return others
      },
    },
  ],
  ['of another issuer', { scope: 'admin', iss: 'https://evil.example' }],
  ['for another server', { scope: 'admin', aud: 'https://other.example/mcp' }],
  ['that has expired', { scope: 'admin', expiresIn: -120 }],
  ['that is none', 'not-a-token'],
  [
    'without a signature',
    `${Buffer.from('{"alg":"none"}').toString('base64url')}.${Buffer.from('{"scope":"admin"}').toString('base64url')}.`,
  ],
])('a token %s is refused, and is not repeated', async (_, fields) => {
  const token = typeof fields === 'string' ? fields : await sign(fields)
  const response = await start().send(token)
  expect([response.status, response.headers.get('www-authenticate')]).toEqual([401, expect.stringContaining('error="invalid_token"')])
  expect(await response.text()).not.toContain(token)
})

test('a token without a scope of ours is forbidden, with what there is', async () => {
  const response = await start().send(await sign({ scope: 'profile email' }))
  expect([response.status, response.headers.get('www-authenticate')]).toEqual([403, expect.stringContaining('error="insufficient_scope"')])
})

test('scopes decide which tools are listed, and headers cannot widen them', async () => {
  const { toolsOf } = start()
  const evals = await toolsOf(await sign({ scope: 'openid evals:read' }))
  expect(evals.every((name) => name.startsWith('eval'))).toBe(true)
  expect(
    await toolsOf(await sign({ scope: 'evals:read' }), { 'x-heddle-toolsets': 'traces', 'x-heddle-tools': 'model_delete,trace_get' }),
  ).toEqual([])
  expect(await toolsOf(await sign({ scp: ['traces:read'] }))).toEqual(['trace_get', 'trace_stats', 'traces_search'])
  const writes = await toolsOf(await sign({ scope: 'training:write' }))
  expect(writes).toEqual(expect.arrayContaining(['training_job_create', 'feedback_create']))
  expect(writes).not.toContain('model_delete')
  expect(await toolsOf(await sign({ scope: 'admin' }))).toContain('model_delete')
})

test('a tool uses the key of the server, never the token', async () => {
  const { send, services } = start()
  const token = await sign({ scope: 'training:read' })
  await (await send(token, { method: 'tools/call', params: { name: 'models_list', arguments: {} } })).text()
  const [request] = services.requests
  const authorization = request?.headers.get('authorization') ?? ''
  expect(Buffer.from(authorization.replace('Basic ', ''), 'base64').toString()).toBe('api:key-of-the-server')
  expect(JSON.stringify([...(request?.headers ?? [])])).not.toContain(token)
})

test('keys are read once; where they cannot be, it says so and asks to try again', async () => {
  const { send, asked } = start()
  for (let at = 0; at < 3; at++) expect((await send(await sign({ scope: 'admin' }))).status).toBe(200)
  expect(asked.filter((url) => url === jwksUri)).toHaveLength(1)
  expect((await start({ keysFail: true }).send(await sign({ scope: 'admin' }))).status).toBe(503)
})

test.each<[string[], RegExp]>([
  [['--oauth-issuer', issuer], /--oauth-issuer needs --oauth-jwks and --oauth-resource/],
  [['--oauth-issuer', issuer, '--oauth-jwks', 'http://keys.example', '--oauth-resource', resource], /--oauth-jwks must be an https URL/],
  [['--oauth-issuer', issuer, '--token-file', 'x'], /exclude each other/],
])('%j is refused with the way out', async (args, message) => {
  let printed = ''
  const code = await runProgram(['--http', '127.0.0.1:0', ...args], {
    environment: {},
    cwd: '/',
    nodeVersion: process.version,
    out: () => undefined,
    err: (text) => void (printed += text),
    untilStopped: () => Promise.resolve(),
  })
  expect([code, printed]).toEqual([2, expect.stringMatching(message)])
})
