import { Agent } from 'node:http'
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { loadavg, tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { readCorpus } from '../data/read-corpus.ts'
import { ask } from '../load/post.ts'
import { fillStore } from '../query/fill-store.ts'
import { measureQuestion, type Answered } from '../query/measure-question.ts'
import { longTracesOf } from '../query/open-store.ts'
import { questions } from '../query/questions.ts'
import { describeMachine } from '../report/machine.ts'
import { round } from '../report/percentiles.ts'
import { printTable } from '../report/print-table.ts'
import { writeResult } from '../report/write-result.ts'
import { readCallsOnDisk, waitForMerges, type CallsOnDisk } from '../server/engine-state.ts'
import { readUsage } from '../server/process-usage.ts'
import { startServer, type BenchServer } from '../server/start-server.ts'
import { measureCommand, type CommandCost } from './measure-command.ts'

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))))
const { values: flags } = parseArgs({
  options: {
    // Spans in the store each time it is measured, one after the other.
    sizes: { type: 'string', default: '100000,1000000' },
    // Bytes of texts in a span: 0 is a light one of about 500 bytes.
    'text-bytes': { type: 'string', default: '0' },
    'question-seconds': { type: 'string', default: '8' },
    'settle-seconds': { type: 'string', default: '60' },
    // The folder in which the store is for as long as it is measured.
    folder: { type: 'string', default: tmpdir() },
    command: { type: 'string', default: join(root, 'apps', 'heddle', 'dist', 'main.js') },
    output: { type: 'string', default: join(root, 'benchmarks', 'results', 'growth.json') },
  },
})
const sizes = flags.sizes.split(',').map(Number)
const stepMs = 7 * 86_400_000
const project = 'bench/growth'

/** The store at one size. */
interface Measured {
  spans: number
  loadBefore: number
  /** Spans that were added, and their cost. */
  fill: { spans: number; seconds: number; cpuSeconds: number }
  isSettled: boolean
  disk: CallsOnDisk & { folderBytes: number }
  memory: { service: number; engine: number }
  answered: Answered[]
  /** After a kill: to the line that it is ready, and to the first answer over all calls, with the processor time of both processes by then. */
  restart: { readyMs: number; firstReadMs: number; cpuSeconds: number }
  doctor: CommandCost
  backup: CommandCost & { bytes: number }
}

const machine = describeMachine()
const agent = new Agent({ keepAlive: true })
const folder = mkdtempSync(join(flags.folder, 'heddle-growth-'))
const dataDir = join(folder, 'data')
const corpus = readCorpus(join(root, 'node_modules', '.pnpm'))
const results: Measured[] = []
let server = await startServer({ command: flags.command, dataDir })
const apiKey = server.apiKey
try {
  for (const [step, spans] of sizes.entries()) results.push(await measureAt(step, spans))
} finally {
  agent.destroy()
  await server.stop()
  rmSync(folder, { recursive: true, force: true })
}
console.log(`spans with ${flags['text-bytes']} bytes of text, one client, one query at a time`)
printTable(results.map(toLine))
printTable(results.flatMap(({ spans, answered }) => answered.map((each) => toQueryLine(spans, each))))
writeResult(flags.output, { machine, results })

