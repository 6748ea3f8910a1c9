import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { exportRequest } from '../data/export-request.ts'
import { createRandom } from '../data/random.ts'
import { readCorpus } from '../data/read-corpus.ts'
import { describeMachine } from '../report/machine.ts'
import { percentiles, round } from '../report/percentiles.ts'
import { printTable } from '../report/print-table.ts'
import { writeResult } from '../report/write-result.ts'
import { measureStages } from './measure-stages.ts'
import { loadStages, stageNames, type StageName } from './stages.ts'

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))))
const { values: flags } = parseArgs({
  options: {
    rounds: { type: 'string', default: '80' },
    /** `apps/tracing/src` of another checkout with its packages installed, to compare with. */
    against: { type: 'string' },
    output: { type: 'string', default: join(root, 'benchmarks', 'results', 'otlp-prepare.json') },
  },
})
const rounds = Number(flags.rounds)
if (!(rounds >= 1)) {
  console.error(`--rounds is ${flags.rounds}; it must be a number from 1`)
  process.exit(2)
}

/** The kinds of spans, by bytes of text. */
const kinds = [
  { spans: 'with messages', textBytes: 5_150 },
  { spans: 'plain', textBytes: 0 },
] as const
const spansOfRequest = 100
/** After so many, the rows of all plain spans have their templates. */
const warmUpRounds = 120
const sources = [join(root, 'apps', 'tracing', 'src'), ...(flags.against === undefined ? [] : [resolve(flags.against)])]

const machine = describeMachine()
const corpus = readCorpus(join(root, 'node_modules', '.pnpm'))
const results: Figures[] = []
for (const { spans, textBytes } of kinds) {
  const source = { corpus, random: createRandom(1) }
  const { bytes } = exportRequest({ spans: spansOfRequest, spansOfTrace: 10, textBytes, source })
  const candidates = await Promise.all(sources.map((folder) => loadStages(folder, bytes)))
  const [now, before] = measureStages(candidates, { rounds, warmUpRounds, spans: spansOfRequest })
  for (const stage of stageNames) {
    results.push(toFigures({ spans, bytes: Math.round(bytes.length / spansOfRequest), stage }, now?.[stage] ?? [], before?.[stage]))
  }
}
console.log(`CPU µs a span, in ${rounds} rounds of requests of ${spansOfRequest} spans.`)
printTable(results.map((result) => ({ ...result })))
writeResult(flags.output, { machine, rounds, results })

interface Figures {
  spans: string
  /** Bytes of a span in the request. */
  bytes: number
  stage: StageName
  p50: number
  p95: number
  /** The median of the checkout that was compared with, and how many times that of this one it is. */
  before?: number
  ratio?: number
}

function toFigures(of: Pick<Figures, 'spans' | 'bytes' | 'stage'>, now: readonly number[], before: readonly number[] | undefined): Figures {
  const { p50, p95 } = percentiles(now)
  if (before === undefined) return { ...of, p50, p95 }
  const median = percentiles(before).p50
  return { ...of, p50, p95, before: median, ratio: round(median / p50) }
}
