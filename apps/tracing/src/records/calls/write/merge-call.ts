import type { CallRow, Micros } from '@heddle/datastore'
import { parseJson } from '@heddle/json'
import type { Steps } from '@heddle/service-kit'
import { buildIndex, emptyIndex, type RowIndex } from '../../../query/build-index.ts'
import { rawSpanParts } from '../../../query/fields/raw-span-parts.ts'
import { fillRawSpan } from '../../../payload/raw-span-text.ts'
import { changeOfRow, type CallChange, type CompleteChange, type EndColumns, type StartColumns } from './call-change.ts'
import { resultColumns } from '../results/result-columns.ts'
import { callStatus } from '../row/call-status.ts'
import { emptyCall } from '../row/empty-call.ts'
import { opShortName } from '../row/op-short-name.ts'
import { keptMessages, withLoggedMessages } from './logged-messages.ts'
import { indexOfStored, unknownParts, wholeIndex, withEndIndex, withStartIndex, type KnownIndex } from './known-index.ts'

/** The writes of a merge: the next version of the call, and the end of its old key if its start time moved. */
export interface MergedCall {
  row: CallRow
  moved: CallRow | undefined
}

/** The inputs of a merge besides the writes. */
export interface MergeStamp {
  /** Above that of the stored version. */
  version: bigint
  /** Days for which a call that begins now is kept; null = for ever. */
  retentionDays: number | null
}

interface Draft {
  row: CallRow
  index: KnownIndex
}

/**
 * Applies changes of one call, in their order, to its latest version. Undefined when nothing is to be written, since the call is deleted.
 * A request may hold very many changes of one call, so there is a step for each.
 */
export function* mergeCall(
  key: { project_id: string; id: string },
  stored: CallRow | undefined,
  changes: readonly CallChange[],
  { version, retentionDays }: MergeStamp,
): Steps<MergedCall | undefined> {
  if (stored?.is_deleted === 1) return undefined
  if (stored === undefined && changes.every(({ kind }) => kind === 'refresh')) return undefined
  let draft: Draft = { row: stored ?? emptyCall(key), index: indexOfStored(stored) }
  for (const change of changes) {
    if (draft.row.is_deleted === 0) draft = applyChange(draft, change)
    yield
  }
  const row = { ...derived(draft), expire_at: expiryOf(draft.row, stored, retentionDays), version }
  const moved = stored !== undefined && stored.started_at !== row.started_at
  return { row, moved: moved ? { ...tombstone(stored, null), version } : undefined }
}

const dayMicros = 86_400_000_000
/** The last time that is exact in microseconds. */
const latestMicros = Number.MAX_SAFE_INTEGER

/**
 * The expiry of a call, fixed by the write of its start; 0 = never. An end that waits for its start has one too; otherwise a late arrival for a
 * deleted call would remain.
 */
function expiryOf(row: CallRow, stored: CallRow | undefined, retentionDays: number | null): Micros {
  if (row.is_deleted === 1 || stored?.has_start === 1) return row.expire_at
  return expiryAfter(row.has_start === 1 ? row.started_at : row.ended_at, retentionDays)
}

/** So many days after a time; 0 = never, where one of them is null. */
export function expiryAfter(from: Micros | null, retentionDays: number | null): Micros {
  return retentionDays === null || from === null ? 0 : Math.min(from + retentionDays * dayMicros, latestMicros)
}

function applyChange({ row, index }: Draft, change: CallChange): Draft {
  switch (change.kind) {
    case 'start':
      return { row: withStart(row, change.start), index: withStartIndex(index, change.index) }
    case 'end':
      return { row: withEnd(row, change.end), index: withEndIndex(index, change.index) }
    case 'complete':
      // A span may be sent while it runs, and exports may overtake each other: a finished call remains finished.
      return change.end.ended_at === null && row.ended_at !== null && row.has_start === 1 ? { row, index } : withComplete(row, change)
    case 'encoded':
      return applyChange({ row, index }, changeOfRow(change.call.toRow()))
    case 'logged':
      return { row: withLoggedMessages(row, change.messages), index: unknownParts }
    case 'rename':
      return { row: { ...row, display_name: change.display_name, started_at: row.started_at || change.at }, index }
    case 'delete':
      return { row: tombstone(row, change.deleted_at), index }
    case 'refresh':
      return { row, index }
  }
}

function withComplete(row: CallRow, { start, end, index }: CompleteChange): Draft {
  const whole = { ...withStart(row, start), ...end }
  const kept = keptMessages(row, whole)
  return Object.keys(kept).length === 0 ? { row: whole, index: { whole: index } } : { row: { ...whole, ...kept }, index: unknownParts }
}

function withStart(row: CallRow, start: StartColumns): CallRow {
  const given = start.start_display_name
  // A repeated start has the name of the stored start: it must not undo a rename in between.
  const names = given !== '' && !(row.has_start === 1 && row.start_display_name === given)
  return { ...row, ...start, display_name: names ? given : row.display_name, has_start: 1 }
}

function withEnd(row: CallRow, end: EndColumns): CallRow {
  const started_at = row.has_start === 1 || end.ended_at === null ? row.started_at : end.ended_at
  // The raw span may repeat the output that is replaced here.
  return { ...row, ...end, started_at, otel: fillRawSpan(row.otel, row) }
}

/** Fills the derived columns. A call that is not visible yet does not need them. */
function derived({ row, index }: Draft): CallRow {
  if (row.has_start === 0 || row.is_deleted === 1) return { ...row, ...emptyIndex }
  const op_short_name = opShortName(row.op_name)
  return {
    ...row,
    ...(wholeIndex(index) ?? indexOf(row)),
    ...resultColumns({ ...row, op_short_name }),
    op_short_name,
    status: callStatus(row),
    storage_size_bytes: storageSize(row),
  }
}

function indexOf(row: CallRow): RowIndex {
  const { inputs, output, attributes, summary, otel } = row
  return buildIndex({
    inputs: parseJson(inputs),
    output: parseJson(output),
    attributes: parseJson(attributes),
    summary: parseJson(summary),
    ...(otel !== '' && rawSpanParts(parseJson(fillRawSpan(otel, row)))),
  })
}

function storageSize({ attributes, inputs, output, summary }: CallRow): bigint {
  return BigInt(Buffer.byteLength(attributes) + Buffer.byteLength(inputs) + Buffer.byteLength(output) + Buffer.byteLength(summary))
}

/** Ends a key: the payload is removed, ids and times remain. `deletedAt` is null if the call continues under another start time. */
export function tombstone(
  row: Pick<CallRow, 'project_id' | 'id' | 'started_at' | 'trace_id' | 'parent_id'>,
  deletedAt: Micros | null,
): CallRow {
  const { project_id, id, started_at, trace_id, parent_id } = row
  return { ...emptyCall({ project_id, id }), started_at, trace_id, parent_id, deleted_at: deletedAt, is_deleted: 1 }
}
