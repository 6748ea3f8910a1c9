import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { tracing } from '@heddle/core-api'
import { createClient } from '@heddle/core-api/client'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { toConfiguration } from '../settings/configuration.ts'
import { startSharedStores } from '../testing/shared-stores.ts'
import { createServerLog } from '../log/server-log.ts'
import { startServer } from './start-server.ts'

/** One server writes and another reads. */
const apiKey = 'a-key-of-the-tests-of-external-stores'
const project_id = `external/${randomUUID()}`
const folder = mkdtempSync(join(tmpdir(), 'heddle-external-'))
const closers: (() => Promise<unknown>)[] = []

type Client = ReturnType<typeof clientOf>
const clientOf = (baseUrl: string) => createClient({ baseUrl, apiKey, contract: tracing, retries: 0 })
let writer: Client
let reader: Client

const started_at = '2026-01-05T00:00:00Z'
const aStart = (id: string, op_name: string) => ({
  project_id,
  id,
  trace_id: id,
  op_name,
  started_at,
  attributes: {},
  inputs: { question: op_name },
})

async function idsOf(client: Client): Promise<string[]> {
  const ids: string[] = []
  for await (const call of client.calls.streamQuery({ project_id, sort_by: [{ field: 'op_name', direction: 'asc' }] })) ids.push(call.id)
  return ids
}

describe.skipIf(inject('postgresUrl') === '')('two servers with shared stores', { timeout: 240_000 }, () => {
  beforeAll(async () => {
    const stores = await startSharedStores(folder)
    closers.push(stores.close)
    const environment = {
      ...stores.environment,
      HEDDLE_API_KEY: apiKey,
      HEDDLE_PORT: '0',
      HEDDLE_ONLY: 'tracing',
    }
    const serve = async (name: string) => {
      const configuration = toConfiguration({ environment, flags: { dataDir: join(folder, name) } })
      const started = await startServer(configuration, createServerLog('error', { write: () => undefined }))
      closers.push(() => started.close())
      return clientOf(started.server.url)
    }
    writer = await serve('writer')
    reader = await serve('reader')
  }, 240_000)
  afterAll(async () => {
    for (const close of closers.toReversed()) await close()
    rmSync(folder, { recursive: true, maxRetries: 20 })
  })

  test('a call that one server has acknowledged is read completely by the other, and so is its change', async () => {
    const [first, second] = [randomUUID(), randomUUID()]
    await writer.calls.start({ start: aStart(first, 'a') })
    await writer.calls.start({ start: aStart(second, 'b') })
    await expect.poll(() => idsOf(reader)).toEqual([first, second])
    await writer.calls.end({ end: { project_id, id: first, ended_at: '2026-01-05T00:00:01Z', output: { answer: 42 }, summary: {} } })
    await expect.poll(async () => (await reader.calls.read({ project_id, id: first })).call?.output).toEqual({ answer: 42 })
    await writer.calls.delete({ project_id, call_ids: [second] })
    await expect.poll(() => idsOf(reader)).toEqual([first])
  })

  test('objects, rows and feedback that one server has accepted are found by the other', async () => {
    const { digest } = await writer.objects.create({ obj: { project_id, object_id: 'prompt', val: { content: 'hello' } } })
    expect((await reader.objects.read({ project_id, object_id: 'prompt', digest })).obj.val).toEqual({ content: 'hello' })
    const table = await writer.tables.create({ table: { project_id, rows: [{ n: 1 }, { n: 2 }] } })
    await expect
      .poll(async () => (await reader.tables.query({ project_id, digest: table.digest })).rows.map(({ val }) => val))
      .toEqual([{ n: 1 }, { n: 2 }])
    const weave_ref = `weave:///${project_id}/object/prompt:${digest}`
    await writer.feedback.create({ project_id, weave_ref, feedback_type: 'quality', payload: { good: true } })
    const feedback = async () => (await reader.feedback.query({ project_id })).result.map(({ payload }) => payload)
    await expect.poll(feedback).toEqual([{ good: true }])
  })

  test('a file that one server has stored is read from the bucket by the other', async () => {
    const bytes = new TextEncoder().encode('a file in a bucket')
    const { digest } = await writer.files.create({
      project_id,
      files: [{ field: 'file', filename: 'a.txt', content_type: undefined, bytes }],
    })
    const answer = await reader.files.content({ project_id, digest })
    expect(Buffer.from(answer.bytes).toString()).toBe('a file in a bucket')
  })
})
