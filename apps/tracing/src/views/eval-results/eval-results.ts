import type { Platform } from '../../platform.ts'
import type { CallsWriter } from '../../records/calls/write/calls-writer.ts'
import type { PricesFor } from '../../records/costs/prices.ts'
import type { TableRowsStore } from '../../records/tables/table-rows-store.ts'
import { evalResultsHandlers } from './eval-results-handlers.ts'
import { sqlEvalResultsStore } from './eval-results-store.sql.ts'
import { createRefreshOlderTrials } from './older-trials.ts'
import { createLargePages } from './large-pages.ts'

interface EvalResultsOptions {
  writer: CallsWriter
  tableRows: TableRowsStore
  prices: PricesFor
}

/** Results of evaluations, as a view over calls. */
export function createEvalResults({ analytical, visibility, refProjects }: Platform, { writer, ...options }: EvalResultsOptions) {
  const store = sqlEvalResultsStore(analytical, visibility)
  const refreshOlder = createRefreshOlderTrials({ store, writer })
  return { handlers: evalResultsHandlers({ store, refreshOlder, refProjects, largePages: createLargePages(), ...options }) }
}
