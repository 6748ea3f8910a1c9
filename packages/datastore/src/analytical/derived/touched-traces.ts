import type { NamedRows } from '../rows/named-rows.ts'
import { readRowColumns, rowColumns } from '../rows/row-columns.ts'
import { rowReader, type RowReader } from '../rows/row-reader.ts'
import type { Column, Table } from '../table.ts'
import type { Micros } from '../../micros.ts'
import { callsTable } from '../tables/calls.ts'
import type { TouchedTrace } from './touched-trace.ts'

/** The traces of the calls in some blocks, each once. */
export function touchedTraces(blocks: readonly NamedRows[]): TouchedTrace[] {
  return mergeTouched(blocks.flatMap((block) => block.touched ?? tracesOfBlock(block)))
}

/** The traces of some calls, each once. An end whose start has not arrived names no trace. */
export function tracesOfCalls(calls: readonly { project_id: string; trace_id: string; started_at: Micros }[]): TouchedTrace[] {
  const named = calls.filter(({ trace_id }) => trace_id !== '')
  return mergeTouched(named.map(({ project_id, trace_id, started_at }) => ({ project_id, trace_id, from: started_at, until: started_at })))
}

/** Each trace once, with the range of all its starts. */
export function mergeTouched(traces: readonly TouchedTrace[]): TouchedTrace[] {
  const merged = new Map<string, TouchedTrace>()
  for (const trace of traces) {
    const key = `${trace.project_id}\0${trace.trace_id}`
    const known = merged.get(key)
    if (known === undefined) merged.set(key, { ...trace })
    else {
      known.from = Math.min(known.from, trace.from)
      known.until = Math.max(known.until, trace.until)
    }
  }
  return [...merged.values()]
}

const usualColumns = rowColumns(callsTable)
const usualNames = usualColumns.join()
const usual = formOf(callsTable)

/** How rows of one list of columns are read. */
interface RowsForm {
  reader: RowReader<typeof callsTable>
  last: string
}

function formOf(table: typeof callsTable): RowsForm {
  return { reader: rowReader(table), last: Object.keys(table.columns).at(-1) ?? '' }
}

/** Rows that an older version left in a journal have fewer columns, and JSON columns as texts. */
function formOfColumns(columns: readonly string[]): RowsForm {
  if (columns === usualColumns || columns.join() === usualNames) return usual
  const { names, jsonIsText } = readRowColumns(columns)
  const known: Table['columns'] = callsTable.columns
  const sent = names.map((name): [string, Column] => {
    const column = known[name]
    return [name, column === undefined || (column.type === 'JSON' && jsonIsText) ? { type: 'String' } : column]
  })
  return formOf({ ...callsTable, columns: Object.fromEntries(sent) as (typeof callsTable)['columns'] })
}

function tracesOfBlock({ bytes, rows, columns }: NamedRows): TouchedTrace[] {
  const { reader, last } = formOfColumns(columns)
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const traces: TouchedTrace[] = []
  let start = 0
  for (let row = 0; row < rows; row++) {
    const open = reader.open(buffer, start)
    const [project_id, trace_id, from] = [open.value('project_id'), open.value('trace_id'), open.value('started_at')]
    // Only the end of a call whose start has not arrived names no trace.
    if (trace_id !== '') traces.push({ project_id, trace_id, from, until: from })
    start = open.placeOf(last as 'id').end
  }
  return traces
}
