import { mkdtempSync, rmSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { type BaseModel, createEmbeddedEngine, shippedModelsFolder, tryNativeLibrary } from '@heddle/training'
import { aConfig, readBaseModel, writeRandomModel } from '@heddle/training/testing'
import { describeMachine } from '../report/machine.ts'
import { percentiles, round } from '../report/percentiles.ts'
import { printTable } from '../report/print-table.ts'
import { writeResult } from '../report/write-result.ts'
import { processorClock, wallClock } from './clock.ts'
import { type Comparison, comparePeers, type OwnSpeeds } from './compare-peers.ts'
import { likeliestTokens, measureFirstTokens, measureReading, measureSampling, measureTraining } from './measure.ts'
import { type LearningCurve, measureLearning } from './measure-learning.ts'
import { type Preset, presets } from './presets.ts'

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))))
const { values: flags } = parseArgs({
  options: {
    rounds: { type: 'string', default: '10' },
    /** One preset alone. */
    preset: { type: 'string' },
    /** One count of threads alone. Default: 1, 2, and as many as there are cores, at most 4. */
    threads: { type: 'string' },
    /** What speeds are measured by: `wall`, or `processor` on Linux, which a busy machine changes least. */
    clock: { type: 'string', default: 'wall' },
    /** A library that computes large products, as HEDDLE_TRAINING_BLAS_FILE names it. */
    library: { type: 'string' },
    /** Also PyTorch and llama.cpp, which are installed on first use: some GB. */
    compare: { type: 'boolean', default: false },
    /** Jobs of each verifier task, for the reward against wall time; 0 leaves it out. */
    jobs: { type: 'string', default: '0' },
    output: { type: 'string', default: join(root, 'benchmarks', 'results', 'training.json') },
  },
})
const rounds = Number(flags.rounds)
const chosen = presets.filter(({ name, onlyByName }) => (flags.preset === undefined ? !onlyByName : name === flags.preset))
const clocks = ['wall', 'processor']
if (!(rounds >= 1) || chosen.length === 0 || !clocks.includes(flags.clock)) {
  const names = presets.map(({ name }) => name).join(', ')
  console.error(`--rounds must be a number from 1, --preset one of ${names}, and --clock one of ${clocks.join(', ')}`)
  process.exit(2)
}

/** What the engine can address: training all weights of the largest preset takes 3 GB. */
const maxMemoryBytes = 4 * 2 ** 30
const adapter = { rank: 8, alpha: 16 }
const entry = new URL('engine/embedded/process/model-engine-child.ts', import.meta.resolve('@heddle/training'))
const native = flags.library === undefined ? undefined : await tryNativeLibrary({ entry, library: flags.library })

function writeModel(folder: string, { name, config, format }: Preset): BaseModel {
  writeRandomModel(join(folder, name), { config: aConfig(config), format })
  return { id: name, folder: join(folder, name), parameters: 0, contextLength: 512, adapter, learningRates: { rl: 1e-2, sft: 1e-2 } }
}

const counts = flags.threads === undefined ? [1, 2, Math.min(4, availableParallelism())] : [Number(flags.threads)]
const threadCounts = [...new Set(counts)].filter((count) => count <= availableParallelism())
const folder = mkdtempSync(join(tmpdir(), 'heddle-bench-training-'))
const results: Record<string, string | number>[] = []
const own: OwnSpeeds[] = []
const greedy = new Map<string, readonly number[]>()
let comparison: Comparison | null = null
let learning: LearningCurve[] | null = null
try {
  const baseModels = chosen.map((preset) => writeModel(folder, preset))
  for (const threads of threadCounts) {
    const engine = createEmbeddedEngine({ entry, baseModels, threads, memoryBytes: maxMemoryBytes, ...(native && { native }) })
    const measured = { engine, clock: flags.clock === 'wall' ? wallClock : processorClock(() => engine.pid) }
    for (const preset of chosen) {
      const whileAdapter = percentiles(await measureFirstTokens(engine, preset, { adapter, requests: rounds }))
      const whileAll = percentiles(await measureFirstTokens(engine, preset, { adapter: null, requests: rounds }))
      const speeds = {
        preset: preset.name,
        threads,
        trainAll: await measureTraining(measured, preset, { adapter: null, rounds }),
        trainAdapter: await measureTraining(measured, preset, { adapter, rounds }),
        read: await measureReading(measured, preset, Math.min(rounds, 3)),
        sample1: await measureSampling(measured, preset, { streams: 1, rounds: Math.min(rounds, 3) }),
        sampleMany: await measureSampling(measured, preset, { streams: preset.together, rounds: Math.min(rounds, 3) }),
      }
      own.push(speeds)
      results.push({
        preset: preset.name,
        threads,
        'train, all weights (tokens/s)': round(speeds.trainAll),
        'train, adapter (tokens/s)': round(speeds.trainAdapter),
        'read a prompt (tokens/s)': round(speeds.read),
        'sample 1 (tokens/s)': round(speeds.sample1),
        [`sample ${preset.together} (tokens/s)`]: round(speeds.sampleMany),
        'first token while an adapter trains, p50 (ms)': round(whileAdapter.p50 ?? 0),
        'p99 (ms)': round(whileAdapter.p99 ?? 0),
        'while all weights train, p50 (ms)': round(whileAll.p50 ?? 0),
        'all, p99 (ms)': round(whileAll.p99 ?? 0),
      })
      greedy.set(preset.name, await likeliestTokens(engine, preset, 16))
    }
    await engine.close()
  }
  if (flags.compare) {
    const installed = { torch: join(root, '.python', 'benchmarks-torch'), llama: join(root, 'node_modules', '.heddle-bench', 'llama-cpp') }
    comparison = comparePeers({
      presets: chosen,
      threads: threadCounts,
      rounds,
      clock: flags.clock,
      own,
      greedy,
      models: folder,
      installed,
    })
  }
  if (Number(flags.jobs) > 0) {
    const shipped = readBaseModel(join(shippedModelsFolder, 'heddle-nano'))
    const engine = createEmbeddedEngine({ entry, baseModels: [shipped] })
    learning = await measureLearning(engine, shipped, Number(flags.jobs)).finally(() => engine.close())
  }
} finally {
  rmSync(folder, { recursive: true })
}
printTable(results)
if (comparison) {
  printTable(comparison.ratios)
  for (const [name, { notMeasured }] of Object.entries({ PyTorch: comparison.torch, 'llama.cpp': comparison.llama }))
    for (const reason of notMeasured) console.log(`${name} was not measured ${reason}`)
}
if (learning) printTable(learning.map(toRow))
writeResult(flags.output, {
  machine: describeMachine(),
  rounds,
  clock: flags.clock,
  ...(native && { library: { version: native.version, share: native.share } }),
  results,
  ...(comparison && { comparison }),
  ...(learning && { learning }),
})

function toRow({ task, before, after, jobs }: LearningCurve): Record<string, string | number> {
  return { task, 'reward before': round(before), 'reward after': round(after), jobs: jobs.length, seconds: jobs.at(-1)?.seconds ?? 0 }
}
