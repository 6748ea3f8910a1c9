import { mkdtempSync, rmSync } from 'node:fs'
import { loadavg, tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { aConfig, writeRandomModel } from '@heddle/training/testing'
import { describeMachine } from '../report/machine.ts'
import { percentiles } from '../report/percentiles.ts'
import { printTable } from '../report/print-table.ts'
import { writeResult } from '../report/write-result.ts'
import { startServer } from '../server/start-server.ts'
import { presets } from '../training/presets.ts'
import { type ChatTimes, countPromptTokens, measureChats } from './measure-chats.ts'
import { whileJobTrains } from './run-job.ts'

// The time to the first token of chats over HTTP, of a server that trains a model meanwhile, and of the same server at rest.
const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))))
const { values: flags } = parseArgs({
  options: {
    /** Of `../training/presets.ts`; what is trained, and what chats. */
    preset: { type: 'string', default: 'llama-135m' },
    chats: { type: 'string', default: '40' },
    /** Chats that stream at the same time. */
    together: { type: 'string', default: '1' },
    message: { type: 'string', default: 'Hi' },
    threads: { type: 'string' },
    /** A library that computes large products, as HEDDLE_TRAINING_BLAS_FILE names it. */
    library: { type: 'string' },
    server: { type: 'string', default: join(root, 'apps', 'heddle', 'dist', 'main.js') },
    output: { type: 'string', default: join(root, 'benchmarks', 'results', 'training-chats.json') },
  },
})
const preset = presets.find(({ name }) => name === flags.preset)
if (!preset) throw new Error(`--preset must be one of ${presets.map(({ name }) => name).join(', ')}`)

const folder = mkdtempSync(join(tmpdir(), 'heddle-bench-chats-'))
const machine = describeMachine()
const plan = {
  model: preset.name,
  message: flags.message,
  maxTokens: 16,
  together: Number(flags.together),
  count: Number(flags.chats),
  pauseMs: 250,
}
try {
  writeRandomModel(join(folder, 'models', preset.name), { config: aConfig(preset.config), format: preset.format })
  const server = await startServer({
    command: flags.server,
    dataDir: join(folder, 'data'),
    serverArguments: [
      '--base-models-dir',
      join(folder, 'models'),
      '--training-memory-bytes',
      String(3 * 2 ** 30),
      ...(flags.threads === undefined ? [] : ['--training-threads', flags.threads]),
      ...(flags.library === undefined ? [] : ['--training-blas-file', flags.library]),
    ],
  })
  try {
    const promptTokens = await countPromptTokens(server, plan)
    // Compiles the kernels.
    await measureChats(server, { ...plan, count: 2 })
    const atRest = await measureChats(server, plan)
    // One token a byte; the question and the chat template take the rest of the length.
    const job = { baseModel: preset.name, conversations: 64, characters: preset.length - 29 }
    const { result: whileTraining, steps } = await whileJobTrains(server, job, () => measureChats(server, plan))
    printTable([toRow('at rest', atRest), toRow('while a job trains', whileTraining)])
    console.log(
      `A prompt has ${promptTokens} tokens. ${steps} gradient steps meanwhile. Load of the machine: ${machine.loadBefore} before, ${loadavg()[0]!.toFixed(1)} after.`,
    )
    writeResult(flags.output, {
      machine,
      loadAfter: loadavg()[0],
      plan,
      promptTokens,
      steps,
      atRest: report(atRest),
      whileTraining: report(whileTraining),
    })
  } finally {
    await server.stop()
  }
} finally {
  rmSync(folder, { recursive: true, force: true })
}

function report({ firstTokenMs, wholeMs }: ChatTimes) {
  return { firstTokenMs: percentiles(firstTokenMs), wholeMs: percentiles(wholeMs) }
}

function toRow(when: string, { firstTokenMs, wholeMs }: ChatTimes): Record<string, string | number> {
  const { p50, p95, max } = percentiles(firstTokenMs)
  return { when, 'first token, median ms': p50, 'p95 ms': p95, 'longest ms': max, 'whole answer, median ms': percentiles(wholeMs).p50 }
}
