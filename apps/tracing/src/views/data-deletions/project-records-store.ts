import type { ProjectScope } from '@heddle/identity'

/** Records of a project other than its calls, feedback and content. */
export interface ProjectRecordsStore {
  /** Removes public links to traces. */
  removeLinks(project: ProjectScope, traceIds: readonly string[]): Promise<void>
  /** Removes all settings, names, queues and links that were made in the project. Its keys, its limits and its retention remain. */
  removeAll(project: ProjectScope): Promise<void>
}
