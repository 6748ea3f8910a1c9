import { rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { scenarios } from '../ingest/scenarios.ts'
import { describeMachine } from '../report/machine.ts'
import { percentiles, round } from '../report/percentiles.ts'
import { printTable } from '../report/print-table.ts'
import { writeResult } from '../report/write-result.ts'
import { startServer } from '../server/start-server.ts'
import { killAndRestart, type Restart } from './kill-and-restart.ts'

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))))
const { values: flags } = parseArgs({
  options: {
    times: { type: 'string', default: '20' },
    seconds: { type: 'string', default: '2' },
    server: { type: 'string', default: join(root, 'apps', 'heddle', 'dist', 'main.js') },
    // A data folder to begin with; it is written to.
    'data-dir': { type: 'string' },
    output: { type: 'string', default: join(root, 'benchmarks', 'results', 'restart.json') },
  },
})

const machine = describeMachine()
const dataDir = flags['data-dir']
const options = { command: flags.server }
let server = await startServer({ ...options, ...(dataDir !== undefined && { dataDir }) })
const restarts: (Restart & { load: string })[] = []
try {
  for (let time = 0; time < Number(flags.times); time++) {
    // The store grows on, with every kind of load in turn.
    const { name, ...load } = scenarios[time % scenarios.length] ?? scenarios[0]!
    const project = `bench/restart-${time}`
    const corpus = join(root, 'node_modules', '.pnpm')
    const killed = await killAndRestart(server, { server: options, load, project, corpus, seconds: Number(flags.seconds) })
    server = killed.server
    restarts.push({ load: name, ...killed.restart })
    console.error(`${name}: read again ${Math.round(killed.restart.firstReadMs)} ms after the start`)
  }
} finally {
  await server.stop()
  if (dataDir === undefined) rmSync(server.dataDir, { recursive: true, force: true })
}
const readyMs = percentiles(restarts.map((restart) => restart.readyMs))
const firstReadMs = percentiles(restarts.map((restart) => restart.firstReadMs))
console.log(`Each time the server is killed under load and started again over the same data. ${machine.cores} cores.`)
printTable(
  restarts.map(({ load, verification, journalBytes, ...restart }) => ({
    load,
    'ready ms': Math.round(restart.readyMs),
    'first read ms': Math.round(restart.firstReadMs),
    'journal MB': round(journalBytes / 1e6),
    readable: verification.missing === 0 ? `all ${verification.acknowledged}` : `${verification.missing} MISSING`,
  })),
)
console.log(
  `ready: median ${readyMs.p50} ms, longest ${readyMs.max} ms; first read: median ${firstReadMs.p50} ms, longest ${firstReadMs.max} ms`,
)
writeResult(flags.output, { machine, readyMs, firstReadMs, restarts })
if (restarts.some(({ verification }) => verification.missing > 0)) process.exitCode = 1
