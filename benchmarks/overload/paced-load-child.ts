import { Agent } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import { readCorpus } from '../data/read-corpus.ts'
import { post } from '../load/post.ts'
import { roundsOf, type Round } from '../load/rounds.ts'
import { verify, type Acknowledged } from '../load/verify.ts'
import { percentiles } from '../report/percentiles.ts'
import type { PacedMessage, PacedPlan, PacedResult, SecondOfLoad } from './paced-plan.ts'

/** One project with the requests that are sent to it in turn. */
interface Tenant {
  project: string
  rounds: readonly Round[]
  sequence: number
  acknowledged: Acknowledged[]
}

interface Tally extends Omit<PacedResult, 'latencyMs' | 'seconds' | 'missing' | 'acknowledgedCalls'> {
  underWay: number
  /** By the second in which the request was sent. */
  latenciesOf: number[][]
  refusedOf: number[]
}

const turnsOfSecond = 50
const busy = new Set([429, 503])

async function main(plan: PacedPlan): Promise<PacedResult> {
  const agent = new Agent({ keepAlive: true, maxSockets: plan.maxUnderWay })
  const corpus = readCorpus(plan.corpus)
  const tenants = plan.projects.map((project, index): Tenant => {
    const target = { ...plan.server, project }
    const rounds = roundsOf({ ...plan, target, connections: 1, warmUpSeconds: 0 }, corpus, index)
    return { project, rounds, sequence: plan.firstSequence, acknowledged: [] }
  })
  const tally: Tally = {
    sent: 0,
    passedOver: 0,
    acknowledgedRequests: 0,
    failures: {},
    withoutRetryAfter: 0,
    mostUnderWay: 0,
    underWay: 0,
    latenciesOf: [],
    refusedOf: [],
  }
  await sendAtPace(plan, agent, tenants, tally)
  while (tally.underWay > 0) await delay(20)
  const { underWay: _, latenciesOf, refusedOf, ...counts } = tally
  const result: PacedResult = { ...counts, acknowledgedCalls: 0, missing: 0, latencyMs: percentiles(latenciesOf.flat()), seconds: [] }
  result.seconds = Array.from({ length: plan.seconds }, (_unused, second) => secondOf(latenciesOf[second], refusedOf[second]))
  for (const { project, acknowledged } of tenants) {
    const { acknowledged: calls, missing } = await verify(agent, { ...plan.server, project }, acknowledged)
    result.acknowledgedCalls += calls
    result.missing += missing
  }
  agent.destroy()
  return result
}

async function sendAtPace(plan: PacedPlan, agent: Agent, tenants: readonly Tenant[], tally: Tally): Promise<void> {
  const startMs = performance.now()
  let turn = 0
  for (let elapsed = 0; elapsed < plan.seconds; elapsed = (performance.now() - startMs) / 1000) {
    for (const due = Math.floor(elapsed * plan.requestsPerSecond); turn < due; turn++) {
      const tenant = tenants[turn % tenants.length]
      if (tenant === undefined || tally.underWay >= plan.maxUnderWay) tally.passedOver++
      else void send({ plan, agent, tenant, tally, second: Math.floor(elapsed) })
    }
    await delay(1000 / turnsOfSecond)
  }
}

interface Sending {
  plan: PacedPlan
  agent: Agent
  tenant: Tenant
  tally: Tally
  second: number
}

async function send({ plan, agent, tenant, tally, second }: Sending): Promise<void> {
  const sequence = tenant.sequence++
  const round = tenant.rounds[sequence % tenant.rounds.length]
  const body = round?.steps[0]
  if (round === undefined || body === undefined) return
  body.stamp(sequence, Date.now())
  tally.sent++
  tally.underWay++
  tally.mostUnderWay = Math.max(tally.mostUnderWay, tally.underWay)
  const sentMs = performance.now()
  // The body is stamped again while this one is still being sent.
  const request = { ...round, agent, target: { ...plan.server, project: tenant.project }, body: Buffer.from(body.bytes) }
  const answer = await post(request).catch((error: unknown) => ({ status: String(error), retryAfter: undefined }))
  tally.underWay--
  if (answer.status === 200) {
    tally.acknowledgedRequests++
    tenant.acknowledged.push({ body, sequence })
    ;(tally.latenciesOf[second] ??= []).push(performance.now() - sentMs)
    return
  }
  tally.failures[answer.status] = (tally.failures[answer.status] ?? 0) + 1
  tally.refusedOf[second] = (tally.refusedOf[second] ?? 0) + 1
  if (busy.has(Number(answer.status)) && answer.retryAfter === undefined) tally.withoutRetryAfter++
}

function secondOf(latencies: readonly number[] = [], refused = 0): SecondOfLoad {
  const { p50, p99 } = percentiles(latencies)
  return { acknowledged: latencies.length, refused, p50, p99 }
}

const tell = (message: PacedMessage) => process.send?.(message)

// The load ends with the process that started it.
process.once('disconnect', () => process.exit(1))
main(JSON.parse(process.argv[2] ?? '{}')).then(
  (result) => process.send?.({ type: 'result', result } satisfies PacedMessage, () => process.exit(0)),
  (error: unknown) => {
    tell({ type: 'failed', reason: error instanceof Error ? (error.stack ?? error.message) : String(error) })
    process.exitCode = 1
  },
)
