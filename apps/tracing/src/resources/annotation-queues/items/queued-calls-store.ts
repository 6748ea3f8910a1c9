import type { ProjectScope } from '@heddle/identity'
import type { CallCopy } from './annotation-items-store.ts'

/** What queues ask of the store of calls. */
export interface QueuedCallsStore {
  /** What items keep of calls, by call id. Calls that a reader does not see are left out. */
  find(project: ProjectScope, ids: readonly string[]): Promise<Map<string, CallCopy>>
}
