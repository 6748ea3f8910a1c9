import { JsonText } from '@heddle/core-api/internal'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type EventStreamOptions, eventStreamResponse } from './event-stream-response.ts'
import { type RunningServer, serve } from '../http/serve.ts'
import { StalledReader, type StreamEnd } from './paced-source.ts'
import { rawClient } from '../testing/raw-client.ts'
import { recordedLog, sampleService } from '../testing/sample-service.ts'

/** Rows that the test releases. */
function pushed() {
  const waiting: unknown[] = []
  let wake = () => {}
  const state = { isEnded: false }
  async function* rows() {
    try {
      for (;;) {
        if (waiting.length === 0) await new Promise<void>((resolve) => (wake = resolve))
        yield waiting.shift()
      }
    } finally {
      state.isEnded = true
    }
  }
  return { state, rows: rows(), push: (row: unknown) => (waiting.push(row), wake()) }
}

async function* of(...rows: unknown[]) {
  for (const row of rows) yield row
}

const heartbeat = ':\n\n'
const retry = 'retry: 3000\n\n'
const end = 'event: end\ndata: null\n\n'

async function open(rows: AsyncIterable<unknown>, options: EventStreamOptions) {
  const { body } = await eventStreamResponse(rows, options)
  const reader = body!.getReader()
  return { reader, next: async () => new TextDecoder().decode((await reader.read()).value) }
}

describe('rows as events', () => {
  test('have their JSON in one line, and their id where they have one', async () => {
    const idOf = (row: unknown) => (row as { step?: number }).step?.toString()
    const response = await eventStreamResponse(of({ step: 1, text: 'a\nb' }, new JsonText('{\n"a": 1.0}')), { idOf })
    expect(Object.fromEntries(response.headers)).toMatchObject({ 'content-type': 'text/event-stream', 'cache-control': 'no-store' })
    expect(await response.text()).toBe(`${retry}id: 1\ndata: {"step":1,"text":"a\\nb"}\n\ndata: { "a": 1.0}\n\n${end}`)
  })

  test.each(['', 'a\nevent: forged', 'a b', 'é', 'x'.repeat(201)])('never have %j as their id', async (id) => {
    await expect(eventStreamResponse(of(1), { idOf: () => id })).rejects.toThrow('an event id must be')
  })

  test('begin before there is one, and comments come while there is none', async () => {
    const { rows, push, state } = pushed()
    const { reader, next } = await open(rows, { heartbeatMs: 5, flushMs: 1 })
    expect([await next(), await next(), await next()]).toEqual([retry, heartbeat, heartbeat])
    push({ a: 1 })
    let text = await next()
    while (text === heartbeat) text = await next()
    expect(text).toBe('data: {"a":1}\n\n')
    await reader.cancel()
    push({ a: 2 })
    await expect.poll(() => state.isEnded).toBe(true)
  })

  test('go out one by one as they come', async () => {
    const { rows, push } = pushed()
    push(0)
    const { reader, next } = await open(rows, { flushMs: 1 })
    expect(await next()).toBe(`${retry}data: 0\n\n`)
    for (let row = 1; row < 5; row++) {
      push(row)
      expect(await next()).toBe(`data: ${row}\n\n`)
    }
    await reader.cancel()
  })

  test('are cut from a reader that takes neither them nor comments', async () => {
    const ends: StreamEnd[] = []
    const { reader } = await open(pushed().rows, { heartbeatMs: 2, stallMs: 10, onEnd: (ended) => ends.push(ended) })
    await reader.read()
    await expect.poll(() => ends.length).toBe(1)
    expect(ends[0]!.error).toBeInstanceOf(StalledReader)
  })

  test('that fail at once get an ordinary error response', async () => {
    const failing = { [Symbol.asyncIterator]: () => ({ next: () => Promise.reject(new Error('bad query')) }) }
    await expect(eventStreamResponse(failing)).rejects.toThrow('bad query')
  })
})

describe('an operation with rows', () => {
  const source = pushed()
  const log = recordedLog()
  let server: RunningServer
  beforeAll(async () => {
    const stream = async ({ rows }: { rows: number }) =>
      (rows < 0 ? source.rows : of(...Array.from({ length: rows }, (_, row) => ({ row })))) as never
    const service = sampleService({ handlers: { stream }, log, eventId: () => (row) => String((row as { row: number }).row) })
    server = await serve({ ...service, host: '127.0.0.1', port: 0, limits: { drainMs: 100 } })
  })
  afterAll(() => server.close())

  const ask = (rows: number, accept: string) =>
    fetch(`${server.url}/stream`, { method: 'POST', headers: { authorization: 'Bearer key', accept }, body: JSON.stringify({ rows }) })

  test.each([
    ['text/event-stream', 'text/event-stream', `${retry}id: 0\ndata: {"row":0}\n\n${end}`],
    ['application/json, text/event-stream;q=0.5', 'text/event-stream', `${retry}id: 0\ndata: {"row":0}\n\n${end}`],
    ['application/jsonl', 'application/jsonl', '{"row":0}\n'],
    ['*/*', 'application/jsonl', '{"row":0}\n'],
    ['text/event-stream;q=0', 'application/jsonl', '{"row":0}\n'],
  ])('answers a client that takes %s with %s', async (accept, type, text) => {
    const response = await ask(1, accept)
    expect([response.headers.get('content-type'), await response.text()]).toEqual([type, text])
  })

  test('sends an event at once over a connection, and cancels its source when the client disconnects', async () => {
    const client = await rawClient(server.port)
    source.push({ row: 7 })
    client.write(
      'POST /stream HTTP/1.1\r\nHost: local\r\nAuthorization: Bearer key\r\nAccept: text/event-stream\r\nContent-Length: 11\r\n\r\n{"rows":-1}',
    )
    expect(await client.until('{"row":7}')).toContain('id: 7\ndata: {"row":7}')
    source.push({ row: 8 })
    await client.until('{"row":8}')
    const requests = log.lines.length
    client.socket.destroy()
    await expect.poll(() => log.lines.length).toBe(requests + 1)
    expect(log.lines.at(-1)?.fields).toMatchObject({ operation: 'kit.samples.stream', status: 200 })
    source.push({ row: 9 })
    await expect.poll(() => source.state.isEnded).toBe(true)
  })
})
