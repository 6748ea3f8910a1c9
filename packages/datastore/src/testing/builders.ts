import type { RowBlock } from '../analytical/analytical.ts'
import { emptyRow } from '../analytical/rows/empty-row.ts'
import { rowEncoder } from '../analytical/rows/row-binary.ts'
import { rowReader } from '../analytical/rows/row-reader.ts'
import type { RowOf, Table } from '../analytical/table.ts'
import { callsTable, type CallRow } from '../analytical/tables/calls.ts'

/** A finished call with nothing in it, but for what the test names. */
export function aCallRow(over: Partial<CallRow> = {}): CallRow {
  return {
    ...emptyRow(callsTable),
    project_id: 'entity/project',
    started_at: 1_700_000_000_000_000,
    id: 'call-1',
    trace_id: 'trace-1',
    op_name: 'op',
    op_short_name: 'op',
    ended_at: 1_700_000_001_000_000,
    status: 'success',
    attributes: '{}',
    inputs: '{}',
    output: 'null',
    summary: '{}',
    idx_gaps: '|+|',
    has_start: 1,
    version: 1n,
    ...over,
  }
}

/** The rows as one block. */
export function aBlock<T extends Table>(table: T, ...rows: RowOf<T>[]): RowBlock {
  const encoder = rowEncoder(table)
  for (const row of rows) encoder.add(row)
  return encoder.finish()
}

/** A call that its table refuses: its index has a value of no type. */
export function aRefusedBlock(over: Partial<CallRow> = {}): RowBlock {
  const text = 'of no type'
  const block = aBlock(callsTable, aCallRow({ ...over, idx: ['in.refused', text] }))
  const { end } = rowReader(callsTable).open(Buffer.from(block.bytes), 0).placeOf('idx')
  // The byte of the type precedes the length of the text.
  block.bytes[end - text.length - 2] = 0xff
  return block
}
