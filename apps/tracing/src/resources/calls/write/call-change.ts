import type { CallRow, Micros } from '@heddle/datastore'
import { writeJson } from '@heddle/json'
import { withoutMarkers } from '../../../payload/raw-span-text.ts'
import { collectRefs } from '../../../payload/collect-refs.ts'
import { buildIndex, type RowIndex } from '../../../query/build-index.ts'
import { evalMarks } from '../results/eval-marks.ts'
import { tokensOf } from '../results/result-columns.ts'
import { opShortName } from '../row/op-short-name.ts'
import { rawSpanParts } from '../../../query/fields/raw-span-parts.ts'
import type { EncodedCall } from '../row/encoded-call.ts'
import type { LoggedMessages } from './logged-messages.ts'

/** JSON object as parsed: numbers keep the form in which they were written. */
export type JsonObject = Record<string, unknown>

/** What a start tells of a call. Credentials are already masked. */
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
  /** The raw span of a call that came from OpenTelemetry. */
  otel: JsonObject | null
  wb_user_id: string
  /** `entity/project/run`. */
  wb_run_id?: string | null | undefined
  wb_run_step?: number | null | undefined
}

/** What an end tells of a call. */
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

/** One write to one call. Writes of a call may come in any order, any number of times. `index` covers the payloads of that write. */
export type CallChange = { id: string } & (
  | { kind: 'start'; start: StartColumns; index: RowIndex }
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

export function startChange(id: string, start: CallStart): CallChange {
  const { inputs, attributes, otel } = start
  return { kind: 'start', id, start: startColumns(start), index: buildIndex({ inputs, attributes, ...rawSpanParts(otel) }) }
}

export function endChange(id: string, end: CallEnd): CallChange {
  const { output, summary } = end
  return { kind: 'end', id, end: endColumns(end), index: buildIndex({ output, summary }) }
}

export function completeChange(id: string, start: CallStart, end: CallEnd): CompleteChange {
  const { inputs, attributes, otel } = start
  const { output, summary } = end
  return {
    kind: 'complete',
    id,
    start: startColumns(start),
    end: endColumns(end),
    index: buildIndex({ inputs, attributes, output, summary, ...rawSpanParts(otel) }),
  }
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

function startColumns(start: CallStart): StartColumns {
  return {
    trace_id: start.trace_id,
    parent_id: start.parent_id ?? '',
    op_name: start.op_name,
    start_display_name: start.display_name ?? '',
    thread_id: start.thread_id ?? null,
    turn_id: start.turn_id ?? null,
    started_at: start.started_at,
    attributes: writeJson(start.attributes),
    inputs: writeJson(start.inputs),
    otel: start.otel === null ? '' : withoutMarkers(writeJson(start.otel)),
    input_refs: collectRefs(start.inputs),
    wb_user_id: start.wb_user_id,
    wb_run_id: start.wb_run_id ?? '',
    wb_run_step: start.wb_run_step ?? null,
    eval_marks: evalMarks({ op: opShortName(start.op_name), inputs: start.inputs, attributes: start.attributes }),
  }
}

function endColumns(end: CallEnd): EndColumns {
  return {
    ended_at: end.ended_at,
    exception: end.exception ?? null,
    output: writeJson(end.output ?? null),
    summary: writeJson(end.summary),
    output_refs: collectRefs(end.output),
    wb_run_step_end: end.wb_run_step_end ?? null,
    total_tokens: tokensOf(end.summary),
  }
}
