import { createSocket, type Socket } from 'node:dgram'
import { once, setMaxListeners } from 'node:events'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createNames, type NameOptions } from './resolve-names.ts'

let socket: Socket
let folder: string
let hostsFile: string
const never = new AbortController().signal

/** Answers names that begin with `known` with 192.0.2.7, says nothing to those that begin with `silent`, and knows no others. */
function answer(query: Buffer): Buffer | undefined {
  let end = 12
  const labels: string[] = []
  for (let length = query[end]!; length > 0; length = query[end]!) {
    labels.push(query.toString('latin1', end + 1, end + 1 + length))
    end += length + 1
  }
  const question = query.subarray(12, end + 5)
  const isForIpv4 = query.readUInt16BE(end + 1) === 1
  if (labels[0]?.startsWith('silent')) return undefined
  const isKnown = labels[0]?.startsWith('known') === true
  const header = Buffer.from([0, 0, 0x81, isKnown ? 0x80 : 0x83, 0, 1, 0, isKnown && isForIpv4 ? 1 : 0, 0, 0, 0, 0])
  query.copy(header, 0, 0, 2)
  const record = Buffer.from([0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 60, 0, 4, 192, 0, 2, 7])
  return Buffer.concat(isKnown && isForIpv4 ? [header, question, record] : [header, question])
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'heddle-names-'))
  hostsFile = join(folder, 'hosts')
  await writeFile(hostsFile, '# names of this machine\n192.0.2.1 box Known.example # also\n::7 box\n')
  socket = createSocket('udp4')
  socket.on('message', (query, { port, address }) => {
    const reply = answer(query)
    if (reply) socket.send(reply, port, address)
  })
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
})
afterAll(async () => {
  socket.close()
  await rm(folder, { recursive: true })
})

const namesWith = (options: NameOptions = {}) => createNames({ servers: [`127.0.0.1:${socket.address().port}`], hostsFile, ...options })
const hangs = () => new Promise<never>(() => undefined)

test('names are those of name servers, of the hosts file and of this machine', async () => {
  const names = namesWith({ system: hangs })
  expect(await names('known.test', never)).toEqual([{ address: '192.0.2.7', family: 4 }])
  expect(await names('known.example', never)).toEqual([{ address: '192.0.2.1', family: 4 }])
  expect(await names('box', never)).toEqual([
    { address: '192.0.2.1', family: 4 },
    { address: '::7', family: 6 },
  ])
  for (const host of ['localhost', 'a.localhost'])
    expect((await names(host, never)).map(({ address }) => address)).toEqual(['127.0.0.1', '::1'])
})

test('names whose servers are silent delay neither other names nor files, and end with their request', async () => {
  const names = namesWith({ timeoutMs: 60_000, system: hangs })
  const controller = new AbortController()
  setMaxListeners(0, controller.signal)
  const silent = Array.from({ length: 64 }, (_, at) => names(`silent-${at}.test`, controller.signal))
  expect(await names('known.test', never)).toHaveLength(1)
  expect(await readFile(hostsFile, 'utf8')).toContain('box')
  controller.abort()
  const ends = await Promise.allSettled(silent)
  expect(ends.every(({ status }) => status === 'rejected')).toBe(true)
})

test('a silent server is given up after the time for an answer, and the system is not asked', async () => {
  const asked: string[] = []
  const system = (host: string) => {
    asked.push(host)
    return hangs()
  }
  await expect(namesWith({ timeoutMs: 50, system })('silent.test', never)).rejects.toMatchObject({ code: 'ETIMEOUT' })
  expect(asked).toEqual([])
})

test('a name that no name server knows is that of the system, one at a time, and its request does not wait longer than it may', async () => {
  const asked: string[] = []
  const waiting: (() => void)[] = []
  const system = (host: string) =>
    new Promise<{ address: string; family: number }[]>((resolve) => {
      asked.push(host)
      waiting.push(() => resolve([{ address: '10.0.0.1', family: 4 }]))
    })
  const names = namesWith({ system })
  const controller = new AbortController()
  const first = names('first', controller.signal)
  await expect.poll(() => asked).toEqual(['first'])
  const second = names('second', never)
  controller.abort(new Error('left'))
  await expect(first).rejects.toThrow('left')
  expect(asked).toEqual(['first'])
  waiting[0]!()
  await expect.poll(() => asked).toEqual(['first', 'second'])
  waiting[1]!()
  expect(await second).toEqual([{ address: '10.0.0.1', family: 4 }])
})

test('a lookup that is given up before a name server is asked ends at once', async () => {
  const names = namesWith({ timeoutMs: 60_000 })
  const controller = new AbortController()
  const left = names('silent.test', controller.signal)
  controller.abort(new Error('left'))
  await expect(left).rejects.toThrow('left')
})

test('names beyond 256 at a time are refused', async () => {
  const names = namesWith({ timeoutMs: 60_000 })
  const controller = new AbortController()
  setMaxListeners(0, controller.signal)
  const silent = Array.from({ length: 256 }, (_, at) => names(`silent-${at}.test`, controller.signal))
  await expect(names('known.test', never)).rejects.toThrow('256 names')
  controller.abort()
  await Promise.allSettled(silent)
})
