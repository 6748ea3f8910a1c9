import { formatTimestamp, type Handlers, type tracing } from '@heddle/core-api'
import { notFound } from '@heddle/core-api/internal'
import type { Micros } from '@heddle/datastore'
import type { Context } from '@heddle/identity'
import { checkAliasName, checkTagName } from './check-labels.ts'
import type { ObjectLabelsStore } from '../object-labels-store.ts'

type LabelsOperation = 'addTags' | 'removeTags' | 'setAliases' | 'removeAliases' | 'aliasHistory' | 'listTags' | 'listAliases'

export interface ObjectLabelsDeps {
  labels: ObjectLabelsStore
  clock: () => Micros
}

/** Operations on tags and aliases. */
export function objectLabelsHandlers({
  labels,
  clock,
}: ObjectLabelsDeps): Handlers<Pick<typeof tracing.objects, LabelsOperation>, Context> {
  const authorOf = ({ caller }: Context) => ({ wb_user_id: caller.userId, at: clock() })
  return {
    async addTags({ project_id, object_id, digest, tags }, context) {
      const project = await context.open(project_id)
      tags.forEach(checkTagName)
      if (!(await labels.addTags(project, { object_id, digest }, tags, authorOf(context)))) throw noVersion(object_id, digest)
      return {}
    },

    async removeTags({ project_id, object_id, digest, tags }, context) {
      const project = await context.open(project_id)
      await labels.removeTags(project, { object_id, digest }, tags)
      return {}
    },

    async setAliases({ project_id, object_id, digest, aliases }, context) {
      const project = await context.open(project_id)
      aliases.forEach(checkAliasName)
      if (!(await labels.setAliases(project, { object_id, digest }, aliases, authorOf(context)))) throw noVersion(object_id, digest)
      return {}
    },

    async removeAliases({ project_id, object_id, aliases }, context) {
      const project = await context.open(project_id)
      aliases.forEach(checkAliasName)
      await labels.removeAliases(project, object_id, aliases, authorOf(context))
      return {}
    },

    async aliasHistory({ project_id, object_id, alias, limit, offset }, context) {
      const project = await context.open(project_id)
      const found = await labels.listAliasMoves(project, object_id, { alias, limit: limit + 1, offset })
      const moves = found.slice(0, limit).map(({ at, ...move }) => ({ ...move, moved_at: formatTimestamp(at) }))
      return { moves, has_more: found.length > limit }
    },

    async listTags({ project_id }, context) {
      return { tags: await labels.listTags(await context.open(project_id)) }
    },

    async listAliases({ project_id }, context) {
      return { aliases: await labels.listAliases(await context.open(project_id)) }
    },
  }
}

function noVersion(object_id: string, digest: string) {
  return notFound(`Obj ${object_id}:${digest} not found`)
}
