import { conflict, invalid } from '@heddle/core-api/internal'
import type { CallRow } from '@heddle/datastore'
import type { CallChange } from './call-change.ts'

/** A change of a call in another trace than the one in which the project has a call with this id. It is not stored. */
export interface TraceConflict {
  project_id: string
  id: string
  /** Trace of the change. */
  trace_id: string
  /** Trace of the call. */
  known_trace_id: string
  /** Location of the record in the request, as in `Issue`; undefined if the request has one record. */
  loc?: readonly (string | number)[] | undefined
}

/** Changes that may be merged into a call, and those of another trace. */
export interface SortedChanges {
  own: readonly CallChange[]
  others: readonly { change: CallChange; trace_id: string; known_trace_id: string }[]
}

/**
 * Separates changes of a call from those of a call with the same id in another trace. The stored trace decides, even that of a deleted call; else
 * that of the first change.
 */
export function sortByTrace(stored: Pick<CallRow, 'trace_id'> | undefined, changes: readonly CallChange[]): SortedChanges {
  let known = stored?.trace_id ?? ''
  // Most calls arrive once, and complete.
  if (known === '' && changes.length === 1) return { own: changes, others: [] }
  const own: CallChange[] = []
  const others: { change: CallChange; trace_id: string; known_trace_id: string }[] = []
  for (const change of changes) {
    const trace_id = traceOf(change)
    if (known === '') known = trace_id
    if (trace_id === '' || trace_id === known) own.push(change)
    else others.push({ change, trace_id, known_trace_id: known })
  }
  return { own, others }
}

/** The trace that a change names; `''` for none. */
function traceOf(change: CallChange): string {
  switch (change.kind) {
    case 'start':
      return change.isTraceGenerated ? '' : change.start.trace_id
    case 'complete':
      return change.start.trace_id
    case 'encoded':
      return change.call.trace_id
    case 'logged':
      return change.messages.trace_id
    case 'end':
    case 'rename':
    case 'delete':
    case 'refresh':
      return ''
  }
}

export function conflictMessage({ project_id, id, trace_id, known_trace_id }: TraceConflict): string {
  return `call ${id} of trace ${trace_id} is not stored: project ${project_id} has a call with this id in trace ${known_trace_id}, and ids must differ between the traces of a project`
}

/** 422 that names the items of a batch, so that clients send the rest again, else 409. */
export function conflictError(conflicts: readonly [TraceConflict, ...TraceConflict[]]): Error {
  const issues = conflicts.flatMap((found) =>
    found.loc === undefined ? [] : [{ loc: [...found.loc, 'trace_id'], msg: conflictMessage(found), type: 'value_error' }],
  )
  return issues.length > 0 ? invalid(issues.slice(0, maxIssues)) : conflict(conflictMessage(conflicts[0]))
}

const maxIssues = 20
