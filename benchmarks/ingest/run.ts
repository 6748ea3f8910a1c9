import { loadavg } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { describeMachine } from '../report/machine.ts'
import { round } from '../report/percentiles.ts'
import { printTable } from '../report/print-table.ts'
import { spread } from '../report/spread.ts'
import { writeResult } from '../report/write-result.ts'
import { runScenario, type ScenarioResult } from './run-scenario.ts'
import { scenarios, type Scenario } from './scenarios.ts'

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))))
const { values: flags } = parseArgs({
  options: {
    seconds: { type: 'string', default: '8' },
    // The runtime compiles what it runs often in the first seconds.
    'warm-up': { type: 'string', default: '6' },
    only: { type: 'string', default: scenarios.map(({ name }) => name).join(',') },
    // Repeatable: built commands to compare, which are loaded alternately.
    server: { type: 'string', multiple: true, default: [join(root, 'apps', 'heddle', 'dist', 'main.js')] },
    rounds: { type: 'string', default: '1' },
    // Instead of those of the loads: fewer, where other work runs on the machine and requests would be refused.
    connections: { type: 'string' },
    profile: { type: 'string' },
    output: { type: 'string', default: join(root, 'benchmarks', 'results', 'ingest.json') },
  },
})
const names = flags.only.split(',')
const unknown = names.filter((name) => !scenarios.some((scenario) => scenario.name === name))
if (unknown.length > 0) {
  console.error(`--only is ${flags.only}; there are ${scenarios.map(({ name }) => name).join(', ')}`)
  process.exit(2)
}

const machine = describeMachine()
const nodeArguments = flags.profile === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${flags.profile}`]
/** One turn: a load on one of the servers. */
interface Turn extends ScenarioResult {
  command: string
  /** Processes that wanted to run in the minute before. */
  loadBefore: number
}
const turns = flags.server.length * Number(flags.rounds)
const results: Turn[] = []
for (const scenario of scenarios.filter(({ name }) => names.includes(name)))
  for (let turn = 0; turn < turns; turn++) results.push(await takeTurn(scenario, flags.server[turn % flags.server.length] ?? ''))
console.log(
  `Closed loop: each connection sends its next request when the one before is answered. ${machine.cores} cores, load and server on the same machine.`,
)
printTable(results.map(toLine))
if (Number(flags.rounds) > 1) printTable(scenarios.flatMap(({ name }) => flags.server.flatMap((command) => toSpreadLine(name, command))))
for (const { name, load } of results)
  if (Object.keys(load.failures).length > 0) console.log(`${name} failures: ${JSON.stringify(load.failures)}`)
writeResult(flags.output, { machine, results: results.map(rounded) })
if (results.some(({ verification }) => verification.missing > 0)) process.exitCode = 1

async function takeTurn(scenario: Scenario, command: string): Promise<Turn> {
  console.error(`${scenario.name}: ${flags.seconds} s on ${command}`)
  const [loadBefore = 0] = loadavg()
  const result = await runScenario(flags.connections === undefined ? scenario : { ...scenario, connections: Number(flags.connections) }, {
    server: { command, nodeArguments },
    corpus: join(root, 'node_modules', '.pnpm'),
    warmUpSeconds: Number(flags['warm-up']),
    seconds: Number(flags.seconds),
  })
  return { ...result, command, loadBefore }
}

/** Medians of all turns of one load on one server, with lowest and highest; nothing where the load was not run. */
function toSpreadLine(name: string, command: string): Record<string, string>[] {
  const own = results.filter((result) => result.name === name && result.command === command)
  if (own.length === 0) return []
  const of = (read: (turn: Turn) => number) => spread(own.map(read))
  return [
    {
      load: name,
      server: command,
      'calls/s': of(({ load }) => load.calls / load.seconds),
      'p99 ms': of(({ load }) => load.latencyMs.p99),
      'service s/1k': of(({ cpuPer1000 }) => cpuPer1000.service),
      'engine s/1k': of(({ cpuPer1000 }) => cpuPer1000.engine),
      'both s/1k': of(({ cpuPer1000 }) => cpuPer1000.service + cpuPer1000.engine),
      'machine load': of(({ loadBefore }) => loadBefore),
    },
  ]
}

function toLine({ name, command, load, cpuPer1000, memory, disk, startUp, verification }: Turn): Record<string, string | number> {
  const megabytes = (bytes: number) => Math.round(bytes / 1e6)
  return {
    load: name,
    ...(flags.server.length > 1 && { server: command }),
    'req/s': load.requests / load.seconds,
    'calls/s': load.calls / load.seconds,
    'p50 ms': load.latencyMs.p50,
    'p95 ms': load.latencyMs.p95,
    'p99 ms': load.latencyMs.p99,
    'wire B/call': load.bodyBytes / Math.max(1, load.calls),
    'service s/1k': cpuPer1000.service,
    'engine s/1k': cpuPer1000.engine,
    'load s/1k': cpuPer1000.load,
    'idle MB': megabytes(memory.idleService + memory.idleEngine),
    'peak MB': megabytes(memory.peakBoth),
    'disk B/call': disk.bytes / Math.max(1, disk.rows),
    parts: disk.parts,
    'rows/insert': disk.rows / Math.max(1, disk.inserts),
    'first span ms': Math.round(startUp.firstSpanMs),
    readable: verification.missing === 0 ? `all ${verification.acknowledged}` : `${verification.missing} MISSING`,
  }
}

function rounded(result: Turn): unknown {
  return JSON.parse(
    JSON.stringify(result, (_, value: unknown) => (typeof value === 'number' && !Number.isInteger(value) ? round(value) : value)),
  )
}
