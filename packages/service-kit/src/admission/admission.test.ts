import { setTimeout as delay } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import { afterEach, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { createAdmission, defaultAdmissionLimits } from './admission.ts'
import { type RunningServer, serve } from '../http/serve.ts'
import { type RawClient, rawClient } from '../testing/raw-client.ts'
import { sampleService, type SampleOptions } from '../testing/sample-service.ts'

const running: RunningServer[] = []
const clients: RawClient[] = []

afterEach(async () => {
  for (const client of clients.splice(0)) client.socket.destroy()
  await Promise.all(running.splice(0).map((server) => server.close()))
})

const writes = { ...defaultAdmissionLimits.writes, maxRunning: 1, maxOccupancyMs: 60_000 }

/** A server that runs one write at a time, until `endOne`. */
async function start(options: SampleOptions = {}, limits: Partial<typeof writes> = {}) {
  const ends: (() => void)[] = []
  const started: string[] = []
  const create = async ({ project_id }: { project_id: string }) => {
    started.push(project_id)
    await new Promise<void>((resolve) => ends.push(resolve))
    return { project_id }
  }
  const admission = createAdmission({ limits: { writes: { ...writes, ...limits } } })
  const { fetch: answer } = sampleService({
    handlers: { create },
    admission,
    projectOf: ({ headers }) => headers.get('x-project') ?? undefined,
    ...options,
  })
  const server = await serve({ fetch: answer, host: '127.0.0.1', port: 0, limits: { drainMs: 1_000 } })
  running.push(server)
  const untilWaiting = (count: number) => expect.poll(() => admission.writes.waiting).toBe(count)
  return { server, started, endOne: () => ends.shift()?.(), untilWaiting }
}

const head = (...headers: string[]) =>
  ['POST /sample/create HTTP/1.1', 'Host: local', 'Authorization: Bearer key', ...headers, '', ''].join('\r\n')

function whole(project: string, filler = ''): string {
  const body = JSON.stringify({ project_id: project, value: filler })
  return head(`X-Project: ${project}`, `Content-Length: ${body.length}`) + body
}

async function client(server: RunningServer): Promise<RawClient> {
  const made = await rawClient(server.port)
  clients.push(made)
  return made
}

async function send(server: RunningServer, text: string): Promise<RawClient> {
  const sender = await client(server)
  sender.write(text)
  return sender
}

const tooMany = /^HTTP\/1\.1 429 [\s\S]*retry-after: 1\r\n[\s\S]*\{"reason":"more writes than the server can handle/i

describe('overload', () => {
  test('is refused with 429 and Retry-After after the queue timeout', async () => {
    const { server, started } = await start({}, { queueTimeoutMs: 50 })
    await send(server, whole('first'))
    await expect.poll(() => started).toEqual(['first'])
    const second = await send(server, whole('second'))
    expect(await second.until('}')).toMatch(tooMany)
    expect(started).toEqual(['first'])
  })

  test('is refused before the body is read, once requests of the same project have waited too long', async () => {
    const { server, started, endOne, untilWaiting } = await start({}, { shedAfterMs: 20, queueTimeoutMs: 60_000 })
    await send(server, whole('p'))
    await expect.poll(() => started).toHaveLength(1)
    await send(server, whole('p'))
    await untilWaiting(1)
    await delay(60)
    const refused = await client(server)
    refused.write(head('X-Project: p', 'Content-Length: 30000000'))
    expect(await refused.until('}')).toMatch(tooMany)
    const other = await send(server, whole('other'))
    endOne()
    await expect.poll(() => started.length).toBe(2)
    endOne()
    await expect.poll(() => started.toSorted()).toEqual(['other', 'p', 'p'])
    endOne()
    await other.until('"other"')
  })

  test('leaves a connection that can be used again, also after a body that nobody read', async () => {
    const { server, started, endOne, untilWaiting } = await start({}, { maxWaiting: 1 })
    await send(server, whole('first'))
    await expect.poll(() => started).toEqual(['first'])
    await send(server, whole('second'))
    await untilWaiting(1)
    const sender = await client(server)
    sender.write(whole('refused', 'x'.repeat(500_000)))
    expect(await sender.until('}')).toMatch(tooMany)
    endOne()
    await expect.poll(() => started).toEqual(['first', 'second'])
    endOne()
    sender.write(whole('third'))
    await expect.poll(() => started).toEqual(['first', 'second', 'third'])
    endOne()
    await sender.until('"third"')
  })
})

describe('fair queueing', () => {
  test('a project with one request does not wait for all those of another', async () => {
    const { server, started, endOne, untilWaiting } = await start()
    for (let index = 0; index < 6; index++) await send(server, whole('bulk'))
    await untilWaiting(5)
    await send(server, whole('interactive'))
    await untilWaiting(6)
    for (let ended = 1; ended <= 3; ended++) {
      endOne()
      await expect.poll(() => started.length).toBe(ended + 1)
    }
    expect(started.indexOf('interactive')).toBeLessThan(3)
  })

  test('a client holds no permit while it sends its body', async () => {
    const { server, started, endOne } = await start()
    const slow = await send(server, head('X-Project: slow', 'Content-Length: 100') + '{"project_id":')
    await send(server, whole('quick'))
    await expect.poll(() => started).toEqual(['quick'])
    endOne()
    slow.write('"slow"' + ' '.repeat(79) + '}')
    await expect.poll(() => started).toEqual(['quick', 'slow'])
    endOne()
  })

  test('a compressed body counts by its decompressed size', async () => {
    const { server, started, endOne, untilWaiting } = await start()
    const packed = gzipSync(JSON.stringify({ project_id: 'packed', value: 'x'.repeat(300_000) }))
    const sendPacked = () =>
      client(server).then((sender) => {
        sender.write(head('X-Project: packed', 'Content-Encoding: gzip', `Content-Length: ${packed.length}`))
        sender.write(packed)
      })
    await sendPacked()
    await expect.poll(() => started).toEqual(['packed'])
    await sendPacked()
    await untilWaiting(1)
    for (let index = 0; index < 4; index++) await send(server, whole('plain'))
    await untilWaiting(5)
    for (let ended = 1; ended <= 4; ended++) {
      endOne()
      await expect.poll(() => started.length).toBe(ended + 1)
    }
    expect(started).toEqual(['packed', 'plain', 'plain', 'plain', 'plain'])
  })

  test('reads do not wait for writes, and open operations without a body never wait', async () => {
    const { server, started, untilWaiting } = await start()
    await send(server, whole('first'))
    await expect.poll(() => started).toEqual(['first'])
    await send(server, whole('second'))
    await untilWaiting(1)
    const headers = { authorization: 'Bearer key' }
    expect((await fetch(`${server.url}/content`, { method: 'POST', headers, body: '{}' })).status).toBe(200)
    expect((await fetch(`${server.url}/health`)).status).toBe(200)
  })

  test('the request of a client that leaves while queued never runs', async () => {
    const { server, started, endOne, untilWaiting } = await start()
    await send(server, whole('first'))
    await expect.poll(() => started).toEqual(['first'])
    const leaving = await send(server, whole('leaving'))
    await untilWaiting(1)
    leaving.socket.destroy()
    await untilWaiting(0)
    await send(server, whole('last'))
    endOne()
    await expect.poll(() => started).toEqual(['first', 'last'])
  })
})

test('what needs no key and takes a body has a queue of its own, beside the reads of keys', () => {
  const { links } = defaultAdmissionLimits
  const admission = createAdmission({ limits: { links: { ...links, maxWaiting: 0 } } })
  const open = { method: 'POST', path: '/look', effect: 'read', open: true, summary: 'Look', output: z.object({}) } as const
  const flow = { caller: '', project: '' }
  expect(admission.admit(open, flow)).toBeDefined()
  expect(() => admission.admit({ ...open, body: z.object({}) }, flow)).toThrow('more requests without a key than the server can handle')
  const { open: _, ...look } = open
  expect(admission.admit({ ...look, body: z.object({}) }, { caller: 'key', project: '' })).toBeDefined()
})
