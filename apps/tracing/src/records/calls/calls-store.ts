import type { CallsFilter, QueryExpression, SortBy } from '@heddle/core-api'
import { columnsExcept, callsTable, type CallRow, type Micros } from '@heddle/datastore'
import type { ProjectScope } from '@heddle/identity'
import type { ModelCounts, UsedIn } from '@heddle/trace-model'
import type { CallKey, CallNode, StartRange, WrittenRange } from '../../query/calls-query.ts'
import type { WrittenCall } from './row/encoded-call.ts'
import type { UsageCounts } from '../../payload/usage-counts.ts'

export type { CallKey, CallNode }

/** A call as a node of its trace. */
export interface TreeNode {
  id: string
  parent_id: string
}

export const payloadColumns = ['attributes', 'inputs', 'output', 'summary', 'otel'] as const

/** Payload columns that a page of calls needs. */
export type PayloadColumn = (typeof payloadColumns)[number]

/** Columns that no answer shows, in addition to the project, which every reader of a call knows. */
const hiddenColumns = [
  'project_id',
  'start_display_name',
  'input_refs',
  'output_refs',
  'idx',
  'idx_gaps',
  'eval_marks',
  'total_tokens',
  'trial_row',
  'score_shape',
  'score_values',
  'deleted_at',
  'has_start',
] as const

/**
 * The columns of a call that an answer shows, without payloads, and those that distinguish its versions. Each column costs about as much as its first
 * row.
 */
export const shownColumns = columnsExcept(callsTable, [...hiddenColumns, ...payloadColumns])

/** The columns of a call that an answer uses. A payload that was not requested is `null`; the raw span is complete. */
export type CallColumns = Pick<CallRow, 'project_id' | (typeof shownColumns)[number]> & { [K in PayloadColumn]: CallRow[K] | null }

/** Where a stored version of a call is, and whether it is deleted. */
export type CallPlace = Pick<CallRow, 'id' | 'started_at' | 'trace_id' | 'parent_id' | 'version' | 'is_deleted'>

/** A call as the roll-up of usage needs it. */
export interface UsageNode {
  id: string
  /** `''` for a root. */
  parent_id: string
  ended: boolean
  started_at: Micros
  /** Its own, by model: as clients expect it, and as totals count it. */
  usage: ReadonlyMap<string, UsageCounts>
  uses: readonly ModelCounts[]
}

/** Storage of calls. */
export interface CallsStore {
  /**
   * The latest versions of the given ids, including deleted and unfinished ones; ids without any are omitted. Their index is not read: it is `''`.
   */
  findLatest(project: ProjectScope, ids: readonly string[]): Promise<CallRow[]>
  /** Appends versions, of any projects. Resolves when they are durable and readable. */
  append(rows: readonly WrittenCall[]): Promise<void>
  /** Live calls of all traces in which one of the ids is a live call; all of them are held in memory. */
  findTraces(project: ProjectScope, ids: readonly string[]): Promise<TreeNode[]>
  /**
   * Keys of the selected calls, in order, in blocks. The selection is checked and its first block found when this resolves.
   * @throws ApiError 400 or 422 for a selection that cannot be.
   */
  select(project: ProjectScope, selection: CallsSelection): Promise<AsyncIterable<CallKey[]>>
  /**
   * Keys of ended calls that match and whose latest version was written in a range, in the order of these versions: at most `limit`, and beyond it those
   * with the same version as the last.
   * @throws ApiError 400 or 422 for a query that cannot be.
   */
  findWritten(project: ProjectScope, wanted: WrittenCalls): Promise<CallKey[]>
  /** Number of the selected calls, at most the limit. */
  count(project: ProjectScope, selection: CallsSelection): Promise<number>
  /** Bytes of all live calls in the traces of the selected roots. */
  storageOf(project: ProjectScope, selection: CallsSelection): Promise<number>
  /** Bytes of all live calls of each trace, by trace id. */
  traceSizes(project: ProjectScope, traceIds: readonly string[]): Promise<Map<string, number>>
  /** Ids of the calls of some traces that succeeded, and below which another call failed. */
  aboveFailed(project: ProjectScope, traceIds: readonly string[]): Promise<Set<string>>
  /** The traces in which one of the ids is a live call, with their number of live calls, and which of the ids these are. */
  countTraces(project: ProjectScope, ids: readonly string[]): Promise<{ trace_id: string; calls: number; live: string[] }[]>
  /** Data for the roll-up of usage over all live calls of some traces. */
  readUsage(project: ProjectScope, traceIds: readonly string[]): Promise<UsageNode[]>
  /** Bytes of all live calls. */
  totalBytes(project: ProjectScope): Promise<number>
  /** The given calls in the given order, in the version of their key or a later one; calls that vanished meanwhile are omitted. */
  readPage(project: ProjectScope, keys: readonly CallKey[], payloads: ReadonlySet<PayloadColumn>): Promise<CallColumns[]>
  /** The facts outside the summary that determine the prices of some calls, by id; calls that vanished meanwhile are omitted. */
  readUsedIn(project: ProjectScope, calls: readonly Pick<CallColumns, 'id' | 'started_at'>[]): Promise<Map<string, UsedIn>>
  /** A call as a reader sees it, with all its payloads; undefined if there is none that the reader may see. */
  readOne(project: ProjectScope, id: string): Promise<CallColumns | undefined>
  /** The trace of a call; undefined where a reader sees no such call. */
  traceOf(project: ProjectScope, id: string): Promise<string | undefined>
  /** The calls of a trace, by start, then id: at most `limit`, with the texts at some paths. */
  traceNodes(project: ProjectScope, trace: { traceId: string; limit: number; texts: readonly string[] }): Promise<CallNode[]>
  /** True for a call that one of these deletions lists. */
  isListed(project: ProjectScope, id: string, deletions: readonly string[]): Promise<boolean>
  /** True while no later version of the call is stored than this one, which was read before. */
  isLatest(project: ProjectScope, version: CallVersion): Promise<boolean>
}

/** Which calls, in which order. */
export interface CallsSelection {
  filter: CallsFilter | null
  query: QueryExpression | null
  /** Null: by start, then id. */
  sort_by: readonly SortBy[] | null
  /** Null: all. */
  limit: number | null
  offset: number | null
  /** Paths of references that the query reads through. */
  expand_columns: readonly string[] | null
  /** Paths whose texts are read with the calls. */
  texts?: readonly string[] | undefined
}

/** Key of a version that was read. */
export type CallVersion = Pick<CallColumns, 'id' | 'started_at' | 'version'>

/** Which calls that were written lately. */
export interface WrittenCalls extends WrittenRange, Pick<CallsSelection, 'filter' | 'query'> {
  /** Only calls that started in it are looked at. */
  started: StartRange
  limit: number
}
