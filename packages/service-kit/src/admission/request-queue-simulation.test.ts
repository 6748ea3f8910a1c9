import { isApiError } from '@heddle/core-api'
import { trials } from '@heddle/testing'
import fc from 'fast-check'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Flow } from './fair-queue.ts'
import { createRequestQueue, type RequestQueueLimits } from './request-queue.ts'
import { createEventLoopTicks } from './event-loop-ticks.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const limits: RequestQueueLimits = {
  tickBytes: 40_000,
  yieldRatio: 1,
  maxRunning: 3,
  maxRunningBytes: 100,
  largeBytes: 60,
  maxLarge: 1,
  maxOccupancyMs: 500,
  shedAfterMs: 200,
  queueTimeoutMs: 400,
  maxWaiting: 8,
}

type Step =
  | { do: 'send'; flow: Flow; bytes: number }
  /** One of the requests sent so far, by its number. */
  | { do: 'release' | 'disconnect'; which: number }
  | { do: 'wait'; ms: number }

const which = fc.nat(30)
const steps: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constant('send' as const),
      flow: fc.record({ caller: fc.constantFrom('a', 'b'), project: fc.constantFrom('', 'p') }),
      bytes: fc.integer({ min: 1, max: 80 }),
    }),
  },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('release' as const), which }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('disconnect' as const), which }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('wait' as const), ms: fc.oneof(fc.nat(5), fc.nat(300)) }) },
)

interface SimulatedRequest {
  flow: Flow
  bytes: number
  sentMs: number
  startedMs?: number
  /** The status is that of a refusal. */
  outcome?: 'running' | 'released' | { status: number | undefined }
  release(): void
  client: AbortController
}

/** A queue with clients that send, finish and disconnect. */
function aQueue() {
  const queue = createRequestQueue({ name: 'writes', limits, nowMs: () => performance.now(), ticks: createEventLoopTicks() })
  const requests: SimulatedRequest[] = []
  const started: SimulatedRequest[] = []

  function send(flow: Flow, bytes: number): void {
    const request: SimulatedRequest = { flow, bytes, sentMs: performance.now(), release: () => {}, client: new AbortController() }
    requests.push(request)
    try {
      const permit = queue.admit(flow)
      request.release = () => permit.release()
      permit.acquire(bytes, request.client).then(
        () => {
          Object.assign(request, { outcome: 'running', startedMs: performance.now() })
          started.push(request)
        },
        (error: unknown) => {
          request.outcome = { status: statusOf(error) }
        },
      )
    } catch (error) {
      request.outcome = { status: statusOf(error) }
    }
  }

  async function take(step: Step): Promise<void> {
    if (step.do === 'send') send(step.flow, step.bytes)
    if (step.do === 'wait') await vi.advanceTimersByTimeAsync(step.ms)
    const request = 'which' in step ? requests[step.which] : undefined
    if (step.do === 'disconnect') request?.client.abort()
    if (step.do === 'release' && request?.outcome === 'running') {
      request.release()
      request.outcome = 'released'
    }
    await vi.advanceTimersByTimeAsync(0)
  }

  /** Asserts the invariants. */
  function check(): void {
    const now = performance.now()
    expect(queue.running).toBeLessThanOrEqual(limits.maxRunning)
    expect(queue.waiting).toBeLessThanOrEqual(limits.maxWaiting)
    const working = requests.filter(({ outcome, startedMs = 0 }) => outcome === 'running' && now - startedMs < limits.maxOccupancyMs)
    const small = working.filter(({ bytes }) => bytes < limits.largeBytes)
    expect(working.length - small.length).toBeLessThanOrEqual(limits.maxLarge)
    if (small.length > 1) expect(small.reduce((sum, { bytes }) => sum + bytes, 0)).toBeLessThanOrEqual(limits.maxRunningBytes)
    for (const { outcome, sentMs } of requests) if (outcome === undefined) expect(now - sentMs).toBeLessThanOrEqual(limits.queueTimeoutMs)
    for (const flow of new Set(started.map(({ flow: { caller, project } }) => `${caller} ${project}`))) {
      const order = started
        .filter(({ flow: { caller, project } }) => `${caller} ${project}` === flow)
        .map((request) => requests.indexOf(request))
      expect(order, 'a project is served in the order of arrival').toEqual(order.toSorted((one, other) => one - other))
    }
  }

  async function empty(): Promise<void> {
    await vi.advanceTimersByTimeAsync(limits.queueTimeoutMs + limits.maxOccupancyMs)
    for (const request of requests) request.release()
    await vi.advanceTimersByTimeAsync(limits.queueTimeoutMs + limits.maxOccupancyMs)
    for (const { outcome, client } of requests) {
      expect(outcome, 'every request is answered').toBeDefined()
      if (typeof outcome === 'object') expect(client.signal.aborted ? [400, 429] : [429]).toContain(outcome.status)
    }
    expect([queue.running, queue.waiting, vi.getTimerCount()]).toEqual([0, 0, 0])
  }

  return { take, check, empty }
}

const statusOf = (error: unknown) => (isApiError(error) ? error.status : undefined)

test('under any interleaving of sends, releases and disconnects the queue keeps its bounds, answers every request in time and ends empty', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(steps, { maxLength: trials({ usual: 60, long: 300 }), size: 'max' }), async (history) => {
      const queue = aQueue()
      for (const step of history) {
        await queue.take(step)
        queue.check()
      }
      await queue.empty()
    }),
    { numRuns: trials({ usual: 100, long: 1_000 }) },
  )
}, 900_000)
