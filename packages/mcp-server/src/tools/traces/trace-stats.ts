import { parseTimestamp, tracing } from '@heddle/core-api'
import { z } from 'zod'
import type { Answer } from '../../answer/answer.ts'
import { ToolError } from '../../answer/tool-error.ts'
import { groupBy } from '../group-by.ts'
import { inProject, inRange } from '../schema/common-arguments.ts'
import { defineTool } from '../tool.ts'
import type { ToolContext } from '../tool-context.ts'
import { readModelTotals, type ModelTotals } from './model-totals.ts'
import { costOf, latencyOf, nameOf, statusOf, tokensOf, traceColumns, type TracedCall, usagesOf } from './traced-call.ts'

const Input = z.object({
  ...inProject,
  group_by: z.enum(['op', 'model', 'status', 'day']).default('model'),
  since: inRange.since.describe('Inclusive start; default: 7 days ago'),
  until: inRange.until.describe('Exclusive end; default: now'),
})

const Output = z.object({
  since: z.string(),
  until: z.string(),
  groups: z.array(
    z.object({
      key: z.string(),
      calls: z.number(),
      errors: z.number(),
      error_rate: z.number(),
      p50_ms: z.number().nullable(),
      p95_ms: z.number().nullable(),
      tokens: z.number().nullable(),
      cost: z.number().nullable(),
    }),
  ),
})

/** Counts of calls, over all of a range. */
export const traceStats = defineTool({
  name: 'trace_stats',
  title: 'Count calls, cost and latency',
  description:
    'Errors, latency, tokens and cost by op, model, status or day, over at most 31 days. Example: {"group_by": "model", "since": "2026-11-16"}',
  toolset: 'traces',
  operation: tracing.calls.stats,
  input: Input,
  output: Output,
  run: count,
})

const maxCalls = 20_000
const dayMicros = 86_400_000_000
const longestDays = 31

async function count(input: z.output<typeof Input>, context: ToolContext): Promise<Answer> {
  const until = input.until ?? context.now() * 1_000
  const since = input.since ?? until - 7 * dayMicros
  if (since >= until) throw new ToolError('bad_request', 'since is not before until', 'Pass an earlier since, or a later until.')
  if (until - since > longestDays * dayMicros) {
    throw new ToolError('bad_request', `the range is longer than ${longestDays} days`, 'Pass a later since, or call once for each month.')
  }
  const range = { since: textOf(since), until: textOf(until) }
  const [calls, totals] = await Promise.all([
    readCalls(range, context),
    input.group_by === 'model' ? readModelTotals(range, context) : undefined,
  ])
  const groups = groupsOf(calls, input.group_by, totals)
  const cost = groups.reduce((sum, group) => sum + (group.cost ?? 0), 0)
  return {
    headline: `${calls.length} calls from ${range.since} to ${range.until}${cost > 0 ? `, cost ${cost.toPrecision(4)}` : ''}.`,
    data: { ...range, groups: context.recorded(groups) },
    page: { key: 'groups', offset: 0, total: groups.length, hasMore: false },
    warnings: [
      ...(calls.length >= maxCalls ? [`only the newest ${maxCalls} calls were counted; take a shorter range`] : []),
      ...(totals && totals.unpriced.length > 0 ? [`no price is known for ${totals.unpriced.slice(0, 10).join(', ')}`] : []),
    ],
  }
}

function textOf(micros: number): string {
  return new Date(micros / 1_000).toISOString()
}

async function readCalls(range: { since: string; until: string }, { tracing, project, signal }: ToolContext): Promise<TracedCall[]> {
  const at = { $getField: 'started_at' }
  const calls: TracedCall[] = []
  const query = {
    project_id: project().id,
    query: { $expr: { $and: [{ $gte: [at, { $literal: range.since }] }, { $lt: [at, { $literal: range.until }] }] } },
    sort_by: [{ field: 'started_at', direction: 'desc' as const }],
    columns: traceColumns,
    include_costs: true,
    limit: maxCalls,
  }
  for await (const call of tracing.calls.streamQuery(query, { signal, timeoutMs: 120_000 })) calls.push(call)
  return calls
}

function groupsOf(calls: readonly TracedCall[], by: 'op' | 'model' | 'status' | 'day', totals: ModelTotals | undefined) {
  const keyed = by === 'model' ? modelCalls(calls) : calls.map((call) => ({ call, key: keyOf(call, by) }))
  const groups = [...groupBy(keyed, ({ key }) => key)].map(([key, members]) => {
    const group = measure(members.map(({ call }) => call))
    const total = totals?.byModel.get(key)
    // Parents repeat what the calls below them used, so sums over all of them count it several times.
    const used = by === 'day' || by === 'status' ? { tokens: null, cost: null } : {}
    return { key, ...group, ...used, ...total }
  })
  return groups.toSorted((one, other) =>
    by === 'day' ? (one.key < other.key ? -1 : 1) : (other.cost ?? 0) - (one.cost ?? 0) || other.calls - one.calls,
  )
}

function keyOf(call: TracedCall, by: 'op' | 'status' | 'day'): string {
  if (by === 'status') return statusOf(call)
  return by === 'op' ? nameOf({ ...call, display_name: null }) : textOf(parseTimestamp(call.started_at) ?? 0).slice(0, 10)
}

/** The calls of models themselves, not those above that repeat their usage. */
function modelCalls(calls: readonly TracedCall[]): { call: TracedCall; key: string }[] {
  const using = calls.filter((call) => usagesOf(call).length > 0)
  const parents = new Set(using.map((call) => call.parent_id))
  return using.filter(({ id }) => !parents.has(id)).flatMap((call) => usagesOf(call).map(({ model }) => ({ call, key: model })))
}

function measure(calls: readonly TracedCall[]) {
  const latencies = calls.flatMap((call) => latencyOf(call) ?? []).toSorted((one, other) => one - other)
  const errors = calls.filter(({ exception }) => exception).length
  const sum = (values: (number | null)[]) =>
    values.every((value) => value === null) ? null : values.reduce<number>((total, value) => total + (value ?? 0), 0)
  return {
    calls: calls.length,
    errors,
    error_rate: Number((errors / calls.length).toPrecision(3)),
    p50_ms: percentile(latencies, 0.5),
    p95_ms: percentile(latencies, 0.95),
    tokens: sum(calls.map(tokensOf)),
    cost: sum(calls.map(costOf)),
  }
}

/** With linear interpolation between the closest ranks. */
function percentile(sorted: readonly number[], share: number): number | null {
  if (sorted.length === 0) return null
  const at = (sorted.length - 1) * share
  const [low = 0, high = low] = [sorted[Math.floor(at)], sorted[Math.ceil(at)]]
  return Math.round(low + (high - low) * (at - Math.floor(at)))
}
