import { existsSync, mkdirSync } from 'node:fs'
import { Agent } from 'node:http'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { timeRequest } from '../query/time-request.ts'
import { describeMachine } from '../report/machine.ts'
import { percentiles, round, type Percentiles } from '../report/percentiles.ts'
import { printTable } from '../report/print-table.ts'
import { writeResult } from '../report/write-result.ts'
import { waitForMerges } from '../server/engine-state.ts'
import { readUsage } from '../server/process-usage.ts'
import { startServer } from '../server/start-server.ts'
import { computeLocally } from './compute-locally.ts'
import { callsOf, fillEvaluations, rootId } from './fill-evaluations.ts'
import { evalQueries, type EvalQuery } from './queries.ts'

interface Answered {
  query: string
  /** After a write to the project, when nothing is kept in memory. */
  firstMs: Percentiles
  /** The same at once again. */
  againMs: Percentiles
  /** Median processor time of the engine and of the service for one answer, of all turns. */
  engineCpuMs: number
  serviceCpuMs: number
}

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))))
const { values: flags } = parseArgs({
  options: {
    evaluations: { type: 'string', default: '4' },
    rows: { type: 'string', default: '50000' },
    scorers: { type: 'string', default: '6' },
    // `off` records predict-and-score calls alone, as loggers do that do not trace scorers.
    children: { type: 'string', default: 'on' },
    turns: { type: 'string', default: '3' },
    // A folder that stays: the next run with it finds the same evaluations there.
    'data-dir': { type: 'string' },
    'settle-seconds': { type: 'string', default: '120' },
    server: { type: 'string', default: join(root, 'apps', 'heddle', 'dist', 'main.js') },
    output: { type: 'string', default: join(root, 'benchmarks', 'results', 'eval-results.json') },
  },
})

const machine = describeMachine()
const agent = new Agent({ keepAlive: true })
const dataDir = flags['data-dir']
const isFilled = dataDir !== undefined && existsSync(dataDir)
if (dataDir !== undefined) mkdirSync(dataDir, { recursive: true })
const server = await startServer({ command: flags.server, ...(dataDir !== undefined && { dataDir }) })
try {
  const target = { url: server.url, apiKey: server.apiKey, project: 'bench/evals' }
  const evaluations = Number(flags.evaluations)
  const plan = { evaluations, rows: Number(flags.rows), scorers: Number(flags.scorers), children: flags.children === 'on' }
  const startMs = performance.now()
  const calls = isFilled ? callsOf(plan) : await fillEvaluations(agent, target, plan)
  const fillSeconds = isFilled ? null : round((performance.now() - startMs) / 1000)
  console.error(isFilled ? `${calls} calls were there` : `recorded ${calls} calls in ${fillSeconds} s`)
  const isSettled = await waitForMerges(server.dataDir, Number(flags['settle-seconds']) * 1000)
  const ids = Array.from({ length: evaluations }, (_, evaluation) => rootId(evaluation))
  const local = []
  for (let turn = 0; turn < 2; turn++) local.push(await computeLocally(agent, target, ids))
  const localMs = Math.min(...local.map(({ ms }) => ms))
  const answered: Answered[] = []
  for (const query of evalQueries(plan)) answered.push(await measure(query))
  const memory = { peakService: readUsage(server.pid).peakRssBytes, peakEngine: readUsage(server.enginePid).peakRssBytes }
  console.log(
    `${evaluations} evaluations of ${plan.rows} rows and ${plan.scorers} scorers, ${calls} calls, merges ${isSettled ? 'done' : 'under way'}; locally ${round(localMs)} ms`,
  )
  printTable(
    answered.map(({ query, firstMs, againMs, engineCpuMs, serviceCpuMs }) => ({
      query,
      'first p50 ms': firstMs.p50,
      'again p50 ms': againMs.p50,
      'engine CPU ms': engineCpuMs,
      'service CPU ms': serviceCpuMs,
      'local / first': round(localMs / firstMs.p50),
      'local / again': round(localMs / againMs.p50),
    })),
  )
  console.log(`peak memory: service ${round(memory.peakService / 1e6)} MB, engine ${round(memory.peakEngine / 1e6)} MB`)
  writeResult(flags.output, { machine, plan, calls, fillSeconds, isSettled, localMs: round(localMs), answered, memory })

  async function measure({ name, body }: EvalQuery): Promise<Answered> {
    const asked = { path: `/v2/${target.project}/eval_results/query`, body }
    const first: number[] = []
    const again: number[] = []
    const engine: number[] = []
    const service: number[] = []
    const ask = async () => {
      const before = { engine: readUsage(server.enginePid).cpuSeconds, service: readUsage(server.pid).cpuSeconds }
      const { totalMs } = await timeRequest(agent, target, asked)
      engine.push((readUsage(server.enginePid).cpuSeconds - before.engine) * 1000)
      service.push((readUsage(server.pid).cpuSeconds - before.service) * 1000)
      return totalMs
    }
    for (let turn = 0; turn < Number(flags.turns); turn++) {
      await writeElsewhere(turn)
      first.push(await ask())
      again.push(await ask())
    }
    const cpu = { engineCpuMs: percentiles(engine).p50, serviceCpuMs: percentiles(service).p50 }
    return { query: name, firstMs: percentiles(first), againMs: percentiles(again), ...cpu }
  }

  /** A call of the project that is of no evaluation: what was computed is not kept beyond it. */
  async function writeElsewhere(turn: number): Promise<void> {
    const times = { started_at: '2026-03-02T00:00:00Z', ended_at: '2026-03-02T00:00:01Z' }
    const call = { project_id: target.project, id: crypto.randomUUID(), trace_id: crypto.randomUUID(), op_name: 'other', ...times }
    const batch = [{ ...call, attributes: {}, inputs: { turn }, output: null, summary: {} }]
    await timeRequest(agent, target, { path: `/v2/${target.project}/calls/complete`, body: { batch } })
  }
} finally {
  agent.destroy()
  await server.stop()
}
