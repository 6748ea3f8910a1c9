import { mkdtempSync, rmSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { type BaseModel, createEmbeddedEngine } from '@heddle/training'
import { aConfig, writeRandomModel } from '@heddle/training/testing'
import { describeMachine } from '../report/machine.ts'
import { percentiles, round } from '../report/percentiles.ts'
import { printTable } from '../report/print-table.ts'
import { writeResult } from '../report/write-result.ts'
import { measureFirstTokens, measureSampling, measureTraining } from './measure.ts'
import { type Preset, presets } from './presets.ts'

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))))
const { values: flags } = parseArgs({
  options: {
    rounds: { type: 'string', default: '10' },
    /** One preset alone. */
    preset: { type: 'string' },
    output: { type: 'string', default: join(root, 'benchmarks', 'results', 'training.json') },
  },
})
const rounds = Number(flags.rounds)
const chosen = presets.filter(({ name }) => flags.preset === undefined || name === flags.preset)
if (!(rounds >= 1) || chosen.length === 0) {
  console.error(`--rounds must be a number from 1, and --preset one of ${presets.map(({ name }) => name).join(', ')}`)
  process.exit(2)
}

const adapter = { rank: 8, alpha: 16 }
const entry = new URL('engine/embedded/process/model-engine-child.ts', import.meta.resolve('@heddle/training'))

function writeModel(folder: string, { name, config }: Preset): BaseModel {
  writeRandomModel(join(folder, name), { config: aConfig(config) })
  return { id: name, folder: join(folder, name), parameters: 0, contextLength: 512, adapter, learningRates: { rl: 1e-2, sft: 1e-2 } }
}

const threadCounts = [...new Set([1, 2, Math.min(4, availableParallelism())])].filter((count) => count <= availableParallelism())
const folder = mkdtempSync(join(tmpdir(), 'heddle-bench-training-'))
const results: Record<string, string | number>[] = []
try {
  const baseModels = chosen.map((preset) => writeModel(folder, preset))
  for (const threads of threadCounts) {
    const engine = createEmbeddedEngine({ entry, baseModels, threads })
    for (const preset of chosen) {
      const { p50 = 0, p99 = 0 } = percentiles(await measureFirstTokens(engine, preset, rounds))
      results.push({
        preset: preset.name,
        threads,
        'train, all weights (tokens/s)': round(await measureTraining(engine, preset, { adapter: null, rounds })),
        'train, adapter (tokens/s)': round(await measureTraining(engine, preset, { adapter, rounds })),
        'sample 1 (tokens/s)': round(await measureSampling(engine, preset, { streams: 1, rounds: 3 })),
        'sample 16 (tokens/s)': round(await measureSampling(engine, preset, { streams: 16, rounds: 3 })),
        'first token while training, p50 (ms)': round(p50),
        'p99 (ms)': round(p99),
      })
    }
    await engine.close()
  }
} finally {
  rmSync(folder, { recursive: true })
}
printTable(results)
writeResult(flags.output, { machine: describeMachine(), rounds, results })
