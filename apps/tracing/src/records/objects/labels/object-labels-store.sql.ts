import { setImmediate } from 'node:timers/promises'
import { badRequest } from '@heddle/core-api/internal'
import { type Database, inParts, type ScopedDatabase, type Tables } from '@heddle/datastore'
import type { Transaction } from 'kysely'
import { groupBy } from '../../../group-by.ts'
import { listMoves, moveTargets, recordMoves } from '../versions/alias-moves-store.sql.ts'
import type { LabelAuthor, LabelledVersion, ObjectLabelsStore, StoredLink, VersionLabels } from '../object-labels-store.ts'
import { isHidden, isNotHidden } from '../versions/hidden-versions-store.sql.ts'
import { lockLiveName } from '../versions/object-name-lock-store.sql.ts'
import { storable } from '../versions/object-rows-store.sql.ts'

/** Versions of one statement. */
const versionsAtOnce = 500
const maxTags = 1_000
const maxAliases = 1_000

const keyOf = ({ object_id, digest }: LabelledVersion) => `${object_id} ${digest}`

export function sqlObjectLabelsStore(database: ScopedDatabase): ObjectLabelsStore {
  return {
    addTags: (project, version, tags, author) =>
      database
        .of(project)
        .transaction()
        .execute(async (transaction) => {
          const at = { project_id: project.id, ...version }
          if (!(await isLive(transaction, at))) return false
          if (tags.length > 0) await insertTags(transaction, at, tags, author)
          return true
        }),

    async removeTags(project, { object_id, digest }, tags) {
      const [names, digests, labels] = [storable([object_id]), storable([digest]), storable(tags)]
      if (names.length + digests.length < 2 || labels.length === 0) return
      await database
        .of(project)
        .deleteFrom('object_tags')
        .where('project_id', '=', project.id)
        .where('object_id', 'in', names)
        .where('digest', 'in', digests)
        .where('tag', 'in', labels)
        .execute()
    },

    setAliases: (project, version, aliases, author) =>
      database
        .of(project)
        .transaction()
        .execute(async (transaction) => {
          const at = { project_id: project.id, ...version }
          if (!(await isLive(transaction, at))) return false
          if (aliases.length > 0) await pointAliases(transaction, at, aliases, author)
          return true
        }),

    async removeAliases(project, object_id, aliases, author) {
      const labels = storable(aliases)
      if (storable([object_id]).length === 0 || labels.length === 0) return
      await database
        .of(project)
        .transaction()
        .execute((transaction) => takeAliases(transaction, { project_id: project.id, object_id }, labels, author))
    },

    async listAliasMoves(project, object_id, page) {
      if (storable([object_id, page.alias ?? '']).length < 2) return []
      return listMoves(database.of(project), { project_id: project.id, object_id }, page)
    },

    async listTags(project) {
      const rows = await database
        .of(project)
        .selectFrom('object_tags as label')
        .select('label.tag')
        .distinct()
        .where('label.project_id', '=', project.id)
        .where(({ not, exists, selectFrom }) =>
          not(
            exists(
              selectFrom('object_versions as version')
                .select('version.digest')
                .where('version.project_id', '=', project.id)
                .whereRef('version.object_id', '=', 'label.object_id')
                .whereRef('version.digest', '=', 'label.digest')
                .where('version.deleted_at', 'is', null)
                .where(isHidden(project)),
            ),
          ),
        )
        .execute()
      return sorted(rows.map(({ tag }) => tag))
    },

    async listAliases(project) {
      const rows = await database
        .of(project)
        .selectFrom('object_aliases')
        .select('alias')
        .distinct()
        .where('project_id', '=', project.id)
        .execute()
      const latest = await database
        .of(project)
        .selectFrom('object_latest')
        .select('object_id')
        .where('project_id', '=', project.id)
        .limit(1)
        .execute()
      return sorted([...rows.map(({ alias }) => alias), ...latest.map(() => 'latest')])
    },

    async readLabels(project, versions) {
      const labels: VersionLabels[] = []
      for (const some of inParts(versions, versionsAtOnce)) {
        labels.push(...(await readSome(database.of(project), project.id, some)))
        // Statements block the thread; this lets other work run between them.
        await setImmediate()
      }
      return labels
    },
  }
}

type NamedObject = { project_id: string; object_id: string }
type Place = LabelledVersion & { project_id: string }

async function isLive(transaction: Transaction<Tables>, { project_id, object_id, digest }: Place): Promise<boolean> {
  if (storable([object_id, digest]).length < 2 || !(await lockLiveName(transaction, project_id, object_id))) return false
  const version = await transaction
    .selectFrom('object_versions as version')
    .select('version.digest')
    .where('version.project_id', '=', project_id)
    .where('version.object_id', '=', object_id)
    .where('version.digest', '=', digest)
    .where('version.deleted_at', 'is', null)
    .where(isNotHidden)
    .executeTakeFirst()
  return version !== undefined
}

async function insertTags(
  transaction: Transaction<Tables>,
  place: Place,
  tags: readonly string[],
  { wb_user_id, at }: LabelAuthor,
): Promise<void> {
  await transaction
    .insertInto('object_tags')
    .values([...new Set(tags)].map((tag) => ({ ...place, tag, wb_user_id, created_at: at })))
    .onConflict((conflict) => conflict.columns(['project_id', 'object_id', 'digest', 'tag']).doNothing())
    .execute()
  const { count } = await transaction
    .selectFrom('object_tags')
    .select((select) => select.fn.countAll<number>().as('count'))
    .where('project_id', '=', place.project_id)
    .where('object_id', '=', place.object_id)
    .where('digest', '=', place.digest)
    .executeTakeFirstOrThrow()
  if (Number(count) > maxTags) throw badRequest(`a version of ${place.object_id} would have ${count} tags; at most ${maxTags} are allowed`)
}

