import type { Platform } from '../../platform.ts'
import { sqlAnnotationItemsStore } from './annotation-items-store.sql.ts'
import { sqlAnnotationProgressStore } from './annotation-progress-store.sql.ts'
import { sqlAnnotationQueuesStore } from './annotation-queues-store.sql.ts'
import { annotationItemsHandlers } from './annotation-items-handlers.ts'
import { createCallsOfQueues } from './calls-of-queues.ts'
import { sqlQueuedCallsStore } from './queued-calls-store.sql.ts'
import { annotationQueuesHandlers } from './annotation-queues-handlers.ts'

/** Queues of calls that people review. */
export function createAnnotationQueues({ analytical, database, locks, clock, newId, refProjects }: Platform) {
  const queues = sqlAnnotationQueuesStore(database)
  const items = sqlAnnotationItemsStore({ database, newId })
  const progress = sqlAnnotationProgressStore(database)
  const calls = sqlQueuedCallsStore(analytical, clock)
  return {
    handlers: {
      ...annotationQueuesHandlers({ queues, refProjects, locks, clock, newId }),
      ...annotationItemsHandlers({ queues, items, progress, calls, clock }),
    },
    queues,
    callsOfQueues: createCallsOfQueues({ queues, items }),
  }
}
