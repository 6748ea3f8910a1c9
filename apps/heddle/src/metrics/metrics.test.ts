import { existsSync } from 'node:fs'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createTestSpan } from '../doctor/test-span.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createServerLog } from '../log/server-log.ts'
import { type StartedServer, startServer } from '../server/start-server.ts'
import { toConfiguration } from '../settings/configuration.ts'
import { type MetricDeclaration, metrics } from './declarations.ts'
import { type Family, parseOpenMetrics } from './testing/parse-openmetrics.ts'

const apiKey = 'heddle0000000000000000000000000000000000000000000000000000'
const headers = { authorization: `Bearer ${apiKey}` }
const dataDir = mkdtempSync(join(tmpdir(), 'heddle-metrics-'))
let started: StartedServer

beforeAll(async () => {
  const flags = { dataDir, apiKey, port: '0', metricsAddress: '127.0.0.1:0' }
  started = await startServer(toConfiguration({ environment: {}, flags }), createServerLog('error', { write: () => undefined }))
}, 120_000)
afterAll(async () => {
  await started.close()
  rmSync(dataDir, { recursive: true })
}, 120_000)

async function scrape(): Promise<Map<string, Family>> {
  const response = await fetch(started.metricsUrl ?? '')
  expect(response.headers.get('content-type')).toBe('application/openmetrics-text; version=1.0.0; charset=utf-8')
  return parseOpenMetrics(await response.text())
}

/** The value of the sample with exactly these labels; 0 if there is none. */
const valueOf = (families: Map<string, Family>, sample: string, labels: Record<string, string> = {}) => {
  const found = [...families.values()]
    .flatMap(({ samples }) => samples)
    .find(
      (each) =>
        each.name === sample &&
        JSON.stringify(Object.entries(each.labels).toSorted()) === JSON.stringify(Object.entries(labels).toSorted()),
    )
  return found?.value ?? 0
}

const familyOf = ({ name, type }: MetricDeclaration) => (type === 'counter' ? name.replace(/_total$/, '') : name)

async function send(path: string, init: RequestInit = {}): Promise<number> {
  const response = await fetch(started.server.url + path, { headers, ...init })
  await response.arrayBuffer()
  return response.status
}

const sendSpan = (body: string) =>
  send('/otel/v1/traces', {
    method: 'POST',
    headers: { ...headers, 'project-id': 'test/metrics', 'content-type': 'application/json' },
    body,
  })

test('answers of the separate address carry the id of their request', async () => {
  const idAt = async (path: string) => {
    const response = await fetch(new URL(path, started.metricsUrl), { headers: { 'x-request-id': 'scrape-1' } })
    await response.arrayBuffer()
    return response.headers.get('x-request-id')
  }
  expect([await idAt('/metrics'), await idAt('/nothing')]).toEqual(['scrape-1', 'scrape-1'])
})

test('every declared metric is exposed with its type, and no other is', async () => {
  const families = await scrape()
  const expected = Object.values(metrics).map((each: MetricDeclaration) => [familyOf(each), each.type])
  expect([...families].map(([name, { type }]) => [name, type])).toEqual(expected)
  for (const [name, { help }] of families) expect([name, help.length > 10]).toEqual([name, true])
})

test('every label that is exposed is declared', async () => {
  const families = await scrape()
  for (const declaration of Object.values(metrics) as MetricDeclaration[]) {
    const known = [...declaration.labels, ...(declaration.type === 'histogram' ? ['le'] : [])]
    const used = families.get(familyOf(declaration))?.samples.flatMap(({ labels }) => Object.keys(labels)) ?? []
    expect(used.filter((label) => !known.includes(label))).toEqual([])
  }
})

test('names follow the conventions: base units, and _total for counters alone', () => {
  for (const { name, type } of Object.values(metrics) as MetricDeclaration[]) {
    expect([name, name.endsWith('_total')]).toEqual([name, type === 'counter'])
    expect(name).toMatch(/^(heddle|process|nodejs)_[a-z]+(_[a-z]+)*$/)
    expect(name).not.toMatch(/_(ms|millis|micros|minutes|hours|kb|mb|percent)(_|$)/)
    if (type === 'histogram') expect(name).toMatch(/_seconds$/)
  }
})

