import { expect, test } from 'vitest'
import { emptyRow } from '../rows/empty-row.ts'
import { rowColumns } from '../rows/row-columns.ts'
import { rowEncoder } from '../rows/row-binary.ts'
import { callsTable } from '../tables/calls.ts'
import { touchedTraces, tracesOfCalls } from './touched-traces.ts'

const calls = [
  { id: 'a', trace_id: 'first', started_at: 30 },
  { id: 'b', trace_id: 'second', started_at: 10 },
  { id: 'c', trace_id: 'first', started_at: 20 },
  { id: 'deleted', trace_id: 'third', started_at: 5, is_deleted: 1 },
  { id: 'end without its start', trace_id: '', started_at: 40, has_start: 0 },
].map((call) => ({ ...emptyRow(callsTable), project_id: 'acme/p', inputs: '{"text":"words"}', idx: ['inputs.text', 'words'], ...call }))

function blockOf(table: typeof callsTable) {
  const encoder = rowEncoder(table)
  for (const call of calls) encoder.add(call)
  return { ...encoder.finish(), columns: rowColumns(table) }
}

const touched = [
  { project_id: 'acme/p', trace_id: 'first', from: 20, until: 30 },
  { project_id: 'acme/p', trace_id: 'second', from: 10, until: 10 },
  { project_id: 'acme/p', trace_id: 'third', from: 5, until: 5 },
]

test('the traces of calls are those that reading their rows finds', () => {
  expect(tracesOfCalls(calls)).toEqual(touched)
  expect(touchedTraces([blockOf(callsTable)])).toEqual(touched)
})

test('a block that names its traces is not read, and traces of several blocks are named once', () => {
  const named = { bytes: Buffer.alloc(0), rows: 5, columns: rowColumns(callsTable), touched: tracesOfCalls(calls.slice(0, 1)) }
  expect(touchedTraces([named, blockOf(callsTable)])).toEqual(touched)
})
