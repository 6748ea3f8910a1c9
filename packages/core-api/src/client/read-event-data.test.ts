import { expect, test } from 'vitest'
import { readEventData } from './read-event-data.ts'

/** A stream of these pieces, and whether it was cancelled. */
function streamOf(pieces: readonly string[]) {
  const state = { isCancelled: false }
  const left = [...pieces]
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      const next = left.shift()
      if (next === undefined) controller.close()
      else controller.enqueue(new TextEncoder().encode(next))
    },
    cancel() {
      state.isCancelled = true
    },
  })
  return { body, state }
}

async function read(pieces: readonly string[]): Promise<string[]> {
  const found: string[] = []
  for await (const data of readEventData(streamOf(pieces).body)) found.push(data)
  return found
}

test('events come whole, wherever the stream is cut, and comments are skipped', async () => {
  const text = 'data: {"a":1}\n\n: still here\n\ndata: é\n\ndata: [DONE]\n\ndata: later\n\n'
  expect(await read([text])).toEqual(['{"a":1}', 'é'])
  expect(await read([...text])).toEqual(['{"a":1}', 'é'])
})

test('who stops reading cancels the stream', async () => {
  const { body, state } = streamOf(['data: 1\n\n', 'data: 2\n\n', 'data: 3\n\n'])
  for await (const data of readEventData(body)) if (data === '1') break
  expect(state.isCancelled).toBe(true)
})
