import type { Deletion } from './deletions-store.ts'

/** Kinds of the jobs that remove what deletions hide. */
export const deletionJobKinds = {
  calls: 'delete_calls',
  feedback: 'delete_feedback',
  object_versions: 'delete_object_versions',
  data: 'delete_data',
} as const satisfies Record<Deletion['kind'], string>
