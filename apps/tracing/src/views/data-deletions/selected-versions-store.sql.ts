import type { DataSelection } from '@heddle/core-api/types'
import type { ScopedDatabase } from '@heddle/datastore'
import type { ProjectScope } from '@heddle/identity'
import type { SelectedVersion, SelectedVersionsStore } from './selected-versions-store.ts'

export function sqlSelectedVersionsStore(database: ScopedDatabase): SelectedVersionsStore {
  function versionsOf(project: ProjectScope, selection: DataSelection) {
    const all = database.of(project).selectFrom('object_versions').where('project_id', '=', project.id)
    return selection.kind === 'user' ? all.where('wb_user_id', '=', selection.user_id) : all
  }

  return {
    async count(project, selection) {
      if (selection.kind === 'calls') return 0
      const { count } = await versionsOf(project, selection)
        .where('deleted_at', 'is', null)
        .select(({ fn }) => fn.countAll().as('count'))
        .executeTakeFirstOrThrow()
      return Number(count)
    },

    async digests(project, selection, { after, limit }) {
      if (selection.kind === 'calls') return []
      const rows = await versionsOf(project, selection)
        .select('digest')
        .distinct()
        .where('digest', '>', after)
        .orderBy('digest')
        .limit(limit)
        .execute()
      return rows.map(({ digest }) => digest)
    },

    async live(project, selection, limit) {
      if (selection.kind === 'calls') return []
      const live = versionsOf(project, selection).where('deleted_at', 'is', null)
      const first = await live.select('object_id').limit(1).executeTakeFirst()
      if (first === undefined) return []
      const rows = await live.select(['object_id', 'kind', 'digest']).where('object_id', '=', first.object_id).limit(limit).execute()
      return rows as SelectedVersion[]
    },

    async deleted(project, selection, limit) {
      if (selection.kind === 'calls') return []
      const rows = await versionsOf(project, selection)
        .where('deleted_at', 'is not', null)
        .where('wb_user_id', 'is not', null)
        .select(['object_id', 'kind', 'digest'])
        .limit(limit)
        .execute()
      return rows as SelectedVersion[]
    },

    async forgetAuthor(project, versions) {
      await database
        .of(project)
        .updateTable('object_versions')
        .set({ wb_user_id: null })
        .where('project_id', '=', project.id)
        .where('deleted_at', 'is not', null)
        .where(({ eb, refTuple, tuple }) =>
          eb(
            refTuple('object_id', 'kind', 'digest'),
            'in',
            versions.map(({ object_id, kind, digest }) => tuple(object_id, kind, digest)),
          ),
        )
        .execute()
    },
  }
}
