import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer as createHttpServer, get, type IncomingHttpHeaders } from 'node:http'
import { once } from 'node:events'
import { connect as connectHttp2 } from 'node:http2'
import { type AddressInfo, createServer as createTcpServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type ApiError, tracing, training } from '@heddle/core-api'
import { createClient } from '@heddle/core-api/client'
import { readMemoryLimit } from '@heddle/datastore/memory'
import { serve as listenForRequests } from '@heddle/service-kit'
import { freePort } from '@heddle/testing/free-port'
import { createEmbeddedEngine, createSampledEngine, createTrainingService, shippedModelsFolder } from '@heddle/training'
import { Option } from 'commander'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { serve, type ServeOptions } from '../commands/serve.ts'
import { runProgram } from '../run-program.ts'
import { planModelMemory } from '../process/memory-plan.ts'
import { createServerLog } from '../log/server-log.ts'
import { startServer } from '../server/start-server.ts'
import { sendTelemetry } from '../telemetry/send-telemetry.ts'
import { createClock } from '../terminal/clock.ts'
import { startCommand } from '../testing/run-command.ts'
import { type Configuration, toConfiguration } from './configuration.ts'
import { flagOf, type SettingKey, settingKeys, variableOf } from './settings.ts'

vi.mock('../commands/serve.ts', () => ({ serve: vi.fn<(options: ServeOptions) => Promise<void>>(async () => undefined) }))
vi.mock('@heddle/service-kit', async (importOriginal) => {
  const actual = await importOriginal<typeof import('@heddle/service-kit')>()
  return { ...actual, serve: vi.fn<typeof actual.serve>(actual.serve) }
})
vi.mock('../telemetry/send-telemetry.ts', async (importOriginal) => {
  const actual = await importOriginal<typeof import('../telemetry/send-telemetry.ts')>()
  return { ...actual, sendTelemetry: vi.fn<typeof actual.sendTelemetry>(actual.sendTelemetry) }
})
vi.mock('@heddle/training', async (importOriginal) => {
  const actual = await importOriginal<typeof import('@heddle/training')>()
  return {
    ...actual,
    createEmbeddedEngine: vi.fn<typeof actual.createEmbeddedEngine>(actual.createEmbeddedEngine),
    createSampledEngine: vi.fn<typeof actual.createSampledEngine>(actual.createSampledEngine),
    createTrainingService: vi.fn<typeof actual.createTrainingService>(actual.createTrainingService),
  }
})

type Observed = Promise<unknown> | unknown

/** One setting: a value that is not the default, and what a running server does with and without it. */
interface Trial<Key extends SettingKey> {
  /** As flag or variable. */
  text: string
  value: Configuration[Key]
  /** What the probe observes without the setting, and with it. */
  effect: [without: unknown, withIt: unknown]
  probe: (server: Started) => Observed
  /** Settings without which it does nothing, on a server of its own; absent where it goes together with most others. */
  aloneWith?: SettingKey[]
}

interface Started {
  /** Nowhere when it did not start, since the stand-ins are not real services. */
  url: string
  apiKey: string
  configuration: Configuration
  tracing: ReturnType<typeof tracingAt>
  training: ReturnType<typeof trainingAt>
  /** With what port, engine and training service were made. */
  listenOptions: Partial<Parameters<typeof listenForRequests>[0]>
  engineOptions: Partial<Parameters<typeof createEmbeddedEngine>[0]>
  samplerOptions: Partial<Parameters<typeof createSampledEngine>[0]>
  trainingDeps: Partial<Parameters<typeof createTrainingService>[0]>
  /** Undefined where no telemetry is sent. */
  telemetry: Parameters<typeof sendTelemetry>[0] | undefined
  /** Whom the start asked: paths of the HTTP stand-in, and connections to that of a database. */
  askedAtStart: { paths: string[]; connections: number }
}

const folder = mkdtempSync(join(tmpdir(), 'heddle-settings-'))
const adminKey = 'heddle0000000000000000000000000000000000000000000000000000'
const otherKey = 'heddle1111111111111111111111111111111111111111111111111111'
const project_id = 'test/settings'
/** The address of a server that did not start. */
const nowhere = 'http://nowhere.invalid'
const credentials = { AWS_ACCESS_KEY_ID: 'id', AWS_SECRET_ACCESS_KEY: 'secret' }
const parquetFolder = join(folder, 'parquet')
const samplerFolder = join(folder, 'adapters')
const quietLog = () => createServerLog('error', { write: () => undefined })

