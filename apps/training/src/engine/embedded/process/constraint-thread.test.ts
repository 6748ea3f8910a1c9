import { EventEmitter } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Worker } from 'node:worker_threads'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { writeByteTokenizer } from '../../../tokenizer/testing/write-byte-tokenizer.ts'
import type { Constraint } from '../../../constrained/constraint.ts'
import type { GenerateRequest } from '../../engine.ts'
import { plainSampling } from '../../plain-sampling.ts'
import type { ConstraintOfRequest, FromConstraints, ToConstraints } from './constraint-messages.ts'
import { ConstraintThread } from './constraint-thread.ts'
import { ActiveConstraints } from './active-constraints.ts'

/** A thread that says nothing by itself. */
class SilentWorker extends EventEmitter {
  readonly received: ToConstraints[] = []
  isEnded = false

  postMessage(message: ToConstraints): void {
    this.received.push(message)
  }

  unref(): void {}

  async terminate(): Promise<number> {
    this.isEnded = true
    return 0
  }

  say(message: FromConstraints): void {
    this.emit('message', message)
  }
}

function startThread() {
  const workers: SilentWorker[] = []
  const thread = new ConstraintThread({
    folders: new Map([['m', '/models/m']]),
    onReady: () => undefined,
    limitMs: 10_000,
    start: () => {
      workers.push(new SilentWorker())
      return workers.at(-1) as unknown as Worker
    },
  })
  const request = (constraint: Constraint | null = { kind: 'json-object' }): GenerateRequest => ({
    version: { key: 'k', baseModel: 'm', folder: null },
    prompt: Int32Array.of(1),
    settings: { ...plainSampling, constraint },
    seeds: [1n],
  })
  return { workers, thread, request }
}

describe('the thread', () => {
  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => void vi.useRealTimers())

  test('is not started for a request without a constraint', () => {
    const { workers, thread, request } = startThread()
    expect(thread.of(request(null))).toBeNull()
    thread.of(request())
    expect(workers).toHaveLength(0)
  })

  test('says what may come first and after each token, and forgets what has ended', () => {
    const { workers, thread, request } = startThread()
    const ofRequest = thread.of(request())!
    const completion = ofRequest.start(32)
    const [worker] = workers
    const { completion: id } = worker!.received[0] as Extract<ToConstraints, { kind: 'start' }>
    expect(completion.isReady).toBe(false)
    worker!.say({ kind: 'allowed', completion: id, count: 1, mustEnd: false })
    expect([completion.isReady, completion.readAllowed().length]).toEqual([true, 32])
    completion.accept(5)
    expect(completion.isReady).toBe(false)
    worker!.say({ kind: 'allowed', completion: id, count: 0, mustEnd: true })
    expect([completion.isReady, completion.mustEnd]).toEqual([true, true])
    completion.close()
    completion.close()
    ofRequest.close()
    expect(worker!.received.map(({ kind }) => kind)).toEqual(['start', 'accept', 'end', 'forget'])
    expect(vi.getTimerCount()).toBe(0)
  })

  test('is ended by a constraint that takes too long, which is refused; others may come back, and find a new thread', () => {
    const { workers, thread, request } = startThread()
    const slow = thread.of(request())!.start(32)
    const behind = thread.of(request())!.start(32)
    vi.advanceTimersByTime(9_999)
    expect(slow.isReady).toBe(false)
    vi.advanceTimersByTime(1)
    expect(workers[0]!.isEnded).toBe(true)
    expect(() => slow.readAllowed()).toThrow('was not found within 10 s')
    expect(() => behind.readAllowed()).toThrow('another constraint took too long; send the request again')
    thread.of(request())!.start(32)
    expect(workers).toHaveLength(2)
  })

  test('counts the time of each answer by itself, however many wait', () => {
    const { workers, thread, request } = startThread()
    const ofRequest = thread.of(request())!
    const completions = Array.from({ length: 5 }, () => ofRequest.start(32))
    const ids = workers[0]!.received.map((message) => (message as Extract<ToConstraints, { kind: 'start' }>).completion)
    for (const [place, completion] of ids.entries()) {
      vi.advanceTimersByTime(9_000)
      workers[0]!.say({ kind: 'allowed', completion, count: 1, mustEnd: false })
      expect(completions[place]!.isReady).toBe(true)
    }
    expect(workers[0]!.isEnded).toBe(false)
  })

  test('that fails is started again by the next request', () => {
    const { workers, thread, request } = startThread()
    const failed = thread.of(request())!.start(32)
    workers[0]!.emit('error', new Error('out of memory'))
    expect(() => failed.readAllowed()).toThrow('the thread of constraints failed: out of memory; send the request again')
    expect(thread.of(request())!.start(32).isReady).toBe(false)
    expect(workers).toHaveLength(2)
  })
})

describe('what is followed', () => {
  let folder: string
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'heddle-followed-'))
    await writeByteTokenizer(folder)
  })
  afterEach(() => rm(folder, { recursive: true }))

  const of = (request: number, constraint: Constraint): ConstraintOfRequest => ({ request, folder, constraint, stopTokens: [258] })
  const aMask = () => new Uint8Array(259)

  test('completions of one request share what was compiled, and each goes its own way', async () => {
    const followed = new ActiveConstraints()
    const constraint: Constraint = { kind: 'json-schema', schema: { enum: ['ab', 'ac'] } }
    const masks = [aMask(), aMask()]
    for (const [completion, mask] of masks.entries()) await followed.receive({ kind: 'start', completion, of: of(1, constraint), mask })
    for (const letter of '"a') await followed.receive({ kind: 'accept', completion: 0, token: letter.charCodeAt(0) })
    const allowed = masks.map((mask) => [...mask.keys()].filter((token) => mask[token] === 1).map((token) => String.fromCharCode(token)))
    expect(allowed).toEqual([['b', 'c'], ['"']])
  })

  test('schemas of all requests together have a bound, which those that end make room in', async () => {
    const followed = new ActiveConstraints(10_000)
    const large: Constraint = { kind: 'json-schema', schema: { const: 'x'.repeat(900) } }
    const start = (request: number) => followed.receive({ kind: 'start', completion: request, of: of(request, large), mask: aMask() })
    const first = await Promise.all(Array.from({ length: 11 }, (_, request) => start(request)))
    expect(first.map((response) => response!.kind)).toEqual(Array.from({ length: 11 }, () => 'allowed'))
    expect(await start(11)).toMatchObject({ kind: 'failed', error: { kind: 'unavailable' } })
    await followed.receive({ kind: 'forget', request: 0 })
    expect(await start(12)).toMatchObject({ kind: 'allowed' })
  })

  test('a schema that cannot be enforced is said to be so', async () => {
    const constraint: Constraint = { kind: 'json-schema', schema: false }
    const response = await new ActiveConstraints().receive({ kind: 'start', completion: 1, of: of(1, constraint), mask: aMask() })
    expect(response).toMatchObject({
      kind: 'failed',
      error: { kind: 'unsupported', message: expect.stringContaining('cannot be fulfilled') },
    })
  })
})
