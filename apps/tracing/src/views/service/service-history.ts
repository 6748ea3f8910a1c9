import { formatTimestamp, type InputOf, type OutputOf, type tracing } from '@heddle/core-api'
import { type RepeatedSweep, repeatSweep, type SweepTimes } from '@heddle/datastore'
import { percentileOf } from '@heddle/service-kit'
import type { ServiceStatsDeps } from './service-stats.ts'

type Operation = (typeof tracing)['service']['history']

/** Counts the load of the server by minute, in memory, for a day. */
export interface ServiceHistory {
  read(range: InputOf<Operation>): Promise<OutputOf<Operation>>
  /** Counts until it is closed. Without it, all since the last read counts as of the minute of the next. */
  start(times: Pick<SweepTimes<void>, 'onError'>): RepeatedSweep<void>
}

type Deps = Pick<ServiceStatsDeps, 'clock' | 'server' | 'analytical' | 'requests' | 'rejectedSpans' | 'jobs'>

type Counts = Readonly<Record<string, number>>

/** What grows from the start of the server. */
interface Totals {
  byStatus: Counts
  insertedRows: Counts
  rejectedSpans: number
  /** By slot, as in `RequestStats`. */
  durations: readonly number[]
}

interface Levels {
  memoryBytes: number
  /** Null where all stores are on other machines. */
  freeBytes: number | null
  waitingBytes: number
  queued: number
  running: number
}

/** Counts and highest levels of one or more minutes. */
interface Part extends Totals, Levels {
  minute: number
}

const microsPerMinute = 60_000_000
const maxMinutes = 1_440
/** A few times a minute, so that counts are attributed to the right minute. */
const everyMs = 20_000

export function createServiceHistory(deps: Deps): ServiceHistory {
  const minuteNow = () => Math.floor(deps.clock() / microsPerMinute)
  const started_at = formatTimestamp(deps.clock())
  let parts: Part[] = []
  let counted: Totals = { byStatus: {}, insertedRows: {}, rejectedSpans: 0, durations: [] }
  let counting: Promise<void> | undefined

  async function countOnce(): Promise<void> {
    const { totals, levels } = await readServer(deps)
    const last = parts.at(-1)
    // A clock that is set back does not reopen earlier minutes.
    const minute = Math.max(minuteNow(), last?.minute ?? 0)
    const part = { minute, ...differenceOf(totals, counted), ...levels }
    counted = totals
    if (last?.minute === minute) parts[parts.length - 1] = join(last, part)
    else parts = [...parts.slice(1 - maxMinutes), part]
  }

  /** One at a time: each counts from the totals of the one before. */
  const count = () =>
    (counting ??= countOnce().finally(() => {
      counting = undefined
    }))

  return {
    async read({ minutes = 60, step_minutes = 1 }) {
      await count()
      const stepOf = (minute: number) => Math.floor(minute / step_minutes)
      const steps = new Map<number, Part>()
      for (const part of parts) {
        if (part.minute <= minuteNow() - minutes) continue
        const step = stepOf(part.minute)
        const before = steps.get(step)
        steps.set(step, before ? join(before, part) : part)
      }
      const wire = [...steps].map(([step, part]) => toPart(part, formatTimestamp(step * step_minutes * microsPerMinute)))
      return { started_at, step_minutes, parts: wire }
    },
    start: ({ onError }) => repeatSweep(count, { everyMs, onError }),
  }
}

async function readServer({ server, analytical, requests, rejectedSpans, jobs }: Deps): Promise<{ totals: Totals; levels: Levels }> {
  const [disk, { insertedRows, waitingBytes }, { waiting, running }] = await Promise.all([
    server?.readDisk(),
    analytical.health(),
    jobs.stats(),
  ])
  const { byStatus, durations } = requests.read()
  return {
    totals: { byStatus, durations, insertedRows, rejectedSpans: rejectedSpans() },
    levels: { memoryBytes: process.memoryUsage.rss(), freeBytes: disk?.free ?? null, waitingBytes, queued: waiting, running },
  }
}

function differenceOf(now: Totals, before: Totals): Totals {
  return {
    byStatus: combine(now.byStatus, before.byStatus, (a, b) => a - b),
    insertedRows: combine(now.insertedRows, before.insertedRows, (a, b) => a - b),
    rejectedSpans: now.rejectedSpans - before.rejectedSpans,
    durations: now.durations.map((count, slot) => count - (before.durations[slot] ?? 0)),
  }
}

/** One part with the counts of both, and the worse levels. */
function join(one: Part, other: Part): Part {
  return {
    minute: one.minute,
    byStatus: combine(one.byStatus, other.byStatus, (a, b) => a + b),
    insertedRows: combine(one.insertedRows, other.insertedRows, (a, b) => a + b),
    rejectedSpans: one.rejectedSpans + other.rejectedSpans,
    durations: one.durations.map((count, slot) => count + (other.durations[slot] ?? 0)),
    memoryBytes: Math.max(one.memoryBytes, other.memoryBytes),
    freeBytes: one.freeBytes === null || other.freeBytes === null ? other.freeBytes : Math.min(one.freeBytes, other.freeBytes),
    waitingBytes: Math.max(one.waitingBytes, other.waitingBytes),
    queued: Math.max(one.queued, other.queued),
    running: Math.max(one.running, other.running),
  }
}

/** Counts of both by name, without those that are 0. */
function combine(one: Counts, other: Counts, of: (one: number, other: number) => number): Counts {
  const names = new Set([...Object.keys(one), ...Object.keys(other)])
  return Object.fromEntries(
    [...names].map((name) => [name, of(one[name] ?? 0, other[name] ?? 0)] as const).filter(([, count]) => count > 0),
  )
}

function toPart(part: Part, started_at: string): OutputOf<Operation>['parts'][number] {
  return {
    started_at,
    by_status: { ...part.byStatus },
    request_p95_ms: percentileOf(part.durations, 0.95),
    inserted_rows: { ...part.insertedRows },
    rejected_spans: part.rejectedSpans,
    memory_bytes: part.memoryBytes,
    free_bytes: part.freeBytes,
    waiting_bytes: part.waitingBytes,
    jobs_queued: part.queued,
    jobs_running: part.running,
  }
}
