import { JsonText } from '@heddle/core-api'
import { expect, test } from 'vitest'
import { jsonlResponse, StalledReader, type StreamEnd } from './jsonl-response.ts'

/** Rows that tell how many were taken and whether the source was ended. */
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

test('the first row goes out alone and the others in pieces', async () => {
  const { rows } = countedRows(1_000)
  const { body } = await jsonlResponse(rows, { chunkLength: 1_000 })
  const sizes: number[] = []
  for await (const chunk of body ?? []) sizes.push(chunk.byteLength)
  expect(sizes[0]).toBe('{"index":0}\n'.length)
  expect(sizes.slice(1, -1).every((size) => size >= 1_000 && size < 1_020)).toBe(true)
})

test('rows are taken no faster than they are read', async () => {
  const { rows, state } = countedRows(100_000)
  const { body } = await jsonlResponse(rows, { chunkLength: 100 })
  const reader = body!.getReader()
  await reader.read()
  await reader.read()
  expect(state.taken).toBeLessThan(20)
  await reader.cancel()
})

test('a row does not wait for the piece to fill', async () => {
  const next = signal<void>()
  async function* slow() {
    yield 1
    yield 2
    await next.promise
    yield 3
  }
  const { body } = await jsonlResponse(slow(), { flushMs: 1 })
  const reader = body!.getReader()
  const decode = async () => new TextDecoder().decode((await reader.read()).value)
  expect([await decode(), await decode()]).toEqual(['1\n', '2\n'])
  next.resolve()
  expect(await decode()).toBe('3\n')
})

test('the source is ended when the reader leaves, and the end is told once', async () => {
  const { rows, state } = countedRows(10)
  const ends: StreamEnd[] = []
  const { body } = await jsonlResponse(rows, { onEnd: (end) => ends.push(end) })
  const reader = body!.getReader()
  await reader.read()
  await reader.cancel()
  expect(state.ended).toBe(true)
  expect(ends).toEqual([{ bytes: 12 }])
})

test('a reader that stalls is cut and the source is ended', async () => {
  const { rows, state } = countedRows(10)
  const end = signal<StreamEnd>()
  const { body } = await jsonlResponse(rows, { stallMs: 5, onEnd: end.resolve })
  const reader = body!.getReader()
  await reader.read()
  expect((await end.promise).error).toBeInstanceOf(StalledReader)
  await expect(reader.read()).rejects.toBeInstanceOf(StalledReader)
  expect(state.ended).toBe(true)
})

test('an error after the first row cuts the connection instead of ending the body', async () => {
  async function* failing() {
    yield 1
    throw new Error('gone')
  }
  const aborted = signal<void>()
  const end = signal<StreamEnd>()
  const { body } = await jsonlResponse(failing(), { abort: aborted.resolve, onEnd: end.resolve })
  const reader = body!.getReader()
  await reader.read()
  void reader.read()
  await aborted.promise
  expect(await end.promise).toEqual({ bytes: 2, error: new Error('gone') })
})

test('an error before the first row rejects', async () => {
  const failing = { [Symbol.asyncIterator]: () => ({ next: () => Promise.reject(new Error('bad query')) }) }
  await expect(jsonlResponse(failing)).rejects.toThrow('bad query')
})

test('a ready text stays one line', async () => {
  const { rows } = countedRows(1, () => new JsonText('{\r\n"a": "x\\n"\n}'))
  expect(await (await jsonlResponse(rows)).text()).toBe('{ "a": "x\\n" }\n')
})
