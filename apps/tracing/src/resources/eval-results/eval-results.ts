import type { Platform } from '../../platform.ts'
import type { CallsStore } from '../calls/calls-store.ts'
import type { PricesFor } from '../costs/prices.ts'
import type { TableRowsStore } from '../tables/table-rows-store.ts'
import { evalResultsHandlers } from './eval-results-handlers.ts'
import { sqlEvalResultsStore } from './eval-results-store.sql.ts'

interface EvalResultsOn {
  calls: CallsStore
  tableRows: TableRowsStore
  prices: PricesFor
}

/** Results of evaluations, as a view over calls. */
export const createEvalResults = ({ analytical, clock, refProjects }: Platform, on: EvalResultsOn) => ({
  handlers: evalResultsHandlers({ store: sqlEvalResultsStore(analytical, clock), refProjects, ...on }),
})
