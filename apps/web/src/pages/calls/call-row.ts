import { type Call, type CallKind, callKindOf, displayNameOf } from '@heddle/core-api'
import { toCell } from '../../components/to-text.ts'
import { addUp, type Counts, hasOwnUsage, usageOfCall } from './model-usage.ts'
import { memberOf, valueAt } from '@heddle/core-api/internal'
import { type CallStatus, statusOfCall } from '@heddle/trace-model'
import { type OpVersion, opVersionOf } from './op-version.ts'
import { type CallTag, tagsOfCall } from './tags/tags-of-call.ts'

/** A call as the table keeps it: short texts alone, so that many rows stay small. */
export interface CallRow {
  id: string
  traceId: string
  name: string
  kind: CallKind
  status: CallStatus
  startedAt: string
  latencyMs: number | null
  tokens: number | null
  cost: number | null
  input: string
  output: string
  error: string | undefined
  /** Undefined where the call names none. */
  version: OpVersion | undefined
  tags: readonly CallTag[]
  /** The chosen further columns, in their order. */
  further: string[]
}

/** @param columns paths of further columns */
export function toCallRow(call: Call, columns: readonly string[]): CallRow {
  const used = usageOfCall(call)
  const usage = used.length === 0 ? undefined : used.slice(1).reduce<Counts>(addUp, used[0]!)
  return {
    id: call.id,
    traceId: call.trace_id,
    name: displayNameOf(call),
    kind: callKindOf(call, hasOwnUsage(call, used)),
    status: statusOf(call),
    startedAt: call.started_at,
    // As the server counts it, by which it orders calls.
    latencyMs: numberAt(memberOf(call.summary, 'weave'), 'latency_ms') ?? latencyOf(call),
    tokens: usage?.tokens || null,
    cost: usage?.cost ?? null,
    input: isNothing(call.inputs) ? '' : toCell(call.inputs),
    output: isNothing(call.output) ? '' : toCell(call.output),
    error: call.exception === null ? undefined : toCell(call.exception),
    version: opVersionOf(call),
    tags: tagsOfCall(call),
    further: columns.map((path) => {
      const value = valueAt(call, path)
      return value === undefined || value === null ? '' : toCell(value)
    }),
  }
}

/** As the service says it, which knows errors that a client counted below the call. */
export function statusOf({ exception, ended_at, summary }: Pick<Call, 'exception' | 'ended_at' | 'summary'>): CallStatus {
  const own = statusOfCall({ exception, ended_at })
  const told = memberOf(memberOf(summary, 'weave'), 'status')
  return own === 'success' && told === 'descendant_error' ? 'descendant_error' : own
}

/** Milliseconds from start to end; null while a call runs. */
export function latencyOf({ started_at, ended_at }: Pick<Call, 'started_at' | 'ended_at'>): number | null {
  return ended_at === null ? null : Date.parse(ended_at) - Date.parse(started_at)
}

function numberAt(value: unknown, name: string): number | null {
  const found = memberOf(value, name)
  return typeof found === 'number' ? found : null
}

/** Null, or an object without members: spans that said nothing have one. */
export const isNothing = (value: unknown) =>
  value === null || (typeof value === 'object' && !Array.isArray(value) && Object.keys(value).length === 0)

/** Columns that show more than the text of one field. */
export const ownColumnPaths = ['op_version', 'tags'] as const

/** Adds those of such columns for which a row has something. */
export function addOwnColumns({ version, tags }: Pick<CallRow, 'version' | 'tags'>, paths: Set<string>): void {
  if (version !== undefined) paths.add('op_version')
  if (tags.length > 0) paths.add('tags')
}

const payloads = ['inputs', 'output', 'attributes', 'summary'] as const
/** More would be no list that a person looks through. */
export const maxPaths = 300

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
      if (below.length === 0) paths.add(`${payload}.${name}`)
      else for (const [inner] of below.slice(0, maxPaths - paths.size)) paths.add(`${payload}.${name}.${inner}`)
    }
  }
}

function entriesOf(value: unknown): [string, unknown][] {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? Object.entries(value) : []
}
