import type { JsonObject } from '@heddle/core-api'
import { expect, test } from 'vitest'
import { begun, linesOf, type StreamedCompletion } from './stream-completion.ts'

const chunk = { choices: [{ index: 0, delta: { content: 'x' } }] }
const started = (given: Partial<StreamedCompletion> & Pick<StreamedCompletion, 'chunks'>, leave = () => {}) =>
  begun(linesOf({ callId: null, signal: new AbortController().signal, record: async () => true, onEnd: () => {}, ...given }), leave)

test('a slow reader holds the provider up: a chunk is read when the one before was taken', async () => {
  let read = 0
  async function* chunks() {
    for (;;) {
      read++
      yield chunk
    }
  }
  const lines = (await started({ chunks: chunks() }))[Symbol.asyncIterator]()
  const seen: number[] = []
  for (let taken = 0; taken < 3; taken++) {
    await lines.next()
    seen.push(read)
  }
  expect(seen).toEqual([1, 2, 3])
})

test('a reader that leaves while no chunk comes ends the wait for it', async () => {
  const leaving = new AbortController()
  const recorded: (string | undefined)[] = []
  async function* chunks(): AsyncGenerator<JsonObject> {
    yield chunk
    await new Promise((_, reject) => leaving.signal.addEventListener('abort', () => reject(new Error('aborted'))))
  }
  const record = async (_: JsonObject, exception: string | undefined) => recorded.push(exception) > 0
  const given = { chunks: chunks(), signal: leaving.signal, record }
  const lines = (await started(given, () => leaving.abort()))[Symbol.asyncIterator]()
  await lines.next()
  const next = lines.next()
  await Promise.allSettled([lines.return!(), next])
  expect(recorded).toEqual(['the client closed the connection before the response was whole'])
})

test('a call that could not be recorded is taken back at the end', async () => {
  async function* chunks() {
    yield chunk
  }
  const lines: JsonObject[] = []
  for await (const line of await started({ callId: 'c', chunks: chunks(), record: async () => false })) lines.push(line)
  expect(lines).toEqual([{ _meta: { weave_call_id: 'c' } }, chunk, { _meta: { weave_call_id: null } }])
})
