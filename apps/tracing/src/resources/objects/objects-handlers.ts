import { formatTimestamp, type Handlers, JsonText, notFound, type ObjectVersion, type tracing } from '@heddle/core-api'
import type { Context, ProjectScope } from '@heddle/identity'
import { hidePrivateRefs } from '../../payload/rewrite-refs.ts'
import type { RefProjectsFor } from '../../payload/ref-projects.ts'
import { parseDigestArgument } from './digest-argument.ts'
import type { ObjectValuesStore } from './object-values-store.ts'
import type { ObjectsStore, StoredVersion } from './objects-store.ts'
import type { ObjectPublisher } from './publish-object.ts'

export interface ObjectsDeps {
  objects: ObjectsStore
  values: ObjectValuesStore
  publisher: ObjectPublisher
  refProjects: RefProjectsFor
}

export function objectsHandlers({ objects, values, publisher, refProjects }: ObjectsDeps): Handlers<typeof tracing.objects, Context> {
  async function readValue(project: ProjectScope, { object_id, digest }: StoredVersion, context: Context): Promise<JsonText> {
    const json = (await values.read(project, [digest])).get(digest)
    if (json === undefined) throw notFound(`Obj ${object_id}:${digest} not found`)
    return new JsonText(await hidePrivateRefs(json, project.id, (id) => refProjects(project, context).maySee(id)))
  }

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

    async read({ project_id, object_id, digest, metadata_only, include_tags_and_aliases }, context) {
      const project = await context.open(project_id)
      const [version] = await objects.findVersions(project, [{ object_id, argument: parseDigestArgument(digest) }])
      if (version === undefined) throw notFound(`Obj ${object_id}:${digest} not found`)
      if (version.deleted_at !== null) throw deleted(version, version.deleted_at)
      const val = metadata_only ? {} : await readValue(project, version, context)
      return { obj: toObjectVersion(version, { val, labels: include_tags_and_aliases }) }
    },
  }
}

function deleted({ object_id, version_index }: StoredVersion, at: number) {
  const deleted_at = formatTimestamp(at)
  return notFound(`${object_id}:v${version_index} was deleted at ${deleted_at}`, { deleted_at })
}

/** A version as it is answered. `labels`: with its tags and aliases. */
export function toObjectVersion(version: StoredVersion, { val, labels }: { val: unknown; labels: boolean }): ObjectVersion {
  return {
    ...version,
    created_at: formatTimestamp(version.created_at),
    deleted_at: version.deleted_at === null ? null : formatTimestamp(version.deleted_at),
    val,
    size_bytes: null,
    tags: labels ? [] : null,
    aliases: labels ? (version.is_latest ? ['latest'] : []) : null,
  }
}