async function measureAt(step: number, spans: number): Promise<Measured> {
  const before = sizes[step - 1] ?? 0
  console.error(`${spans} spans`)
  const [loadBefore = 0] = loadavg()
  const untilMs = Date.now() - (sizes.length - 1 - step) * stepMs
  const target = { url: server.url, apiKey, project }
  const filling = cpuOf(server)
  const startMs = performance.now()
  const plan = { agent, target, corpus, textBytes: Number(flags['text-bytes']), untilMs, overMs: stepMs }
  const sample = await fillStore({ ...plan, spans: spans - before, sentBefore: before })
  const fill = { spans: spans - before, seconds: (performance.now() - startMs) / 1000, cpuSeconds: cpuOf(server) - filling }
  const isSettled = await waitForMerges(dataDir, Number(flags['settle-seconds']) * 1000)
  const disk = { ...(await readCallsOnDisk(dataDir)), folderBytes: bytesOf(dataDir) }
  const known = {
    ids: sample.ids,
    longTraces: await longTracesOf(agent, target, sample),
    start: new Date(untilMs - (step + 1) * stepMs).toISOString(),
    end: new Date(untilMs).toISOString(),
  }
  const store = { command: flags.command, content: 'plain' as const, server, target, known }
  const answered: Answered[] = []
  for (const question of questions) {
    console.error(`  ${question.name}`)
    answered.push(...(await measureQuestion(question, [store], { agent, seconds: Number(flags['question-seconds']) })))
  }
  const memory = { service: readUsage(server.pid).rssBytes, engine: readUsage(server.enginePid).rssBytes }
  const restart = await killAndStart()
  await server.stop()
  const commands = await measureCommands(`backup-${step}`)
  server = await startServer({ command: flags.command, dataDir })
  return { spans, loadBefore, fill, isSettled, disk, memory, answered, restart, ...commands }
}

async function killAndStart(): Promise<Measured['restart']> {
  await server.kill()
  const startMs = performance.now()
  server = await startServer({ command: flags.command, dataDir })
  const { readyMs } = server
  await ask(agent, { url: server.url, apiKey, project }, '/calls/query_stats', { project_id: project })
  return { readyMs, firstReadMs: performance.now() - startMs, cpuSeconds: cpuOf(server) }
}

/** Without a running server, so that all they take is theirs. */
async function measureCommands(name: string): Promise<Pick<Measured, 'doctor' | 'backup'>> {
  const env = { HEDDLE_API_KEY: apiKey, HEDDLE_DATA_DIR: dataDir, HEDDLE_PORT: '0', PATH: process.env.PATH }
  console.error('  doctor and backup')
  const doctor = await measureCommand([flags.command, 'doctor'], env)
  const copy = join(folder, name)
  const backup = await measureCommand([flags.command, 'backup', copy], env)
  const bytes = bytesOf(copy)
  rmSync(copy, { recursive: true, force: true })
  return { doctor, backup: { ...backup, bytes } }
}

function cpuOf({ pid, enginePid }: BenchServer): number {
  return readUsage(pid).cpuSeconds + readUsage(enginePid).cpuSeconds
}

/** Bytes of all files of a folder; 0 if there is none. Files that merges remove meanwhile do not count. */
function bytesOf(path: string): number {
  try {
    const names = readdirSync(path, { recursive: true, encoding: 'utf8' })
    return names.reduce((sum, name) => sum + (statSync(join(path, name), { throwIfNoEntry: false })?.size ?? 0), 0)
  } catch {
    return 0
  }
}

function toLine({ spans, loadBefore, fill, disk, memory, restart, doctor, backup }: Measured): Record<string, string | number> {
  const seconds = ({ seconds: taken, cpuSeconds, exitCode }: CommandCost) =>
    `${round(taken)} s, ${round(cpuSeconds)} s of processors${exitCode === 0 ? '' : `, exit code ${exitCode}`}`
  return {
    spans,
    'spans/s': fill.spans / fill.seconds,
    'CPU s/1k': (fill.cpuSeconds * 1000) / fill.spans,
    'calls on disk B/span': disk.bytes / disk.rows,
    'folder MB': disk.folderBytes / 1e6,
    parts: disk.parts,
    'memory MB': (memory.service + memory.engine) / 1e6,
    'ready ms': restart.readyMs,
    'first read ms': restart.firstReadMs,
    'start CPU s': restart.cpuSeconds,
    doctor: seconds(doctor),
    backup: `${seconds(backup)}, ${round(backup.bytes / 1e6)} MB`,
    'machine load': round(loadBefore),
  }
}

function toQueryLine(spans: number, { question, first, again, cpuMs, turns }: Answered): Record<string, string | number> {
  return {
    question,
    spans,
    turns,
    'first p50 ms': first.totalMs.p50,
    'again p50 ms': again.totalMs.p50,
    'service CPU ms': cpuMs.service,
    'engine CPU ms': cpuMs.engine,
  }
}
