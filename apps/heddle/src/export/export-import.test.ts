import { randomUUID } from 'node:crypto'
import { appendFile, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { tracing } from '@heddle/core-api'
import { createClient } from '@heddle/core-api/client'
import type { FaultyFiles } from '@heddle/datastore/testing/faulty-files'
import { parseJson, stringifyJson } from '@heddle/json'
import { startTestApp, type TestApp } from '@heddle/tracing/testing'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import type { TracingClient } from '../connect.ts'
import { writeSealedManifest } from '../archive/sealed-manifest.ts'
import { exportProject } from './export-project.ts'
import { importProject } from './import-project.ts'

const { files } = await vi.hoisted(async () => {
  const { createFaultyFiles } = await import('@heddle/datastore/testing/faulty-files')
  return { files: createFaultyFiles() as FaultyFiles }
})
vi.mock('node:fs/promises', async (original) => files.wrap(await original()))

const from = 'acme/old'
const to = 'beta/new'
const big = '{"one":1.0,"many":12345678901234567890}'
const ended = { started_at: '2026-01-02T03:04:05.000001Z', ended_at: '2026-01-02T03:04:06.5Z', summary: { usage: {}, own: 1 } }

vi.setConfig({ testTimeout: 120_000 })

let folder: string
let source: TestApp
let target: TestApp
const onStep = () => undefined
const clock = () => Date.UTC(2026, 0, 2) * 1_000
const at = (name: string) => join(folder, name)
const linesOf = async (name: string, file: string) => (await readFile(join(at(name), file), 'utf8')).trim().split('\n')

function exactClient({ service, apiKey }: TestApp): TracingClient {
  const json = { parse: (text: string) => parseJson(text, { loneSurrogates: 'keep' }), stringify: stringifyJson }
  const options = { baseUrl: 'http://heddle.test', apiKey, contract: tracing, json, retries: 0 }
  return createClient({ ...options, fetch: (input, init) => service.fetch(new Request(input, init)) })
}

const exportFrom = (app: TestApp, project: string, name: string) =>
  exportProject({ client: exactClient(app), project, folder: at(name), version: '1.2.3', clock, onStep })
const importTo = (app: TestApp, project: string, name: string) =>
  importProject({ client: exactClient(app), project, folder: at(name), onStep })

/** A project in which everything refers to something. */
async function fill(client: TracingClient): Promise<void> {
  const project_id = from
  const publish = async (object_id: string, val: unknown) => {
    const { digest } = await client.objects.create({ obj: { project_id, object_id, val } })
    return { digest, ref: `weave:///${from}/object/${object_id}:${digest}` }
  }
  const bytes = Buffer.from('def op(): pass')
  const { digest: file } = await client.files.create({
    project_id,
    files: [{ field: 'file', filename: 'obj.py', content_type: undefined, bytes }],
  })
  const image = await publish('image', { _type: 'CustomWeaveType', weave_type: { type: 'Image' }, files: { 'a.png': file } })
  const linked = await publish('linked', { image: image.ref, text: stringifyJson({ inner: image.ref }) })
  const rows = [{ n: 1, exact: parseJson(big) }, { image: image.ref }, { linked: linked.ref }]
  const table = await client.tables.create({ table: { project_id, rows } })
  const dataset = await publish('data', { rows: `weave:///${from}/table/${table.digest}` })
  // More rows than are sent at once, some of them equal, one with a reference.
  const many = [...Array.from({ length: 1_500 }, (_, n) => ({ n: n % 1_400 })), { image: image.ref }]
  const { digest: long } = await client.tables.create({ table: { project_id, rows: many } })
  await publish('long', { rows: `weave:///${from}/table/${long}` })
  const first = await publish('thing', { n: 1 })
  await publish('thing', { n: 2, dataset: dataset.ref })
  await publish('thing', { n: 1 })
  await client.objects.addTags({ project_id, object_id: 'thing', digest: first.digest, tags: ['good'] })
  await client.objects.setAliases({ project_id, object_id: 'data', digest: dataset.digest, aliases: ['best'] })

  const call = { project_id, trace_id: randomUUID(), op_name: 'op', attributes: { a: 1 }, summary: {} }
  const id = randomUUID()
  const inputs = { data: `${dataset.ref}/attr/rows/id/${table.row_digests[2]}/key/linked`, linked: linked.ref, exact: parseJson(big) }
  await client.calls.complete({
    entity: 'acme',
    project: 'old',
    batch: [
      { ...call, ...ended, id, inputs, output: [linked.ref], display_name: 'shown', thread_id: 't', exception: 'failed' },
      { ...call, ...ended, id: randomUUID(), parent_id: id, inputs: {}, output: null, otel_dump: { name: 'span', deep: [{}] } },
    ],
  })
  await client.calls.start({ start: { ...call, id: randomUUID(), started_at: ended.started_at, inputs: { open: true } } })

  const onCall = { project_id, weave_ref: `weave:///${from}/call/${id}`, creator: 'me' }
  await client.feedback.create({ ...onCall, feedback_type: 'wandb.note.1', payload: { note: 'well' } })
  await client.feedback.create({ ...onCall, feedback_type: 'wandb.reaction.1', payload: { emoji: '👍🏽' } })
  await client.feedback.create({
    ...onCall,
    feedback_type: 'wandb.runnable.linked',
    payload: { output: { ref: linked.ref } },
    runnable_ref: linked.ref,
    scorer_tags: ['a'],
    scorer_ratings: { _rating_: 0.5 },
  })
  const { id: queue_id } = await client.annotationQueues.create({ project_id, name: 'Review', description: 'd', scorer_refs: [linked.ref] })
  await client.annotationQueues.create({
    project_id,
    name: 'Empty',
    scorer_refs: [],
    reviewers_per_item: 2,
    reservation_minutes: 30,
    item_order: 'random',
  })
  for (const display_fields of [['inputs.linked'], ['output']]) {
    const { calls } = await client.calls.query({ project_id })
    const call_ids = calls.slice(0, display_fields.includes('output') ? 3 : 1).map((each) => each.id)
    await client.annotationQueues.addCalls({ project_id, queue_id, call_ids, display_fields })
  }
  await client.feedback.create({ ...onCall, feedback_type: 'quality', payload: {}, queue_id })
  await client.projects.updateLimits({ project_id, requests_per_minute: 500_000, ingested_bytes_per_day: 2 ** 40 })
  await client.webhooks.create({ project_id, name: 'chat', url: 'https://example.com/a-secret-path', events: ['audit.entry'] })
  const prices = { prompt_token_cost: 0.000001, completion_token_cost: 2e-7, effective_date: '2026-01-01T00:00:00Z' }
  await client.costs.create({ project_id, costs: { 'm-1': prices, 'm-2': { ...prices, provider_id: 'p' } } })
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'heddle-export-'))
  ;[source, target] = await Promise.all([startTestApp(), startTestApp({ own: {} })])
  await fill(exactClient(source))
}, 120_000)
afterAll(async () => {
  await Promise.all([source.close(), target.close()])
  await rm(folder, { recursive: true })
})

