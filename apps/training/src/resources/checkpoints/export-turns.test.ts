import { expect, test } from 'vitest'
import { createExportTurns } from './export-turns.ts'

const one = { running: 1, runningOfCaller: 1, runningOfProject: 1 }
const never = new AbortController().signal

test('an export that waits ends with its request, and leaves its place to another', async () => {
  const turns = createExportTurns({ ...one, waiting: 1 })
  const end = await turns.begin({ caller: 'a', signal: never }, 'p')
  const leaves = new AbortController()
  const waits = turns.begin({ caller: 'a', signal: leaves.signal }, 'p')
  await expect(turns.begin({ caller: 'a', signal: never }, 'p')).rejects.toMatchObject({ status: 429 })
  leaves.abort(new Error('the client left'))
  await expect(waits).rejects.toThrow('the client left')
  const next = turns.begin({ caller: 'a', signal: never }, 'p')
  end()
  const endNext = await next
  endNext()
  // A turn ends once: no other gets two.
  end()
  await turns.begin({ caller: 'a', signal: never }, 'p')
  await expect(createTurn(turns)).rejects.toMatchObject({ status: 429 })
})

/** One more than may wait. */
async function createTurn(turns: ReturnType<typeof createExportTurns>) {
  const leaves = new AbortController()
  const waits = turns.begin({ caller: 'a', signal: leaves.signal }, 'p')
  try {
    return await turns.begin({ caller: 'a', signal: never }, 'p')
  } finally {
    leaves.abort(new Error('enough'))
    await waits.catch(() => undefined)
  }
}

test('one that waits too long is refused, with how many run at a time', async () => {
  const turns = createExportTurns({ ...one, queueTimeoutMs: 1 })
  await turns.begin({ caller: 'a', signal: never }, 'p')
  await expect(turns.begin({ caller: 'b', signal: never }, 'q')).rejects.toMatchObject({
    status: 429,
    message: expect.stringContaining('1 at a time, 1 of an API key and 1 of a project'),
  })
})

test('a project that has what it may leaves room to another', async () => {
  const turns = createExportTurns()
  const ends = [await turns.begin({ caller: 'a', signal: never }, 'p'), await turns.begin({ caller: 'a', signal: never }, 'p')]
  const third = turns.begin({ caller: 'a', signal: never }, 'p')
  await turns.begin({ caller: 'a', signal: never }, 'q')
  const order: string[] = []
  const waits = third.then(() => order.push('third'))
  await turns.begin({ caller: 'b', signal: never }, 'r').then(() => order.push('other'))
  ends[0]!()
  await waits
  expect(order).toEqual(['other', 'third'])
})
