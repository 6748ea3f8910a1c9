import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { describeMachine } from '../report/machine.ts'
import { printTable } from '../report/print-table.ts'
import { writeResult } from '../report/write-result.ts'
import { measureConcurrency } from './measure-concurrency.ts'
import { measureOverhead, type Overhead } from './measure-overhead.ts'
import { modelCalls } from './model-calls.ts'
import { withTracing } from './with-tracing.ts'

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))))
const { values: flags } = parseArgs({
  options: {
    rounds: { type: 'string', default: '15' },
    calls: { type: 'string', default: '800' },
    trajectories: { type: 'string', default: '1000' },
    turns: { type: 'string', default: '10' },
    output: { type: 'string', default: join(root, 'benchmarks', 'results', 'agent.json') },
    help: { type: 'boolean', default: false },
  },
})

const help = `npm run bench -- agent [flags]

What recording adds to a model call, with and without a tracer provider, and what many trajectories at once hold.

  --rounds <number>        rounds of plain and of recorded calls, in turns (default 15)
  --calls <number>         calls of a round (default 800)
  --trajectories <number>  trajectories at once (default 1000)
  --turns <number>         model calls of each (default 10)
  --output <path>          JSON file of the results (default benchmarks/results/agent.json)`

if (flags.help) {
  console.log(help)
  process.exit(0)
}

const machine = describeMachine()

async function measureAll(): Promise<Overhead[]> {
  const all: Overhead[] = []
  for (const call of modelCalls) all.push(await measureOverhead(call, { rounds: Number(flags.rounds), callsOfRound: Number(flags.calls) }))
  return all
}

function printOverhead(title: string, overhead: readonly Overhead[]) {
  printTable(
    overhead.map(({ name, plainUs, recordedUs, addedUs, laterUs }) => ({
      [title]: name,
      'plain µs': plainUs,
      'recorded µs': recordedUs,
      'added µs p50': addedUs.p50,
      p95: addedUs.p95,
      'later µs p50': laterUs.p50,
      'together µs': addedUs.p50 + laterUs.p50,
    })),
  )
}

const overhead = await measureAll()
printOverhead('model call', overhead)
const tracedOverhead = await withTracing(measureAll)
console.log()
printOverhead('in a program that traces', tracedOverhead)

const [, conversation] = modelCalls
if (!conversation) throw new Error('there is no conversation to run at once')
const sizes = { turns: Number(flags.turns), trajectories: Number(flags.trajectories) }
const concurrency = await measureConcurrency(conversation, sizes)
console.log()
printTable([
  {
    'trajectories at once': concurrency.trajectories,
    turns: concurrency.turns,
    'calls/s': concurrency.callsPerSecond,
    'choices recorded': concurrency.recordedChoices,
    'heap of one, KB': concurrency.heapOfTrajectory / 1000,
    'JSON of one, KB': concurrency.jsonOfTrajectory / 1000,
    'heap left, KB': concurrency.heapLeft / 1000,
  },
])
writeResult(flags.output, { machine, overhead, tracedOverhead, concurrency })
