import type { Platform } from '../../platform.ts'
import type { ProjectWrites } from '../calls/cache/project-writes.ts'
import type { CallsStore } from '../calls/calls-store.ts'
import type { PricesFor } from '../costs/prices.ts'
import type { TableRowsStore } from '../tables/table-rows-store.ts'
import { evalResultsHandlers } from './eval-results-handlers.ts'
import { createResultsCache } from './results-cache.ts'
import { sqlEvalResultsStore } from './eval-results-store.sql.ts'

interface EvalResultsOn {
  calls: CallsStore
  tableRows: TableRowsStore
  prices: PricesFor
  writes: ProjectWrites
}

/** What was computed from calls is kept up to this size. */
const cacheBytes = 192 * 1024 * 1024

/** Results of evaluations, as a view over calls. */
export function createEvalResults({ analytical, clock, refProjects, sharesStore }: Platform, { writes, ...on }: EvalResultsOn) {
  const cache = createResultsCache({ writes, clock, maxBytes: cacheBytes })
  const handlers = evalResultsHandlers({ store: sqlEvalResultsStore(analytical, clock), cache, refProjects, ...on })
  // Where other servers write to the same store nothing is kept.
  return { handlers, cacheStats: sharesStore ? () => [] : cache.stats }
}
