import { trials } from '@heddle/testing'
import fc from 'fast-check'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Flow } from './fair-queue.ts'
import { createPermitQueue, type PermitLimits } from './permit-queue.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const limits: PermitLimits = {
  running: 5,
  runningOfCaller: 4,
  runningOfProject: 3,
  queueTimeoutMs: 400,
  waiting: 12,
  waitingOfProject: 6,
}
/** Longest run of a statement, which the engine's own limit bounds. */
const slowestMs = 2_000

type Step =
  | { do: 'acquire'; flow: Flow; takesMs: number }
  /** One of the statements so far, by its number. */
  | { do: 'disconnect'; which: number }
  | { do: 'wait'; ms: number }

const steps: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constant('acquire' as const),
      flow: fc.record({ caller: fc.constantFrom('a', 'b', 'c'), project: fc.constantFrom('p', 'q', 'r', 's') }),
      takesMs: fc.oneof(fc.nat(5), fc.nat(slowestMs)),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('disconnect' as const), which: fc.nat(30) }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('wait' as const), ms: fc.oneof(fc.nat(5), fc.nat(300)) }) },
)

interface Statement {
  flow: Flow
  queuedMs: number
  state: 'waits' | 'runs' | 'ended' | 'refused'
  client: AbortController
}

/** A simulated engine behind a queue. */
function anEngine() {
  const queue = createPermitQueue({ limits, nowMs: () => performance.now() })
  const statements: Statement[] = []
  const inState = (state: Statement['state']) => statements.filter((statement) => statement.state === state)

  function acquire(flow: Flow, takesMs: number): void {
    const statement: Statement = { flow, queuedMs: performance.now(), state: 'waits', client: new AbortController() }
    statements.push(statement)
    void queue.acquire(flow, statement.client.signal).then((release) => {
      statement.state = release ? 'runs' : 'refused'
      if (!release) return
      const end = () => {
        statement.state = 'ended'
        clearTimeout(timer)
        release()
      }
      const timer = setTimeout(end, takesMs)
      statement.client.signal.addEventListener('abort', end)
    })
  }

  async function take(step: Step): Promise<void> {
    if (step.do === 'acquire') acquire(step.flow, step.takesMs)
    if (step.do === 'wait') await vi.advanceTimersByTimeAsync(step.ms)
    if (step.do === 'disconnect') statements[step.which]?.client.abort()
    await vi.advanceTimersByTimeAsync(0)
  }

  /** Asserts the invariants. */
  function check(): void {
    const [running, waiting] = [inState('runs'), inState('waits')]
    const most = (of: readonly Statement[], key: (flow: Flow) => string) =>
      Math.max(0, ...of.map(({ flow }) => of.filter((other) => key(other.flow) === key(flow)).length))
    expect({ running: queue.running, waiting: queue.waiting }).toEqual({ running: running.length, waiting: waiting.length })
    expect(running.length).toBeLessThanOrEqual(limits.running)
    expect(most(running, ({ project }) => project)).toBeLessThanOrEqual(limits.runningOfProject)
    expect(most(running, ({ caller }) => caller)).toBeLessThanOrEqual(limits.runningOfCaller)
    expect(most(waiting, ({ project }) => project)).toBeLessThanOrEqual(limits.waitingOfProject)
    for (const { queuedMs } of waiting) expect(performance.now() - queuedMs).toBeLessThanOrEqual(limits.queueTimeoutMs)
    const mayRun = ({ flow }: Statement) =>
      running.filter((other) => other.flow.project === flow.project).length < limits.runningOfProject &&
      running.filter((other) => other.flow.caller === flow.caller).length < limits.runningOfCaller
    if (running.length < limits.running) expect(waiting.filter(mayRun), 'no statement waits for a free permit').toEqual([])
  }

  async function empty(): Promise<void> {
    await vi.advanceTimersByTimeAsync(limits.queueTimeoutMs + slowestMs)
    expect([...inState('waits'), ...inState('runs')], 'every statement is answered').toEqual([])
    expect([queue.running, queue.waiting, vi.getTimerCount()]).toEqual([0, 0, 0])
  }

  return { take, check, empty }
}

test('under any interleaving of statements and disconnects no key and no project holds all permits, every statement is answered in time, and no permit leaks', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(steps, { maxLength: trials({ usual: 60, long: 300 }), size: 'max' }), async (history) => {
      const engine = anEngine()
      for (const step of history) {
        await engine.take(step)
        engine.check()
      }
      await engine.empty()
    }),
    { numRuns: trials({ usual: 50, long: 1_000 }) },
  )
}, 900_000)
