import { setTimeout as delay } from 'node:timers/promises'
import '@heddle/testing'
import { expect, inject, test, vi } from 'vitest'
import { defaultTrajectoryLimits } from '../request-body/check-body.ts'
import { checkRequest } from '../request-body/check-request.ts'
import { listLoggedGroups } from '../resources/trajectories/list-logged-groups.ts'
import { toLog } from '../resources/trajectories/to-log.ts'
import { aGroup } from '../testing/sampled-choice.ts'
import { bodyTasks, bodyThread } from '../body-tasks.ts'
import { type BodyReaderOptions, type BodyRequest, createBodyReader } from './body-reader.ts'
import type { BodyTask } from './body-task.ts'

const never = new AbortController().signal
const fromSource = { tasks: bodyTasks, worker: bodyThread, minBytes: 0 }
/** Built, it starts in a fraction of the time. */
const inThreads = { ...fromSource, worker: new URL('body-thread.js', inject('builtChildren')) }
const onLoop = { ...fromSource, minBytes: Infinity }
const check = { operation: 'trajectories.log', limits: defaultTrajectoryLimits } as const

function bodyOf(text: string, signal = never) {
  const bytes = Buffer.from(text)
  async function* content() {
    for (let at = 0; at < bytes.length; at += 65_536) yield bytes.subarray(at, at + 65_536)
  }
  return { content, sizeBytes: bytes.length, signal, caller: 'a key' }
}

async function read<Input, Item>(options: BodyReaderOptions, task: BodyTask<Input, Item>, body: BodyRequest<NoInfer<Input>>) {
  const items: Item[] = []
  const error: unknown = await (async () => {
    for await (const item of createBodyReader(options).read(task, body)) items.push(item)
  })().catch((thrown: unknown) => thrown)
  return { items, error }
}

const aLog = JSON.stringify({ split: 'train', trajectory_groups: [aGroup('a', 'b'), { ...aGroup('c', 'd'), metrics: { tries: 2 } }] })
const aBadLog = JSON.stringify({ trajectory_groups: [{ trajectories: [{ reward: 'NaN' }] }] })

test('a thread yields what the event loop does: lines of a log and their sums', async () => {
  const body = { ...bodyOf(aLog), input: null }
  const { items, error } = await read(fromSource, toLog, body)
  expect([items.length, error]).toEqual([3, undefined])
  const plain = (all: readonly unknown[]) =>
    all.map((item) => (item instanceof Object && 'line' in item ? { ...item, line: [...(item.line as Uint8Array)] } : item))
  expect(plain(items)).toEqual(plain((await read(onLoop, toLog, body)).items))
})

test('a list of logged groups is whole, however its slices are cut', async () => {
  const groups = [{ id: 'g', split: 'val', step: 1, created_at: '2026-01-01T00:00:00Z' }]
  const trajectories = ['é'.repeat(700_000), 'small'].map((text) => ({ messages: [{ role: 'user', content: text }], reward: 1 }))
  const body = { ...bodyOf(`${JSON.stringify({ trajectories, logs: [] })}\n`), input: { groups } }
  for (const options of [inThreads, onLoop]) {
    const { items } = await read(options, listLoggedGroups, body)
    expect(items.length).toBe(2)
    expect(JSON.parse(Buffer.concat(items).toString())).toEqual([
      { logs: [], ...groups[0], trajectories: trajectories.map((trajectory, at) => ({ id: `g:${at}`, ...trajectory })) },
    ])
  }
})

test('a thread refuses what the event loop refuses, with the same failures', async () => {
  const body = { ...bodyOf(aBadLog), input: check }
  const { error } = await read(inThreads, checkRequest, body)
  expect(error).toMatchObject({ status: 422, issues: [{ loc: ['body', 'split'] }, { loc: expect.arrayContaining(['reward']) }] })
  expect(error).toEqual((await read(onLoop, checkRequest, body)).error)
})

test('a task that the threads do not know is also refused on the event loop', async () => {
  async function* unknownTask() {
    yield 1
  }
  const { items, error } = await read(onLoop, unknownTask, { ...bodyOf('{}'), input: null })
  expect([items, error]).toEqual([[], new Error('a body is read by unknownTask, which is none of the tasks of the threads')])
})

test('a request that goes ends its thread, and the next that waits gets one', async () => {
  const { read: readWith } = createBodyReader({ ...inThreads, threads: 1, maxWaiting: 1 })
  const gone = new AbortController()
  let isReading = () => {}
  const reading = new Promise<void>((resolve) => (isReading = resolve))
  async function* endless() {
    for (;;) {
      isReading()
      // Chunks are gathered into large messages, and a thread starts later while this one is busy.
      await delay(5)
      yield Buffer.alloc(65_536, ' ')
    }
  }
  const drain = async (body: BodyRequest<Parameters<typeof checkRequest>[1]>) => {
    for await (const item of readWith(checkRequest, body)) return item
    return undefined
  }
  const first = drain({ ...bodyOf('', gone.signal), content: endless, input: check }).catch((error: unknown) => error)
  const second = drain({ ...bodyOf(aLog), input: check })
  await expect(drain({ ...bodyOf(aLog), input: check })).rejects.toMatchObject({ status: 429 })
  await reading
  gone.abort(new Error('the client is gone'))
  expect(await first).toEqual(new Error('the client is gone'))
  expect(await second).toEqual({ split: 'train' })
})

test('a trajectory that a thread reads is never parsed on the event loop', async () => {
  const parse = vi.spyOn(JSON, 'parse')
  const body = { ...bodyOf(aLog), input: check }
  /** Parts of the body that were parsed here; what else runs in this process parses as well. */
  const parsed = async (options: BodyReaderOptions) => {
    parse.mockClear()
    expect((await read(options, checkRequest, body)).items).toEqual([{ split: 'train' }])
    return parse.mock.calls.filter(([text]) => text.length > 100 && aLog.includes(text)).length
  }
  try {
    expect(await parsed(inThreads)).toBe(0)
    expect(await parsed(onLoop)).toBeGreaterThan(0)
  } finally {
    parse.mockRestore()
  }
})
