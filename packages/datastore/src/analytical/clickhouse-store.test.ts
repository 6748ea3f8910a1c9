import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestStores, type TestStores } from '../testing/index.ts'
import { rowEncoder } from './row-binary.ts'
import { bind, sql } from './sql.ts'
import { callsTable, type CallRow } from './tables/calls.ts'

let stores: TestStores
beforeAll(async () => {
  stores = await startTestStores()
})
afterAll(() => stores.close())

function aCall(over: Partial<CallRow> = {}): CallRow {
  return {
    project_id: 'entity/project',
    started_at: 1_700_000_000_123_456,
    id: 'call-1',
    trace_id: 'trace-1',
    parent_id: '',
    thread_id: null,
    turn_id: null,
    op_name: 'op',
    op_short_name: 'op',
    display_name: '',
    start_display_name: '',
    ended_at: null,
    exception: null,
    status: 'running',
    attributes: '{}',
    inputs: '{"a":1}',
    output: 'null',
    summary: '{}',
    otel: '',
    storage_size_bytes: 12n,
    input_refs: ['weave:///a', 'b'],
    output_refs: [],
    wb_user_id: '',
    wb_run_id: '',
    wb_run_step: null,
    wb_run_step_end: -5,
    idx: '{"in":{"a":"1"}}',
    idx_gaps: '',
    expire_at: 0,
    deleted_at: null,
    has_start: 1,
    version: 1n,
    is_deleted: 0,
    ...over,
  }
}

function block(...rows: CallRow[]) {
  const encoder = rowEncoder(callsTable)
  for (const row of rows) encoder.add(row)
  return encoder.finish()
}

test('a row is readable as it was written once the insert has resolved', async () => {
  await stores.analytical.insert(callsTable, block(aCall()))
  const rows = await stores.analytical.rows(sql`SELECT *, toUnixTimestamp64Micro(started_at) AS micros FROM calls FINAL WHERE project_id = ${bind('String', 'entity/project')}`)
  expect(rows).toMatchObject([{ id: 'call-1', micros: '1700000000123456', wb_run_step_end: '-5', input_refs: ['weave:///a', 'b'], idx: { in: { a: '1' } }, ended_at: null }])
})
