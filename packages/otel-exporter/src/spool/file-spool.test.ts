import { mkdtempSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { aSpan } from '../testing/a-span.ts'
import { acceptedSpans, startFaultServer, type FaultServer } from '../testing/fault-server.ts'
import { startExporter } from '../testing/start-exporter.ts'
import { createFileSpool } from './file-spool.ts'

let folder = ''
let server: FaultServer
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'heddle-spool-'))
  server = await startFaultServer()
})
afterEach(async () => {
  await server.close()
  rmSync(folder, { recursive: true })
})

const frame = (text: string, spans = 1) => ({ body: new TextEncoder().encode(text), spans })
const textOf = (body: Uint8Array | undefined) => new TextDecoder().decode(body)
/** Gives the files the name of a process that is gone: numbers of processes end far below this one. */
const abandon = () => {
  for (const name of readdirSync(folder)) {
    renameSync(join(folder, name), join(folder, name.replace(/_\d+_/, '_999999999_')))
  }
}

test('frames come back in their order, whole, until none is left', async () => {
  const spool = createFileSpool({ folder, maxBytes: 1000 }, () => undefined)
  expect(await spool.append(frame('first', 3))).toBe(true)
  expect(spool.appendNow(frame('second'))).toBe(true)
  expect(await spool.findFirst()).toMatchObject({ spans: 3 })
  expect(textOf((await spool.findFirst())?.body)).toBe('first')
  await spool.removeFirst()
  expect(textOf((await spool.findFirst())?.body)).toBe('second')
  await spool.removeFirst()
  expect(await spool.findFirst()).toBeUndefined()
  expect(readdirSync(folder)).toEqual([])
})

test('the folder stays within its limit, and has space again after a removal', async () => {
  const spool = createFileSpool({ folder, maxBytes: 10 }, () => undefined)
  expect(await spool.append(frame('12345678'))).toBe(true)
  expect(await spool.append(frame('123'))).toBe(false)
  await spool.removeFirst()
  expect(spool.appendNow(frame('1234567890'))).toBe(true)
})

test('a frame that is kept in another way while it is written stands there once', async () => {
  const spool = createFileSpool({ folder, maxBytes: 10 }, () => undefined)
  let isOpen = true
  const appending = spool.append(frame('slow'), () => isOpen)
  isOpen = !spool.appendNow(frame('slow'))
  expect(await appending).toBe(true)
  expect(readdirSync(folder)).toHaveLength(1)
  await spool.removeFirst()
  expect(await spool.findFirst()).toBeUndefined()
  expect(await spool.append(frame('1234567890'))).toBe(true)
})

test('files are for their owner alone', async () => {
  const spool = createFileSpool({ folder: join(folder, 'own'), maxBytes: 1000 }, () => undefined)
  await spool.append(frame('secret'))
  const [name = ''] = readdirSync(join(folder, 'own'))
  expect(statSync(join(folder, 'own', name)).mode & 0o777).toBe(0o600)
  expect(statSync(join(folder, 'own')).mode & 0o777).toBe(0o700)
})

test('a disk error is reported, and nothing is kept', async () => {
  const warnings: string[] = []
  const file = join(folder, 'file')
  writeFileSync(file, '')
  const spool = createFileSpool({ folder: join(file, 'below'), maxBytes: 1000 }, (message) => warnings.push(message))
  expect(await spool.append(frame('lost'))).toBe(false)
  expect(spool.appendNow(frame('lost'))).toBe(false)
  expect(await spool.findFirst()).toBeUndefined()
  expect(warnings.join()).toContain('below')
})

test('what a process that is gone has left is taken over once; what a living one holds is left to it', async () => {
  const gone = createFileSpool({ folder, maxBytes: 1000 }, () => undefined)
  await gone.append(frame('left behind', 4))
  abandon()
  const living = createFileSpool({ folder, maxBytes: 1000 }, () => undefined)
  await living.append(frame('mine', 2))
  writeFileSync(join(folder, 'notes.txt'), 'not ours')
  writeFileSync(join(folder, '00000000000001-000000001-a_1_b-7.pb.tmp'), 'half')

  const heir = createFileSpool({ folder, maxBytes: 1000 }, () => undefined)
  expect(await heir.recover()).toBe(4)
  expect(textOf((await heir.findFirst())?.body)).toBe('left behind')
  expect(await createFileSpool({ folder, maxBytes: 1000 }, () => undefined).recover()).toBe(0)
})

test('a missing frame is reported as lost', async () => {
  const spool = createFileSpool({ folder, maxBytes: 1000 }, () => undefined)
  await spool.append(frame('first', 5))
  for (const name of readdirSync(folder)) rmSync(join(folder, name))
  expect(await spool.findFirst()).toEqual({ body: undefined, spans: 5 })
})

