import { Agent } from 'node:http'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { readCorpus } from '../data/read-corpus.ts'
import type { Target } from '../load/load-plan.ts'
import { ask } from '../load/post.ts'
import { describeMachine } from '../report/machine.ts'
import { percentiles, round, type Percentiles } from '../report/percentiles.ts'
import { printTable } from '../report/print-table.ts'
import { writeResult } from '../report/write-result.ts'
import { readCallsOnDisk, waitForMerges } from '../server/engine-state.ts'
import { readUsage } from '../server/process-usage.ts'
import { startServer } from '../server/start-server.ts'
import { fillStore, type Sample } from './fill-store.ts'
import { questions, type Known, type Question } from './questions.ts'
import { timeRequest, type Timing } from './time-request.ts'

interface Answered {
  question: string
  turns: number
  /** Times of queries that were not sent before. */
  first: AnswerTimes
  /** Times of the same queries, repeated immediately. */
  again: AnswerTimes
  /** Size of the last response. */
  lines: number
  bytes: number
}

interface AnswerTimes {
  totalMs: Percentiles
  firstByteMs: Percentiles
}

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))))
const dayMs = 86_400_000
const { values: flags } = parseArgs({
  options: {
    spans: { type: 'string', default: '100000' },
    'text-bytes': { type: 'string', default: '3600' },
    'question-seconds': { type: 'string', default: '8' },
    // Seconds to wait until merges of the load are done; 0 asks while they run.
    'settle-seconds': { type: 'string', default: '60' },
    'text-index': { type: 'string', default: 'off' },
    // Part of the names of the questions to ask.
    only: { type: 'string', default: '' },
    server: { type: 'string', default: join(root, 'apps', 'heddle', 'dist', 'main.js') },
    output: { type: 'string', default: join(root, 'benchmarks', 'results', 'query.json') },
  },
})

const machine = describeMachine()
const agent = new Agent({ keepAlive: true })
const server = await startServer({ command: flags.server, serverArguments: ['--text-index', flags['text-index']] })
try {
  const target = { url: server.url, apiKey: server.apiKey, project: 'bench/query' }
  const untilMs = Date.now()
  const overMs = 7 * dayMs
  const corpus = readCorpus(join(root, 'node_modules', '.pnpm'))
  console.error(`Filling the store with ${flags.spans} spans`)
  const sample = await fillStore({
    agent,
    target,
    corpus,
    spans: Number(flags.spans),
    textBytes: Number(flags['text-bytes']),
    untilMs,
    overMs,
  })
  const fillSeconds = (Date.now() - untilMs) / 1000
  const times = { start: new Date(untilMs - overMs).toISOString(), end: new Date(untilMs).toISOString() }
  const known = { ...(await toKnown(target, sample)), ...times }
  const isSettled = await waitForMerges(server.dataDir, Number(flags['settle-seconds']) * 1000)
  const before = await readCallsOnDisk(server.dataDir)
  const answered: Answered[] = []
  for (const question of questions.filter(({ name }) => name.includes(flags.only))) answered.push(await measure(target, question, known))
  const disk = await readCallsOnDisk(server.dataDir)
  const memory = { peakService: readUsage(server.pid).peakRssBytes, peakEngine: readUsage(server.enginePid).peakRssBytes }
  const index = `text index ${flags['text-index']}`
  const parts = `${before.parts} parts, merges ${isSettled ? 'done' : 'under way'}`
  console.log(`${flags.spans} spans, filled in ${round(fillSeconds)} s, ${parts}, ${index}; one client, one question at a time`)
  printTable(answered.map(toLine))
  const store = {
    spans: Number(flags.spans),
    textIndex: flags['text-index'],
    fillSeconds: round(fillSeconds),
    partsAsked: before.parts,
    isSettled,
  }
  writeResult(flags.output, { machine, ...store, disk, memory, answered })
} finally {
  agent.destroy()
  await server.stop()
}

async function toKnown(target: Target, { ids, idsOfLongTraces }: Sample): Promise<Pick<Known, 'ids' | 'longTraces'>> {
  const longTraces: string[] = []
  for (const id of idsOfLongTraces.slice(0, 40)) {
    const { call } = await ask<{ call: { trace_id: string } }>(agent, target, '/call/read', { project_id: target.project, id })
    longTraces.push(call.trace_id)
  }
  return { ids, longTraces }
}

/** Sends each query twice in a row, repeatedly until there are enough or the time is over, at least one. A turn before them warms up. */
async function measure(target: Target, question: Question, known: Known): Promise<Answered> {
  const first: Timing[] = []
  const again: Timing[] = []
  const endMs = performance.now() + Number(flags['question-seconds']) * 1000
  for (let turn = 0; turn <= question.turns && (turn < 2 || performance.now() < endMs); turn++) {
    const asked = question.ask(known, turn)
    const [one, other] = [await timeRequest(agent, target, asked), await timeRequest(agent, target, asked)]
    if (turn === 0) continue
    first.push(one)
    again.push(other)
  }
  const { lines = 0, bytes = 0 } = again.at(-1) ?? {}
  return { question: question.name, turns: first.length, first: toTimes(first), again: toTimes(again), lines, bytes }
}

function toTimes(timings: readonly Timing[]): AnswerTimes {
  return {
    totalMs: percentiles(timings.map((timing) => timing.totalMs)),
    firstByteMs: percentiles(timings.map((timing) => timing.firstByteMs)),
  }
}

function toLine({ question, turns, first, again, lines, bytes }: Answered): Record<string, string | number> {
  return {
    question,
    turns,
    'first p50 ms': first.totalMs.p50,
    'first p95 ms': first.totalMs.p95,
    'again p50 ms': again.totalMs.p50,
    'again p95 ms': again.totalMs.p95,
    'first byte p50 ms': first.firstByteMs.p50,
    lines,
    KB: bytes / 1000,
  }
}
