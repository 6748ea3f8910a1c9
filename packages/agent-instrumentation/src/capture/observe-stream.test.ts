import { Readable } from 'node:stream'
import { text as textOf } from 'node:stream/consumers'
import { describe, expect, test } from 'vitest'
import { observeStream } from './observe-stream.ts'

type Stream = ReadableStream<Uint8Array>

const pieces = ['one', 'two', 'thrée', '4']
const encode = (text: string) => new TextEncoder().encode(text)

/** A body as `fetch` makes it, which sends its pieces one by one. */
function create(fails = false): Stream {
  let sent = 0
  return new ReadableStream({
    type: 'bytes',
    pull(controller) {
      const piece = pieces[sent++]
      if (piece !== undefined) controller.enqueue(encode(piece))
      else if (fails) controller.error(new Error('the connection broke'))
      else {
        controller.close()
        controller.byobRequest?.respond(0)
      }
    },
  } as UnderlyingByteSource)
}

async function readAll(stream: Stream): Promise<string> {
  const reader = stream.getReader()
  const chunks: Uint8Array[] = []
  for (let { done, value } = await reader.read(); !done; { done, value } = await reader.read()) if (value) chunks.push(value)
  await reader.closed
  return Buffer.concat(chunks).toString()
}

async function readInto(stream: Stream): Promise<string> {
  const reader = stream.getReader({ mode: 'byob' })
  const chunks: Uint8Array[] = []
  for (;;) {
    const { done, value } = await reader.read(new Uint8Array(3))
    if (value) chunks.push(value)
    if (done) return Buffer.concat(chunks).toString()
  }
}

async function iterate(stream: AsyncIterable<Uint8Array>, first = Infinity): Promise<string> {
  const chunks: Uint8Array[] = []
  for await (const chunk of stream) if (chunks.push(chunk) >= first) break
  return Buffer.concat(chunks).toString()
}

async function pipe(stream: Stream): Promise<string> {
  const chunks: Uint8Array[] = []
  await stream.pipeTo(new WritableStream({ write: (chunk: Uint8Array) => void chunks.push(chunk) }))
  return Buffer.concat(chunks).toString()
}

const both = async (stream: Stream) => JSON.stringify(await Promise.all(stream.tee().map((one) => readAll(one))))
const ways: Record<string, (stream: Stream) => Promise<string>> = {
  'a reader': readAll,
  'a reader into views': readInto,
  iteration: (stream) => iterate(stream),
  'iteration of values': (stream) => iterate(stream.values()),
  'a pipe': pipe,
  'a pipe through another stream': (stream) => iterate(stream.pipeThrough(new TransformStream<Uint8Array, Uint8Array>())),
  'two branches': both,
  'a response': (stream) => new Response(stream).text(),
  'a response as bytes': async (stream) => Buffer.from(await new Response(stream).arrayBuffer()).toString(),
  'a clone of a response': async (stream) => {
    const response = new Response(stream)
    return JSON.stringify(await Promise.all([response.clone().text(), response.text()]))
  },
  'the body of a request': (stream) => new Request('http://x.test', { method: 'POST', body: stream, duplex: 'half' } as RequestInit).text(),
  'a stream of Node': (stream) => textOf(Readable.fromWeb(stream as Parameters<typeof Readable.fromWeb>[0])),
}

function observe(stream: Stream) {
  const seen = { text: '', ends: 0 }
  const decoder = new TextDecoder()
  const isObserved = observeStream(stream, {
    onChunk: (chunk) => void (seen.text += decoder.decode(chunk, { stream: true })),
    onEnd: () => void seen.ends++,
  })
  expect(isObserved).toBe(true)
  return seen
}

const outcomeOf = (run: () => Promise<unknown>) => run().catch((error: unknown) => String(error))

describe.each(Object.entries(ways))('a stream that is read by %s', (_, read) => {
  test('gives what it would, and is seen to its end', async () => {
    const stream = create()
    const seen = observe(stream)
    expect(await read(stream)).toBe(await read(create()))
    expect(seen).toEqual({ text: pieces.join(''), ends: expect.any(Number) })
    expect(seen.ends).toBeGreaterThan(0)
  })

  test('fails as it would, and is seen up to there', async () => {
    const stream = create(true)
    const seen = observe(stream)
    expect(await outcomeOf(() => read(stream))).toBe(await outcomeOf(() => read(create(true))))
    expect(seen.text).toBe(pieces.join(''))
    expect(seen.ends).toBeGreaterThan(0)
  })

  test('is refused when it is being read already', async () => {
    const stream = create()
    observe(stream)
    stream.getReader()
    await expect((async () => read(stream))()).rejects.toThrow(TypeError)
  })
})

const leaving: Record<string, (stream: Stream) => Promise<unknown>> = {
  'breaking out of a loop': (stream) => iterate(stream, 2),
  'leaving a loop before its start': async (stream) => stream[Symbol.asyncIterator]().return?.(),
  'cancelling it': (stream) => stream.cancel('enough'),
  'cancelling its reader': (stream) => stream.getReader().cancel('enough'),
  'aborting a pipe': (stream) => outcomeOf(() => stream.pipeTo(new WritableStream(), { signal: AbortSignal.abort(new Error('enough')) })),
}

test.each(Object.entries(leaving))('a stream that is left by %s has ended', async (_, leave) => {
  const stream = create()
  const plain = create()
  const seen = observe(stream)
  expect(await leave(stream)).toEqual(await leave(plain))
  expect(seen.ends).toBeGreaterThan(0)
})

test('a reader that is released, also while it waits, leaves the stream to the next one', async () => {
  let controller: ReadableStreamDefaultController<Uint8Array> | undefined
  const stream: Stream = new ReadableStream({ start: (given) => void (controller = given) })
  const seen = observe(stream)
  const first = stream.getReader()
  const waiting = first.read()
  first.releaseLock()
  await expect(waiting).rejects.toThrow(TypeError)
  await expect(first.cancel()).rejects.toThrow(TypeError)
  expect(seen.ends).toBe(0)
  controller?.enqueue(encode('x'))
  controller?.close()
  expect(await readAll(stream)).toBe('x')
  expect(seen).toEqual({ text: 'x', ends: 1 })
})

test('values that are iterated without cancelling leave the rest to be read', async () => {
  const stream = create()
  const seen = observe(stream)
  expect(await iterate(stream.values({ preventCancel: true }), 1)).toBe('one')
  expect(seen.ends).toBe(0)
  expect(await readAll(stream)).toBe(pieces.slice(1).join(''))
  expect(seen.text).toBe(pieces.join(''))
})

test('two observers see the same stream; a sealed one and one of Node are not observed', async () => {
  const stream = create()
  const one = observe(stream)
  const other = observe(stream)
  expect(await readAll(stream)).toBe(pieces.join(''))
  expect([one, other]).toEqual([one, one])
  const others = [Object.seal(create()), Readable.from(pieces) as unknown as Stream]
  expect(others.map((other) => observeStream(other, { onChunk: () => undefined, onEnd: () => undefined }))).toEqual([false, false])
})
