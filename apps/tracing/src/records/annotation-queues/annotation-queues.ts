import type { Platform } from '../../platform.ts'
import { sqlAnnotationItemsStore } from './items/annotation-items-store.sql.ts'
import { sqlAnnotationProgressStore } from './progress/annotation-progress-store.sql.ts'
import { sqlAnnotationQueuesStore } from './queues/annotation-queues-store.sql.ts'
import { annotationItemsHandlers } from './annotation-items-handlers.ts'
import { createCallsOfQueues } from './items/calls-of-queues.ts'
import { sqlQueuedCallsStore } from './items/queued-calls-store.sql.ts'
import { annotationQueuesHandlers } from './queues/annotation-queues-handlers.ts'

/** Queues of calls to review. */
export function createAnnotationQueues({ analytical, visibility, database, locks, clock, newId, refProjects }: Platform) {
  const queues = sqlAnnotationQueuesStore(database)
  const items = sqlAnnotationItemsStore({ database, newId })
  const progress = sqlAnnotationProgressStore(database)
  const calls = sqlQueuedCallsStore(analytical, visibility)
  return {
    handlers: {
      ...annotationQueuesHandlers({ queues, refProjects, locks, clock, newId }),
      ...annotationItemsHandlers({ queues, items, progress, calls, clock }),
    },
    queues,
    callsOfQueues: createCallsOfQueues({ queues, items }),
  }
}
