import type { CallRow } from '../../features/calls/call-row.ts'
import { isSilent } from '../../features/calls/texts-below/shown-text.ts'

/** Rows for which model calls below them say more. @param areTraces whether rows represent whole traces */
export const silentRows = (rows: readonly CallRow[], areTraces: boolean): CallRow[] =>
  rows.filter(
    (row) =>
      isSilent(row, 'input', areTraces) || (isSilent(row, 'output', areTraces) && row.error === undefined && row.status !== 'running'),
  )