async function pointAliases(
  transaction: Transaction<Tables>,
  place: Place,
  aliases: readonly string[],
  author: LabelAuthor,
): Promise<void> {
  const { project_id, object_id, digest } = place
  const names = [...new Set(aliases)]
  const before = await transaction
    .selectFrom('object_aliases')
    .select(['alias', 'digest'])
    .where('project_id', '=', project_id)
    .where('object_id', '=', object_id)
    .where('alias', 'in', names)
    .execute()
  const digestOf = new Map(before.map((row) => [row.alias, row.digest]))
  const targets = names.map((alias) => ({ alias, digest: digestOf.get(alias) }))
  await recordMoves(transaction, place, moveTargets(targets, digest), author)
  const { wb_user_id, at } = author
  await transaction
    .insertInto('object_aliases')
    .values(names.map((alias) => ({ ...place, alias, wb_user_id, created_at: at })))
    .onConflict((conflict) =>
      conflict.columns(['project_id', 'object_id', 'alias']).doUpdateSet((set) => ({
        digest: set.ref('excluded.digest'),
        wb_user_id: set.ref('excluded.wb_user_id'),
        created_at: set.ref('excluded.created_at'),
      })),
    )
    .execute()
  const { count } = await transaction
    .selectFrom('object_aliases')
    .select((select) => select.fn.countAll<number>().as('count'))
    .where('project_id', '=', place.project_id)
    .where('object_id', '=', place.object_id)
    .executeTakeFirstOrThrow()
  if (Number(count) > maxAliases) throw badRequest(`${place.object_id} would have ${count} aliases; at most ${maxAliases} are allowed`)
}

async function takeAliases(
  transaction: Transaction<Tables>,
  { project_id, object_id }: NamedObject,
  aliases: readonly string[],
  author: LabelAuthor,
): Promise<void> {
  if (!(await lockLiveName(transaction, project_id, object_id))) return
  const removed = await transaction
    .deleteFrom('object_aliases')
    .where('project_id', '=', project_id)
    .where('object_id', '=', object_id)
    .where('alias', 'in', [...aliases])
    .returning(['alias', 'digest'])
    .execute()
  await recordMoves(transaction, { project_id, object_id }, moveTargets(removed, undefined), author)
}

async function readSome(database: Database, projectId: string, versions: readonly LabelledVersion[]): Promise<VersionLabels[]> {
  if (versions.length === 0) return []
  const names = [...new Set(versions.map(({ object_id }) => object_id))]
  const digests = [...new Set(versions.map(({ digest }) => digest))]
  const tags = await database
    .selectFrom('object_tags')
    .select(['object_id', 'digest', 'tag'])
    .where('project_id', '=', projectId)
    .where('object_id', 'in', names)
    .where('digest', 'in', digests)
    .execute()
  const aliases = await database
    .selectFrom('object_aliases')
    .select(['object_id', 'digest', 'alias'])
    .where('project_id', '=', projectId)
    .where('object_id', 'in', names)
    .where('digest', 'in', digests)
    .execute()
  const tagsOf = groupBy(tags, keyOf)
  const aliasesOf = groupBy(aliases, keyOf)
  const linksOf = groupBy(await readLinks(database, projectId, { names, digests }), keyOf)
  return versions.map((version) => ({
    tags: sorted((tagsOf.get(keyOf(version)) ?? []).map(({ tag }) => tag)),
    aliases: sorted((aliasesOf.get(keyOf(version)) ?? []).map(({ alias }) => alias)),
    links: (linksOf.get(keyOf(version)) ?? []).map(({ link }) => link),
  }))
}

async function readLinks(
  database: Database,
  projectId: string,
  { names, digests }: { names: string[]; digests: string[] },
): Promise<(LabelledVersion & { link: StoredLink })[]> {
  const rows = await database
    .selectFrom('registry_links as link')
    .leftJoin('registry_aliases as label', (join) =>
      join
        .onRef('label.project_id', '=', 'link.project_id')
        .onRef('label.portfolio_name', '=', 'link.portfolio_name')
        .onRef('label.version_index', '=', 'link.version_index'),
    )
    .select(['link.project_id', 'link.portfolio_name', 'link.version_index', 'link.object_id', 'link.digest'])
    .select(['link.wb_user_id', 'link.created_at', 'label.alias'])
    .where('link.source_project_id', '=', projectId)
    .where('link.object_id', 'in', names)
    .where('link.digest', 'in', digests)
    .orderBy('link.project_id')
    .orderBy('link.portfolio_name')
    .orderBy('link.version_index')
    .execute()
  const groups = groupBy(rows, ({ project_id, portfolio_name, version_index }) => `${project_id} ${version_index} ${portfolio_name}`)
  return [...groups.values()].map((same) => {
    const [{ object_id, digest, alias: _, ...link }] = same as [(typeof rows)[number]]
    return { object_id, digest, link: { ...link, aliases: sorted(same.flatMap(({ alias }) => alias ?? [])) } }
  })
}

/** By code point, as UTF-8 compares: the same on every store, whatever the language of its server. */
function sorted(names: readonly string[]): string[] {
  return [...names].sort((one, other) => Buffer.compare(Buffer.from(one), Buffer.from(other)))
}
