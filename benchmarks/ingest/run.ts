import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { describeMachine } from '../report/machine.ts'
import { round } from '../report/percentiles.ts'
import { printTable } from '../report/print-table.ts'
import { writeResult } from '../report/write-result.ts'
import { runScenario, type ScenarioResult } from './run-scenario.ts'
import { scenarios } from './scenarios.ts'

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))))
const { values: flags } = parseArgs({
  options: {
    seconds: { type: 'string', default: '8' },
    // The runtime compiles what it runs often in the first seconds.
    'warm-up': { type: 'string', default: '6' },
    only: { type: 'string', default: scenarios.map(({ name }) => name).join(',') },
    server: { type: 'string', default: join(root, 'apps', 'heddle', 'dist', 'main.js') },
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
const results: ScenarioResult[] = []
for (const scenario of scenarios.filter(({ name }) => names.includes(name))) {
  console.error(`${scenario.name}: ${flags.seconds} s`)
  results.push(
    await runScenario(scenario, {
      server: { command: flags.server, nodeArguments },
      corpus: join(root, 'node_modules', '.pnpm'),
      warmUpSeconds: Number(flags['warm-up']),
      seconds: Number(flags.seconds),
    }),
  )
}
console.log(
  `Closed loop: each connection sends its next request when the one before is answered. ${machine.cores} cores, load and server on the same machine.`,
)
printTable(results.map(toLine))
for (const { name, load } of results)
  if (Object.keys(load.failures).length > 0) console.log(`${name} failures: ${JSON.stringify(load.failures)}`)
writeResult(flags.output, { machine, results: results.map(rounded) })
if (results.some(({ verification }) => verification.missing > 0)) process.exitCode = 1

function toLine({ name, load, cpuPer1000, memory, disk, startUp, verification }: ScenarioResult): Record<string, string | number> {
  const megabytes = (bytes: number) => Math.round(bytes / 1e6)
  return {
    load: name,
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

function rounded(result: ScenarioResult): unknown {
  return JSON.parse(
    JSON.stringify(result, (_, value: unknown) => (typeof value === 'number' && !Number.isInteger(value) ? round(value) : value)),
  )
}
