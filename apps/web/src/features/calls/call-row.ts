import { type CallKind, callKindOf, displayNameOf } from '@heddle/core-api'
import type { Call } from '@heddle/core-api/types'
import { roundNumbers } from '../../lib/round-numbers.ts'
import { toCell } from '../../lib/texts/to-text.ts'
import { addUp, type Counts, hasOwnUsage, sourceOfUses, usageOfCall } from './model-usage.ts'
import { isJsonNumber } from '@heddle/json/exact'
import { memberOf, pathBelow, valueAt } from '@heddle/core-api/internal'
import { type CostSource, type CallStatus, latencyMsOf, statusOfCall } from '@heddle/trace-model'
import { type OpVersion, opVersionOf } from './op-version.ts'
import { type CallTag, tagsOfCall } from './tags-of-call.ts'
import { maxPaths } from './calls-search.ts'
import type { CallTexts } from './texts-below/shown-text.ts'

/** A call as the table keeps it: only short texts, so that many rows remain small. */
export interface CallRow extends CallTexts {
  id: string
  traceId: string
  name: string
  kind: CallKind
  status: CallStatus
  startedAt: string
  latencyMs: number | null
  tokens: number | null
  cost: number | null
  costSource: CostSource
  error: string | undefined
  /** Whether it represents a trace in which its parent is missing. Absent if that was not requested. */
  isParentMissing?: boolean
  /** Undefined where the call names none. */
  version: OpVersion | undefined
  tags: readonly CallTag[]
  /** The chosen further columns, in their order. */
  further: string[]
}

/**
 * Cells show exact numbers; counts use JavaScript numbers.
 * @param sent with exact numbers
 * @param columns paths of further columns
 */
export function toCallRow(sent: Call, columns: readonly string[]): CallRow {
  const call = { ...sent, summary: roundNumbers(sent.summary) }
  const used = usageOfCall(call)
  const usage = used.length === 0 ? undefined : used.slice(1).reduce<Counts>(addUp, used[0]!)
  return {
    id: call.id,
    traceId: call.trace_id,
    name: displayNameOf(call),
    kind: callKindOf(call, hasOwnUsage(call, used)),
    status: statusOf(call),
    startedAt: call.started_at,
    latencyMs: latencyMsOf(call),
    tokens: usage?.tokens || null,
    cost: usage?.cost ?? null,
    costSource: sourceOfUses(used),
    input: isNothing(call.inputs) ? '' : toCell(call.inputs),
    output: isNothing(call.output) ? '' : toCell(call.output),
    error: call.exception === null ? undefined : toCell(call.exception),
    version: opVersionOf(call),
    tags: tagsOfCall(call),
    further: columns.map((path) => {
      const value = valueAt(sent, path)
      return value === undefined || value === null ? '' : toCell(value)
    }),
  }
}

/** From the service, which may know of failed calls below. */
export function statusOf({ exception, ended_at, summary }: Pick<Call, 'exception' | 'ended_at' | 'summary'>): CallStatus {
  const own = statusOfCall({ exception, ended_at, summary })
  const told = memberOf(memberOf(summary, 'weave'), 'status')
  return own === 'success' && told === 'descendant_error' ? 'descendant_error' : own
}

/** Null, or an object without members, which spans without data have. */
export const isNothing = (value: unknown) =>
  value === null || (typeof value === 'object' && !Array.isArray(value) && Object.keys(value).length === 0)

/** Adds the columns that show more than the text of one field and for which a row has something. */
export function addOwnColumns({ version }: Pick<CallRow, 'version'>, paths: Set<string>): void {
  if (version !== undefined) paths.add('op_version')
}

const payloads = ['inputs', 'output', 'attributes', 'summary'] as const

/** Fields of a call itself that may become columns. */
const ownFields = ['op_name', 'thread_id', 'turn_id', 'trace_id', 'wb_user_id'] as const

/** Adds the paths of a call that may become columns: what it names itself, and two levels of each payload. */
export function addPaths(call: Call, paths: Set<string>): void {
  for (const field of ownFields) if (call[field]) paths.add(field)
  for (const payload of payloads) {
    for (const [name, value] of entriesOf(call[payload])) {
      if (paths.size >= maxPaths) return
      if (payload === 'attributes' && name === 'otel_span') continue
      const below = Array.isArray(value) ? [] : entriesOf(value)
      const path = pathBelow(payload, name)
      if (below.length === 0) paths.add(path)
      else for (const [inner] of below.slice(0, maxPaths - paths.size)) paths.add(pathBelow(path, inner))
    }
  }
}

function entriesOf(value: unknown): [string, unknown][] {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !isJsonNumber(value) ? Object.entries(value) : []
}
