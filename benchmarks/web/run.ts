import { Agent } from 'node:http'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { readCorpus } from '../data/read-corpus.ts'
import { fillStore } from '../query/fill-store.ts'
import { describeMachine } from '../report/machine.ts'
import { printTable } from '../report/print-table.ts'
import { writeResult } from '../report/write-result.ts'
import { startServer } from '../server/start-server.ts'
import type { Metric } from './metric.ts'
import { connect } from './fixtures.ts'
import { measureColdLoad, measureLongTable } from './measure-calls.ts'
import { measureComparison, measureDiff } from './measure-comparison.ts'
import { measureCurves } from './measure-curves.ts'
import { measureLargeValue, measureTrace } from './measure-trace.ts'
import { startBrowser } from './open-tab.ts'

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))))
const { values: flags } = parseArgs({
  options: {
    // Calls in the store when the calls table is loaded.
    calls: { type: 'string', default: '1000000' },
    'text-bytes': { type: 'string', default: '400' },
    // Part of the names of the measurements to take.
    only: { type: 'string', default: '' },
    chromium: { type: 'string', default: process.env.HEDDLE_TEST_CHROMIUM ?? 'chromium' },
    server: { type: 'string', default: join(root, 'apps', 'heddle', 'dist', 'main.js') },
    output: { type: 'string', default: join(root, 'benchmarks', 'results', 'web.json') },
  },
})
const dayMs = 86_400_000

const machine = describeMachine()
const server = await startServer({ command: flags.server })
const browser = await startBrowser(flags.chromium)
const client = connect(server.url, server.apiKey)

const measurements: Record<string, () => Promise<Metric[]>> = {
  table: () => measureLongTable(browser, server, 100_000),
  trace: () => measureTrace(browser, server, client, { calls: 1_000, shownMs: 500, longestTaskMs: 200, heapMb: 400 }),
  'long trace': () => measureTrace(browser, server, client, { calls: 30_000, shownMs: 2_000, longestTaskMs: 200, heapMb: 400 }),
  value: () => measureLargeValue(browser, server, client, 10e6),
  comparison: () => measureComparison(browser, server),
  // As many steps of a job as the page reads.
  curves: () => measureCurves(browser, server, 20_000),
  differences: () => measureDiff(browser, server, client),
  // Last, since it fills the store.
  'cold load': coldLoad,
}

async function coldLoad(): Promise<Metric[]> {
  const project = 'bench/calls'
  const agent = new Agent({ keepAlive: true })
  const spans = Number(flags.calls)
  const corpus = readCorpus(join(root, 'node_modules', '.pnpm'))
  const filled = { agent, target: { ...server, project }, corpus, spans, textBytes: Number(flags['text-bytes']) }
  await fillStore({ ...filled, untilMs: Date.now(), overMs: 7 * dayMs }).finally(() => agent.destroy())
  return measureColdLoad(browser, server, project, spans)
}

try {
  const metrics: Metric[] = []
  const failed: string[] = []
  for (const [name, measure] of Object.entries(measurements).filter(([name]) => name.includes(flags.only))) {
    console.error(`measuring: ${name}`)
    try {
      metrics.push(...(await measure()))
    } catch (error) {
      // The others are measured all the same.
      failed.push(`${name}: ${error instanceof Error ? error.message : String(error)}`)
      console.error(`failed: ${failed.at(-1)}`)
    }
  }
  printTable(metrics.map(toLine))
  writeResult(flags.output, { machine, loadAfter: describeMachine().loadBefore, metrics, failed })
  if (failed.length > 0) process.exitCode = 1
} finally {
  await browser.close()
  await server.stop()
}

function toLine({ what, value, unit, limit, isHeld, cpuMs }: Metric): Record<string, string | number> {
  return { metric: what, value, unit, limit, held: isHeld ? 'yes' : 'no', 'cpu ms': cpuMs ?? '' }
}
