import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { createRandom } from '../data/random.ts'
import { readCorpus } from '../data/read-corpus.ts'
import { spanAttributes } from '../data/span-attributes.ts'
import { describeMachine } from '../report/machine.ts'
import { percentiles, round } from '../report/percentiles.ts'
import { printTable } from '../report/print-table.ts'
import { writeResult } from '../report/write-result.ts'
import type { CandidateName } from './candidates/all-candidates.ts'
import { measureBundle, measureImports, packages } from './package-costs.ts'
import { buildPrograms } from './programs/build-programs.ts'
import type { EndOfProgram } from './programs/program-plan.ts'
import { runEncoders, runProgram, runToEnd, type Programs } from './programs/run-program.ts'
import { startSink } from './sink.ts'

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))))
const allParts = ['cpu', 'encode', 'stalls', 'outage', 'exit', 'package'] as const
const everybody: readonly CandidateName[] = ['sdk alone', 'heddle', 'heddle, gzip', 'stock protobuf', 'stock JSON', 'langfuse', 'phoenix']
const { values: flags } = parseArgs({
  options: {
    only: { type: 'string', default: allParts.join(',') },
    candidates: { type: 'string', default: everybody.join(';') },
    repeat: { type: 'string', default: '3' },
    'outage-seconds': { type: 'string', default: '20' },
    profile: { type: 'string' },
    output: { type: 'string', default: join(root, 'benchmarks', 'results', 'exporter.json') },
  },
})
const parts = new Set(flags.only.split(','))
const names = flags.candidates.split(';') as CandidateName[]
const unknown = [
  ...[...parts].filter((part) => !allParts.some((known) => known === part)),
  ...names.filter((name) => !everybody.includes(name)),
]
if (unknown.length > 0) {
  console.error(`unknown: ${unknown.join(', ')}. --only takes ${allParts.join(',')}; --candidates takes "${everybody.join(';')}"`)
  process.exit(2)
}

const machine = describeMachine()
const repeat = Number(flags.repeat)
const folder = join(root, 'benchmarks', 'node_modules', '.exporter')
mkdirSync(folder, { recursive: true })
const programs: Programs = {
  folder: await buildPrograms(folder),
  nodeArguments: flags.profile === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${flags.profile}`, '--cpu-prof-interval=200'],
}
const sizes = { large: writeSpans('large', 5150), small: writeSpans('small', 0) }
const temporary = mkdtempSync(join(tmpdir(), 'exporter-bench-'))
const result: Record<string, unknown> = { machine }
try {
  if (parts.has('cpu')) result['cpu'] = await compareCpu()
  if (parts.has('encode')) result['encode'] = await compareEncoders()
  if (parts.has('stalls')) result['stalls'] = await compareStalls()
  if (parts.has('outage')) result['outage'] = await compareOutages()
  if (parts.has('exit')) result['exit'] = await compareEnds()
  if (parts.has('package')) result['package'] = await comparePackages()
} finally {
  rmSync(temporary, { recursive: true })
}
writeResult(flags.output, result)

/** A file of spans to choose from, the same ones in each run. */
function writeSpans(name: string, textBytes: number): string {
  const source = { corpus: readCorpus(join(root, 'node_modules', '.pnpm')), random: createRandom(1) }
  const path = join(folder, `${name}.json`)
  writeFileSync(path, JSON.stringify(Array.from({ length: 64 }, () => spanAttributes({ textBytes, source }))))
  return path
}

/** Candidates take turns, each time in a new process; of the figures of all processes the median counts. */
async function compareCpu(): Promise<object[]> {
  const sink = await startSink(join(folder, 'sink-child.mjs'), { keeps: false })
  const rows: Record<string, string | number>[] = []
  for (const [size, spansFile] of Object.entries(sizes)) {
    const runs = new Map(names.map((name) => [name, [] as Awaited<ReturnType<typeof runProgram<'cpu'>>>[]]))
    for (let run = 0; run < repeat; run++) {
      for (const candidate of names) {
        const work = { kind: 'cpu', warmUpRounds: 25, rounds: 50, spansOfRound: 512 } as const
        runs.get(candidate)?.push(await runProgram<'cpu'>(programs, { candidate, serverUrl: sink.url, spansFile, work }))
      }
    }
    for (const [exporter, results] of runs) {
      rows.push({
        spans: size,
        exporter,
        'start+end µs': median(results.flatMap(({ callMicros }) => callMicros)),
        'thread µs': median(results.map(({ threadMicros }) => threadMicros)),
        'process µs': median(results.flatMap(({ processMicros }) => processMicros)),
        'quiet start+end µs': quiet(results.flatMap(({ callMicros }) => callMicros)),
        'quiet process µs': quiet(results.flatMap(({ processMicros }) => processMicros)),
        'peak MB': round(median(results.map(({ peakBytes }) => peakBytes)) / 1e6),
      })
    }
  }
  sink.close()
  console.log(
    `\nA span, ${repeat} processes each: startSpan and end (wall), then the CPU until it is sent: of the program's thread, and of the process with the collector's and the pool's threads.`,
  )
  printTable(rows)
  return rows
}