const counts = { objects: 6, calls: 3, feedback: 4, costs: 2, queues: 2, tables: 2, contents: 1 }

test('a project is written with the tables and contents that it names, numbers as they were sent', async () => {
  files.begin()
  expect(await exportFrom(source, from, 'export')).toEqual({ counts, unnamedBytes: 0, missingRows: 0 })
  const mayBeLost = files.unsynced.filter((path) => path.startsWith(folder))
  expect(mayBeLost, 'a power cut takes nothing of a finished export away').toEqual([])
  expect((await linesOf('export', 'calls.jsonl')).join()).toContain(big)
  expect((await readdir(join(at('export'), 'tables'))).length).toBe(2)
})

test('it is imported into another project of another server, in which every reference leads to what it led to', async () => {
  expect((await importTo(target, to, 'export')).counts).toEqual(counts)
  const client = exactClient(target)
  const { calls } = await client.calls.query({ project_id: to })
  expect(stringifyJson(calls)).not.toContain(from)
  const refs = [...stringifyJson(calls).matchAll(/"(weave:\/\/\/beta\/new\/(?:object|table)[^"]*)"/g)].map(([, ref]) => ref ?? '')
  expect(refs).toHaveLength(3)
  const { vals } = await client.refs.readBatch({ refs })
  const image = expect.stringMatching(/^weave:\/\/\/beta\/new\/object\/image:/)
  expect(vals).toEqual([
    expect.stringMatching(/^weave:\/\/\/beta\/new\/object\/linked:/),
    ...[1, 2].map(() => expect.objectContaining({ image })),
  ])
  const { objs } = await client.objects.query({ project_id: to, filter: { latest_only: true }, include_tags_and_aliases: true })
  expect(objs.find(({ object_id }) => object_id === 'thing')).toMatchObject({ val: { n: 1 }, tags: ['good'] })
  expect(objs.find(({ object_id }) => object_id === 'data')).toMatchObject({ aliases: ['latest', 'best'] })
  const long = objs.find(({ object_id }) => object_id === 'long')
  const digest = /table\/([0-9a-f]{64})/.exec(stringifyJson(long?.val))?.[1] ?? ''
  const { rows } = await client.tables.query({ project_id: to, digest, offset: 1_399 })
  expect(rows.map(({ val }) => val)).toEqual([{ n: 1_399 }, ...Array.from({ length: 100 }, (_, n) => ({ n })), { image }])
})

