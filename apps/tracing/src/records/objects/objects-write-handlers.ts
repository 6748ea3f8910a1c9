import type { Handlers, tracing } from '@heddle/core-api'
import type { Micros } from '@heddle/datastore'
import type { Context } from '@heddle/identity'
import type { RefProjectsFor } from '../../payload/ref-projects.ts'
import { deleteVersions } from './versions/delete-versions.ts'
import type { ObjectDeletionStore } from './versions/object-deletion-store.ts'
import type { ObjectPublisher } from './publish/publish-object.ts'

export interface ObjectsWriteDeps {
  deletion: Pick<ObjectDeletionStore, 'delete'>
  publisher: ObjectPublisher
  refProjects: RefProjectsFor
  clock: () => Micros
}

/** Operations that publish and delete versions of objects. */
export function objectsWriteHandlers({
  deletion,
  publisher,
  refProjects,
  clock,
}: ObjectsWriteDeps): Handlers<Pick<typeof tracing.objects, 'create' | 'delete'>, Context> {
  return {
    async create({ obj }, context) {
      const project = await context.open(obj.project_id)
      const draft = {
        ...obj,
        builtin_object_class: obj.builtin_object_class ?? obj.set_base_object_class,
        wb_user_id: context.caller.userId,
        key_id: context.caller.keyId,
      }
      const { digest } = await publisher.publish(project, draft, refProjects(project, context))
      return { digest, object_id: obj.object_id }
    },

    async delete({ project_id, object_id, digests }, context) {
      const project = await context.open(project_id)
      const author = { wb_user_id: context.caller.userId, at: clock() }
      const { count, versions } = await deleteVersions(deletion, project, { object_id, digests: digests ?? [], ...author })
      const deleted_versions = versions.map(({ digest, base_object_class, leaf_object_class }) => ({
        digest,
        base_object_class,
        leaf_object_class,
      }))
      return { num_deleted: count, deleted_versions }
    },
  }
}
