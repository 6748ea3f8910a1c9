import { randomBytes } from 'node:crypto'
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type ApiError, type Operation, tracing } from '@heddle/core-api'
import { diskFullError, readDiskSpace } from '@heddle/datastore'
import { smallFolder } from '@heddle/datastore/testing'
import { expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../testing/start-test-app.ts'
import { aCall, aStart, findCalls, newId, record } from './testing/call-builders.ts'
import { aFeedback, equals } from './testing/feedback-builders.ts'
import { type Place, sampleRequests } from './testing/sample-requests.ts'

const project_id = 'disk/full'
const noise = (bytes: number) => randomBytes(bytes).toString('base64')

/** Writes of each kind with a payload of the given size in bytes. Each returns the key for reading it back. */
function writesOf({ client }: TestApp, bytes: number): Record<string, () => Promise<string>> {
  return {
    async calls() {
      const call = aCall({ project_id, inputs: { text: noise(bytes) } })
      await record(client, call)
      return call.id
    },
    async starts() {
      return (await client.calls.start({ start: aStart({ project_id, inputs: { text: noise(bytes) } }) })).id
    },
    async spans() {
      const spanId = randomBytes(8).toString('hex')
      const attributes = [{ key: 'input', value: { stringValue: noise(bytes) } }]
      const span = { traceId: randomBytes(16).toString('hex'), spanId, name: 's', startTimeUnixNano: '1', endTimeUnixNano: '2', attributes }
      const request = JSON.stringify({ resourceSpans: [{ scopeSpans: [{ spans: [span] }] }] })
      await client.otel.exportTrace({ project_id, content_type: 'application/json', bytes: Buffer.from(request) })
      return spanId
    },
    async objects() {
      const object_id = `o-${newId()}`
      await client.objects.create({ obj: { project_id, object_id, val: noise(bytes) } })
      return object_id
    },
    async files() {
      const file = { field: 'file', filename: 'f', content_type: undefined, bytes: randomBytes(bytes) }
      return (await client.files.create({ project_id, files: [file] })).digest
    },
    async tables() {
      return (await client.tables.create({ table: { project_id, rows: [{ text: noise(bytes) }] } })).digest
    },
    async feedback() {
      return (await client.feedback.create(aFeedback({ project_id, payload: { text: noise(bytes) } }))).id
    },
  }
}

/** All that the project holds, and those of `asked` that are tables or files of it. */
async function readAll({ client }: TestApp, asked: readonly string[]): Promise<Set<string>> {
  const { objs } = await client.objects.query({ project_id })
  const { result } = await client.feedback.query({ project_id })
  const { tables } = await client.tables.queryStatsBatch({ project_id, digests: [...asked] })
  const found = [
    ...(await findCalls(client, { project_id })).map(({ id }) => id),
    ...objs.filter(({ object_id, val }) => object_id.startsWith('o-') && val !== null).map(({ object_id }) => object_id),
    ...result.map(({ id }) => String(id)),
    ...tables.map(({ digest }) => digest),
  ]
  // Digests of files have 43 letters.
  for (const digest of asked.filter((text) => text.length === 43)) {
    expect((await client.files.content({ project_id, digest })).bytes.length).toBeGreaterThan(0)
    found.push(digest)
  }
  return new Set(found)
}

const refusal = { status: 503, message: 'The store has no space left', retryAfterSeconds: expect.any(Number) }

test('on a full disk every write is answered with 503 and Retry-After while reads continue, and recovers automatically when there is room', async (context) => {
  const folder = smallFolder()
  if (folder === undefined) return context.skip('only root may mount a folder of limited size')
  let isTaken = false
  const readDisk = async (path: string) => ({ ...(await readDiskSpace(path)), ...(isTaken && { free: 0 }) })
  const app = await startTestApp({ own: { parent: folder, readDisk } })
  const others = ['other', 'filler'].map((name) => join(folder, name))
  const takeRoom = (index: number, bytes: number) => writeFileSync(others[index] ?? '', Buffer.alloc(bytes))
  takeRoom(0, 20 << 20)
  const acknowledged = new Set<string>()
  const isComplete = async () => expect(await readAll(app, [...acknowledged])).toEqual(acknowledged)
  const oneOfEach = async () => {
    const known: Record<string, string> = {}
    for (const [kind, write] of Object.entries(writesOf(app, 200))) acknowledged.add((known[kind] = await write()))
    return known
  }
  const first = await oneOfEach()
  const deleteFirst = async (kind: 'calls' | 'starts' | 'feedback') => {
    const id = first[kind] ?? ''
    if (kind === 'feedback') await app.client.feedback.purge({ project_id, query: equals('id', id) })
    else await app.client.calls.delete({ project_id, call_ids: [id] })
    acknowledged.delete(id)
  }

  // Clients of every kind of row fill it at once, each until it is refused. Files come after them: on a disk that is smaller than the journals
  // they would take the room into which acknowledged rows are to be written.
  const fill = async (write: () => Promise<string>) => {
    for (;;) acknowledged.add(await write())
  }
  const { files, ...rows } = writesOf(app, 700_000)
  for (const writes of [Object.values(rows), files === undefined ? [] : [files]]) {
    const filled = await Promise.allSettled(writes.map(fill))
    for (const ended of filled) expect(ended).toEqual({ status: 'rejected', reason: expect.objectContaining(refusal) })
    await isComplete()
  }
  // What is left is for deletes, which make room.
  await deleteFirst('calls')
  await deleteFirst('feedback')
  await isComplete()

  // Something else takes the rest. What the engine frees by removing parts that it replaced is taken again at once, so that none is ever found.
  expect(() => takeRoom(1, 64 << 20)).toThrow('ENOSPC')
  isTaken = true
  for (const write of Object.values(writesOf(app, 20_000))) await expect(write()).rejects.toMatchObject(refusal)
  const costs = { m: { prompt_token_cost: 1, completion_token_cost: 2 } }
  await expect(app.client.costs.create({ project_id, costs })).rejects.toMatchObject(refusal)
  await app.client.costs.purge({ project_id, query: equals('id', newId()) })
  await isComplete()

  for (const path of others) rmSync(path)
  isTaken = false
  await deleteFirst('starts')
  await oneOfEach()
  await isComplete()
  expect(app.stores.engine.restarts).toBe(0)
  await app.close()
}, 240_000)

const place: Place = {
  project_id,
  callId: newId(),
  traceId: newId(),
  objectDigest: 'o'.repeat(43),
  tableDigest: 't'.repeat(64),
  rowDigest: 'r'.repeat(43),
  fileDigest: 'f'.repeat(43),
  feedbackId: newId(),
  keyId: newId(),
  webhookId: newId(),
  linkId: newId(),
  linkToken: 't'.repeat(46),
  queueId: newId(),
  itemId: newId(),
  deletionId: newId(),
}
const operations = Object.entries(tracing).flatMap(([resource, group]) =>
  Object.entries<Operation>(group).map(([key, { effect }]) => ({ resource, key, effect })),
)

test('without room every operation that adds data is refused, whichever store it writes to, and no other is', async () => {
  const app = await startTestApp({ service: { assertDiskSpace: () => Promise.reject(diskFullError({ free: 0, reserve: 1 })) } })
  type AnyClient = Record<string, Record<string, (input: unknown) => AsyncIterable<unknown> | Promise<unknown>>>
  const samples = sampleRequests as unknown as Record<string, Record<string, (at: Place) => unknown>>
  const isRefused = async (resource: string, key: string) => {
    try {
      const answer = (app.client as unknown as AnyClient)[resource]?.[key]?.(samples[resource]?.[key]?.(place))
      if (answer !== undefined && Symbol.asyncIterator in answer) for await (const _ of answer) void _
      await answer
      return false
    } catch (error) {
      expect(error).toMatchObject({ status: expect.any(Number) as number })
      const { status } = error as ApiError
      if (status === 503) expect(error).toMatchObject(refusal)
      return status === 503
    }
  }
  const refused: string[] = []
  for (const { resource, key } of operations) if (await isRefused(resource, key)) refused.push(`${resource}.${key}`)
  await app.close()
  const writing = operations.filter(({ effect }) => effect === 'write').map(({ resource, key }) => `${resource}.${key}`)
  const freeing = ['objects.removeTags', 'objects.removeAliases', 'sharedTraces.delete']
  expect(writing).toEqual(expect.arrayContaining(freeing))
  const adding = writing.filter((name) => !freeing.includes(name))
  expect(refused.toSorted()).toEqual([...adding, 'projects.updateTtlSettings'].toSorted())
})
