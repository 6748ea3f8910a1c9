import { z } from 'zod'
import { defineResource } from '../../operation.ts'
import { listOf } from '../../shapes/bounded.ts'
import { Identifier } from '../../shapes/identifier.ts'
import { Nothing } from '../../shapes/nothing.ts'
import { orNull } from '../../shapes/optional.ts'
import { ProjectId, ProjectPath } from '../../shapes/project.ts'
import { CallBatch, CallBatchAnswer, CallIds, CompletedCallBatch } from './call-batch.ts'
import { Call, EndedCall, StartedCall } from './call-records.ts'
import { CallRead, CallsCount, CallsQuery } from './calls-query.ts'
import { CallsStats, CallsStatsAnswer } from './calls-stats.ts'
import { CallsTrace, TraceCall } from './calls-trace.ts'
import { CallsTraceTotals, TraceTotals } from './calls-trace-totals.ts'
import { CallsUsage, TraceUsage, UsageAnswer } from './calls-usage.ts'
import { CallsUsageTotals, UsageTotals } from './calls-usage-totals.ts'

const ignoredUser = orNull(z.string()).describe('Ignored: the server sets the user from the credential')

/** Recorded runs of ops. */
export const calls = defineResource('Recorded runs of ops', {
  start: {
    method: 'POST',
    path: '/call/start',
    effect: 'write',
    repeat: { idAt: ['start', 'id'] },
    summary: 'Record the start of a call',
    body: z.object({ start: StartedCall }),
    output: CallIds,
  },
  end: {
    method: 'POST',
    path: '/call/end',
    effect: 'write',
    summary: 'Record the end of a call',
    description: 'The start may arrive later; until then the call is stored but not returned.',
    body: z.object({ end: EndedCall }),
    output: Nothing,
  },
  upsertBatch: {
    method: 'POST',
    path: '/call/upsert_batch',
    effect: 'write',
    repeat: { idAt: ['batch', '*', 'req', 'start', 'id'] },
    summary: 'Record starts and ends of many calls',
    description: 'All items are stored or none.',
    body: CallBatch,
    output: CallBatchAnswer,
  },
  startV2: {
    method: 'POST',
    path: '/v2/{entity}/{project}/call/start',
    effect: 'write',
    repeat: { idAt: ['start', 'id'] },
    summary: 'Record the start of a call of this project',
    params: ProjectPath,
    body: z.object({ start: StartedCall }),
    output: CallIds,
  },
  endV2: {
    method: 'POST',
    path: '/v2/{entity}/{project}/call/end',
    effect: 'write',
    summary: 'Record the end of a call of this project',
    params: ProjectPath,
    body: z.object({ end: EndedCall }),
    output: Nothing,
  },
  complete: {
    method: 'POST',
    path: '/v2/{entity}/{project}/calls/complete',
    effect: 'write',
    summary: 'Record many finished calls',
    description: 'All items are stored or none. An item that names another project is stored there.',
    params: ProjectPath,
    body: CompletedCallBatch,
    output: Nothing,
  },
  read: {
    method: 'POST',
    path: '/call/read',
    effect: 'read',
    summary: 'Read one call',
    body: CallRead,
    output: z.object({ call: Call.nullable().describe('Null when unknown or deleted') }),
  },
  streamQuery: {
    method: 'POST',
    path: '/calls/stream_query',
    effect: 'read',
    summary: 'Find calls',
    description: 'Streams one call per line, in the requested order.',
    body: CallsQuery,
    output: Call,
    stream: 'jsonl',
  },
  streamTrace: {
    method: 'POST',
    path: '/calls/stream_trace',
    effect: 'read',
    summary: 'Read the calls of a trace, without their payloads',
    description: 'Streams one call per line, by start, then id.',
    body: CallsTrace,
    output: TraceCall,
    stream: 'jsonl',
  },
  query: {
    method: 'POST',
    path: '/calls/query',
    effect: 'read',
    hidden: true,
    summary: 'Find calls, in one answer',
    body: CallsQuery,
    output: z.object({ calls: z.array(Call).describe('The calls, in the requested order') }),
  },
  queryStats: {
    method: 'POST',
    path: '/calls/query_stats',
    effect: 'read',
    summary: 'Count calls',
    body: CallsCount,
    output: z.object({
      count: z.number().describe('Matching calls, at most `limit`'),
      has_more: z.boolean().describe('True when a limit was given and reached'),
      total_storage_size_bytes: z.number().nullable().describe('Bytes of the matching traces. Null unless requested'),
    }),
  },
  stats: {
    method: 'POST',
    path: '/calls/stats',
    effect: 'read',
    summary: 'Compute metrics of calls over time',
    body: CallsStats,
    output: CallsStatsAnswer,
  },
  usageTotals: {
    method: 'POST',
    path: '/calls/usage_totals',
    effect: 'read',
    summary: 'Sum tokens and costs by model, op, user, thread, status or day',
    description:
      'Usage that a client added up in the root of a trace counts there alone, and that of spans from OpenTelemetry at each span, so that no token counts twice.',
    body: CallsUsageTotals,
    output: UsageTotals,
  },
  traceTotals: {
    method: 'POST',
    path: '/calls/trace_totals',
    effect: 'read',
    summary: 'Find traces by the sums of their calls',
    description:
      'The calls that started in the range are summed up by trace. Tokens that a client added up in the root of a trace count there alone, as in `usageTotals`.',
    body: CallsTraceTotals,
    output: TraceTotals,
  },
  usage: {
    method: 'POST',
    path: '/calls/usage',
    effect: 'read',
    summary: 'Sum the token usage of calls and their descendants',
    description:
      'Usage is summed by the rules of the original protocol: counts under both names (`prompt_tokens` and `input_tokens`) are added, those of descendants are added to what a call already reports of them, and models without a price, or with a total alone, cost 0. `usageTotals` and `traceTotals` count each token once and tell unknown costs apart.',
    body: CallsUsage,
    output: UsageAnswer,
  },
  traceUsage: {
    method: 'POST',
    path: '/trace/usage',
    effect: 'read',
    summary: 'Sum the token usage of each selected call and its descendants',
    description: 'Usage is summed by the same rules as in `usage`.',
    body: TraceUsage,
    output: UsageAnswer,
  },
  update: {
    method: 'POST',
    path: '/call/update',
    effect: 'write',
    summary: 'Rename a call',
    body: z.object({
      project_id: ProjectId,
      call_id: Identifier.describe('Id of the call'),
      display_name: orNull(z.string()).describe('New name, up to 1024 characters. Required; the empty text clears it'),
      wb_user_id: ignoredUser,
    }),
    output: Nothing,
  },
  delete: {
    method: 'POST',
    path: '/calls/delete',
    effect: 'destroy',
    summary: 'Delete calls and their descendants',
    description:
      'However many there are, no operation finds them once this is answered. Above 2,000 calls they are removed from the store behind, as `projects.queryDeletions` shows. What arrives later for a deleted call stays deleted. A call with a new id that arrives in a deleted trace is deleted with it while the trace is being removed, and is a new call after that.',
    body: z.object({
      project_id: ProjectId,
      call_ids: listOf(Identifier, 1000, { code: 'too_large', reason: () => 'Request too large' }).describe(
        'Ids of the calls, at most 1000',
      ),
      wb_user_id: ignoredUser,
    }),
    output: z.object({ num_deleted: z.number().describe('Requested ids plus live descendants; 0 when none of the ids is a live call') }),
  },
})
