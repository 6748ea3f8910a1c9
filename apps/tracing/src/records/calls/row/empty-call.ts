import { callsTable, emptyRow, type CallRow } from '@heddle/datastore'
import { emptyIndex } from '../../../query/build-index.ts'

const empty: CallRow = { ...emptyRow(callsTable), attributes: '{}', inputs: '{}', output: 'null', summary: '{}', ...emptyIndex }

/** A call of which nothing has arrived yet. */
export function emptyCall(key: { project_id: string; id: string }): CallRow {
  return { ...empty, ...key }
}