/** A stand-in for other HTTP servers, with the requests that it got. */
interface StandIn {
  url: string
  asked: { path: string; headers: IncomingHttpHeaders; body: string }[]
  server: Server
}

async function startStandIn(): Promise<StandIn> {
  const asked: StandIn['asked'] = []
  const server = createHttpServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.once('end', () => {
      asked.push({ path: request.url ?? '', headers: request.headers, body: Buffer.concat(chunks).toString() })
      const isChat = request.url?.endsWith('/chat/completions') ?? false
      const answer = isChat
        ? { choices: [{ message: { role: 'assistant', content: 'fine' }, finish_reason: 'stop' }] }
        : { error: 'stand-in' }
      response.writeHead(isChat ? 200 : 400, { 'content-type': 'application/json' }).end(JSON.stringify(answer))
    })
  })
  return { url: await listen(server), asked, server }
}

async function listen(server: Server, protocol = 'http'): Promise<string> {
  await new Promise<void>((done) => void server.listen(0, '127.0.0.1', done))
  return `${protocol}://127.0.0.1:${(server.address() as AddressInfo).port}`
}

const standIn = await startStandIn()
/** Hosts of providers may be asked without the setting, so webhooks go to another. */
const receiver = await startStandIn()
let connections = 0
const databaseStandIn = createTcpServer((socket) => {
  connections += 1
  socket.on('error', () => undefined).destroy()
})
const databaseUrl = `${await listen(databaseStandIn, 'postgres')}/heddle`
const serverPort = await freePort()
const metricsPort = await freePort()
const grpcPort = await freePort()
/** Where nothing listens. */
const telemetryUrl = `http://127.0.0.1:${await freePort()}`
const file = (name: string, content: unknown) => {
  const path = join(folder, name)
  writeFileSync(path, JSON.stringify(content))
  return path
}
const pricesFile = file('prices.json', {
  about: 'Our prices',
  sources: [{ kind: 'contract', name: 'host', date: '2026-01-01' }],
  date: '2026-01-01',
  currency: 'USD',
  prices: [{ provider_id: 'h', models: ['our-own'], effective_date: '2026-01-01', prompt_token_cost: 0.5, completion_token_cost: 0.5 }],
})
const providersFile = file('providers.json', {
  providers: { near: { base_url: `${standIn.url}/near` }, far: { base_url: `${standIn.url}/far`, api_key: 'far-key' } },
})
/** Every server has a provider, so that models can be evaluated. */
const leastProviders = file('least-providers.json', { providers: { near: { base_url: `${standIn.url}/near` } } })
const launcherFile = file('launcher.json', { kind: 'ray', url: standIn.url, command: 'run-it', gpus: 1 })
const catalogue = file('catalogue.json', {
  data: [
    {
      id: 'p/listed',
      name: 'Listed',
      created: 1,
      input_modalities: ['text'],
      output_modalities: ['text'],
      quantization: 'bf16',
      context_length: 100,
      max_output_length: 10,
      pricing: { prompt: '0', completion: '0', image: '0', request: '0', input_cache_read: '0' },
      supported_sampling_parameters: [],
      supported_features: [],
      datacenters: [],
    },
  ],
})
const modelsDir = join(folder, 'models')
mkdirSync(modelsDir)
symlinkSync(join(shippedModelsFolder, 'heddle-nano'), join(modelsDir, 'our-nano'))

const tracingAt = (baseUrl: string, apiKey: string) => createClient({ baseUrl, apiKey, contract: tracing, retries: 0 })
const trainingAt = (baseUrl: string, apiKey: string) => createClient({ baseUrl, apiKey, contract: training, retries: 0 })
const statusOf = (request: Promise<unknown>) =>
  request.then(
    () => 200,
    ({ status }: ApiError) => status,
  )
const statusAt = async (url: string, init: RequestInit = {}) => (await fetch(url, init)).status
const bearer = (apiKey: string) => ({ authorization: `Bearer ${apiKey}` })
const limitsOf = ({ tracing: client }: Started) => client.projects.readLimits({ project_id })
/** Requests tokens until the stand-in for the engine or its cluster was called. */
const askEngine =
  (isIt: (asked: StandIn['asked'][number]) => boolean) =>
  async ({ url, apiKey }: Started) => {
    standIn.asked.length = 0
    const leaving = new AbortController()
    const body = JSON.stringify({ model: 'heddle-nano', messages: [{ role: 'user', content: 'hi' }], max_tokens: 1 })
    const headers = { ...bearer(apiKey), 'content-type': 'application/json' }
    const chat = fetch(`${url}/v1/chat/completions`, { method: 'POST', headers, body, signal: leaving.signal }).catch(() => undefined)
    const isAsked = vi.waitUntil(() => standIn.asked.some(isIt), { timeout: 60_000 })
    await Promise.race([chat, isAsked]).catch(() => undefined)
    leaving.abort()
    isAsked.catch(() => undefined)
    await chat
    return standIn.asked.some(isIt)
  }
