import type { CallRow, Micros } from '@heddle/datastore'
import { writeJson } from '@heddle/json'
import { atOnce, type Steps } from '@heddle/service-kit'
import { withoutMarkers } from '../../../payload/raw-span-text.ts'
import { toStoredId } from '../../../payload/stored-id.ts'
import { collectRefs } from '../../../payload/collect-refs.ts'
import { buildIndex, type RowIndex } from '../../../query/build-index.ts'
import { writeEvalCallFacts } from '../results/eval-call-facts.ts'
import { tokensOf } from '../results/result-columns.ts'
import { opShortName } from '../row/op-short-name.ts'
import { rawSpanParts } from '../../../query/fields/raw-span-parts.ts'
import type { EncodedCall } from '../row/encoded-call.ts'
import type { LoggedMessages } from './logged-messages.ts'

/** JSON object as parsed: numbers keep the form in which they were written. */
export type JsonObject = Record<string, unknown>

/** Fields of a call start. Credentials are already masked. */
export interface CallStart {
  trace_id: string
  parent_id?: string | null | undefined
  op_name: string
  display_name?: string | null | undefined
  thread_id?: string | null | undefined
  turn_id?: string | null | undefined
  started_at: Micros
  attributes: JsonObject
  inputs: JsonObject
  /** The raw span of a call from OpenTelemetry. */
  otel: JsonObject | null
  wb_user_id: string
  /** `entity/project/run`. */
  wb_run_id?: string | null | undefined
  wb_run_step?: number | null | undefined
}

/** Fields of a call end. */
export interface CallEnd {
  /** Null for a span that was sent without an end. */
  ended_at: Micros | null
  exception?: string | null | undefined
  output?: unknown
  summary: JsonObject
  wb_run_step_end?: number | null | undefined
}

const startNames = [
  'trace_id',
  'parent_id',
  'op_name',
  'start_display_name',
  'thread_id',
  'turn_id',
  'started_at',
  'attributes',
  'inputs',
  'otel',
  'input_refs',
  'wb_user_id',
  'wb_run_id',
  'wb_run_step',
  'eval_marks',
] as const
const endNames = ['ended_at', 'exception', 'output', 'summary', 'output_refs', 'wb_run_step_end', 'total_tokens'] as const

/** The columns of a call that its start fills. */
export type StartColumns = Pick<CallRow, (typeof startNames)[number]>

/** The columns of a call that its end fills. */
export type EndColumns = Pick<CallRow, (typeof endNames)[number]>

/** One write to one call. Writes of a call may arrive in any order, any number of times. `index` covers the payloads of that write. */
export type CallChange = { id: string } &
  /** `isTraceGenerated`: its client named no trace, so that it may be of any. */
  (
    | { kind: 'start'; start: StartColumns; index: RowIndex; isTraceGenerated?: boolean }
    | { kind: 'end'; end: EndColumns; index: RowIndex }
    | { kind: 'complete'; start: StartColumns; end: EndColumns; index: RowIndex }
    | { kind: 'encoded'; call: EncodedCall }
    | { kind: 'logged'; messages: LoggedMessages }
    | { kind: 'rename'; display_name: string; at: Micros }
    | { kind: 'delete'; deleted_at: Micros }
    /** Fills columns that an older version did not have. */
    | { kind: 'refresh' }
  )

/** A whole call. */
export type CompleteChange = Extract<CallChange, { kind: 'complete' }>

export function startChange(id: string, start: CallStart): Extract<CallChange, { kind: 'start' }> {
  return atOnce(startSteps(id, start))
}

export function endChange(id: string, end: CallEnd): CallChange {
  return atOnce(endSteps(id, end))
}

export function completeChange(id: string, start: CallStart, end: CallEnd): CompleteChange {
  return atOnce(completeSteps(id, start, end))
}

/** Makes the change of a start, for `runInSlices`: its payloads may be large. So do the next two. */
export function* startSteps(id: string, start: CallStart): Steps<Extract<CallChange, { kind: 'start' }>> {
  const { inputs, attributes, otel } = start
  const columns = yield* startColumns(start)
  return { kind: 'start', id, start: columns, index: buildIndex({ inputs, attributes, ...rawSpanParts(otel) }) }
}

export function* endSteps(id: string, end: CallEnd): Steps<CallChange> {
  const { output, summary } = end
  const columns = yield* endColumns(end)
  return { kind: 'end', id, end: columns, index: buildIndex({ output, summary }) }
}

export function* completeSteps(id: string, start: CallStart, end: CallEnd): Steps<CompleteChange> {
  const { inputs, attributes, otel } = start
  const { output, summary } = end
  const ofStart = yield* startColumns(start)
  const ofEnd = yield* endColumns(end)
  const index = buildIndex({ inputs, attributes, output, summary, ...rawSpanParts(otel) })
  return { kind: 'complete', id, start: ofStart, end: ofEnd, index }
}

/** A whole call as it is stored, as a change of whatever else there is of it. */
export function changeOfRow(row: CallRow): CompleteChange {
  return {
    kind: 'complete',
    id: row.id,
    start: pick(row, startNames),
    end: pick(row, endNames),
    index: { idx: row.idx, idx_gaps: row.idx_gaps },
  }
}

function pick<K extends keyof CallRow>(row: CallRow, names: readonly K[]): Pick<CallRow, K> {
  return Object.fromEntries(names.map((name) => [name, row[name]])) as Pick<CallRow, K>
}

function* startColumns(start: CallStart): Steps<StartColumns> {
  const attributes = writeJson(start.attributes)
  yield
  const inputs = writeJson(start.inputs)
  yield
  const otel = start.otel === null ? '' : withoutMarkers(writeJson(start.otel))
  yield
  const input_refs = collectRefs(start.inputs)
  yield
  return {
    trace_id: start.trace_id,
    parent_id: start.parent_id ?? '',
    op_name: start.op_name,
    start_display_name: start.display_name ?? '',
    thread_id: start.thread_id == null ? null : toStoredId(start.thread_id),
    turn_id: start.turn_id == null ? null : toStoredId(start.turn_id),
    started_at: start.started_at,
    attributes,
    inputs,
    otel,
    input_refs,
    wb_user_id: start.wb_user_id,
    wb_run_id: start.wb_run_id ?? '',
    wb_run_step: start.wb_run_step ?? null,
    eval_marks: writeEvalCallFacts({ op: opShortName(start.op_name), inputs: start.inputs, attributes: start.attributes }),
  }
}

function* endColumns(end: CallEnd): Steps<EndColumns> {
  const output = writeJson(end.output ?? null)
  yield
  const summary = writeJson(end.summary)
  yield
  const output_refs = collectRefs(end.output)
  yield
  return {
    ended_at: end.ended_at,
    exception: end.exception ?? null,
    output,
    summary,
    output_refs,
    wb_run_step_end: end.wb_run_step_end ?? null,
    total_tokens: tokensOf(end.summary),
  }
}
