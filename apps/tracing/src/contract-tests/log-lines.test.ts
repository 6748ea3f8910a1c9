import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { tracing, type Operation } from '@heddle/core-api'
import { StoreError, type Analytical, type StoreErrorKind } from '@heddle/datastore'
import { newApiKey } from '@heddle/identity'
import { createTestLog, payloadCanary, scanLogs } from '@heddle/service-kit/testing'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { startTestApp, type TestApp, type TestServer } from '../testing/start-test-app.ts'
import { aCall } from './testing/call-builders.ts'
import { sampleRequests, type Place } from './testing/sample-requests.ts'
import { sendRaw } from './testing/send-raw.ts'

let app: TestApp
let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'heddle-log-'))
  app = await startTestApp({ service: { log: createTestLog({ folder, test: () => 'here' }) } })
})
afterAll(async () => {
  await app.close()
  await rm(folder, { recursive: true })
})
// Each test leaves lines behind, and none of them tells anything.
afterEach(async () => {
  const { lines, findings } = await scanLogs(folder)
  expect(lines).toBeGreaterThan(0)
  expect(findings).toEqual([])
})

const operations = Object.entries(tracing).flatMap(([resource, group]) =>
  Object.entries<Operation>(group).map(([key, operation]) => ({ name: `${resource}.${key}`, resource, key, operation })),
)
type Named = (typeof operations)[number]

const place: Place = {
  project_id: `${payloadCanary}/${payloadCanary}`,
  callId: payloadCanary,
  traceId: payloadCanary,
  objectDigest: payloadCanary,
  tableDigest: payloadCanary,
  rowDigest: payloadCanary,
  fileDigest: payloadCanary,
  feedbackId: payloadCanary,
  keyId: payloadCanary,
  webhookId: payloadCanary,
  linkId: payloadCanary,
  linkToken: payloadCanary,
  queueId: payloadCanary,
  itemId: payloadCanary,
  deletionId: payloadCanary,
}

type AnyClient = Record<string, Record<string, (input: unknown) => unknown>>

/** Sends the sample request of an operation with the canary wherever it has a text, and reads the answer to its end. */
async function send({ client }: Pick<TestServer, 'client'>, { resource, key }: Named, change: (input: unknown) => unknown): Promise<void> {
  const samples = sampleRequests as unknown as Record<string, Record<string, (at: Place) => unknown>>
  try {
    const answer = (client as unknown as AnyClient)[resource]?.[key]?.(change(samples[resource]?.[key]?.(place)))
    if (typeof answer === 'object' && answer !== null && Symbol.asyncIterator in answer)
      for await (const _ of answer as AsyncIterable<unknown>) void _
    await answer
  } catch {
    // Refused or not: what counts is what the log says of it.
  }
}

/** Replaces every text by the canary. */
function withCanary(value: unknown): unknown {
  if (typeof value === 'string') return payloadCanary
  if (Array.isArray(value)) return value.map(withCanary)
  if (typeof value !== 'object' || value === null || value instanceof Uint8Array) return value
  return Object.fromEntries(Object.entries(value).map(([field, member]) => [field, withCanary(member)]))
}

test.each(operations)('$name tells its log nothing of its request', async (operation) => {
  await send(app, operation, (input) => input)
  await send(app, operation, withCanary)
})

const credentials: [string, string][] = [
  ['Bearer', `Bearer ${newApiKey()}`],
  ['Basic', `Basic ${Buffer.from(`api:${newApiKey()}`).toString('base64')}`],
  ['Basic without a colon', `Basic ${Buffer.from(newApiKey()).toString('base64')}`],
  ['an unknown scheme', `Token ${newApiKey()}`],
  ['no scheme', newApiKey()],
]
test.each(credentials)('a wrong key sent as %s is not logged', async (_form, authorization) => {
  expect((await sendRaw(app, { path: '/calls/stream_query', body: {}, apiKey: null, headers: { authorization } })).status).toBe(401)
})

test('a sound key and a key in the address are not logged', async () => {
  await sendRaw(app, { method: 'GET', path: `/health?key=${app.apiKey}` })
  await sendRaw(app, { path: `/${app.apiKey}/calls?key=${app.apiKey}`, body: { key: app.apiKey } })
})

const kinds: StoreErrorKind[] = ['busy', 'unavailable', 'full', 'timeout', 'memory', 'data', 'failed']
const words = `Cannot parse JSON object here: {"a":"${payloadCanary}"}: while reading ${newApiKey()}`
/** Errors as stores and libraries throw them, which quote what they were given. */
const failures: [string, () => Error][] = [
  ...kinds.map((kind): [string, () => Error] => [
    `a store that says "${kind}"`,
    () => new StoreError(kind, words, { cause: Object.assign(new Error(words), { code: 117, detail: words }) }),
  ]),
  ['a broken rule', () => Object.assign(new TypeError(words), { parameters: [words] })],
]

test.each(failures)('%s is logged without its words', async (_what, failure) => {
  const fail = () => Promise.reject(failure())
  const blocks = () => ({ [Symbol.asyncIterator]: () => ({ next: fail }) })
  const queries = { rows: fail, lazyRows: fail, blocks, parquet: blocks }
  const analytical: Analytical = { ...app.stores.analytical, ...queries, of: () => queries, insert: fail, execute: fail }
  const server = await app.anotherServer({ analytical })
  const project_id = app.newProject()
  const before = (await scanLogs(folder)).lines
  const answers = [
    await sendRaw(server, { path: `/v2/${project_id}/calls/complete`, body: { batch: [aCall({ project_id })] } }),
    await sendRaw(server, { path: '/calls/query_stats', body: { project_id } }),
  ]
  for (const { status, text } of answers) {
    expect(status).toBeGreaterThanOrEqual(400)
    expect(text).not.toContain(payloadCanary)
  }
  expect((await scanLogs(folder)).lines).toBeGreaterThan(before + 1)
})
