import type { QueryExpression } from '@heddle/core-api'
import { userFields } from '@heddle/core-api/internal'
import type { DataSelection } from '@heddle/core-api/types'
import type { CallsSelection } from '../../records/calls/calls-store.ts'

export type SelectedCalls = Exclude<DataSelection, { kind: 'project' }>

/** The calls that a selection of data begins with. */
export function queryOfSelection(selection: SelectedCalls): CallsSelection {
  const { filter, query } = selection.kind === 'user' ? { filter: null, query: namesUser(selection.user_id) } : selection
  return { filter, query, sort_by: null, limit: null, offset: null, expand_columns: null }
}

/** Whether a selection covers all calls of each trace in which it begins with one. */
export function coversTraces(selection: SelectedCalls): boolean {
  return selection.kind === 'user' || selection.whole_traces
}

function namesUser(userId: string): QueryExpression {
  return { $expr: { $or: userFields.map((field) => ({ $eq: [{ $getField: field }, { $literal: userId }] })) } }
}