test('an export of the import is the export, but for names, digests and what a server sets', async () => {
  await exportFrom(target, to, 'again')
  const plain = async (name: string, file: string) =>
    (await linesOf(name, file)).map((line) =>
      line
        .replaceAll(/acme\/old|beta\/new/g, 'project')
        .replaceAll(/(:|id\/|"digest":")[A-Za-z0-9]{43}/g, '$1digest')
        .replaceAll(/[0-9a-f]{64}/g, 'digest')
        .replaceAll(/"(?:created_at|wb_user_id|id|queue_id|updated_at)":"[^"]*"/g, ''),
    )
  for (const file of ['objects.jsonl', 'calls.jsonl', 'feedback.jsonl', 'costs.jsonl', 'queues.jsonl', 'items.jsonl', 'contents.jsonl'])
    expect((await plain('again', file)).toSorted(), file).toEqual((await plain('export', file)).toSorted())
})

test('importing again changes nothing, neither there nor where it came from', async () => {
  await importTo(target, to, 'export')
  expect((await exportFrom(target, to, 'thrice')).counts).toEqual(counts)
  await importTo(source, from, 'export')
  await exportFrom(source, from, 'same')
  for (const file of ['objects.jsonl', 'feedback.jsonl', 'costs.jsonl', 'queues.jsonl', 'items.jsonl', 'contents.jsonl', 'calls.jsonl'])
    expect(await linesOf('same', file), file).toEqual(await linesOf('export', file))
})

test('feedback that was given in a queue names the queue that represents it, or none', async () => {
  const client = exactClient(target)
  const queues: string[] = []
  for await (const { id } of client.annotationQueues.streamQuery({ project_id: to, name: 'Review' })) queues.push(id)
  const inQueue = async (project_id: string) => (await client.feedback.query({ project_id })).result.map(({ queue_id }) => queue_id ?? null)
  expect((await inQueue(to)).toSorted()).toEqual([...queues, null, null, null].toSorted())
  await client.annotationQueues.delete({ project_id: to, queue_id: queues[0] ?? '' })
  await exportFrom(target, to, 'queue-deleted')
  await importTo(target, 'beta/without', 'queue-deleted')
  expect(await inQueue('beta/without')).toEqual([null, null, null, null])
})

test('limits are imported, others stay, and what is not imported is named without the secrets of webhooks', async () => {
  const client = exactClient(target)
  const ownLimits = async (project_id: string) =>
    Object.values(await client.projects.readLimits({ project_id })).map(({ own_limit }) => own_limit)
  expect(await ownLimits(to)).toEqual([500_000, null, 2 ** 40])
  const project_id = 'beta/limited'
  await client.projects.updateLimits({ project_id, requests_per_minute: 400_000, requests_per_minute_per_key: 300_000 })
  const webhook = expect.stringMatching(/^The webhook "chat" \(audit.entry\) was not created: /)
  expect((await importTo(target, project_id, 'export')).leftOut).toEqual([webhook])
  expect(await ownLimits(project_id)).toEqual([500_000, 300_000, 2 ** 40])
  expect((await linesOf('export', 'settings.jsonl')).join()).not.toContain('example.com')
  expect((await client.webhooks.list({ project_id })).webhooks).toEqual([])
})

test('a key that may not set limits imports all else, and one that may not list webhooks says so', async () => {
  const project = 'beta/by-writer'
  const { secret } = await target.client.projectKeys.create({ project_id: project, name: 'writer', role: 'writer' })
  const { leftOut } = await importProject({ client: exactClient({ ...target, apiKey: secret }), project, folder: at('export'), onStep })
  expect(leftOut.slice(0, 2)).toEqual([
    expect.stringMatching(/^The limit requests_per_minute of 500000 was not set: /),
    expect.stringMatching(/^The limit ingested_bytes_per_day of 1099511627776 was not set: /),
  ])
  await exactClient(source).projects.updateTtlSettings({ project_id: 'acme/kept', retention_days: 30 })
  const reader = await source.clientFor({ name: 'reader', role: 'reader' })
  await exportProject({ client: reader, project: 'acme/kept', folder: at('by-reader'), version: '1.2.3', clock, onStep })
  expect((await importTo(target, 'beta/kept', 'by-reader')).leftOut).toEqual([
    expect.stringMatching(/^The retention of 30 days was not set: /),
    expect.stringMatching(/^Whether the project had webhooks is not known: /),
  ])
})

test('files that nothing refers to are reported', async () => {
  const bytes = Buffer.alloc(100)
  await source.client.files.create({ project_id: from, files: [{ field: 'file', filename: 'x', content_type: undefined, bytes }] })
  expect(await exportFrom(source, from, 'unnamed')).toMatchObject({ unnamedBytes: 100 })
})

test('a damaged file is found before anything is written, and a folder that is not empty is left alone', async () => {
  await appendFile(join(at('again'), 'calls.jsonl'), ' ')
  await expect(importTo(target, 'beta/never', 'again')).rejects.toThrow(/damaged: calls.jsonl does not match its hash/)
  expect((await target.client.objects.query({ project_id: 'beta/never' })).objs).toEqual([])
  await expect(exportFrom(source, from, 'again')).rejects.toThrow(/again is not empty/)
})

test('what the server refuses is named by file and line', async () => {
  const manifest = JSON.parse(await readFile(join(at('thrice'), 'manifest.json'), 'utf8'))
  const lines = await linesOf('thrice', 'feedback.jsonl')
  const wrong = `${[lines[0], lines[1]?.replace(/"feedback_type":"[^"]*"/, '"feedback_type":"wandb.annotation.a"'), ...lines.slice(2)].join('\n')}\n`
  await writeFile(join(at('thrice'), 'feedback.jsonl'), wrong)
  const { hashFile } = await import('../archive/hashed-files.ts')
  const file = await hashFile(at('thrice'), 'feedback.jsonl')
  const changed = manifest.files.map((each: { path: string }) => (each.path === file.path ? file : each))
  await writeSealedManifest(at('thrice'), { ...manifest, files: changed })
  await expect(importTo(target, 'beta/refused', 'thrice')).rejects.toThrow(/^feedback.jsonl, line 2: .*annotation_ref is required/)
})

test('an export of the first format, which had no annotation queues, is imported', async () => {
  await exportFrom(source, 'acme/unused', 'first-format')
  const own = ['queues.jsonl', 'items.jsonl', 'settings.jsonl']
  for (const file of own) await rm(join(at('first-format'), file))
  const manifest = JSON.parse(await readFile(join(at('first-format'), 'manifest.json'), 'utf8'))
  const { queues: _queues, ...kinds } = manifest.counts
  const kept = manifest.files.filter(({ path }: { path: string }) => !own.includes(path))
  await writeSealedManifest(at('first-format'), { ...manifest, format: 1, counts: kinds, files: kept })
  expect((await importTo(target, 'beta/first-format', 'first-format')).counts).toMatchObject({ queues: 0 })
})

test('a key that may not write there imports nothing', async () => {
  const client = await target.clientFor({ name: 'reader', role: 'reader' })
  await expect(importProject({ client, project: to, folder: at('export'), onStep })).rejects.toMatchObject({ status: 403 })
})
