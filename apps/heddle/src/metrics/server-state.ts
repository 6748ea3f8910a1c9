import { type Analytical, type DiskSpace, invariantFailures, type Micros } from '@heddle/datastore'
import type { Admission } from '@heddle/service-kit'
import type { TracingService } from '@heddle/tracing'
import type { LastBackup } from '../backup/last-backup.ts'
import type { Readiness } from '../health/readiness.ts'
import type { EngineProcess } from '../stores/stores.ts'
import { residentMemoryOf } from './process-metrics.ts'
import type { Readings, Sample } from './registry.ts'

/** The parts of a server that know their state. */
export interface ServerState {
  version: string
  analytical: Pick<Analytical, 'health'>
  engineDownMs: () => number
  engineProcess: () => EngineProcess | undefined
  readiness: Pick<Readiness, 'read' | 'states'>
  admission: Pick<Admission, 'writes' | 'reads' | 'links' | 'statements'>
  refusedConnections: () => number
  /** By the name of the service. */
  jobs: Readonly<Record<string, TracingService['jobs']>>
  /** Null if all stores are on other machines. */
  readDisk: () => Promise<DiskSpace | null>
  readLastBackup: () => Promise<LastBackup | null>
  clock: () => Micros
}

/** Reads one part. The names are values of the label `source`. */
export type Source = () => Promise<Readings>

/** Sources of the metrics that are read at a collection. */
export function sourcesOf(state: ServerState): Readonly<Record<string, Source>> {
  return {
    server: async () => readServer(state),
    readiness: () => readReadiness(state),
    call_store: () => readCallStore(state),
    engine: () => readEngine(state),
    disk: () => readDiskSpace(state),
    jobs: () => readJobs(state),
  }
}

const one = (value: number): readonly Sample[] => [{ value }]
const truth = (isTrue: boolean) => (isTrue ? 1 : 0)

function readServer({ version, admission, refusedConnections }: ServerState): Readings {
  const queues = (['writes', 'reads', 'links', 'statements'] as const).flatMap((queue) =>
    (['running', 'waiting'] as const).map((state): Sample => ({ value: admission[queue][state], labels: { queue, state } })),
  )
  const failures = Object.values(invariantFailures()).reduce((sum, count) => sum + count, 0)
  return {
    buildInfo: [{ value: 1, labels: { version } }],
    admission: queues,
    refusedConnections: one(refusedConnections()),
    invariantFailures: one(failures),
  }
}

async function readReadiness({ readiness }: ServerState): Promise<Readings> {
  const { isReady } = await readiness.read()
  const parts = Object.entries(readiness.states())
  return {
    ready: one(truth(isReady)),
    partReady: parts.map(([part, isPartReady]) => ({ value: truth(isPartReady), labels: { part } })),
  }
}

async function readCallStore({ analytical }: ServerState): Promise<Readings> {
  const { ready, restarts, insertedRows, waitingBytes, oldestWaitingMs, activeParts, detachedParts } = await analytical.health()
  const parts = [
    { value: activeParts, labels: { state: 'active' } },
    { value: detachedParts, labels: { state: 'detached' } },
  ]
  return {
    engineUp: one(truth(ready)),
    engineRestarts: one(restarts),
    engineParts: ready ? parts : [],
    storedRows: Object.entries(insertedRows).map(([table, value]) => ({ value, labels: { table } })),
    journalBytes: one(waitingBytes),
    journalAge: one(oldestWaitingMs / 1_000),
  }
}

async function readEngine({ engineDownMs, engineProcess }: ServerState): Promise<Readings> {
  const running = engineProcess()
  const memory = running && (await residentMemoryOf(running.pid))
  return {
    engineDown: one(engineDownMs() / 1_000),
    engineMemory: memory === undefined ? [] : one(memory),
    engineMemoryLimit: running ? one(running.memoryLimitBytes) : [],
  }
}

async function readDiskSpace({ readDisk, readLastBackup }: ServerState): Promise<Readings> {
  const [disk, backup] = await Promise.all([readDisk(), readLastBackup()])
  return {
    diskFree: disk ? one(disk.free) : [],
    diskReserve: disk ? one(disk.reserve) : [],
    lastBackup: backup ? one(Date.parse(backup.ended_at) / 1_000) : [],
  }
}

async function readJobs({ jobs, clock }: ServerState): Promise<Readings> {
  const queues = await Promise.all(Object.entries(jobs).map(async ([queue, each]) => ({ queue, stats: await each.stats() })))
  const samples = (read: (stats: (typeof queues)[number]['stats']) => Readonly<Record<string, number>>, label: string) =>
    queues.flatMap(({ queue, stats }) =>
      Object.entries(read(stats)).map(([name, value]): Sample => ({ value, labels: { queue, [label]: name } })),
    )
  return {
    jobs: samples(({ waiting, running }) => ({ queued: waiting, running }), 'state'),
    jobsEnded: samples(({ succeeded, failed, cancelled }) => ({ succeeded, failed, cancelled }), 'outcome'),
    jobsRetried: queues.map(({ queue, stats }) => ({ value: stats.retried, labels: { queue } })),
    jobsAge: queues.map(({ queue, stats: { oldestWaitingSince: since } }) => ({
      // Another server, whose clock is ahead, may have enqueued it.
      value: since === null ? 0 : Math.max(0, (clock() - since) / 1e6),
      labels: { queue },
    })),
  }
}