test('requests, spans, bodies, rows, syncs and refusals are counted', async () => {
  const before = await scrape()
  const { body } = createTestSpan({ name: 'hello', now: 1_700_000_000_000_000 })
  expect(await sendSpan(body)).toBe(200)
  expect(await sendSpan('{"resourceSpans": 1}')).toBe(400)
  expect(await send('/service/stats', { headers: {} })).toBe(401)
  expect(await send('/no/such/path')).toBe(404)
  // A request is counted when its connection has got the response.
  const operation = 'tracing.otel.exportTrace'
  const counted = async () => {
    const families = await scrape()
    const countOf = (of: string) => valueOf(families, 'heddle_http_request_duration_seconds_count', { operation: of })
    return [operation, 'tracing.service.stats', 'none'].map(countOf)
  }
  await expect.poll(counted).toEqual([2, 1, 1])
  const after = await scrape()
  const grown = (sample: string, labels?: Record<string, string>) => valueOf(after, sample, labels) - valueOf(before, sample, labels)
  expect(grown('heddle_http_requests_total', { operation, status: '200' })).toBe(1)
  expect(grown('heddle_http_requests_total', { operation, status: '400' })).toBe(1)
  expect(grown('heddle_http_requests_total', { operation: 'none', status: '404' })).toBe(1)
  expect(grown('heddle_http_request_body_bytes_total', { operation })).toBe(body.length + '{"resourceSpans": 1}'.length)
  expect(grown('heddle_http_refusals_total', { reason: 'bad_request' })).toBe(1)
  expect(grown('heddle_http_refusals_total', { reason: 'unauthenticated' })).toBe(1)
  expect(grown('heddle_ingested_spans_total', { outcome: 'stored' })).toBe(1)
  expect(grown('heddle_ingested_spans_total', { outcome: 'rejected' })).toBe(0)
  expect(grown('heddle_stored_rows_total', { table: 'calls' })).toBe(1)
  expect(grown('heddle_journal_sync_duration_seconds_count')).toBeGreaterThan(0)
})

test('the state of stores, queues, jobs, disk and process is shown', async () => {
  await expect.poll(async () => valueOf(await scrape(), 'heddle_ready')).toBe(1)
  const families = await scrape()
  expect(valueOf(families, 'heddle_engine_up')).toBe(1)
  expect(valueOf(families, 'heddle_part_ready', { part: 'call store' })).toBe(1)
  expect(valueOf(families, 'heddle_disk_free_bytes')).toBeGreaterThan(0)
  expect(families.get('heddle_admission_queue')?.samples).toHaveLength(8)
  expect(families.get('heddle_jobs')?.samples.map(({ labels }) => `${labels['queue']} ${labels['state']}`)).toEqual([
    'tracing queued',
    'tracing running',
    'training queued',
    'training running',
  ])
  expect(valueOf(families, 'process_resident_memory_bytes')).toBeGreaterThan(2 ** 20)
  expect(families.get('heddle_last_backup_timestamp_seconds')?.samples).toEqual([])
  if (existsSync('/proc/self/status')) expect(valueOf(families, 'heddle_engine_resident_memory_bytes')).toBeGreaterThan(2 ** 20)
})

test('the main port serves metrics only to the key of an operator', async () => {
  expect([await send('/metrics', { headers: {} }), await send('/metrics')]).toEqual([401, 200])
  const created = await fetch(`${started.server.url}/metrics`, {
    headers: { authorization: 'Bearer heddle-wrong-key-000000000000000000000000000000000' },
  })
  expect(created.status).toBe(401)
})

test('the address of the metrics serves nothing else', async () => {
  const at = (path: string, method = 'GET') => fetch(new URL(path, started.metricsUrl), { method }).then(({ status }) => status)
  expect([await at('/'), await at('/health'), await at('/metrics/x'), await at('/metrics', 'POST')]).toEqual([404, 404, 404, 405])
})
