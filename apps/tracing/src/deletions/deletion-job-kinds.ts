import type { Deletion } from './deletions-store.ts'

/** Kinds of the jobs that remove what large deletions hide. */
export const deletionJobKinds = {
  calls: 'delete_calls',
  feedback: 'delete_feedback',
  object_versions: 'delete_object_versions',
} as const satisfies Record<Deletion['kind'], string>
