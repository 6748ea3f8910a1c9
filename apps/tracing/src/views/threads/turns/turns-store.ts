import type { Micros } from '@heddle/datastore'
import type { ProjectScope } from '@heddle/identity'
import type { StoredNode } from '../../../records/calls/settle/settled-rows.ts'

/** A turn of a thread. Its times are microseconds. */
export interface StoredTurn {
  id: string
  trace_id: string
  started_micros: Micros
  ended_micros: Micros | null
}

export interface TurnsSelection {
  thread_id: string
  /** The last turn that was read; null: from the first. */
  after: { started_at: Micros; id: string } | null
  limit: number
}

/** Source of turns: the turns among the calls, and the structure of their traces. */
export interface TurnsStore {
  /** By start, then id. */
  select(project: ProjectScope, selection: TurnsSelection): Promise<StoredTurn[]>
  /** The calls of a trace without their payloads; undefined if it has more than `maxCallsOfTurns`, and for a deleted trace. */
  readNodes(project: ProjectScope, traceId: string): Promise<StoredNode[] | undefined>
}

/** Calls of a trace above which the calls below a turn are not looked at. */
export const maxCallsOfTurns = 20_000
