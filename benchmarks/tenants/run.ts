import { loadavg } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { describeMachine } from '../report/machine.ts'
import { round } from '../report/percentiles.ts'
import { printTable } from '../report/print-table.ts'
import { spread } from '../report/spread.ts'
import { writeResult } from '../report/write-result.ts'
import { readUsage } from '../server/process-usage.ts'
import { startServer, type BenchServer } from '../server/start-server.ts'
import { runTenants } from './run-tenants.ts'
import type { TenantsPlan, TenantsResult } from './tenants-plan.ts'

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))))
const { values: flags } = parseArgs({
  options: {
    tenants: { type: 'string', default: '100' },
    // Writes, and as many reads, of all calm tenants together.
    'per-second': { type: 'string', default: '50' },
    seconds: { type: 'string', default: '20' },
    // For how long the greedy tenant writes what it queries later.
    'fill-seconds': { type: 'string', default: '15' },
    'greedy-connections': { type: 'string', default: '16' },
    // Repeatable: built commands to compare, which are loaded alternately.
    server: { type: 'string', multiple: true, default: [join(root, 'apps', 'heddle', 'dist', 'main.js')] },
    rounds: { type: 'string', default: '1' },
    output: { type: 'string', default: join(root, 'benchmarks', 'results', 'tenants.json') },
  },
})
const seconds = Number(flags.seconds)
const calmProjects = Array.from({ length: Number(flags.tenants) - 1 }, (_, index) => `bench/tenant-${index}`)
const greedyProject = 'bench/greedy'
/** Of calls of about 1 and 4 KB. */
const smallText = 800
const largeText = 3_600
const callsOfBatch = 100

/** What the calm tenants meet in one phase. */
interface Phase {
  beside: 'no load' | 'bulk writes' | 'wide queries'
  writes: TenantsResult
  reads: TenantsResult
  greedy: TenantsResult | undefined
  /** Seconds of processor time of service and engine together. */
  cpuSeconds: number
}

/** All phases with one server. */
interface Turn {
  command: string
  /** Processes that wanted to run in the minute before. */
  loadBefore: number
  phases: Phase[]
}

const machine = describeMachine()
const turns: Turn[] = []
for (let turn = 0; turn < flags.server.length * Number(flags.rounds); turn++) {
  const command = flags.server[turn % flags.server.length] ?? ''
  console.error(`turn ${turn + 1}: ${command}`)
  const [loadBefore = 0] = loadavg()
  const server = await startServer({ command })
  try {
    turns.push({ command, loadBefore, phases: await measurePhases(server) })
  } finally {
    await server.stop()
  }
}
console.log(
  `${calmProjects.length} calm tenants: ${flags['per-second']} writes of one call and as many reads of the newest 5 a second, all together`,
)
printTable(turns.flatMap(toLines))
printTable(flags.server.flatMap(toRatios))
writeResult(flags.output, { machine, flags, turns })

async function measurePhases(server: BenchServer): Promise<Phase[]> {
  let firstSequence = 1
  const plan = (given: Partial<TenantsPlan> & Pick<TenantsPlan, 'kind' | 'projects'>): TenantsPlan => ({
    server: { url: server.url, apiKey: server.apiKey },
    callsOfRequest: 1,
    textBytes: smallText,
    connections: 256,
    seconds,
    firstSequence: (firstSequence += 1_000_000),
    corpus: join(root, 'node_modules', '.pnpm'),
    ...given,
  })
  const greedy = { projects: [greedyProject], connections: Number(flags['greedy-connections']) }
  const bulk = { ...greedy, kind: 'write', callsOfRequest: callsOfBatch, textBytes: largeText } as const
  // A tenant that reads has not written in the same moment.
  const middle = Math.floor(calmProjects.length / 2)
  const projectsOf = { write: calmProjects, read: [...calmProjects.slice(middle), ...calmProjects.slice(0, middle)] }
  const calm = (kind: 'write' | 'read') =>
    runTenants(plan({ kind, projects: projectsOf[kind], requestsPerSecond: Number(flags['per-second']) }))
  const phase = async (beside: Phase['beside'], greedyPlan?: TenantsPlan): Promise<Phase> => {
    const cpuBefore = cpuSecondsOf(server)
    const [writes, reads, ofGreedy] = await Promise.all([calm('write'), calm('read'), greedyPlan && runTenants(greedyPlan)])
    return { beside, writes, reads, greedy: ofGreedy, cpuSeconds: cpuSecondsOf(server) - cpuBefore }
  }
  await runTenants(plan({ ...bulk, seconds: Number(flags['fill-seconds']) }))
  // Each has been there before, and the code is compiled.
  await phase('no load')
  return [await phase('no load'), await phase('bulk writes', plan(bulk)), await phase('wide queries', plan({ ...greedy, kind: 'search' }))]
}

function cpuSecondsOf({ pid, enginePid }: BenchServer): number {
  return readUsage(pid).cpuSeconds + readUsage(enginePid).cpuSeconds
}

function toLines({ command, loadBefore, phases }: Turn): Record<string, string | number>[] {
  return phases.map(({ beside, writes, reads, greedy, cpuSeconds }) => ({
    ...(flags.server.length > 1 && { server: command }),
    beside,
    'write p50 ms': writes.latencyMs.p50,
    'write p99 ms': writes.latencyMs.p99,
    'read p50 ms': reads.latencyMs.p50,
    'read p99 ms': reads.latencyMs.p99,
    refused: [writes, reads]
      .flatMap(({ failures }) => Object.entries(failures).map(([status, count]) => `${count} × ${status}`))
      .join(', '),
    'answers of the greedy one': greedy?.answered ?? 0,
    // A write and a read together; next to a greedy tenant most of the time is used by that one.
    'processor ms of a pair': greedy === undefined ? round((2_000 * cpuSeconds) / (writes.answered + reads.answered)) : '',
    'machine load': round(loadBefore),
  }))
}

/** Latency of the calm tenants next to a greedy one, divided by their latency alone: median of all rounds, with lowest and highest. */
function toRatios(command: string): Record<string, string>[] {
  const own = turns.filter((turn) => turn.command === command)
  return (['bulk writes', 'wide queries'] as const).map((beside) => {
    const ratio = (of: 'writes' | 'reads', at: 'p50' | 'p99') =>
      spread(
        own.map(({ phases }) => {
          const latency = (name: Phase['beside']) => phases.find((phase) => phase.beside === name)?.[of].latencyMs[at] ?? 0
          return latency(beside) / Math.max(1, latency('no load'))
        }),
      )
    return {
      ...(flags.server.length > 1 && { server: command }),
      beside,
      'writes: p50 ×': ratio('writes', 'p50'),
      'p99 ×': ratio('writes', 'p99'),
      'reads: p50 ×': ratio('reads', 'p50'),
      'reads: p99 ×': ratio('reads', 'p99'),
    }
  })
}
