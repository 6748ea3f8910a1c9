import { setTimeout as delay } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import { afterEach, describe, expect, test } from 'vitest'
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

const writes = { ...defaultAdmissionLimits.writes, maxWorking: 1, maxHoldMs: 60_000 }

/** A server that works on one write at a time, which ends when the test says so. */
async function start(options: SampleOptions = {}, limits: Partial<typeof writes> = {}) {
  const ends: (() => void)[] = []
  const begun: string[] = []
  const create = async ({ project_id }: { project_id: string }) => {
    begun.push(project_id)
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
  return { server, begun, endOne: () => ends.shift()?.(), untilWaiting }
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

const tooMany = /^HTTP\/1\.1 429 [\s\S]*retry-after: 1\r\n[\s\S]*\{"reason":"more writes than the server can take/i

describe('more than the server can take', () => {
  test('is refused with 429 and Retry-After when its turn does not come in time', async () => {
    const { server, begun } = await start({}, { maxWaitMs: 50 })
    await send(server, whole('first'))
    await expect.poll(() => begun).toEqual(['first'])
    const second = await send(server, whole('second'))
    expect(await second.until('}')).toMatch(tooMany)
    expect(begun).toEqual(['first'])
  })

  test('is refused before its body is read, once others of the same project have waited long', async () => {
    const { server, begun, endOne, untilWaiting } = await start({}, { patienceMs: 20, maxWaitMs: 60_000 })
    await send(server, whole('p'))
    await expect.poll(() => begun).toHaveLength(1)
    await send(server, whole('p'))
    await untilWaiting(1)
    await delay(60)
    const refused = await client(server)
    refused.write(head('X-Project: p', 'Content-Length: 30000000'))
    expect(await refused.until('}')).toMatch(tooMany)
    const other = await send(server, whole('other'))
    endOne()
    await expect.poll(() => begun.length).toBe(2)
    endOne()
    await expect.poll(() => begun.toSorted()).toEqual(['other', 'p', 'p'])
    endOne()
    await other.until('"other"')
  })

  test('leaves a connection that can be used again, also after a body that nobody read', async () => {
    const { server, begun, endOne, untilWaiting } = await start({}, { maxWaiting: 1 })
    await send(server, whole('first'))
    await expect.poll(() => begun).toEqual(['first'])
    await send(server, whole('second'))
    await untilWaiting(1)
    const sender = await client(server)
    sender.write(whole('refused', 'x'.repeat(500_000)))
    expect(await sender.until('}')).toMatch(tooMany)
    endOne()
    await expect.poll(() => begun).toEqual(['first', 'second'])
    endOne()
    sender.write(whole('third'))
    await expect.poll(() => begun).toEqual(['first', 'second', 'third'])
    endOne()
    await sender.until('"third"')
  })
})

describe('turns', () => {
  test('a project with one request does not wait for all those of another', async () => {
    const { server, begun, endOne, untilWaiting } = await start()
    for (let index = 0; index < 6; index++) await send(server, whole('greedy'))
    await untilWaiting(5)
    await send(server, whole('modest'))
    await untilWaiting(6)
    for (let ended = 1; ended <= 3; ended++) {
      endOne()
      await expect.poll(() => begun.length).toBe(ended + 1)
    }
    expect(begun.indexOf('modest')).toBeLessThan(3)
  })

  test('a client takes none while it sends its body', async () => {
    const { server, begun, endOne } = await start()
    const slow = await send(server, head('X-Project: slow', 'Content-Length: 100') + '{"project_id":')
    await send(server, whole('quick'))
    await expect.poll(() => begun).toEqual(['quick'])
    endOne()
    slow.write('"slow"' + ' '.repeat(79) + '}')
    await expect.poll(() => begun).toEqual(['quick', 'slow'])
    endOne()
  })

  test('a packed body counts for what is in it', async () => {
    const { server, begun, endOne, untilWaiting } = await start()
    const packed = gzipSync(JSON.stringify({ project_id: 'packed', value: 'x'.repeat(300_000) }))
    const sendPacked = () =>
      client(server).then((sender) => {
        sender.write(head('X-Project: packed', 'Content-Encoding: gzip', `Content-Length: ${packed.length}`))
        sender.write(packed)
      })
    await sendPacked()
    await expect.poll(() => begun).toEqual(['packed'])
    await sendPacked()
    await untilWaiting(1)
    for (let index = 0; index < 4; index++) await send(server, whole('plain'))
    await untilWaiting(5)
    for (let ended = 1; ended <= 4; ended++) {
      endOne()
      await expect.poll(() => begun.length).toBe(ended + 1)
    }
    expect(begun).toEqual(['packed', 'plain', 'plain', 'plain', 'plain'])
  })

  test('reads do not wait for writes, and open operations for nothing', async () => {
    const { server, begun, untilWaiting } = await start()
    await send(server, whole('first'))
    await expect.poll(() => begun).toEqual(['first'])
    await send(server, whole('second'))
    await untilWaiting(1)
    const headers = { authorization: 'Bearer key' }
    expect((await fetch(`${server.url}/content`, { method: 'POST', headers, body: '{}' })).status).toBe(200)
    expect((await fetch(`${server.url}/health`)).status).toBe(200)
  })

  test('a client that leaves while it waits is not worked for', async () => {
    const { server, begun, endOne, untilWaiting } = await start()
    await send(server, whole('first'))
    await expect.poll(() => begun).toEqual(['first'])
    const leaving = await send(server, whole('leaving'))
    await untilWaiting(1)
    leaving.socket.destroy()
    await untilWaiting(0)
    await send(server, whole('last'))
    endOne()
    await expect.poll(() => begun).toEqual(['first', 'last'])
  })
})
