import { buildTree, isPriceable, listNodes, reportsOfRequests, settleTrace, type TraceNode, type TreeNode } from '@heddle/trace-model'
import type { ModelUsage } from '../../../query/model-usage.ts'
import { settledRows, type StoredNode, toTraceNode } from '../../../records/calls/settle/settled-rows.ts'

/** Totals of the calls at and below a turn. */
export interface CallsOfTurn {
  /** What counts of them, by call and model. */
  usage: ModelUsage[]
  /** The turn names a parent that is not in the trace. */
  isParentMissing: boolean
  /** Input and output tokens that count; null for none. */
  tokens: number | null
  /** Ids of the calls that report the model requests that started first, in their order, each by the report that counts first. */
  firstRequests: string[]
  /** Ids of the calls that report the last one, in the same way. */
  lastRequest: string[]
}

/** A framework may report the preparation of a request as one, without its messages. */
const maxFirstRequests = 2

/** Finds the calls at and below a turn among those of its trace. A turn that is not among them has none. */
export function callsOfTurn(turn: { project_id: string; trace_id: string; id: string }, stored: readonly StoredNode[]): CallsOfTurn {
  const nodes = stored.map(toTraceNode)
  const placed = atAndBelow(nodes, turn.id)
  const calls = placed.map(({ call }) => call)
  const ids = new Set(calls.map(({ id }) => id))
  const rows = (settledRows(turn, stored)?.usage ?? []).filter(({ call_id }) => ids.has(call_id))
  const models = calls.filter(({ isModelCall }) => isModelCall).toSorted((one, other) => one.startedAt - other.startedAt)
  const requests = reportsOfRequests(models, settleTrace(nodes))
  return {
    usage: rows.map(toUsage),
    isParentMissing: placed[0]?.isOrphan ?? false,
    tokens: rows.reduce((sum, { total_tokens }) => sum + (total_tokens ?? 0), 0) || null,
    firstRequests: requests.slice(0, maxFirstRequests).flatMap((reports) => reports.map(({ id }) => id)),
    lastRequest: requests.at(-1)?.map(({ id }) => id) ?? [],
  }
}

/** A call in the order of a tree is followed by all those below it. */
function atAndBelow(nodes: readonly TraceNode[], id: string): TreeNode<TraceNode>[] {
  const placed = listNodes(buildTree(nodes))
  const from = placed.findIndex(({ call }) => call.id === id)
  const turn = placed[from]
  if (turn === undefined) return []
  const after = placed.findIndex(({ depth }, at) => at > from && depth <= turn.depth)
  return placed.slice(from, after < 0 ? undefined : after)
}

type UsageOfCall = NonNullable<ReturnType<typeof settledRows>>['usage'][number]

function toUsage(row: UsageOfCall): ModelUsage {
  return {
    model: row.model,
    uses: 1,
    counts: {
      input: row.input_tokens ?? 0,
      output: row.output_tokens ?? 0,
      cacheRead: row.cache_read_tokens ?? 0,
      cacheWrite: row.cache_write_tokens ?? 0,
      cacheReadAudio: row.cache_read_audio_tokens ?? 0,
      cacheReadImage: row.cache_read_image_tokens ?? 0,
      cacheWrite1h: row.cache_write_1h_tokens ?? 0,
      inputAudio: row.input_audio_tokens ?? 0,
      inputImage: row.input_image_tokens ?? 0,
      outputAudio: row.output_audio_tokens ?? 0,
      outputImage: row.output_image_tokens ?? 0,
      reasoning: row.reasoning_tokens ?? 0,
    },
    total: row.total_tokens ?? 0,
    reported_costs: row.reported_costs ?? 0,
    reported_cost: (row.reported_nanos ?? 0) / 1e9,
    first_micros: row.started_at,
    last_micros: row.started_at,
    least_request: row.request_tokens ?? 0,
    most_request: row.request_tokens ?? 0,
    service_tiers: [row.service_tier],
    are_priceable: [
      isPriceable({
        input: row.input_tokens ?? 0,
        output: row.output_tokens ?? 0,
        total: row.total_tokens ?? 0,
        reportedCosts: row.reported_costs ?? 0,
      }),
    ],
  }
}
