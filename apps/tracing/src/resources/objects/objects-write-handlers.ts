import type { Handlers, tracing } from '@heddle/core-api'
import { badRequest, notFound } from '@heddle/core-api/internal'
import type { Micros } from '@heddle/datastore'
import type { Context } from '@heddle/identity'
import type { RefProjectsFor } from '../../payload/ref-projects.ts'
import { parseDigestArgument } from './versions/digest-argument.ts'
import type { ObjectsStore } from './objects-store.ts'
import type { ObjectPublisher } from './publish/publish-object.ts'

const maxDeleted = 100

export interface ObjectsWriteDeps {
  objects: ObjectsStore
  publisher: ObjectPublisher
  refProjects: RefProjectsFor
  clock: () => Micros
}

/** Operations that publish and delete versions of objects. */
export function objectsWriteHandlers({
  objects,
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
      }
      const { digest } = await publisher.publish(project, draft, refProjects(project, context))
      return { digest, object_id: obj.object_id }
    },

    async delete({ project_id, object_id, digests }, context) {
      const project = await context.open(project_id)
      const given = [...new Set(digests ?? [])]
      if ((digests?.length ?? 0) > maxDeleted) {
        throw badRequest(`digests has ${digests?.length} entries; at most ${maxDeleted} versions are deleted at a time`)
      }
      const deleted = await objects.delete(project, { object_id, wanted: given.map(parseDigestArgument), at: clock() })
      if (deleted.length === 0) throw nothingToDelete(object_id, given)
      const deleted_versions = deleted.map(({ digest, base_object_class, leaf_object_class }) => ({
        digest,
        base_object_class,
        leaf_object_class,
      }))
      return { num_deleted: deleted.length, deleted_versions }
    },
  }
}

function nothingToDelete(object_id: string, digests: readonly string[]) {
  if (digests.length === 0) return notFound(`Obj ${object_id} not found: it has no live version to delete`)
  const shown = digests.length > 5 ? `${digests.slice(0, 5).join(', ')}, …` : digests.join(', ')
  return notFound(`Obj ${object_id}: some of ${shown} are not live versions, or name the same version twice; nothing was deleted`)
}
