import { parseTimestamp } from '@heddle/core-api'
import { callsTable, emptyRow, type CallRow } from '@heddle/datastore'
import { stringifyJson } from '@heddle/json'
import { buildIndex, type RowIndex } from '../build-index.ts'
import { rawSpanParts } from '../fields/raw-span-parts.ts'

/** What a test says of a call; payloads are parsed JSON. */
export interface TestCall {
  id: string
  project_id?: string
  trace_id?: string
  parent_id?: string | null
  thread_id?: string | null
  turn_id?: string | null
  op_name?: string
  display_name?: string | null
  started_at?: string
  ended_at?: string | null
  exception?: string | null
  attributes?: unknown
  inputs?: unknown
  output?: unknown
  summary?: unknown
  /** The raw span; null for a call that is of none. */
  otel?: unknown
  /** The row is as an older version wrote it, which did not index raw spans. */
  isOld?: boolean
  input_refs?: string[]
  wb_user_id?: string
  wb_run_id?: string
  wb_run_step?: number | null
  has_start?: 0 | 1
  expire_at?: number
  version?: bigint
  is_deleted?: 0 | 1
}

/** A row as the write path makes it, with the index of its payloads. */
export function aCallRow(call: TestCall): CallRow {
  const { attributes = {}, inputs = {}, output = null, summary = {}, otel = null, isOld = false } = call
  const opName = call.op_name ?? 'predict'
  return {
    ...emptyRow(callsTable),
    project_id: call.project_id ?? 'e/p',
    started_at: parseTimestamp(call.started_at ?? '2026-03-01') ?? 0,
    id: call.id,
    trace_id: call.trace_id ?? 'trace',
    parent_id: call.parent_id ?? '',
    thread_id: call.thread_id ?? null,
    turn_id: call.turn_id ?? null,
    op_name: opName,
    op_short_name: /\/op\/([^:/]+):/.exec(opName)?.[1] ?? opName,
    display_name: call.display_name ?? '',
    ended_at: call.ended_at ? (parseTimestamp(call.ended_at) ?? null) : null,
    exception: call.exception ?? null,
    status: statusOf(call),
    attributes: stringifyJson(attributes),
    inputs: stringifyJson(inputs),
    output: stringifyJson(output),
    summary: stringifyJson(summary),
    otel: otel === null ? '' : stringifyJson(otel),
    storage_size_bytes: 100n,
    input_refs: call.input_refs ?? [],
    wb_user_id: call.wb_user_id ?? '',
    wb_run_id: call.wb_run_id ?? '',
    wb_run_step: call.wb_run_step ?? null,
    ...(isOld
      ? oldIndex({ inputs, output, attributes, summary })
      : buildIndex({ inputs, output, attributes, summary, ...rawSpanParts(otel) })),
    expire_at: call.expire_at ?? 0,
    has_start: call.has_start ?? 1,
    version: call.version ?? 1n,
    is_deleted: call.is_deleted ?? 0,
  }
}

/** The index as it was before there were roots of the raw span. */
function oldIndex({ attributes, ...others }: Record<'inputs' | 'output' | 'attributes' | 'summary', unknown>): RowIndex {
  const isObject = typeof attributes === 'object' && attributes !== null && !Array.isArray(attributes)
  const known = isObject ? Object.fromEntries(Object.entries(attributes).filter(([key]) => key !== 'otel_span')) : attributes
  const { idx, idx_gaps } = buildIndex({ attributes: known, ...others })
  return { idx, idx_gaps: idx_gaps === '|+|' ? '' : idx_gaps.replace('|+|', '|') }
}

function statusOf({ exception, ended_at, summary }: TestCall): string {
  if (exception) return 'error'
  if (!ended_at) return 'running'
  const counts = (summary as { status_counts?: { error?: number } } | undefined)?.status_counts
  return (counts?.error ?? 0) > 0 ? 'descendant_error' : 'success'
}
