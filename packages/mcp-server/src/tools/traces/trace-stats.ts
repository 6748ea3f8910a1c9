import { parseTimestamp, tracing } from '@heddle/core-api'
import { isTimeZone, localTime, zoneClock } from '@heddle/trace-model/time'
import { percentile } from '@heddle/evaluations'
import { compare } from '@heddle/trace-model/query'
import { z } from 'zod'
import type { Answer } from '../../answer/answer.ts'
import { ToolError } from '../../answer/tool-error.ts'
import { groupBy } from '../group-by.ts'
import { inProject, inRange } from '../schema/common-arguments.ts'
import { defineTool } from '../tool.ts'
import type { ToolContext } from '../tool-context.ts'
import { costSource, toCostSource } from './cost-source.ts'
import { type CallGrouping, readCallTotals, readModelTotals } from './counted-totals.ts'
import { withSpanNames } from './span-names.ts'
import { latencyOf, nameOf, statusOf, traceColumns, type TracedCall } from './traced-call.ts'

const Input = z.object({
  ...inProject,
  group_by: z.enum(['op', 'model', 'status', 'day']).default('model'),
  since: inRange.since.describe('Default: 7 days ago'),
  until: inRange.until.describe('Exclusive; default: now'),
  time_zone: z.string().default('UTC'),
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
      ...costSource,
    }),
  ),
})

/** Counts of calls, over all of a range. */
export const traceStats = defineTool({
  name: 'trace_stats',
  title: 'Count calls, cost and latency',
  description:
    'Errors, latency, tokens and cost by op, model, status or day, up to 31 days. Example: {"group_by": "day", "time_zone": "Asia/Tokyo"}',
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
  if (!isTimeZone(input.time_zone)) {
    const message = `time_zone: ${JSON.stringify(input.time_zone.slice(0, 60))} is not in the time zone database`
    throw new ToolError('bad_request', message, 'Pass a name such as Europe/Berlin or UTC.')
  }
  const range = { since: textOf(since), until: textOf(until) }
  const { groups, counted, warnings } =
    input.group_by === 'model'
      ? await groupsOfModels(range, context)
      : await groupsOfCalls(range, { by: input.group_by, timeZone: input.time_zone }, context)
  const cost = groups.reduce((sum, group) => sum + (group.cost ?? 0), 0)
  return {
    headline: `${counted} from ${range.since} to ${range.until}${cost > 0 ? `, cost ${cost.toPrecision(4)}` : ''}.`,
    data: { ...range, groups: context.recorded(groups) },
    page: { key: 'groups', offset: 0, total: groups.length, hasMore: false },
    warnings: context.recorded(warnings),
  }
}

type Group = z.output<typeof Output>['groups'][number]

interface GroupStats {
  groups: Group[]
  /** A description of the counted calls. */
  counted: string
  warnings: string[]
}

interface Range {
  since: string
  until: string
}

/** By model: the calls whose usage counts, as the service counts them. */
async function groupsOfModels(range: Range, context: ToolContext): Promise<GroupStats> {
  const { byKey, unpriced } = await readModelTotals(range, context)
  const groups = [...byKey].map(([key, { calls, ...total }]): Group => {
    const { count, errors, p50_latency_ms, p95_latency_ms } = calls
    const latencies = { p50_ms: rounded(p50_latency_ms), p95_ms: rounded(p95_latency_ms) }
    return {
      key,
      calls: count,
      errors,
      error_rate: shareOf(errors, count),
      ...latencies,
      tokens: total.tokens,
      cost: total.cost,
      ...toCostSource(total),
    }
  })
  const uses = groups.reduce((sum, { calls }) => sum + calls, 0)
  return { groups: groups.toSorted(byCost), counted: `${uses} uses of models`, warnings: warnOfPrices(unpriced) }
}

async function groupsOfCalls(range: Range, grouping: CallGrouping, context: ToolContext): Promise<GroupStats> {
  const [calls, totals] = await Promise.all([readCalls(range, context), readCallTotals(grouping, range, context)])
  const byKey = groupBy(calls, keyBy(grouping))
  const nameOfKey = grouping.by === 'op' ? await namesOfOps(byKey, context) : (key: string) => key
  const groups = [...byKey].map(([key, members]): Group => {
    const total = totals.byKey.get(key)
    return { key: nameOfKey(key), ...measure(members), tokens: total?.tokens ?? null, cost: total?.cost ?? null, ...toCostSource(total) }
  })
  return {
    groups: groups.toSorted(grouping.by === 'day' ? (one, other) => (one.key < other.key ? -1 : 1) : byCost),
    counted: `${calls.length} calls`,
    warnings: [
      ...(calls.length >= maxCalls ? [`only the newest ${maxCalls} calls were counted; take a shorter range`] : []),
      ...warnOfPrices(totals.unpriced.map(nameOfKey)),
    ],
  }
}

const byCost = (one: Group, other: Group) => (other.cost ?? 0) - (one.cost ?? 0) || other.calls - one.calls

const warnOfPrices = (unpriced: readonly string[]) =>
  unpriced.length === 0 ? [] : [`no price is known for ${unpriced.slice(0, 10).join(', ')}`]

function textOf(micros: number): string {
  return new Date(micros / 1_000).toISOString()
}

async function readCalls(range: Range, { tracing, project, signal }: ToolContext): Promise<TracedCall[]> {
  const calls: TracedCall[] = []
  const query = {
    project_id: project().id,
    query: { $expr: { $and: [compare('$gte', 'started_at', range.since), compare('$lt', 'started_at', range.until)] } },
    sort_by: [{ field: 'started_at', direction: 'desc' as const }],
    columns: traceColumns,
    limit: maxCalls,
  }
  for await (const call of tracing.calls.streamQuery(query, { signal, timeoutMs: 120_000 })) calls.push(call)
  return calls
}

function keyBy({ by, timeZone }: CallGrouping): (call: TracedCall) => string {
  if (by === 'status') return statusOf
  if (by === 'op') return (call) => nameOf({ ...call, display_name: null })
  const clock = zoneClock(timeZone)
  return ({ started_at }) => localTime((parseTimestamp(started_at) ?? 0) / 1e6, clock).date
}

/** More would not fit into an answer. */
const maxNamedOps = 1_000

/** Names of ops as they were sent: an op of spans, whose own name is an id, has that of its newest span. */
async function namesOfOps(calls: ReadonlyMap<string, readonly TracedCall[]>, context: ToolContext): Promise<(op: string) => string> {
  const newest = [...calls].flatMap(([op, [call]]) => (call === undefined ? [] : [[op, { ...call, display_name: null }] as const]))
  const ids = new Map(newest.map(([op, { id }]) => [id, op]))
  const named = await withSpanNames(newest.map(([, call]) => call).slice(0, maxNamedOps), context)
  const names = new Map(named.map((call) => [ids.get(call.id), nameOf(call)]))
  return (op) => names.get(op) ?? op
}

function measure(calls: readonly TracedCall[]) {
  const latencies = calls.flatMap((call) => latencyOf(call) ?? [])
  const errors = calls.filter(({ exception }) => exception).length
  return {
    calls: calls.length,
    errors,
    error_rate: shareOf(errors, calls.length),
    p50_ms: latencies.length === 0 ? null : Math.round(percentile(latencies, 0.5)),
    p95_ms: latencies.length === 0 ? null : Math.round(percentile(latencies, 0.95)),
  }
}

const shareOf = (part: number, whole: number) => (whole === 0 ? 0 : Number((part / whole).toPrecision(3)))

const rounded = (value: number | null) => (value === null ? null : Math.round(value))
