import type { Handlers, tracing } from '@heddle/core-api'
import type { Micros } from '@heddle/datastore'
import type { TracingContext } from '../../context.ts'
import type { RefProjectsFor } from '../../payload/ref-projects.ts'
import type { PricesFor } from '../costs/prices.ts'
import type { FeedbackStore } from '../feedback/feedback-store.ts'
import type { ResolveRefs } from '../refs/resolve-refs.ts'
import type { WriteContext } from './write/call-input.ts'
import { callsReadHandlers } from './read/calls-read-handlers.ts'
import { callsStatsHandlers } from './stats/calls-stats-handlers.ts'
import type { CallsStatsStore } from './stats/calls-stats-store.ts'
import type { CallsStore } from './calls-store.ts'
import { callsWriteHandlers } from './write/calls-write-handlers.ts'
import type { CallsWriter } from './write/calls-writer.ts'
import type { DeleteCalls } from './write/delete-calls.ts'

export interface CallsDeps {
  store: CallsStore
  statsStore: CallsStatsStore
  writer: CallsWriter
  deleteCalls: DeleteCalls
  prices: PricesFor
  mask: WriteContext['mask']
  resolveRefs: ResolveRefs
  feedback: Pick<FeedbackStore, 'ofCalls'>
  refProjects: RefProjectsFor
  clock: () => Micros
}

/** All operations on calls. */
export function callsHandlers(deps: CallsDeps): Handlers<(typeof tracing)['calls'], TracingContext> {
  return { ...callsWriteHandlers(deps), ...callsReadHandlers(deps), ...callsStatsHandlers(deps) }
}
