import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { runLoad } from '../load/run-load.ts'
import { describeMachine } from '../report/machine.ts'
import { percentiles, round } from '../report/percentiles.ts'
import { printTable } from '../report/print-table.ts'
import { writeResult } from '../report/write-result.ts'
import { type LoopDelay, loopDelayArguments, readLoopDelay } from '../server/loop-delay.ts'
import { startServer } from '../server/start-server.ts'
import { watchMemory } from '../server/watch-memory.ts'
import { trendOf, type MemoryTrend } from './memory-trend.ts'
import type { PacedPlan, PacedResult } from './paced-plan.ts'
import { runPacedLoad } from './run-paced-load.ts'

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))))
const { values: flags } = parseArgs({
  options: {
    'limit-seconds': { type: 'string', default: '10' },
    // For the full trial: --soak-seconds 3600 --overload-seconds 600.
    'soak-seconds': { type: 'string', default: '60' },
    'overload-seconds': { type: 'string', default: '60' },
    'tenant-seconds': { type: 'string', default: '30' },
    tenants: { type: 'string', default: '100' },
    server: { type: 'string', default: join(root, 'apps', 'heddle', 'dist', 'main.js') },
    output: { type: 'string', default: join(root, 'benchmarks', 'results', 'overload.json') },
  },
})
const corpus = join(root, 'node_modules', '.pnpm')
const shape = { kind: 'complete', callsOfRequest: 20, textBytes: 3_600 } as const
/** Latency is looked at again for so long after the overload; it must be normal when the first ten seconds are over. */
const recoverySeconds = 20
const allowedSeconds = 10

interface Phase {
  name: string
  load: PacedResult
  memory: MemoryTrend
  loopDelayMs: LoopDelay
}

const machine = describeMachine()
const probe = join(mkdtempSync(join(tmpdir(), 'heddle-probe-')), 'socket')
const server = await startServer({ command: flags.server, nodeArguments: loopDelayArguments(probe) })
try {
  const requestsPerSecond = await measureLimit()
  console.error(`limit: ${round(requestsPerSecond)} requests/s of ${shape.callsOfRequest} calls`)
  const phases = [
    await phase('soak', { requestsPerSecond: requestsPerSecond / 2, seconds: Number(flags['soak-seconds']) }),
    await phase('overload', { requestsPerSecond: requestsPerSecond * 2, seconds: Number(flags['overload-seconds']) }),
    await phase('recovery', { requestsPerSecond: requestsPerSecond / 2, seconds: recoverySeconds }),
  ]
  const tenants = await measureTenants(requestsPerSecond)
  const recovery = { normalP50: phases[0]?.load.latencyMs.p50 ?? 0, afterP50: p50After(phases[2]) }
  report(phases, tenants, recovery)
  const results = { shape, requestsPerSecond, phases: phases.map(toResult), tenants, recovery }
  writeResult(flags.output, { machine, ...results })
} finally {
  await server.stop()
  rmSync(dirname(probe), { recursive: true, force: true })
}

/** Requests in a second that the server answers to a closed loop. */
async function measureLimit(): Promise<number> {
  const target = { url: server.url, apiKey: server.apiKey, project: 'bench/limit' }
  const plan = { ...shape, target, corpus, connections: 64, warmUpSeconds: 3, seconds: Number(flags['limit-seconds']) }
  const { result } = await runLoad(plan, { onPrepared: async () => {}, onWarm() {}, onDone: async () => {} })
  return (result.requests - Object.values(result.failures).reduce((sum, count) => sum + count, 0)) / result.seconds
}

/** Single seconds tell something of the recovery alone. */
function toResult({ load: { seconds, ...load }, ...phase }: Phase): object {
  return { ...phase, load: phase.name === 'recovery' ? { ...load, seconds } : load }
}

function planFor(pace: Pick<PacedPlan, 'projects' | 'requestsPerSecond' | 'seconds'> & Partial<PacedPlan>): PacedPlan {
  return { ...shape, server: { url: server.url, apiKey: server.apiKey }, corpus, maxUnderWay: 512, firstSequence: 1, ...pace }
}

