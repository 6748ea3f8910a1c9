import type { CallRow } from '@heddle/datastore'
import type { ProjectScope } from '@heddle/identity'
import type { CallColumns } from './call-record.ts'

/** A call as a node of its trace. */
export interface TreeNode {
  id: string
  parent_id: string
}

/** Payload columns that a page of calls needs. */
export type PayloadColumn = 'attributes' | 'inputs' | 'output' | 'summary' | 'otel'

/** What the calls resource asks of storage. */
export interface CallsStore {
  /** The latest versions of the given ids, deleted and unfinished ones included; ids without any are left out. */
  findLatest(project: ProjectScope, ids: readonly string[]): Promise<CallRow[]>
  /** Appends versions, of any projects. Resolves when they are durable and readable. */
  append(rows: readonly CallRow[]): Promise<void>
  /** Live calls of all traces in which one of the ids is a live call. */
  findTraces(project: ProjectScope, ids: readonly string[]): Promise<TreeNode[]>
  /** The given calls in the given order; ones that vanished meanwhile are left out. */
  readPage(project: ProjectScope, keys: readonly CallKey[], payloads: ReadonlySet<PayloadColumn>): Promise<CallColumns[]>
}

/** Where a version of a call stands. */
export interface CallKey {
  /** Microseconds. */
  started_at: number
  id: string
  version: string
}