async function compareEncoders(): Promise<object[]> {
  const rows: Record<string, string | number>[] = []
  for (const [size, spansFile] of Object.entries(sizes)) {
    const results = await runEncoders(programs, { spansFile, warmUpRounds: 40, rounds: 100, spansOfRound: 512 })
    for (const [encoder, { bytesOfSpan, micros }] of Object.entries(results)) {
      const p50 = percentiles(micros).p50
      rows.push({
        spans: size,
        encoder,
        'bytes a span': Math.round(bytesOfSpan),
        'µs a span': p50,
        'quiet µs': quiet(micros),
        'spans/s': Math.round(1e6 / p50),
        'MB/s': round(bytesOfSpan / p50),
      })
    }
  }
  console.log('\nEncoding requests of 512 spans (CPU).')
  printTable(rows)
  return rows
}

async function compareStalls(): Promise<object[]> {
  const sink = await startSink(join(folder, 'sink-child.mjs'), { keeps: false })
  const rows: Record<string, string | number>[] = []
  for (const candidate of names) {
    const longest: number[] = []
    for (let run = 0; run < repeat; run++) {
      const work = { kind: 'stalls', seconds: 4, spansPerSecond: 2000 } as const
      const { longestMs } = await runProgram<'stalls'>(programs, { candidate, serverUrl: sink.url, spansFile: sizes.large, work })
      longest.push(...longestMs)
    }
    const { p50, max } = percentiles(longest)
    rows.push({ exporter: candidate, 'longest of a second, quiet ms': quiet(longest), 'median ms': p50, 'longest ms': max })
  }
  sink.close()
  console.log(`\nTurns of the event loop, 2,000 large spans a second, ${4 * repeat} seconds.`)
  printTable(rows)
  return rows
}

/** All at once, each with a server of its own: the rate is low. */
async function compareOutages(): Promise<object[]> {
  const secondsOfOutage = Number(flags['outage-seconds'])
  const work = { kind: 'outage', spansPerSecond: 200, secondsBefore: 3, secondsOfOutage, secondsAfter: 12 } as const
  const subjects: { exporter: string; candidate: CandidateName; spoolFolder?: string }[] = [
    ...names.filter((name) => name !== 'sdk alone').map((candidate) => ({ exporter: candidate, candidate })),
    { exporter: 'heddle, spool', candidate: 'heddle', spoolFolder: join(temporary, 'outage') },
  ]
  const rows = await Promise.all(
    subjects.map(async ({ exporter, candidate, spoolFolder }) => {
      const sink = await startSink(join(folder, 'sink-child.mjs'), { keeps: true })
      const plan = { candidate, serverUrl: sink.url, spansFile: sizes.small, spoolFolder, work }
      const running = runProgram<'outage'>(programs, plan)
      await seconds(work.secondsBefore)
      await sink.stop()
      await seconds(secondsOfOutage)
      await sink.start()
      const { ended, peakBytes } = await running
      const arrived = await sink.count()
      sink.close()
      return { exporter, ended, arrived, lost: ended - arrived, 'peak MB': round(peakBytes / 1e6) }
    }),
  )
  console.log(`\nA server away for ${secondsOfOutage} s, 200 small spans a second.`)
  printTable(rows)
  return rows
}

/** How many of 300 spans are lost when a program ends that does nothing about it, set up as the documentation says. */
async function compareEnds(): Promise<object[]> {
  const spans = 300
  const subjects: { exporter: string; candidate: CandidateName; spools: boolean }[] = [
    ...names
      .filter((name) => name !== 'sdk alone' && !name.startsWith('heddle'))
      .map((candidate) => ({ exporter: candidate, candidate, spools: false })),
    { exporter: 'heddle, register', candidate: 'heddle, register', spools: false },
    { exporter: 'heddle, register, spool', candidate: 'heddle, register', spools: true },
  ]
  const rows: Record<string, string | number>[] = []
  for (const { exporter, candidate, spools } of subjects) {
    const row: Record<string, string | number> = { exporter, ended: spans }
    for (const how of ['return', 'signal', 'exit'] satisfies EndOfProgram[]) {
      const sink = await startSink(join(folder, 'sink-child.mjs'), { keeps: true })
      const spoolFolder = spools ? join(temporary, `exit-${how}`) : undefined
      const plan = { candidate, serverUrl: sink.url, spansFile: sizes.small, spoolFolder }
      await runToEnd(programs, { ...plan, work: { kind: 'end', spans, how } })
      // What lies in the spool is sent by the next program.
      if (spools) await runToEnd(programs, { ...plan, work: { kind: 'end', spans: 0, how: 'return' } })
      row[`lost, ${how}`] = spans - (await sink.count())
      sink.close()
    }
    rows.push(row)
  }
  console.log('\nA program that ends right after its spans: by itself, by SIGTERM, by process.exit().')
  printTable(rows)
  return rows
}

async function comparePackages(): Promise<object[]> {
  const times = await measureImports(folder, 11)
  const rows: Record<string, string | number>[] = []
  for (const [exporter, name] of Object.entries(packages)) {
    const { bytes, gzipBytes } = await measureBundle(name, join(root, 'benchmarks'))
    rows.push({ exporter, 'import ms': median(times[exporter] ?? []), 'minified bytes': bytes, 'gzip bytes': gzipBytes })
  }
  console.log('\nA package with what it brings beside the SDK: time to load after the SDK, and size bundled.')
  printTable(rows)
  return rows
}

/** What the quietest tenth stays below: what is measured, with little of what else the machine does. */
function quiet(values: readonly number[]): number {
  const sorted = Float64Array.from(values).sort()
  return round(sorted[Math.floor(sorted.length / 10)] ?? 0)
}

function median(values: readonly number[]): number {
  return percentiles(values).p50
}

function seconds(count: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, count * 1000))
}
