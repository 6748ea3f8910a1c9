import { z } from 'zod'

const count = (text: string) => z.int().min(0).describe(text)
const ms = (text: string) => z.number().min(0).describe(`${text}, in milliseconds`)

const Queue = z.object({ running: count('Now'), waiting: count('Now') })

const Requests = z.object({
  by_status: z.record(z.string(), z.int().min(0)).describe('Responses since the start, by their status'),
  cut: count('Responses among them that were aborted'),
  slow: z
    .array(
      z.object({
        operation: z.string().describe('Such as `tracing.calls.query`'),
        status: z.int(),
        ms: ms('To the end of the response'),
        waited_ms: ms('Part of it in a queue'),
        ended_at: z.iso.datetime(),
      }),
    )
    .describe(
      'The slowest requests of the last hour that took a second or more, the slowest first; at most 20. Request bodies are not stored',
    ),
  writes: Queue.describe('Requests that write'),
  reads: Queue.describe('Requests that read'),
  statements: Queue.describe('Statements of the store of calls'),
})

const Store = z.object({
  calls: z.enum(['embedded', 'clickhouse']).describe('Where calls, feedback and rows are stored: the engine of this server, or ClickHouse'),
  records: z.enum(['sqlite', 'postgres']).describe('Where all other records are stored'),
  files: z.enum(['folder', 's3']).describe('Where the contents of files are stored'),
})

const Engine = z.object({
  ready: z.boolean().describe('False: it does not respond; its version is then empty, and its counts of parts are 0'),
  version: z.string(),
  restarts: count('After unexpected exits of the embedded engine'),
  inserted_rows: z.record(z.string(), z.int().min(0)).describe('Rows that this server has stored since it started, by table'),
  waiting_bytes: count('Acknowledged rows on disk that are not in their table yet, in bytes'),
  oldest_waiting_ms: ms('For how long the first of them has waited'),
  active_parts: count('Of all tables'),
  detached_parts: count('That the engine cannot read: `heddle doctor` says what is missing'),
})

const Disk = z.object({
  free_bytes: count('Of the disk of the data folder'),
  reserve_bytes: count('While less is free, data is refused with 503'),
})

const Caches = z.array(
  z.object({
    name: z.string().describe('Resource and content, as in `calls.pages`'),
    entries: count('Now'),
    max_entries: z.int().nullable().describe('Null where bytes alone are bounded'),
    bytes: z.number().nullable().describe('Memory, by estimate; null where it is not counted, as entries are bounded and small'),
    max_bytes: z.number().nullable().describe('Null where entries alone are bounded'),
  }),
)

const Jobs = z.object({
  queued: count('Jobs that wait for a worker, for a retry, or behind another of their serial key'),
  running: count('Now'),
  finished: count('Jobs that ended and are still stored'),
  oldest_wait_ms: z.number().nullable().describe('Since the job that has waited longest was enqueued; null when none waits'),
  started: count('Attempts that began on this server since it started. The counts below cover the same time'),
  succeeded: count('Jobs'),
  failed: count('Jobs'),
  cancelled: count('Jobs'),
  retried: count('Attempts that failed and were followed by another'),
})

const Deletions = z.object({
  running: count('Deletions of many records that have not ended, in all projects and on all servers'),
  total: count('Records that were there when these began'),
  removed: count('Records that they have removed'),
})

/** State of a running server for its operator. Counts are those of this server; each server counts separately. */
export const ServiceStats = z.object({
  version: z.string().describe('Version of the service'),
  started_at: z.iso.datetime(),
  memory_bytes: count('Memory of the process, without that of the engine'),
  store: Store.nullable().describe('Null if not configured'),
  disk: Disk.nullable().describe('Null where all stores are on other machines'),
  engine: Engine,
  requests: Requests,
  rejected_spans: count(
    'OpenTelemetry spans that were rejected individually, while other spans of their request may have been stored. Requests that failed as a whole are in `requests`',
  ),
  invariant_failures: z
    .record(z.string(), z.int().min(1))
    .describe(
      'Violated invariants since the start, with their number, by name. Each is a bug of the server; the failed operation stored nothing. Empty if there are none',
    ),
  jobs: Jobs,
  deletions: Deletions,
  caches: Caches,
})
