import { Agent } from 'node:http'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { contents } from '../data/nested-text.ts'
import { readCorpus } from '../data/read-corpus.ts'
import { describeMachine } from '../report/machine.ts'
import { printTable } from '../report/print-table.ts'
import { writeResult } from '../report/write-result.ts'
import { readCallsOnDisk } from '../server/engine-state.ts'
import { readUsage } from '../server/process-usage.ts'
import { measureQuestion, type Answered } from './measure-question.ts'
import { openStore, type FilledStore } from './open-store.ts'
import { questions } from './questions.ts'

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))))
const { values: flags } = parseArgs({
  options: {
    spans: { type: 'string', default: '100000' },
    // Kinds of data, each in a store of its own.
    content: { type: 'string', default: contents.join(',') },
    // Bytes of texts in a span; default: 3,600 of plain data, 6,800 of nested data, which are 4.5 and 9 KB on the wire.
    'text-bytes': { type: 'string' },
    'question-seconds': { type: 'string', default: '8' },
    // Seconds to wait until merges of the load are done; 0 asks while they run.
    'settle-seconds': { type: 'string', default: '60' },
    'text-index': { type: 'string', default: 'off' },
    // Part of the names of the questions to ask.
    only: { type: 'string', default: '' },
    // Repeatable: built commands to compare, which are queried alternately.
    server: { type: 'string', multiple: true, default: [join(root, 'apps', 'heddle', 'dist', 'main.js')] },
    output: { type: 'string', default: join(root, 'benchmarks', 'results', 'query.json') },
  },
})
const textBytes = { plain: 3_600, nested: 6_800 }
const names = flags.content.split(',')
const unknown = names.filter((name) => !contents.some((content) => content === name))
if (unknown.length > 0) {
  console.error(`--content is ${flags.content}; there are ${contents.join(', ')}`)
  process.exit(2)
}

const machine = describeMachine()
const agent = new Agent({ keepAlive: true })
const stores: FilledStore[] = []
try {
  const corpus = readCorpus(join(root, 'node_modules', '.pnpm'))
  for (const content of contents.filter((each) => names.includes(each)))
    for (const command of flags.server) {
      console.error(`Filling the store of ${command} with ${flags.spans} spans of ${content} data`)
      const fill = { corpus, content, spans: Number(flags.spans), textBytes: Number(flags['text-bytes'] ?? textBytes[content]) }
      const settleMs = Number(flags['settle-seconds']) * 1000
      stores.push(await openStore({ ...fill, agent, command, textIndex: flags['text-index'], settleMs }))
    }
  const answered: Answered[] = []
  for (const question of questions.filter(({ name }) => name.includes(flags.only)))
    answered.push(...(await measureQuestion(question, stores, { agent, seconds: Number(flags['question-seconds']) })))
  console.log(`${flags.spans} spans, text index ${flags['text-index']}; one client, one question at a time, one store after the other`)
  printTable(answered.map(toLine))
  const described = await Promise.all(stores.map(describeStore))
  printTable(described.map(toStoreLine))
  writeResult(flags.output, { machine, spans: Number(flags.spans), textIndex: flags['text-index'], stores: described, answered })
} finally {
  agent.destroy()
  await Promise.all(stores.map(({ server }) => server.stop()))
}

async function describeStore({ server, command, content, fillSeconds, partsAsked, isSettled }: FilledStore) {
  const disk = await readCallsOnDisk(server.dataDir)
  const memory = { peakService: readUsage(server.pid).peakRssBytes, peakEngine: readUsage(server.enginePid).peakRssBytes }
  return { content, command, fillSeconds, partsAsked, isSettled, disk, memory }
}

function toStoreLine({ content, command, fillSeconds, partsAsked, isSettled, disk }: Awaited<ReturnType<typeof describeStore>>) {
  return {
    data: content,
    server: command,
    'filled in s': fillSeconds,
    parts: partsAsked,
    merges: isSettled ? 'done' : 'under way',
    'disk B/span': disk.bytes / disk.rows,
  }
}

function toLine({ question, content, command, turns, first, again, cpuMs, lines, bytes }: Answered): Record<string, string | number> {
  return {
    question,
    data: content,
    ...(flags.server.length > 1 && { server: command }),
    turns,
    'first p50 ms': first.totalMs.p50,
    'first p95 ms': first.totalMs.p95,
    'again p50 ms': again.totalMs.p50,
    'again p95 ms': again.totalMs.p95,
    'first byte p50 ms': first.firstByteMs.p50,
    'service CPU ms': cpuMs.service,
    'engine CPU ms': cpuMs.engine,
    lines,
    KB: bytes / 1000,
  }
}
