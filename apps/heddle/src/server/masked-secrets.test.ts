import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { randomUUID as newId } from 'node:crypto'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { tracing } from '@heddle/core-api'
import { createClient } from '@heddle/core-api/client'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { doctor } from '../commands/doctor.ts'
import { secretsOf, readSecretMask } from '../settings/configured-secrets.ts'
import { type Configuration, toConfiguration } from '../settings/configuration.ts'
import { type Setting, settingKeys, settings, variableOf } from '../settings/settings.ts'
import { createServerLog } from '../log/server-log.ts'
import { type StartedServer, startServer } from './start-server.ts'
import { toTerminal } from '../terminal/terminal.ts'

const apiKey = 'heddle0000000000000000000000000000000000000000000000000001'
const openaiKey = 'sk-proj-Canary/0001+key"of\\openai'
const engineKey = 'tml-Canary-0002-of-the-engine'
const fileKey = 'file-Canary-0003-of-a-provider'
const project_id = 'test/masked'

/** How a server may repeat what it was sent. */
const echoes: Record<string, (request: IncomingMessage, credential: string) => string> = {
  plain: (_request, credential) => `invalid key ${credential}`,
  json: ({ headers }) => JSON.stringify(headers),
  headers: ({ rawHeaders }) => rawHeaders.join('\r\n'),
  url: (_request, credential) => `https://help.test/?key=${encodeURIComponent(credential)}`,
  form: (_request, credential) => new URLSearchParams({ credential }).toString(),
  base64: (_request, credential) => Buffer.from(`authorization: ${credential}`).toString('base64'),
  base64url: (_request, credential) => Buffer.from(`x${credential}`).toString('base64url'),
  escapes: (_request, credential) =>
    Array.from(credential, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`).join(''),
  entities: (_request, credential) => credential.replaceAll(/[^A-Za-z0-9_-]/g, (character) => `&#${character.charCodeAt(0)};`),
  nested: ({ headers }) => JSON.stringify({ request: JSON.stringify(headers) }),
  hex: (_request, credential) => Buffer.from(credential).toString('hex'),
}
/** What must be nowhere: a piece of each key, as it is and in base64 and hex. */
const canaries = ['Canary', ...['/0001+key', '0002-of-the', '0003-of-a'].flatMap((piece) => [piece, Buffer.from(piece).toString('hex')])]

let form = 'plain'
let status = 401
let isStream = false
const asked: string[] = []

function answer(request: IncomingMessage, response: ServerResponse): void {
  asked.push(`${request.method} ${request.url}`)
  const credential = String(request.headers.authorization ?? request.headers['x-api-key'] ?? 'none')
  const text = (echoes[form] ?? String)(request, credential)
  response.setHeader('x-echo', encodeURIComponent(credential))
  if (!isStream) return void response.writeHead(status, { 'content-type': 'application/json' }).end(toBody(text))
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  // The key in pieces: within a chunk of the connection, and over the texts of several events.
  const delta = (content: string, finish_reason: string | null = null) =>
    `data: ${JSON.stringify({ choices: [{ index: 0, delta: { content }, finish_reason }] })}\n\n`
  const pieces = text.match(/[\s\S]{1,7}/g) ?? []
  for (const piece of pieces) response.write(delta(piece))
  response.write(delta(` ${text} end`, 'stop').slice(0, 60))
  setTimeout(() => response.end(`${delta(` ${text} end`, 'stop').slice(60)}data: [DONE]\n\n`), 20)
}

function toBody(text: string): string {
  return status < 300
    ? JSON.stringify({ choices: [{ index: 0, message: { content: text } }] })
    : JSON.stringify({ error: { message: text } })
}

const echo = createServer((request, response) => {
  request.resume().once('end', () => answer(request, response))
})
const lines: string[] = []
let dataDir: string
let configuration: Configuration
let started: StartedServer
beforeAll(async () => {
  await new Promise<void>((resolve) => void echo.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(echo.address() as AddressInfo).port}`
  dataDir = mkdtempSync(join(tmpdir(), 'heddle-masked-'))
  const providersFile = join(dataDir, 'providers.json')
  writeFileSync(providersFile, JSON.stringify({ providers: { filed: { base_url: `${url}/v1`, api_key: fileKey } } }))
  const environment = {
    HEDDLE_OPENAI_API_KEY: openaiKey,
    HEDDLE_OPENAI_BASE_URL: `${url}/v1`,
    HEDDLE_PROVIDERS_FILE: providersFile,
    HEDDLE_TRAINING_ENGINE_URL: url,
    HEDDLE_TRAINING_ENGINE_API_KEY: engineKey,
    HEDDLE_INFERENCE_CATALOGUE: `${url}/models`,
  }
  configuration = toConfiguration({ environment, flags: { dataDir: join(dataDir, 'data'), apiKey, port: '0' } })
  const log = createServerLog('debug', { write: (line) => void lines.push(line) }, await readSecretMask(configuration))
  started = await startServer(configuration, log)
}, 120_000)
afterAll(async () => {
  await started?.close()
  echo.closeAllConnections()
  echo.close()
  rmSync(dataDir, { recursive: true })
})

const client = () => createClient({ baseUrl: started.server.url, apiKey, contract: tracing, retries: 0 })
async function post(path: string, body: object): Promise<string> {
  const headers = { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' }
  const response = await fetch(started.server.url + path, { method: 'POST', headers, body: JSON.stringify(body) })
  return `${JSON.stringify([...response.headers])} ${await response.text()}`
}
const get = async (path: string) => (await fetch(started.server.url + path, { headers: { authorization: `Bearer ${apiKey}` } })).text()

function expectMasked(texts: readonly string[]): void {
  const withoutEscapes = (text: string) =>
    text.replaceAll(/\\+u00([0-9a-f]{2})/gi, (_escape, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
  for (const text of texts) for (const canary of canaries) expect(withoutEscapes(text)).not.toContain(canary)
}

const messages = [{ role: 'user', content: 'Hello' }]
const models = ['m', 'filed/m']

test.each(Object.keys(echoes))(
  'a provider that repeats its key as %s brings it to no answer, no stored call and no log',
  { timeout: 60_000 },
  async (each) => {
    form = each
    const seen: string[] = []
    for (const model of models) {
      for (status of [401, 200]) {
        seen.push(await post('/completions/create', { project_id, inputs: { model, messages } }))
        seen.push(await post('/completions/create_stream', { project_id, inputs: { model, messages } }))
        seen.push(await post('/image/create', { project_id, inputs: { model, prompt: 'p' } }))
      }
      isStream = true
      const streamed = await post('/completions/create_stream', { project_id, inputs: { model, messages } })
      isStream = false
      seen.push(streamed, joinedContent(streamed))
      expect(joinedContent(streamed)).toMatch(/REDACTED[\s\S]* end$/)
    }
    status = 401
    expect(seen.filter((text) => text.includes('REDACTED')).length).toBeGreaterThan(4)
    const { calls } = await client().calls.query({ project_id })
    expect(calls.length).toBeGreaterThan(0)
    expectMasked([...seen, JSON.stringify(calls), ...lines])
  },
)

/** The text that a reader of the stream puts together. */
function joinedContent(stream: string): string {
  return [...stream.matchAll(/"content":"((?:[^"\\]|\\.)*)"/g)].map(([, text]) => JSON.parse(`"${text}"`) as string).join('')
}

test.each(Object.keys(echoes))(
  'the training server that repeats its key as %s brings it to no answer and no log',
  { timeout: 60_000 },
  async (each) => {
    form = each
    status = 401
    const before = asked.length
    const seen = [
      await get('/v1/health'),
      await post('/v1/chat/completions', { model: 'heddle-nano', messages }),
      await post('/v1/chat/completions', { model: 'heddle-nano', messages, stream: true }),
      await get('/inference/models'),
    ]
    expect(asked.length).toBeGreaterThan(before)
    expectMasked([...seen, ...lines])
  },
)

test('the own key of a request, which its program sends along, is in no stored record, no answer, no audit entry and no log', async () => {
  const { secret } = await client().projectKeys.create({ project_id, name: 'program', role: 'admin' })
  const piece = secret.slice(8, -4)
  const headers = { authorization: `Bearer ${secret}`, 'content-type': 'application/json' }
  const sendAs = async (path: string, body: object | string, type = 'application/json') => {
    const text = typeof body === 'string' ? body : JSON.stringify(body)
    const response = await fetch(started.server.url + path, { method: 'POST', headers: { ...headers, 'content-type': type }, body: text })
    return `${JSON.stringify([...response.headers])} ${await response.text()}`
  }
  const sent = { note: `Bearer ${secret}`, basic: Buffer.from(`api:${secret}`).toString('base64') }
  const time = '2026-03-01T00:00:00Z'
  const call = { project_id, op_name: 'op', started_at: time, attributes: sent, inputs: sent, trace_id: '0'.repeat(32) }
  const span = {
    traceId: '1'.repeat(32),
    spanId: '1'.repeat(16),
    name: 's',
    startTimeUnixNano: '1',
    attributes: [{ key: 'header', value: { stringValue: sent.note } }],
  }
  const toResource = {
    attributes: [
      { key: 'wandb.entity', value: { stringValue: 'test' } },
      { key: 'wandb.project', value: { stringValue: 'masked' } },
    ],
  }
  const tool = {
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: { name: 'trace_get', arguments: { project: project_id, trace_id: secret } },
  }
  const seen = [
    await sendAs('/call/start', { start: call }),
    await sendAs('/call/start', { start: { ...call, id: secret } }),
    await sendAs('/v2/test/masked/calls/complete', { batch: [{ ...call, id: newId(), ended_at: time, output: sent, summary: sent }] }),
    await sendAs('/otel/v1/traces', { resourceSpans: [{ resource: toResource, scopeSpans: [{ spans: [span] }] }] }),
    await sendAs('/obj/create', { obj: { project_id, object_id: 'o', val: sent } }),
    await sendAs('/table/create', { table: { project_id, rows: [sent] } }),
    await sendAs('/feedback/create', { project_id, weave_ref: `weave:///${project_id}/call/c`, feedback_type: 'own', payload: sent }),
    await sendAs('/project/shared_traces/create', { project_id, trace_id: secret }),
    await sendAs('/project/keys/revoke', { project_id, key_id: secret }),
    await sendAs('/obj/read', { project_id, object_id: secret, digest: secret }),
    await sendAs('/v1/chat/completions', { model: secret, messages }),
    await sendAs('/v1/preview/models', { project: 'masked', entity: 'test', name: secret, base_model: secret }),
    await sendAs('/mcp', tool),
    await (await fetch(`${started.server.url}/v2/test/masked/objects/${secret}/versions/latest`, { headers })).text(),
    await (await fetch(`${started.server.url}/v1/preview/models/${secret}`, { headers })).text(),
  ]
  const { calls } = await client().calls.query({ project_id })
  const stored = [
    calls,
    await client().objects.query({ project_id }),
    await client().feedback.query({ project_id }),
    await client().auditLog.query({ project_id }),
  ].map((each) => JSON.stringify(each))
  expect(stored.filter((text) => text.includes('REDACTED')).length).toBeGreaterThan(3)
  const texts = [...seen, ...stored, ...lines]
  for (const text of texts) {
    expect(text).not.toContain(piece)
    for (const [encoded] of text.matchAll(/[A-Za-z0-9+/]{40,}/g))
      expect(Buffer.from(encoded, 'base64').toString('latin1')).not.toContain(piece)
  }
})

