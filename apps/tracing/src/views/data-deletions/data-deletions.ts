import type { Records } from '../../create-records.ts'
import { deletionJobKinds } from '../../deletions/deletion-job-kinds.ts'
import type { Platform } from '../../platform.ts'
import { dataDeletionsHandlers } from './data-deletions-handlers.ts'
import { createDeleteData } from './delete-data.ts'
import { sqlListedCallsStore } from './listed-calls-store.sql.ts'
import { sqlNamedContentStore } from './named-content-store.sql.ts'
import { sqlProjectRecordsStore } from './project-records-store.sql.ts'
import { sqlQueuedCallsRemovalStore } from './queued-calls-removal-store.sql.ts'
import { createRemoveData } from './remove-data.ts'
import { createSelectData } from './select-data.ts'
import { sqlSelectedFeedbackStore } from './selected-feedback-store.sql.ts'
import { sqlSelectedVersionsStore } from './selected-versions-store.sql.ts'

/** Deletions of all data that a selection covers, from all records. */
export function createDataDeletions(platform: Platform, { calls, feedback, objects, tables }: Records) {
  const { analytical, database } = platform
  const stores = {
    lists: sqlListedCallsStore({ analytical, preparer: calls.preparer }),
    feedback: sqlSelectedFeedbackStore(analytical),
    versions: sqlSelectedVersionsStore(database),
    queued: sqlQueuedCallsRemovalStore(database),
    content: sqlNamedContentStore(analytical, database),
    records: sqlProjectRecordsStore(database),
  }
  const select = createSelectData(stores)
  const remove = createRemoveData({
    ...platform,
    ...objects,
    ...stores,
    select,
    removeDeletedCalls: calls.removeDeletedCalls,
    settle: calls.removal.settle,
    feedbackWriter: feedback.feedbackWriter,
    tables: tables.tables,
  })
  return {
    handlers: dataDeletionsHandlers({ ...platform, ...stores, select }),
    jobKinds: { [deletionJobKinds.data]: createDeleteData({ ...platform, ...stores, select, remove }) },
  }
}
