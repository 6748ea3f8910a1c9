import { z } from 'zod'
import { lenientIntBetween } from '../shapes/lenient.ts'

const count = (text: string) => z.int().min(0).describe(text)

/** Minutes that a server counts. */
const maxMinutes = 1_440

/** Which part of the history of a server, in which steps. */
export const ServiceHistoryRange = z.object({
  minutes: lenientIntBetween(1, maxMinutes).optional().describe('How far back, including the current minute. Default: 60'),
  step_minutes: lenientIntBetween(1, 60).optional().describe('Minutes that one part adds up. Default: 1'),
})

const Part = z.object({
  started_at: z.iso.datetime().describe('A whole multiple of the step since 1970'),
  by_status: z.record(z.string(), z.int().min(0)).describe('Responses, by their status'),
  request_p95_ms: z
    .number()
    .nullable()
    .describe('95 % of requests took no longer, in milliseconds, at most 19 % above the exact value. Null if there were none'),
  inserted_rows: z.record(z.string(), z.int().min(0)).describe('Rows stored, by table'),
  rejected_spans: count('Spans of OpenTelemetry that were refused'),
  memory_bytes: count('Most memory of the process, without that of the engine'),
  free_bytes: z
    .number()
    .min(0)
    .nullable()
    .describe('Least free space of the disk of the data folder. Null where all stores are on other machines'),
  waiting_bytes: count('Most acknowledged bytes that were not in their table yet'),
  jobs_queued: count('Most jobs that waited'),
  jobs_running: count('Most jobs that ran'),
})

/** Load of a server over time. Counts are those of this server; each server counts separately. */
export const ServiceHistory = z.object({
  started_at: z.iso.datetime().describe('When counting began: the start of this server'),
  step_minutes: z.int().min(1).describe('Minutes of a part'),
  parts: z.array(Part).max(maxMinutes).describe('In order of time; parts in which the server did not run are left out'),
})
