import { trials } from '@heddle/testing'
import fc from 'fast-check'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Flow } from './fair-queue.ts'
import { createStatementQueue, type StatementLimits } from './statement-queue.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const limits: StatementLimits = {
  running: 5,
  runningOfCaller: 4,
  runningOfProject: 3,
  queueTimeoutMs: 400,
  waiting: 12,
  waitingOfProject: 6,
}
/** What the slowest statement takes before the engine's own limit ends it. */
const slowestMs = 2_000

type Step =
  | { do: 'ask'; flow: Flow; takesMs: number }
  /** One of those that have asked, by their number. */
  | { do: 'hang up'; which: number }
  | { do: 'wait'; ms: number }

const steps: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constant('ask' as const),
      flow: fc.record({ caller: fc.constantFrom('a', 'b', 'c'), project: fc.constantFrom('p', 'q', 'r', 's') }),
      takesMs: fc.oneof(fc.nat(5), fc.nat(slowestMs)),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('hang up' as const), which: fc.nat(30) }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('wait' as const), ms: fc.oneof(fc.nat(5), fc.nat(300)) }) },
)

interface Statement {
  flow: Flow
  askedMs: number
  state: 'waits' | 'runs' | 'ended' | 'refused'
  client: AbortController
}

/** An engine that takes its time over each statement, behind a queue. */
function anEngine() {
  const queue = createStatementQueue({ limits, nowMs: () => performance.now() })
  const statements: Statement[] = []
  const inState = (state: Statement['state']) => statements.filter((statement) => statement.state === state)

  function ask(flow: Flow, takesMs: number): void {
    const statement: Statement = { flow, askedMs: performance.now(), state: 'waits', client: new AbortController() }
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
    if (step.do === 'ask') ask(step.flow, step.takesMs)
    if (step.do === 'wait') await vi.advanceTimersByTimeAsync(step.ms)
    if (step.do === 'hang up') statements[step.which]?.client.abort()
    await vi.advanceTimersByTimeAsync(0)
  }

  /** What holds at every moment. */
  function check(): void {
    const [running, waiting] = [inState('runs'), inState('waits')]
    const most = (of: readonly Statement[], key: (flow: Flow) => string) =>
      Math.max(0, ...of.map(({ flow }) => of.filter((other) => key(other.flow) === key(flow)).length))
    expect({ running: queue.running, waiting: queue.waiting }).toEqual({ running: running.length, waiting: waiting.length })
    expect(running.length).toBeLessThanOrEqual(limits.running)
    expect(most(running, ({ project }) => project)).toBeLessThanOrEqual(limits.runningOfProject)
    expect(most(running, ({ caller }) => caller)).toBeLessThanOrEqual(limits.runningOfCaller)
    expect(most(waiting, ({ project }) => project)).toBeLessThanOrEqual(limits.waitingOfProject)
    for (const { askedMs } of waiting) expect(performance.now() - askedMs).toBeLessThanOrEqual(limits.queueTimeoutMs)
    const mayRun = ({ flow }: Statement) =>
      running.filter((other) => other.flow.project === flow.project).length < limits.runningOfProject &&
      running.filter((other) => other.flow.caller === flow.caller).length < limits.runningOfCaller
    if (running.length < limits.running) expect(waiting.filter(mayRun), 'nobody waits for a permit that is free').toEqual([])
  }

  async function empty(): Promise<void> {
    await vi.advanceTimersByTimeAsync(limits.queueTimeoutMs + slowestMs)
    expect([...inState('waits'), ...inState('runs')], 'everyone is answered').toEqual([])
    expect([queue.running, queue.waiting, vi.getTimerCount()]).toEqual([0, 0, 0])
  }

  return { take, check, empty }
}

test('whoever asks and hangs up, no key and no project ever has all permits, everyone is answered in time, and no permit is lost', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(steps, { maxLength: trials({ usual: 60, long: 300 }), size: 'max' }), async (life) => {
      const engine = anEngine()
      for (const step of life) {
        await engine.take(step)
        engine.check()
      }
      await engine.empty()
    }),
    { numRuns: trials({ usual: 50, long: 1_000 }) },
  )
}, 900_000)
