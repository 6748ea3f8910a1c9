import { isApiError } from '@heddle/core-api'
import { trials } from '@heddle/testing'
import fc from 'fast-check'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Flow } from './fair-queue.ts'
import { createLane, type LaneLimits } from './lane.ts'
import { createLoopTurns } from './loop-turns.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const limits: LaneLimits = {
  turnBytes: 40_000,
  restShare: 1,
  maxWorking: 3,
  maxWorkingBytes: 100,
  largeBytes: 60,
  maxLarge: 1,
  maxHoldMs: 500,
  patienceMs: 200,
  maxWaitMs: 400,
  maxWaiting: 8,
}

type Step =
  | { do: 'come'; flow: Flow; bytes: number }
  /** One of those that have come, by their number. */
  | { do: 'leave' | 'hang up'; which: number }
  | { do: 'wait'; ms: number }

const which = fc.nat(30)
const steps: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constant('come' as const),
      flow: fc.record({ caller: fc.constantFrom('a', 'b'), project: fc.constantFrom('', 'p') }),
      bytes: fc.integer({ min: 1, max: 80 }),
    }),
  },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('leave' as const), which }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('hang up' as const), which }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('wait' as const), ms: fc.oneof(fc.nat(5), fc.nat(300)) }) },
)

interface Guest {
  flow: Flow
  bytes: number
  cameMs: number
  begunMs?: number
  /** The status is that of a refusal. */
  outcome?: 'begun' | 'left' | { status: number | undefined }
  leave(): void
  client: AbortController
}

/** A lane with guests who come, go and hang up. */
function aLane() {
  const lane = createLane({ name: 'writes', limits, nowMs: () => performance.now(), turns: createLoopTurns() })
  const guests: Guest[] = []
  const begun: Guest[] = []

  function come(flow: Flow, bytes: number): void {
    const guest: Guest = { flow, bytes, cameMs: performance.now(), leave: () => {}, client: new AbortController() }
    guests.push(guest)
    try {
      const visit = lane.enter(flow)
      guest.leave = () => visit.leave()
      visit.begin(bytes, guest.client).then(
        () => {
          Object.assign(guest, { outcome: 'begun', begunMs: performance.now() })
          begun.push(guest)
        },
        (error: unknown) => {
          guest.outcome = { status: statusOf(error) }
        },
      )
    } catch (error) {
      guest.outcome = { status: statusOf(error) }
    }
  }

  async function take(step: Step): Promise<void> {
    if (step.do === 'come') come(step.flow, step.bytes)
    if (step.do === 'wait') await vi.advanceTimersByTimeAsync(step.ms)
    const guest = 'which' in step ? guests[step.which] : undefined
    if (step.do === 'hang up') guest?.client.abort()
    if (step.do === 'leave' && guest?.outcome === 'begun') {
      guest.leave()
      guest.outcome = 'left'
    }
    await vi.advanceTimersByTimeAsync(0)
  }

  /** What holds at every moment. */
  function check(): void {
    const now = performance.now()
    expect(lane.working).toBeLessThanOrEqual(limits.maxWorking)
    expect(lane.waiting).toBeLessThanOrEqual(limits.maxWaiting)
    const working = guests.filter(({ outcome, begunMs = 0 }) => outcome === 'begun' && now - begunMs < limits.maxHoldMs)
    const small = working.filter(({ bytes }) => bytes < limits.largeBytes)
    expect(working.length - small.length).toBeLessThanOrEqual(limits.maxLarge)
    if (small.length > 1) expect(small.reduce((sum, { bytes }) => sum + bytes, 0)).toBeLessThanOrEqual(limits.maxWorkingBytes)
    for (const { outcome, cameMs } of guests) if (outcome === undefined) expect(now - cameMs).toBeLessThanOrEqual(limits.maxWaitMs)
    for (const flow of new Set(begun.map(({ flow: { caller, project } }) => `${caller} ${project}`))) {
      const came = begun.filter(({ flow: { caller, project } }) => `${caller} ${project}` === flow).map((guest) => guests.indexOf(guest))
      expect(came, 'a project is served in the order in which it came').toEqual(came.toSorted((one, other) => one - other))
    }
  }

  async function empty(): Promise<void> {
    await vi.advanceTimersByTimeAsync(limits.maxWaitMs + limits.maxHoldMs)
    for (const guest of guests) guest.leave()
    await vi.advanceTimersByTimeAsync(limits.maxWaitMs + limits.maxHoldMs)
    for (const { outcome, client } of guests) {
      expect(outcome, 'everyone is answered').toBeDefined()
      if (typeof outcome === 'object') expect(client.signal.aborted ? [400, 429] : [429]).toContain(outcome.status)
    }
    expect([lane.working, lane.waiting, vi.getTimerCount()]).toEqual([0, 0, 0])
  }

  return { take, check, empty }
}

const statusOf = (error: unknown) => (isApiError(error) ? error.status : undefined)

test('whoever comes, goes and hangs up, a lane keeps its bounds, answers everyone in time and is empty in the end', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(steps, { maxLength: trials({ usual: 60, long: 300 }), size: 'max' }), async (life) => {
      const lane = aLane()
      for (const step of life) {
        await lane.take(step)
        lane.check()
      }
      await lane.empty()
    }),
    { numRuns: trials({ usual: 100, long: 1_000 }) },
  )
}, 900_000)
