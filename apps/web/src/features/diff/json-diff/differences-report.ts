import type { JsonChange, JsonDifferences } from './diff-json.ts'

/** Changes that a page receives. */
const maxSent = 5_000

/** The first changes of two values, and how many there are. */
export interface DifferencesReport extends JsonDifferences {
  total: number
}

export function toReport(found: { changes: readonly JsonChange[]; listsByPosition: number } | undefined): DifferencesReport | undefined {
  return found && { ...found, changes: found.changes.slice(0, maxSent), total: found.changes.length }
}
