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
import { measureAxes } from './measure-axes.ts'
import { measureColdLoad, measureLongTable } from './measure-calls.ts'
import { measureComparison, measureDiff } from './measure-comparison.ts'
import { measureCurves } from './measure-curves.ts'
import { measureLive } from './measure-live.ts'
import { measureLargeValue, measureTrace } from './measure-trace.ts'
import { startBrowser } from './open-tab.ts'

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))))
const { values: flags } = parseArgs({
  options: {
    calls: { type: 'string', default: '1000000' },
    'text-bytes': { type: 'string', default: '400' },
    'live-seconds': { type: 'string', default: '600' },
    only: { type: 'string', default: '' },
    small: { type: 'boolean', default: false },
    chromium: { type: 'string', default: process.env.HEDDLE_TEST_CHROMIUM ?? 'chromium' },
    server: { type: 'string', default: join(root, 'apps', 'heddle', 'dist', 'main.js') },
    output: { type: 'string' },
    help: { type: 'boolean', default: false },
  },
})
const help = `npm run bench -- web [flags]

Measures the pages in a headless Chromium against a server of its own: table, trace, long trace, value, comparison, curves,
axes, differences, live, cold load.

  --only <text>       only measurements whose name has the text
  --small             a fiftieth of all sizes: tries that everything runs, and measures nothing of use
  --calls <number>    calls in the store when the calls table is loaded (default 1,000,000)
  --text-bytes <n>    bytes of text of each of them (default 400)
  --live-seconds <n>  how long the calls table is live while 200 calls a second come (default 600)
  --chromium <path>   (default HEDDLE_TEST_CHROMIUM, or chromium)
  --server <path>     main.js of the command (default: the one that is built here)
  --output <file>     (default benchmarks/results/web.json; with --only or --small nothing is written unless it is named)

Exit code: 0 all were measured, 1 some were not; that a figure is above its limit does not count.`
if (flags.help) {
  console.log(help)
  process.exit(0)
}
/** Figures of a part, or of nothing of use, do not take the place of whole ones. */
const output = flags.output ?? (flags.small || flags.only !== '' ? undefined : join(root, 'benchmarks', 'results', 'web.json'))
const dayMs = 86_400_000
/** A measurement that takes longer has failed; the last one fills the store first. */
const limitMs = 30 * 60_000
const sized = (size: number) => (flags.small ? Math.ceil(size / 50) : size)

const machine = describeMachine()
const browser = await startBrowser(flags.chromium)
const server = await startServer({ command: flags.server })
const client = connect(server.url, server.apiKey)

const measurements: Record<string, () => Promise<Metric[]>> = {
  table: () => measureLongTable(browser, server, sized(100_000)),
  trace: () => measureTrace(browser, server, client, { calls: sized(1_000), shownMs: 500, longestTaskMs: 200, heapMb: 400 }),
  'long trace': () => measureTrace(browser, server, client, { calls: sized(30_000), shownMs: 2_000, longestTaskMs: 200, heapMb: 400 }),
  value: () => measureLargeValue(browser, server, client, sized(10e6)),
  comparison: () => measureComparison(browser, server, sized(5_000)),
  // As many steps of a job as the page reads.
  curves: () => measureCurves(browser, server, sized(20_000)),
  axes: () => measureAxes(browser, server, sized(500)),
  differences: () => measureDiff(browser, server, client, sized(1e6)),
  live: () => measureLive(browser, server, client, sized(Number(flags['live-seconds']))),
  // Last, since it fills the store.
  'cold load': coldLoad,
}

async function coldLoad(): Promise<Metric[]> {
  const project = 'bench/calls'
  const agent = new Agent({ keepAlive: true })
  const spans = sized(Number(flags.calls))
  const corpus = readCorpus(join(root, 'node_modules', '.pnpm'))
  const filled = { agent, target: { ...server, project }, corpus, spans, textBytes: Number(flags['text-bytes']) }
  await fillStore({ ...filled, untilMs: Date.now(), overMs: 7 * dayMs }).finally(() => agent.destroy())
  return measureColdLoad(browser, server, project, spans)
}

/** @throws Error when it is not over in time: pages wait without an end where nothing comes */
async function withinLimit(work: Promise<Metric[]>): Promise<Metric[]> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`not over after ${limitMs / 60_000} minutes`)), limitMs)
  })
  return Promise.race([work, late]).finally(() => clearTimeout(timer))
}

try {
  const metrics: Metric[] = []
  const failed: string[] = []
  for (const [name, measure] of Object.entries(measurements).filter(([name]) => name.includes(flags.only))) {
    console.error(`measuring: ${name}`)
    try {
      metrics.push(...(await withinLimit(measure())))
    } catch (error) {
      // The others are measured all the same.
      failed.push(`${name}: ${error instanceof Error ? error.message : String(error)}`)
      console.error(`failed: ${failed.at(-1)}`)
    }
  }
  printTable(metrics.map(toLine))
  if (output !== undefined) writeResult(output, { machine, loadAfter: describeMachine().loadBefore, metrics, failed })
  if (failed.length > 0) process.exitCode = 1
} finally {
  await browser.close()
  await server.stop()
}

function toLine({ what, value, unit, limit, isHeld, cpuMs }: Metric): Record<string, string | number> {
  return { metric: what, value, unit, limit, held: isHeld ? 'yes' : 'no', 'cpu ms': cpuMs ?? '' }
}
