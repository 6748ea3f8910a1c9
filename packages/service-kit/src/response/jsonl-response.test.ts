import { JsonText } from '@heddle/core-api/internal'
import { expect, test } from 'vitest'
import { jsonlResponse } from './jsonl-response.ts'
import { StalledReader, type StreamEnd } from './paced-source.ts'

/** Rows that count how many were read, and whether the source was ended. */
function countedRows(total: number, row: (index: number) => unknown = (index) => ({ index })) {
  const state = { taken: 0, ended: false }
  async function* rows() {
    try {
      while (state.taken < total) yield row(state.taken++)
    } finally {
      state.ended = true
    }
  }
  return { state, rows: rows() }
}

/** A promise with the function that resolves it. */
function signal<T>() {
  let resolve: (value: T) => void = () => undefined
  const promise = new Promise<T>((done) => (resolve = done))
  return { promise, resolve }
}

test('rows that are available at once are sent as one chunk, and onEnd is called', async () => {
  const { rows } = countedRows(3)
  const ends: StreamEnd[] = []
  const response = await jsonlResponse(rows, { onEnd: (end) => ends.push(end) })
  expect(ends).toEqual([{ bytes: 36 }])
  expect(await response.text()).toBe('{"index":0}\n{"index":1}\n{"index":2}\n')
})

test('rows that are available at once and fit into the first chunk are the whole response, though they fill several of the others', async () => {
  const { rows } = countedRows(100)
  const response = await jsonlResponse(rows, { chunkBytes: 100, firstChunkBytes: 5_000 })
  const chunks: Uint8Array[] = []
  for await (const chunk of response.body ?? []) chunks.push(chunk)
  expect(chunks.length).toBe(1)
})

test('many rows go out in pieces', async () => {
  const { rows } = countedRows(1_000)
  const { body } = await jsonlResponse(rows, { chunkBytes: 1_000 })
  const sizes: number[] = []
  for await (const chunk of body ?? []) sizes.push(chunk.byteLength)
  expect(sizes.slice(0, -1).every((size) => size >= 1_000 && size < 1_020)).toBe(true)
  expect(sizes.length).toBeGreaterThan(10)
})

test('rows that fill a piece each, the first one too, all go out', async () => {
  const { rows } = countedRows(3, (index) => `${index}${'x'.repeat(20)}`)
  const response = await jsonlResponse(rows, { chunkBytes: 10 })
  expect(await response.text()).toBe([0, 1, 2].map((index) => `"${index}${'x'.repeat(20)}"\n`).join(''))
})

test('rows are taken no faster than they are read', async () => {
  const { rows, state } = countedRows(100_000)
  const { body } = await jsonlResponse(rows, { chunkBytes: 100 })
  const reader = body!.getReader()
  await reader.read()
  await reader.read()
  expect(state.taken).toBeLessThan(20)
  await reader.cancel()
})

test('a row does not wait for the piece to fill', async () => {
  const steps = [signal<void>(), signal<void>(), signal<void>()] as const
  async function* slow() {
    yield 1
    yield 2
    await steps[0].promise
    yield 3
    await steps[1].promise
    yield 4
    await steps[2].promise
  }
  const { body } = await jsonlResponse(slow(), { flushMs: 1 })
  const reader = body!.getReader()
  const decode = async () => new TextDecoder().decode((await reader.read()).value)
  expect(await decode()).toBe('1\n2\n')
  steps[0].resolve()
  expect(await decode()).toBe('3\n')
  steps[1].resolve()
  expect(await decode()).toBe('4\n')
  steps[2].resolve()
  expect((await reader.read()).done).toBe(true)
})

test('rows before an error are sent, however it comes', async () => {
  const sent = signal<void>()
  async function* failing() {
    yield 1
    await sent.promise
    yield 2
    throw new Error('gone')
  }
  const { body } = await jsonlResponse(failing())
  const reader = body!.getReader()
  await reader.read()
  sent.resolve()
  expect(new TextDecoder().decode((await reader.read()).value)).toBe('2\n')
  await expect(reader.read()).rejects.toThrow('gone')
})

test('the source is cancelled when the reader leaves, and onEnd is called once', async () => {
  const { rows, state } = countedRows(10)
  const ends: StreamEnd[] = []
  const { body } = await jsonlResponse(rows, { chunkBytes: 12, onEnd: (end) => ends.push(end) })
  const reader = body!.getReader()
  await reader.read()
  await reader.cancel()
  expect(state.ended).toBe(true)
  expect(ends).toEqual([{ bytes: 12 }])
})

test('a reader that stalls is cut and the source is ended', async () => {
  const { rows, state } = countedRows(10)
  const end = signal<StreamEnd>()
  const { body } = await jsonlResponse(rows, { chunkBytes: 12, stallMs: 5, onEnd: end.resolve })
  const reader = body!.getReader()
  await reader.read()
  expect((await end.promise).error).toBeInstanceOf(StalledReader)
  await expect(reader.read()).rejects.toBeInstanceOf(StalledReader)
  expect(state.ended).toBe(true)
})

test('an error after something was sent cuts the connection instead of ending the body', async () => {
  const sent = signal<void>()
  async function* failing() {
    yield 1
    await sent.promise
    throw new Error('gone')
  }
  const aborted = signal<void>()
  const end = signal<StreamEnd>()
  const { body } = await jsonlResponse(failing(), { abort: aborted.resolve, onEnd: end.resolve })
  const reader = body!.getReader()
  await reader.read()
  sent.resolve()
  void reader.read()
  await aborted.promise
  expect(await end.promise).toEqual({ bytes: 2, error: new Error('gone') })
})

test.each([0, 1])('an error after %i rows, before anything is sent, rejects', async (rows) => {
  async function* failing() {
    for (let row = 0; row < rows; row++) yield row
    throw new Error('bad query')
  }
  await expect(jsonlResponse(failing())).rejects.toThrow('bad query')
})

test.each([
  ['text', (json: string) => json],
  ['bytes', (json: string) => Buffer.from(json)],
])('a ready value stays one line, as %s', async (_, toSource) => {
  const { rows } = countedRows(1, () => new JsonText(toSource('{\r\n"a": "x\\n"\n}')))
  expect(await (await jsonlResponse(rows)).text()).toBe('{ "a": "x\\n" }\n')
  const { rows: short } = countedRows(2, () => new JsonText(toSource('{"a":"é"}')))
  expect(await (await jsonlResponse(short)).text()).toBe('{"a":"é"}\n{"a":"é"}\n')
})
