import { once } from 'node:events'
import { Agent } from 'node:http'
import { readCorpus } from '../data/read-corpus.ts'
import { percentiles } from '../report/percentiles.ts'
import type { LoadMessage, LoadPlan, LoadResult } from './load-plan.ts'
import { post } from './post.ts'
import { roundsOf, type Round } from './rounds.ts'
import { verify, type Acknowledged } from './verify.ts'

/** What all connections together have come to. */
interface Tally {
  sequence: number
  requests: number
  calls: number
  bodyBytes: number
  latenciesMs: number[]
  failures: Record<string, number>
  acknowledged: Acknowledged[]
}

const retryPauseMs = 100

function tell(message: LoadMessage): void {
  process.send?.(message)
}

async function main(plan: LoadPlan): Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: plan.connections })
  const corpus = readCorpus(plan.corpus)
  const connections = Array.from({ length: plan.connections }, (_, index) => roundsOf(plan, corpus, index))
  const tally: Tally = { sequence: 1, ...noCounts(), acknowledged: [] }
  const runFor = async (seconds: number) => {
    const endMs = performance.now() + seconds * 1000
    await Promise.all(connections.map((rounds) => runConnection({ plan, agent, rounds, tally, endMs })))
  }
  tell({ type: 'prepared' })
  await once(process, 'message')
  await runFor(plan.warmUpSeconds)
  Object.assign(tally, noCounts())
  tell({ type: 'warm' })
  const cpu = process.cpuUsage()
  const startMs = performance.now()
  await runFor(plan.seconds)
  tell({ type: 'done', result: toResult(tally, { seconds: (performance.now() - startMs) / 1000, cpu: process.cpuUsage(cpu) }) })
  await once(process, 'message')
  tell({ type: 'verified', verification: await verify(agent, plan.target, tally.acknowledged) })
  agent.destroy()
  process.disconnect()
}

function noCounts() {
  return { requests: 0, calls: 0, bodyBytes: 0, latenciesMs: [], failures: {} }
}

interface Connection {
  plan: LoadPlan
  agent: Agent
  rounds: readonly Round[]
  tally: Tally
  endMs: number
}

async function runConnection({ plan, agent, rounds, tally, endMs }: Connection): Promise<void> {
  for (let turn = 0; performance.now() < endMs; turn++) {
    const round = rounds[turn % rounds.length]
    if (round === undefined) return
    const sequence = tally.sequence++
    const wholly = await runRound({ plan, agent, round, tally }, sequence)
    const [body] = round.steps
    if (!wholly || body === undefined) continue
    tally.calls += body.calls
    tally.acknowledged.push({ body, sequence })
  }
}

/** True when every request of the round was answered with success. */
async function runRound(
  { plan, agent, round, tally }: Omit<Connection, 'rounds' | 'endMs'> & { round: Round },
  sequence: number,
): Promise<boolean> {
  const startMs = Date.now()
  for (const step of round.steps) {
    step.stamp(sequence, startMs)
    const sentMs = performance.now()
    const failure = await post({ ...round, agent, target: plan.target, body: step.bytes }).then(
      ({ status }) => (status === 200 ? undefined : `status ${status}`),
      (error: unknown) => String(error),
    )
    tally.requests++
    tally.bodyBytes += step.bytes.length
    if (failure === undefined) tally.latenciesMs.push(performance.now() - sentMs)
    else {
      tally.failures[failure] = (tally.failures[failure] ?? 0) + 1
      // What refuses must not be asked again at once.
      await new Promise((resolve) => setTimeout(resolve, retryPauseMs))
      return false
    }
  }
  return true
}

function toResult(
  { requests, calls, bodyBytes, latenciesMs, failures }: Tally,
  { seconds, cpu }: { seconds: number; cpu: NodeJS.CpuUsage },
): LoadResult {
  return { seconds, requests, calls, bodyBytes, failures, latencyMs: percentiles(latenciesMs), cpuSeconds: (cpu.user + cpu.system) / 1e6 }
}

// The load ends with the process that started it.
process.once('disconnect', () => process.exit(1))
main(JSON.parse(process.argv[2] ?? '{}')).catch((error: unknown) => {
  tell({ type: 'failed', reason: error instanceof Error ? (error.stack ?? error.message) : String(error) })
  process.exitCode = 1
})
