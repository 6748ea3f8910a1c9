import type { ProjectScope } from '@heddle/identity'
import type { CallCopy } from './annotation-items-store.ts'

/** The queues' access to the store of calls. */
export interface QueuedCallsStore {
  /** The fields of calls that items keep, by call id. Calls that a reader does not see are omitted. */
  find(project: ProjectScope, ids: readonly string[]): Promise<Map<string, CallCopy>>
}
