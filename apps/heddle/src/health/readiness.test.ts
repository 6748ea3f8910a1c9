import { StoreError } from '@heddle/datastore'
import { expect, test } from 'vitest'
import { createReadiness, type ReadinessChange, type ReadinessOptions } from './readiness.ts'

function start(options: Partial<ReadinessOptions> = {}) {
  const changes: ReadinessChange[] = []
  return { changes, readiness: createReadiness({ freshMs: 0, onChange: (change) => void changes.push(change), ...options }) }
}

const never = new Promise<undefined>(() => undefined)

test('a server without parts is ready', async () => {
  expect(await start().readiness.read()).toEqual({ isReady: true, parts: {} })
})

test('one part that is not ready makes the server not ready, with its reason', async () => {
  const { readiness } = start()
  readiness.add('database', () => undefined)
  readiness.add('damage', async () => '2 damaged parts; run heddle doctor')
  expect(await readiness.read()).toEqual({
    isReady: false,
    parts: { database: 'ready', damage: '2 damaged parts; run heddle doctor' },
  })
})

test('a note is shown while there is one, and leaves the server ready', async () => {
  const { readiness, changes } = start()
  const found: string[] = []
  readiness.add('database', () => undefined)
  readiness.note('damage', () => found[0])
  expect(await readiness.read()).toEqual({ isReady: true, parts: { database: 'ready' } })
  found.push('2 damaged; run heddle doctor')
  expect(await readiness.read()).toEqual({ isReady: true, parts: { database: 'ready', damage: '2 damaged; run heddle doctor' } })
  expect(changes).toEqual([])
})

test('a part that was removed no longer counts, and its name is free', async () => {
  const { readiness } = start()
  const remove = readiness.add('damage', () => 'damaged')
  expect(() => readiness.add('damage', () => undefined)).toThrow('already has a part named damage')
  remove()
  readiness.add('damage', () => undefined)
  expect(await readiness.read()).toEqual({ isReady: true, parts: { damage: 'ready' } })
})

test.each([
  [new StoreError('unavailable', 'cannot reach 10.0.0.5:5432'), 'unavailable'],
  [new StoreError('full', 'the disk of /data is full'), 'disk full'],
  [new Error('password "hunter2" rejected'), 'failed; see the log of the server'],
])('the message of an error is not shown: %s', async (error, reason) => {
  const { readiness, changes } = start()
  readiness.add('database', () => {
    throw error
  })
  expect(await readiness.read()).toEqual({ isReady: false, parts: { database: reason } })
  expect(changes).toEqual([{ part: 'database', reason, error }])
})

test('a change is reported once: when a part stops being ready, and when it is ready again', async () => {
  const { readiness, changes } = start()
  let reason: string | undefined
  readiness.add('engine', () => reason)
  await readiness.read()
  reason = 'restarting'
  await readiness.read()
  await readiness.read()
  reason = undefined
  await readiness.read()
  expect(changes).toEqual([
    { part: 'engine', reason: 'restarting' },
    { part: 'engine', reason: undefined },
  ])
})

test('a check that has never ended does not delay the answer, and counts as not ready', async () => {
  const { readiness } = start({ answerMs: 5, limitMs: 3_600_000 })
  readiness.add('database', () => never)
  expect(await readiness.read()).toEqual({ isReady: false, parts: { database: 'not checked yet' } })
})

test('a slow check counts with its last result until its time limit has passed, and is then aborted', async () => {
  const { readiness } = start({ answerMs: 5, limitMs: 400 })
  const signals: AbortSignal[] = []
  readiness.add('database', (signal) => (signals.push(signal) > 1 ? never : undefined))
  await readiness.read()
  expect((await readiness.read()).isReady).toBe(true)
  await expect.poll(async () => (await readiness.read()).parts['database']).toBe('no response within 400 ms')
  expect(signals[1]?.aborted).toBe(true)
})

test('however many ask at once, and again within a moment, each check runs once', async () => {
  let nowMs = 0
  const { readiness } = start({ freshMs: 500, now: () => nowMs })
  let runs = 0
  readiness.add('database', async () => void runs++)
  await Promise.all(Array.from({ length: 50 }, () => readiness.read()))
  nowMs = 499
  await readiness.read()
  expect(runs).toBe(1)
  nowMs = 500
  await readiness.read()
  expect(runs).toBe(2)
})
