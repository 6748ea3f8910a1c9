import type { CallRow } from '../../features/calls/call-row.ts'

/** Rows without their own texts. */
export const silentRows = (rows: readonly CallRow[]): CallRow[] =>
  rows.filter(({ input, output, error, status }) => input === '' || (output === '' && error === undefined && status !== 'running'))
