import { Agent } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import { readCorpus } from '../data/read-corpus.ts'
import { post } from '../load/post.ts'
import { roundsOf, type Round } from '../load/rounds.ts'
import { percentiles } from '../report/percentiles.ts'
import type { TenantsMessage, TenantsPlan, TenantsResult } from './tenants-plan.ts'

const turnsOfSecond = 50
const retryPauseMs = 100
const stream = '/calls/stream_query'
const newest = { sort_by: [{ field: 'started_at', direction: 'desc' }], limit: 5 }
const slowest = { sort_by: [{ field: 'summary.weave.latency_ms', direction: 'desc' }], limit: 50 }
/** Reads all inputs of the project. */
const absentWord = { query: { $expr: { $contains: { input: { $getField: 'inputs' }, substr: { $literal: 'zyxwvutsrq' } } } }, limit: 50 }

interface Sent {
  path: string
  contentType: string
  body: Buffer
}

/** What each turn sends. Bodies of a load are stamped in place, so a body under way is a copy. */
function requestsOf(plan: TenantsPlan): (turn: number) => Sent {
  const { projects, kind, server } = plan
  const projectOf = (turn: number) => projects[turn % projects.length] ?? ''
  if (kind !== 'write') {
    const asked = (turn: number) => (kind === 'read' ? newest : turn % 2 === 0 ? slowest : absentWord)
    return (turn) => ({
      path: stream,
      contentType: 'application/json',
      body: Buffer.from(JSON.stringify({ project_id: projectOf(turn), ...asked(turn) })),
    })
  }
  const corpus = readCorpus(plan.corpus)
  const rounds = new Map<string, Round[]>()
  return (turn) => {
    const project = projectOf(turn)
    let own = rounds.get(project)
    if (own === undefined) {
      const load = { ...plan, target: { ...server, project }, kind: 'complete' as const, warmUpSeconds: 0 }
      own = roundsOf(load, corpus, rounds.size)
      rounds.set(project, own)
    }
    const round = own[Math.floor(turn / projects.length) % own.length]
    const body = round?.steps[0]
    if (round === undefined || body === undefined) throw new Error(`project ${project} has no request`)
    body.stamp(plan.firstSequence + turn, Date.now())
    return { path: round.path, contentType: round.contentType, body: Buffer.from(body.bytes) }
  }
}

async function main(plan: TenantsPlan): Promise<TenantsResult> {
  const agent = new Agent({ keepAlive: true, maxSockets: plan.connections })
  const requestOf = requestsOf(plan)
  const latencies: number[] = []
  const failures: Record<string, number> = {}
  const startMs = performance.now()
  const elapsed = () => (performance.now() - startMs) / 1000
  let turn = 0
  const send = async () => {
    const sent = requestOf(turn++)
    const sentMs = performance.now()
    const target = { ...plan.server, project: '' }
    const answer = await post({ agent, target, ...sent }).catch((error: unknown) => ({ status: String(error) }))
    if (answer.status === 200) latencies.push(performance.now() - sentMs)
    else failures[answer.status] = (failures[answer.status] ?? 0) + 1
    return answer.status === 200
  }
  const sendAgain = async () => {
    while (elapsed() < plan.seconds) if (!(await send())) await delay(retryPauseMs)
  }
  if (plan.requestsPerSecond === undefined) await Promise.all(Array.from({ length: plan.connections }, sendAgain))
  else {
    const underWay = new Set<Promise<unknown>>()
    while (elapsed() < plan.seconds) {
      for (const due = Math.floor(elapsed() * plan.requestsPerSecond); turn < due;) {
        const one = send().finally(() => underWay.delete(one))
        underWay.add(one)
      }
      await delay(1000 / turnsOfSecond)
    }
    await Promise.all(underWay)
  }
  agent.destroy()
  return { answered: latencies.length, failures, latencyMs: percentiles(latencies) }
}

// The load ends with the process that started it.
process.once('disconnect', () => process.exit(1))
main(JSON.parse(process.argv[2] ?? '{}')).then(
  (result) => process.send?.({ type: 'result', result } satisfies TenantsMessage, () => process.exit(0)),
  (error: unknown) => {
    const reason = error instanceof Error ? (error.stack ?? error.message) : String(error)
    process.send?.({ type: 'failed', reason } satisfies TenantsMessage)
    process.exitCode = 1
  },
)