async function phase(name: string, pace: Pick<PacedPlan, 'requestsPerSecond' | 'seconds'>): Promise<Phase> {
  console.error(`${name}: ${pace.seconds} s at ${round(pace.requestsPerSecond)} requests/s`)
  await readLoopDelay(probe)
  const memory = watchMemory(server)
  try {
    const load = await runPacedLoad(planFor({ ...pace, projects: [`bench/${name}`] }))
    return { name, load, memory: trendOf(memory.stop()), loopDelayMs: await readLoopDelay(probe) }
  } finally {
    memory.stop()
  }
}

/** What tenants with a fifth of the limit among them meet when they are alone, and when one more sends twice the limit. */
async function measureTenants(limit: number) {
  const seconds = Number(flags['tenant-seconds'])
  const projects = Array.from({ length: Number(flags.tenants) - 1 }, (_, index) => `bench/tenant-${index}`)
  const modest = { projects, requestsPerSecond: limit / 5 }
  console.error(`tenants: ${flags.tenants}, ${seconds} s without and ${seconds} s with a greedy one`)
  // Each has been there before.
  await runPacedLoad(planFor({ ...modest, seconds: Math.ceil((2 * projects.length) / modest.requestsPerSecond) }))
  const alone = await runPacedLoad(planFor({ ...modest, seconds, firstSequence: 1_000_000 }))
  const [beside, greedy] = await Promise.all([
    runPacedLoad(planFor({ ...modest, seconds, firstSequence: 2_000_000 })),
    runPacedLoad(planFor({ projects: ['bench/greedy'], requestsPerSecond: limit * 2, seconds })),
  ])
  return { alone, beside, greedy }
}

/** Half of the seconds after those that are allowed were slower, half faster. */
function p50After(recovery: Phase | undefined): number {
  return percentiles((recovery?.load.seconds ?? []).slice(allowedSeconds).map(({ p50 }) => p50)).p50
}

function report(phases: readonly Phase[], tenants: Record<string, PacedResult>, recovery: { normalP50: number; afterP50: number }): void {
  const megabytes = (bytes: number) => Math.round(bytes / 1e6)
  const line = (name: string, load: PacedResult) => ({
    load: name,
    sent: load.sent,
    'passed over': load.passedOver,
    acknowledged: load.acknowledgedRequests,
    refused: Object.entries(load.failures)
      .map(([status, count]) => `${count} × ${status}`)
      .join(', '),
    'no Retry-After': load.withoutRetryAfter,
    'p50 ms': load.latencyMs.p50,
    'p99 ms': load.latencyMs.p99,
    missing: load.missing,
  })
  printTable([...phases.map(({ name, load }) => line(name, load)), ...Object.entries(tenants).map(([name, load]) => line(name, load))])
  printTable(
    phases.map(({ name, memory, loopDelayMs }) => ({
      load: name,
      'first MB': megabytes(memory.firstBytes),
      'last MB': megabytes(memory.lastBytes),
      'peak MB': megabytes(memory.peakBytes),
      'MB/min': round(memory.bytesPerMinute / 1e6),
      'loop late p99 ms': round(loopDelayMs.p99),
      'max ms': round(loopDelayMs.max),
    })),
  )
  const share = (tenants['beside']?.latencyMs.p99 ?? 0) / Math.max(1, tenants['alone']?.latencyMs.p99 ?? 1)
  console.log(`p50 ${allowedSeconds} s after the overload: ${recovery.afterP50} ms, before it ${recovery.normalP50} ms`)
  console.log(`p99 of ${Number(flags.tenants) - 1} tenants beside a greedy one: ${round(share)} × what they have alone`)
  const all = [...phases.map(({ load }) => load), ...Object.values(tenants)]
  if (all.some(({ missing, withoutRetryAfter }) => missing > 0 || withoutRetryAfter > 0)) process.exitCode = 1
}
