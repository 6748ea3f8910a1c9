import { callsTable, joinRows, rowEncoders, tracesOfCalls, type CallRow, type RowBlock } from '@heddle/datastore'
import { slicesOf } from '../../../slices-of.ts'
import { EncodedCall, type WrittenCall } from '../row/encoded-call.ts'

/** Approximate bytes of the other columns of a row. */
const rowOverhead = 700
/** The same of a path or a text of the index. */
const bytesOfPart = 24

/** Rows that are encoded before other work may run. */
const rowsAtOnce = 2_000

const encoders = rowEncoders(callsTable)

/** All rows as one block. They are counted for the project of the first. */
export async function encodeCalls(written: readonly WrittenCall[]): Promise<RowBlock> {
  const rows = written.filter((row) => !(row instanceof EncodedCall)) as CallRow[]
  const parts: Uint8Array[] = written.filter((row) => row instanceof EncodedCall).map(({ bytes }) => bytes)
  for await (const some of slicesOf(rows, rowsAtOnce)) parts.push(encode(some))
  const onlyDeletes = written.every(({ is_deleted }) => is_deleted === 1)
  const projects = [...new Set(written.map(({ project_id }) => project_id))]
  return { bytes: joinRows(parts), rows: written.length, onlyDeletes, tenant: projects[0] ?? '', projects, touched: tracesOfCalls(written) }
}

function encode(rows: readonly CallRow[]): Uint8Array {
  const encoder = encoders(expectedBytes(rows))
  for (const row of rows) encoder.add(row)
  return encoder.finish().bytes
}

/** Room for texts that may take three bytes a character at the end of the block, and for the other columns. */
function expectedBytes(rows: readonly CallRow[]): number {
  let bytes = 0
  let longest = 0
  for (const { attributes, inputs, output, summary, otel, idx } of rows) {
    const length = attributes.length + inputs.length + output.length + summary.length + otel.length
    bytes += length + rowOverhead + idx.length * bytesOfPart
    if (length > longest) longest = length
  }
  return bytes + 2 * longest
}