test('doctor prints no secret', { timeout: 120_000 }, async () => {
  const out: string[] = []
  const terminal = toTerminal({
    out: (text: string) => void out.push(text),
    note: (text: string) => void out.push(text),
    isInteractive: false,
    status: () => undefined,
  })
  const aside = { ...configuration, dataDir: join(dataDir, 'aside'), url: `http://127.0.0.1:${(echo.address() as AddressInfo).port}` }
  await doctor({ configuration: aside, json: true }, terminal)
  expect(out.length).toBeGreaterThan(0)
  expectMasked(out)
})

test('every setting that is a secret, or an address with a password, is masked', () => {
  const canaryOf = (key: string) => `Canary-0123456789-${key}`
  const environment: Record<string, string> = {
    AWS_ACCESS_KEY_ID: canaryOf('id'),
    AWS_SECRET_ACCESS_KEY: canaryOf('key'),
    AWS_SESSION_TOKEN: canaryOf('token'),
  }
  const expected = Object.values(environment)
  for (const key of settingKeys) {
    const { kind }: Setting<unknown> = settings[key]
    const addresses: Record<string, string> = {
      clickhouseUrl: 'https://u:$@c.test/',
      databaseUrl: 'postgres://u:$@p.test/d',
      blobsUrl: 's3://bucket',
      telemetryHeaders: 'authorization=$',
    }
    const text = addresses[key] ?? (kind.isSecret === true ? '$' : undefined)
    if (text === undefined) continue
    environment[variableOf(key)] = text.replace('$', canaryOf(key))
    if (text.includes('$')) expected.push(canaryOf(key))
  }
  expect(expected.length).toBeGreaterThan(8)
  expect(secretsOf(toConfiguration({ environment, flags: {} })).toSorted()).toEqual(expect.arrayContaining(expected.toSorted()))
})
