import { badRequest } from '@heddle/core-api/internal'
import type { ProjectScope } from '@heddle/identity'
import type { ObjectsStore } from '../objects/objects-store.ts'

/** The most deleted versions that are passed to a query of calls. */
const maxDeleted = 50_000

/**
 * The deleted versions of a project whose values may still be there, as `object/name:digest` or `op/name:digest`. Versions deleted more than about a
 * day ago are not included.
 * @throws 400 if there are more than 50,000: deleted values must not be read, and a statement cannot name them all.
 */
export type DeletedVersions = (project: ProjectScope) => Promise<string[]>

export function createDeletedVersions(objects: Pick<ObjectsStore, 'findDeleted'>): DeletedVersions {
  return async (project) => {
    const deleted = await objects.findDeleted(project, maxDeleted + 1)
    if (deleted.length > maxDeleted) {
      throw badRequest(
        `project ${project.id} has more than ${maxDeleted} object versions that were deleted lately: ask without expand_columns, or again in a day`,
      )
    }
    return deleted.map(({ kind, object_id, digest }) => `${kind}/${object_id}:${digest}`)
  }
}