const hostAnswered = (url: string, host: string) =>
  new Promise<boolean>((done, fail) => {
    const request = get(`${url}/health`, { headers: { host } }, (response) => {
      response.resume()
      done(response.statusCode === 200)
    })
    request.once('error', fail)
  })
const completionBy = (model: string) => async (server: Started) => {
  const messages = [{ role: 'user', content: 'hi' }]
  standIn.asked.length = 0
  await server.tracing.completions.create({ project_id, inputs: { model, messages }, track_llm_call: false }).catch(() => undefined)
  return standIn.asked.map(({ path, headers }) => [path, headers.authorization])
}
const recordCall = async ({ tracing: client }: Started, more: { inputs: Record<string, unknown>; summary?: Record<string, unknown> }) => {
  const started_at = new Date().toISOString()
  const { inputs, summary = {} } = more
  const { id } = await client.calls.start({ start: { project_id, op_name: 'op', started_at, attributes: {}, inputs } })
  await client.calls.end({ end: { project_id, id, ended_at: started_at, output: null, summary } })
  return (await client.calls.query({ project_id, filter: { call_ids: [id] }, include_costs: true })).calls[0]
}
const promptOf = async ({ tracing: client }: Started) => {
  const publish = async (object_id: string, val: Record<string, unknown>) =>
    `weave:///${project_id}/object/${object_id}:${(await client.objects.create({ obj: { project_id, object_id, val } })).digest}`
  const model_ref = await publish('model', {
    _type: 'LLMStructuredCompletionModel',
    _class_name: 'LLMStructuredCompletionModel',
    _bases: ['Object', 'BaseModel'],
    name: 'model',
    llm_model_id: 'near/m',
    default_params: { response_format: 'text', messages_template: [{ role: 'user', content: 'in {city}' }] },
  })
  const place = { entity: 'test', project: 'settings' }
  const dataset = await client.datasets.create({ ...place, name: 'set', rows: [{ city: 'Oslo' }] })
  const { evaluation_ref } = await client.evaluations.create({
    ...place,
    name: 'ev',
    dataset: `weave:///${project_id}/object/${dataset.object_id}:${dataset.digest}`,
    scorers: [],
  })
  standIn.asked.length = 0
  const { call_id } = await client.evaluations.evaluateModel({ project_id, evaluation_ref, model_ref })
  await vi.waitUntil(async () => (await client.evaluations.status({ project_id, call_id })).status.code === 'complete', {
    timeout: 60_000,
  })
  return standIn.asked.map(({ body }) => /in (\{city\}|Oslo)/.exec(body)?.[1])
}
const sendConflict = ({ url, apiKey }: Started) => {
  const value = { stringValue: 'x' }
  const span = {
    traceId: '0102030405060708090a0b0c0d0e0f10',
    spanId: '0102030405060708',
    name: 's',
    startTimeUnixNano: '1700000000000000000',
    endTimeUnixNano: '1700000000000000001',
    attributes: [
      { key: 'a', value },
      { key: 'a.b', value },
    ],
  }
  const headers = { ...bearer(apiKey), project_id, 'content-type': 'application/json' }
  const body = JSON.stringify({ resourceSpans: [{ scopeSpans: [{ spans: [span] }] }] })
  return fetch(`${url}/otel/v1/traces`, { method: 'POST', headers, body })
    .then((response) => response.text())
    .then((text) => text.includes('rejectedSpans'))
}
const shareTrace = async (server: Started) => {
  const call = await recordCall(server, { inputs: {} })
  return statusOf(server.tracing.sharedTraces.create({ project_id, trace_id: call?.trace_id ?? '', expires_in_days: 1 }))
}
const testWebhook = async ({ tracing: client }: Started) => {
  const webhook = { project_id, name: 'w', url: receiver.url, events: ['evaluation.finished' as const] }
  receiver.asked.length = 0
  const created = await client.webhooks.create(webhook).catch(() => undefined)
  if (created) await client.webhooks.test({ project_id, webhook_id: created.webhook.id })
  return receiver.asked.length > 0
}
/** What the engine has written down of the table of calls. */
const hasTextIndex = ({ configuration: { dataDir } }: Started) =>
  readdirSync(join(dataDir, 'engine'), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.sql'))
    .some((path) => readFileSync(join(dataDir, 'engine', path), 'utf8').includes('words_of_inputs'))
/** What servers of their own logged, by their settings. */
const logs = new Map<string, Promise<string>>()
/** The log of a server with these variables. Settings that are probed together are told by one server. */
const logOf = (variables: Record<string, string>) => {
  const key = JSON.stringify(variables)
  const log = logs.get(key) ?? startForLog(variables)
  logs.set(key, log)
  return log
}
const startForLog = async (variables: Record<string, string>) => {
  const dataDir = mkdtempSync(join(folder, 'log-'))
  const command = startCommand(['serve'], { HEDDLE_DATA_DIR: dataDir, HEDDLE_PORT: '0', HEDDLE_API_KEY: adminKey, ...variables })
  await command.said('is ready at')
  const url = /is ready at (\S+)/.exec(command.out())?.[1] ?? ''
  await fetch(`${url}/health`)
  command.child.kill('SIGTERM')
  await command.ended
  return command.note()
}
/** The memory of which a server with these settings says that it has. */
const memoryOf = async ({ engineMemoryBytes, heapMemoryBytes }: Configuration) => {
  const log = await logOf({
    HEDDLE_LOG_LEVEL: 'info',
    ...(engineMemoryBytes && { HEDDLE_ENGINE_MEMORY_BYTES: String(engineMemoryBytes) }),
    ...(heapMemoryBytes && { HEDDLE_HEAP_MEMORY_BYTES: String(heapMemoryBytes) }),
  })
  const line = log.split('\n').find((each) => each.includes('"msg":"memory"')) ?? '{}'
  return JSON.parse(line) as { engineBytes: number; heapLimitBytes: number }
}

const ownFolder = () => ({ dataDir: mkdtempSync(join(folder, 'own-')), port: 0 })

const infoLines = async (logLevel: string) => (await logOf({ HEDDLE_LOG_LEVEL: logLevel })).includes('"level":30')

/** The zone that a command names in its table. */
async function zoneOfTable(server: Started): Promise<string | undefined> {
  await recordCall(server, { inputs: {} })
  const { timeZone } = server.configuration
  const written: string[] = []
  const write = (text: string) => void written.push(text)
  const terminal = { out: write, note: write, status: () => undefined, isInteractive: false }
  const environment = { HEDDLE_API_KEY: server.apiKey, ...(timeZone && { HEDDLE_TIME_ZONE: timeZone }) }
  await runProgram(['traces', 'list', '--project', project_id, '--url', server.url], { environment, terminal })
  return /STARTED \((\S+)\)/.exec(written.join('\n'))?.[1]
}

const trials: { [Key in SettingKey]: Trial<Key> } = {
  host: {
    text: '0.0.0.0',
    value: '0.0.0.0',
    effect: [false, true],
    aloneWith: [],
    // A server for this machine alone does not answer to other names.
    probe: ({ url }) => hostAnswered(url.replace('0.0.0.0', '127.0.0.1'), 'any.example'),
  },
  port: {
    text: String(serverPort),
    value: serverPort,
    effect: [false, true],
    probe: ({ url }) => new URL(url).port === String(serverPort),
  },
  basePath: { text: '/heddle', value: '/heddle', effect: [404, 200], probe: ({ url }) => statusAt(`${new URL(url).origin}/heddle/health`) },
  url: {
    text: 'https://heddle.example/heddle/',
    value: 'https://heddle.example/heddle',
    effect: [false, true],
    probe: ({ url }) => hostAnswered(url, 'heddle.example'),
  },
  metricsAddress: {
    text: `127.0.0.1:${metricsPort}`,
    value: { host: '127.0.0.1', port: metricsPort },
    effect: ['none', 200],
    probe: ({ configuration: { metricsAddress: at } }) => (at ? statusAt(`http://${at.host}:${at.port}/metrics`) : 'none'),
  },
  otlpGrpcAddress: {
    text: `127.0.0.1:${grpcPort}`,
    value: { host: '127.0.0.1', port: grpcPort },
    effect: ['none', true],
    probe: ({ configuration: { otlpGrpcAddress: at } }) => (at ? takesCalls(at) : 'none'),
  },
  telemetryUrl: {
    text: `${telemetryUrl}/`,
    value: telemetryUrl,
    effect: [undefined, telemetryUrl],
    probe: ({ telemetry }) => telemetry?.url,
  },
  telemetryHeaders: {
    text: 'authorization=Bearer%20hush',
    value: 'authorization=Bearer%20hush',
    effect: [undefined, 'authorization=Bearer%20hush'],
    probe: ({ telemetry }) => telemetry?.configuration.telemetryHeaders,
  },
  telemetrySignals: {
    text: 'traces',
    value: 'traces',
    effect: [undefined, 'traces'],
    probe: ({ telemetry }) => telemetry?.configuration.telemetrySignals,
  },
  telemetrySampleRatio: {
    text: '0.25',
    value: 0.25,
    effect: [undefined, 0.25],
    probe: ({ telemetry }) => telemetry?.configuration.telemetrySampleRatio,
  },
  dataDir: {
    text: join(folder, 'data'),
    value: join(folder, 'data'),
    effect: [false, true],
    probe: ({ configuration: { dataDir } }) => dataDir === join(folder, 'data') && existsSync(join(dataDir, 'heddle.db')),
  },
  apiKey: {
    text: otherKey,
    value: otherKey,
    effect: [401, 200],
    probe: ({ url }) => statusOf(tracingAt(url, otherKey).projects.readLimits({ project_id })),
  },
  clickhouseUrl: {
    text: standIn.url,
    value: standIn.url,
    effect: [false, true],
    aloneWith: [],
    probe: ({ askedAtStart }) => askedAtStart.paths.length > 0,
  },
  databaseUrl: {
    text: databaseUrl,
    value: databaseUrl,
    effect: [false, true],
    aloneWith: [],
    probe: ({ askedAtStart }) => askedAtStart.connections > 0,
  },
  pricesFile: {
    text: pricesFile,
    value: pricesFile,
    effect: [undefined, 1],
    probe: async (server) => {
      const summary = { usage: { 'our-own': { prompt_tokens: 2, completion_tokens: 0, requests: 1 } } }
      const call = await recordCall(server, { inputs: {}, summary })
      const summarized = call?.summary as { weave?: { costs?: Record<string, { prompt_tokens_total_cost: number }> } } | undefined
      return summarized?.weave?.costs?.['our-own']?.prompt_tokens_total_cost
    },
  },
  blobsUrl: {
    text: `s3://looms/heddle?region=eu-west-1&endpoint=${standIn.url}`,
    value: { url: `${standIn.url}/looms`, region: 'eu-west-1', prefix: 'heddle/', accessKeyId: 'id', secretAccessKey: 'secret' },
    effect: [false, true],
    aloneWith: [],
    probe: ({ askedAtStart }) => askedAtStart.paths.some((path) => path.startsWith('/looms')),
  },
  parquetUrl: {
    text: parquetFolder,
    value: { folder: parquetFolder },
    effect: [false, true],
    aloneWith: ['parquetEverySeconds'],
    probe: isExported,
  },
  parquetEverySeconds: { text: '1', value: 1, effect: [false, true], aloneWith: ['parquetUrl'], probe: isExported },
  only: {
    text: 'training',
    value: 'training',
    effect: [false, true],
    aloneWith: [],
    probe: async ({ url, apiKey }) => (await statusAt(`${url}/calls/query`, { method: 'POST', headers: bearer(apiKey) })) === 404,
  },
  openHealth: { text: 'on', value: true, effect: [401, 200], probe: ({ url }) => statusAt(`${url}/v1/health`) },
  maxRequestBytes: {
    text: '65536',
    value: 65_536,
    effect: [200, 413],
    probe: ({ tracing: client }) => statusOf(client.objects.create({ obj: { project_id, object_id: 'large', val: 'x'.repeat(70_000) } })),
  },
  requestsPerMinute: {
    text: '6000',
    value: 6_000,
    effect: [null, 6_000],
    probe: async (server) => (await limitsOf(server)).requests_per_minute.server_limit,
  },
  keyRequestsPerMinute: {
    text: '600',
    value: 600,
    effect: [null, 600],
    probe: async (server) => (await limitsOf(server)).requests_per_minute_per_key.server_limit,
  },
  ingestedBytesPerDay: {
    text: '10000000000',
    value: 10_000_000_000,
    effect: [null, 10_000_000_000],
    probe: async (server) => (await limitsOf(server)).ingested_bytes_per_day.server_limit,
  },
  maskCredentials: {
    text: 'off',
    value: false,
    effect: ['REDACTED', 'hush'],
    probe: async (server) => (await recordCall(server, { inputs: { api_key: 'hush' } }))?.inputs['api_key'],
  },
  spanConflicts: { text: 'reject', value: 'reject', effect: [false, true], probe: sendConflict },
  textIndex: { text: 'on', value: 'on', effect: [false, true], probe: hasTextIndex },
  openaiApiKey: {
    text: 'sk-1',
    value: 'sk-1',
    effect: [[], [['/v1/chat/completions', 'Bearer sk-1']]],
    probe: completionBy('openai/m'),
  },
  openaiBaseUrl: {
    text: `${standIn.url}/v1/`,
    value: `${standIn.url}/v1`,
    effect: [[], [['/v1/chat/completions', 'Bearer sk-1']]],
    probe: completionBy('openai/m'),
  },
  providersFile: {
    text: providersFile,
    value: providersFile,
    effect: [[], [['/far/chat/completions', 'Bearer far-key']]],
    probe: completionBy('far/m'),
  },
  fillPrompts: {
    text: 'off',
    value: false,
    effect: [['Oslo'], ['{city}']],
    probe: promptOf,
  },
  publicLinks: { text: 'off', value: false, effect: [200, 403], probe: shareTrace },
  inferenceCatalogue: {
    text: catalogue,
    value: { kind: 'file', path: catalogue },
    effect: [false, true],
    probe: async ({ url, apiKey }) =>
      (await (await fetch(`${url}/inference/analysis/any/models`, { headers: bearer(apiKey) })).text()).includes('p/listed'),
  },
  baseModelsDir: {
    text: modelsDir,
    value: modelsDir,
    effect: [false, true],
    probe: async ({ training: client }) => (await client.baseModels.list({})).data.some(({ id }) => id === 'our-nano'),
  },
  trainingEngineUrl: {
    text: `${standIn.url}/`,
    value: standIn.url,
    effect: [false, true],
    aloneWith: ['trainingEngineApiKey'],
    probe: askEngine(({ path }) => path.startsWith('/api/v1/')),
  },
  trainingEngineApiKey: {
    text: 'tml-1',
    value: 'tml-1',
    effect: [false, true],
    aloneWith: ['trainingEngineUrl'],
    probe: askEngine(({ headers }) => headers['x-api-key'] === 'tml-1'),
  },
  trainingLauncherFile: {
    text: launcherFile,
    value: launcherFile,
    effect: [false, true],
    aloneWith: ['trainingLauncherToken'],
    probe: askEngine(({ path }) => path.startsWith('/api/jobs')),
  },
  trainingLauncherToken: {
    text: 'token-1',
    value: 'token-1',
    effect: [false, true],
    aloneWith: ['trainingLauncherFile'],
    probe: askEngine(({ headers }) => headers.authorization === 'Bearer token-1'),
  },
  samplerUrl: {
    text: `${standIn.url}/v1/`,
    value: `${standIn.url}/v1`,
    effect: [false, true],
    aloneWith: ['samplerApiKey', 'samplerFolder'],
    probe: askEngine(({ path }) => path === '/v1/models'),
  },
  samplerApiKey: {
    text: 'sampler-1',
    value: 'sampler-1',
    effect: [false, true],
    aloneWith: ['samplerUrl', 'samplerFolder'],
    probe: askEngine(({ headers }) => headers.authorization === 'Bearer sampler-1'),
  },
  samplerFolder: {
    text: samplerFolder,
    value: samplerFolder,
    effect: [undefined, samplerFolder],
    aloneWith: ['samplerUrl', 'samplerApiKey'],
    probe: ({ samplerOptions }) => samplerOptions.folder,
  },
  maxCheckpointBytes: {
    text: '1048576',
    value: 2 ** 20,
    effect: [2 ** 32, 2 ** 20],
    probe: ({ trainingDeps }) => trainingDeps.maxImportBytes,
  },
  engineMemoryBytes: {
    text: '734003200',
    value: 700 * 2 ** 20,
    effect: [false, true],
    probe: async ({ configuration }) => (await memoryOf(configuration)).engineBytes === 700 * 2 ** 20,
  },
  heapMemoryBytes: {
    text: '314572800',
    value: 300 * 2 ** 20,
    effect: [false, true],
    // The limit of the heap counts young objects as well.
    probe: async ({ configuration }) => (await memoryOf(configuration)).heapLimitBytes < 400 * 2 ** 20,
  },
  trainingMemoryBytes: {
    text: '2147483648',
    value: 2 ** 31,
    effect: [planModelMemory(readMemoryLimit(), { trainingMemoryBytes: undefined }), 2 ** 31],
    probe: ({ engineOptions }) => engineOptions.memoryBytes,
  },
  trainingThreads: { text: '2', value: 2, effect: [undefined, 2], probe: ({ engineOptions }) => engineOptions.threads },
  trainingBlasFile: {
    text: join(folder, 'no-library.so'),
    value: join(folder, 'no-library.so'),
    aloneWith: [],
    // A server does not start with a library that cannot be loaded.
    effect: [true, false],
    probe: ({ url }) => url !== nowhere,
  },
  trainingMaxRank: { text: '32', value: 32, effect: [256, 32], probe: ({ trainingDeps }) => trainingDeps.maxAdapterRank },
  chatLoadingSeconds: {
    text: '300',
    value: 300,
    effect: [60_000, 300_000],
    probe: ({ trainingDeps }) => trainingDeps.completionTimes?.loadingMs,
  },
  chatStallSeconds: {
    text: '30',
    value: 30,
    effect: [120_000, 30_000],
    probe: ({ trainingDeps }) => trainingDeps.completionTimes?.stallMs,
  },
  chatTotalSeconds: {
    text: '86400',
    value: 86_400,
    effect: [3_600_000, 86_400_000],
    probe: ({ trainingDeps }) => trainingDeps.completionTimes?.totalMs,
  },
  allowedHosts: {
    text: `127.0.0.1:${new URL(receiver.url).port}, 10.0.0.0/8`,
    value: [`127.0.0.1:${new URL(receiver.url).port}`, '10.0.0.0/8'],
    effect: [false, true],
    probe: testWebhook,
  },
  drainDelaySeconds: {
    text: '1',
    value: 1,
    effect: [[], [1_000]],
    aloneWith: [],
    probe: async ({ configuration }) => {
      const server = await startServer({ ...configuration, ...ownFolder() }, quietLog())
      const pauses: number[] = []
      await server.close(async (ms) => void pauses.push(ms))
      return pauses
    },
  },
  drainLimitSeconds: { text: '120', value: 120, effect: [15_000, 120_000], probe: ({ listenOptions }) => listenOptions.limits?.drainMs },
  timeZone: {
    text: 'Australia/Lord_Howe',
    value: 'Australia/Lord_Howe',
    effect: [createClock().zone, 'Australia/Lord_Howe'],
    probe: zoneOfTable,
  },
  logLevel: { text: 'info', value: 'info', effect: [false, true], probe: ({ configuration: { logLevel } }) => infoLines(logLevel) },
}

/** Whether a server of HTTP/2 answers as one of gRPC does. */
async function takesCalls({ host, port }: { host: string; port: number }): Promise<boolean> {
  const session = connectHttp2(`http://${host}:${port}`)
  const stream = session.request({ ':method': 'POST', ':path': '/none', 'content-type': 'application/grpc' })
  const [headers] = (await once(stream, 'response')) as [IncomingHttpHeaders]
  session.close()
  return headers['grpc-status'] === '12'
}

/** Whether a new project has been exported to Parquet files, for which a server with such a folder has a minute. */
async function isExported(server: Started): Promise<boolean> {
  const project = `test/exported-${Date.now()}`
  const manifest = join(parquetFolder, project, 'manifest.json')
  await server.tracing.objects.create({ obj: { project_id: project, object_id: 'some', val: 1 } })
  if (server.configuration.parquetUrl !== undefined) await vi.waitFor(() => expect(existsSync(manifest)).toBe(true), { timeout: 60_000 })
  return existsSync(manifest)
}

const alone = new Map<string, Promise<Started>>()
/** A server with these settings alone. Trials of the same ones share it, so that none starts twice. */
function startAlone(keys: readonly SettingKey[]): Promise<Started> {
  const name = keys.toSorted().join()
  const starting = alone.get(name) ?? start({ ...basics(), ...textsOf(keys) })
  alone.set(name, starting)
  return starting
}

const trialOf = (key: SettingKey): Trial<SettingKey> => trials[key] as Trial<SettingKey>
const textsOf = (keys: readonly SettingKey[]) => Object.fromEntries(keys.map((key) => [key, trialOf(key).text]))
/** What every server here needs, whatever is tried. */
const basics = () => ({ dataDir: mkdtempSync(join(folder, 'server-')), apiKey: adminKey, port: '0', providersFile: leastProviders })
const configure = (flags: Record<string, string>) => toConfiguration({ environment: credentials, flags })

const closers: (() => Promise<void>)[] = []

async function start(flags: Record<string, string>): Promise<Started> {
  const configuration = configure(flags)
  standIn.asked.length = 0
  connections = 0
  vi.mocked(sendTelemetry).mockClear()
  vi.mocked(createSampledEngine).mockClear()
  const started = await startServer(configuration, quietLog()).catch(() => undefined)
  if (started) closers.push(started.close)
  const [listenOptions = {}] = vi.mocked(listenForRequests).mock.lastCall ?? []
  const [telemetry] = vi.mocked(sendTelemetry).mock.lastCall ?? []
  const url = started?.server.url ?? nowhere
  const apiKey = configuration.apiKey ?? ''
  const clients = { tracing: tracingAt(url, apiKey), training: trainingAt(url, apiKey) }
  const askedAtStart = { paths: standIn.asked.map(({ path }) => path), connections }
  // Opens the training service where the start did not.
  if (configuration.only !== 'tracing') await clients.training.health.check().catch(() => undefined)
  const [engineOptions = {}] = vi.mocked(createEmbeddedEngine).mock.lastCall ?? []
  const [samplerOptions = {}] = vi.mocked(createSampledEngine).mock.lastCall ?? []
  const [trainingDeps = {}] = vi.mocked(createTrainingService).mock.lastCall ?? []
  return { url, apiKey, configuration, ...clients, listenOptions, engineOptions, samplerOptions, trainingDeps, telemetry, askedAtStart }
}

let withoutSettings: Started
let withSettings: Started
/** Read before the first server with settings starts: what a client left may still reach the stand-in when the next trial begins. */
const effectsWithout = new Map<SettingKey, unknown>()
beforeAll(async () => {
  const together = settingKeys.filter((key) => trialOf(key).aloneWith === undefined)
  withoutSettings = await start(basics())
  for (const key of settingKeys)
    if (trialOf(key).aloneWith !== undefined) effectsWithout.set(key, await trialOf(key).probe(withoutSettings))
  withSettings = await start(textsOf(together))
}, 120_000)
afterAll(async () => {
  for (const close of closers) await close()
  standIn.server.close()
  receiver.server.close()
  databaseStandIn.close()
  rmSync(folder, { recursive: true })
}, 120_000)

/** The configuration that the command `serve` begins with. */
async function configurationOf(args: readonly string[], environment: Record<string, string>): Promise<Configuration> {
  const nothing = () => undefined
  const notes: string[] = []
  const terminal = { out: nothing, note: (text: string) => void notes.push(text), status: nothing, isInteractive: false }
  vi.mocked(serve).mockClear()
  const code = await runProgram(['serve', ...args], { environment: { ...credentials, ...environment }, terminal })
  expect([code, ...notes]).toEqual([0])
  const [options] = vi.mocked(serve).mock.lastCall ?? []
  if (options === undefined) throw new Error('the server was not started')
  return options.configuration
}

describe.each(settingKeys)('the setting %s', (key) => {
  const { text, value, effect, probe, aloneWith } = trialOf(key)

  test('has the same effect on the configuration as flag and as variable', async () => {
    const standard = await configurationOf([], {})
    expect(standard[key]).not.toEqual(value)
    expect(await configurationOf([flagOf(key), text], {})).toEqual({ ...standard, [key]: value })
    expect(await configurationOf([], { [variableOf(key)]: text })).toEqual({ ...standard, [key]: value })
  })

  test('changes what the server does', { timeout: 120_000 }, async () => {
    const without = aloneWith === undefined ? await probe(withoutSettings) : effectsWithout.get(key)
    const changed = aloneWith === undefined ? withSettings : await startAlone([...aloneWith, key])
    const withIt = await probe(changed)
    expect([without, withIt]).toEqual(effect)
    expect(without).not.toEqual(withIt)
  })

  test('has the name that the parser of flags makes of its flag', () => {
    expect(new Option(`${flagOf(key)} <value>`).attributeName()).toBe(key)
  })
})

test('every setting has a trial, and no trial is of another setting', () => {
  expect(Object.keys(trials).toSorted()).toEqual(settingKeys.toSorted())
})