test('spans of a server that is away are kept on disk and sent by the next process, each once', async () => {
  await server.stop()
  const before = startExporter({ baseUrl: server.url, spoolDir: folder, timeoutMs: 30 })
  for (let id = 1; id <= 10; id++) before.pipeline.add({ span: aSpan({ id }), expendable: false })
  await before.pipeline.flush()
  for (let id = 11; id <= 15; id++) before.pipeline.add({ span: aSpan({ id }), expendable: false })
  await before.pipeline.shutdown()
  expect(before.pipeline.stats()).toMatchObject({ ended: 15, spooled: 15, dropped: 0, sent: 0 })

  abandon()
  await server.start()
  const after = startExporter({ baseUrl: server.url, spoolDir: folder })
  await until(() => after.pipeline.stats().sent === 15)
  await after.pipeline.shutdown()
  expect(after.pipeline.stats()).toMatchObject({ ended: 0, recovered: 15, sent: 15, spooled: 0 })
  expect(acceptedSpans(server).map(({ spanId }) => Number.parseInt(spanId, 16))).toEqual(
    Array.from({ length: 15 }, (_, index) => index + 1),
  )
  expect(readdirSync(folder)).toEqual([])
})

test('without loss means that what the queue cannot hold goes to the disk, and from there to the server', async () => {
  const { pipeline } = startExporter({
    baseUrl: server.url,
    spoolDir: folder,
    mode: 'lossless',
    maxQueueSpans: 5,
    maxBatchSpans: 5,
    concurrency: 1,
  })
  for (let id = 1; id <= 200; id++) pipeline.add({ span: aSpan({ id }), expendable: true })
  expect(pipeline.stats()).toMatchObject({ ended: 200, dropped: 0 })
  await until(() => pipeline.stats().sent === 200)
  await pipeline.shutdown()
  expect(new Set(acceptedSpans(server).map(({ spanId }) => spanId)).size).toBe(200)
})

test('a request on disk that the server finds too large is halved there until it fits, each span sent once', async () => {
  await server.stop()
  const { pipeline } = startExporter({ baseUrl: server.url, spoolDir: folder, timeoutMs: 30 })
  for (let id = 1; id <= 10; id++) pipeline.add({ span: aSpan({ id }), expendable: false })
  await pipeline.flush()
  expect(pipeline.stats()).toMatchObject({ spooled: 10 })
  abandon()
  await server.start()
  server.always({ kind: 'at-most', spans: 3 })
  const after = startExporter({ baseUrl: server.url, spoolDir: folder })
  await until(() => after.pipeline.stats().spooled === 0 && after.pipeline.stats().recovered === 10)
  await Promise.all([pipeline.shutdown(), after.pipeline.shutdown()])
  expect(after.pipeline.stats()).toMatchObject({ recovered: 10, sent: 10, dropped: 0 })
  expect(acceptedSpans(server).map(({ spanId }) => Number.parseInt(spanId, 16))).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10])
  expect(readdirSync(folder)).toEqual([])
})

test('a single span on disk that is too large is given up, and counted', async () => {
  await createFileSpool({ folder, maxBytes: 1000 }, () => undefined).append(frame(''))
  abandon()
  server.always({ kind: 'answer', status: 413 })
  const { pipeline } = startExporter({ baseUrl: server.url, spoolDir: folder })
  await until(() => pipeline.stats().dropped === 1)
  await pipeline.shutdown()
  expect(pipeline.stats()).toMatchObject({ recovered: 1, droppedBy: { 'too-large': 1 }, spooled: 0 })
})

test('at the end of the process everything is written at once', async () => {
  server.always({ kind: 'hang' })
  const { pipeline } = startExporter({ baseUrl: server.url, spoolDir: folder, maxBatchSpans: 3 })
  for (let id = 1; id <= 10; id++) pipeline.add({ span: aSpan({ id }), expendable: false })
  pipeline.spillNow()
  expect(pipeline.stats()).toMatchObject({ ended: 10, spooled: 10, queued: 0, inFlight: 0 })
  await pipeline.shutdown()
  expect(pipeline.stats()).toMatchObject({ ended: 10, spooled: 10, dropped: 0 })
})

test('a folder that cannot be made leaves the exporter as it is without one', async () => {
  const { pipeline } = startExporter({ baseUrl: server.url, spoolDir: '/proc/none/such' })
  pipeline.add({ span: aSpan(), expendable: false })
  await pipeline.shutdown()
  expect(pipeline.stats()).toMatchObject({ ended: 1, sent: 1 })
})

const until = (isDone: () => boolean) => expect.poll(isDone, { interval: 1 }).toBe(true)
