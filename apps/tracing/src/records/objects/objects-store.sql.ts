import { type Database, inParts, type Micros, type ScopedDatabase, serverWork } from '@heddle/datastore'
import type { ProjectScope } from '@heddle/identity'
import { groupBy } from '../../group-by.ts'
import type { ObjectKind } from './versions/object-class.ts'
import { isHidden, isNotHidden } from './versions/hidden-versions-store.sql.ts'
import { findCandidates } from './versions/object-candidates-store.sql.ts'
import { publishIn } from './versions/object-publication-store.sql.ts'
import { isLatest, storable, toVersion, versionsOf } from './versions/object-rows-store.sql.ts'
import { selectVersions } from './versions/object-selection-store.sql.ts'
import type { ObjectsStore, PublishOutcome, StoredVersion, VersionQuery } from './objects-store.ts'
import { pickVersion } from './versions/pick-version.ts'

/** Names or digests in one statement. */
const valuesAtOnce = 500
/** Versions published in one transaction: it may block the thread. */
const publishedAtOnce = 100

export function sqlObjectsStore(database: ScopedDatabase): ObjectsStore {
  return {
    async findLatest(project, { object_id, kind, digest }) {
      const row = await versionsOf(database.of(project), project.id)
        .where('version.object_id', '=', object_id)
        .where('version.kind', '=', kind)
        .where('version.digest', '=', digest)
        .executeTakeFirst()
      return row && row.deleted_at === null && row.latest_digest !== null ? toVersion(row) : undefined
    },

    async publish(project, versions) {
      const published: PublishOutcome[] = []
      for (const some of inParts(versions, publishedAtOnce)) {
        published.push(
          ...(await database
            .of(project)
            .transaction()
            .execute((transaction) => publishIn(transaction, project.id, some))),
        )
      }
      return published
    },

    async findVersions(project, wanted) {
      const found: (StoredVersion | undefined)[] = []
      for (const some of inParts(wanted, valuesAtOnce)) {
        found.push(...(await findSome(database.of(project), project, some)))
      }
      return found
    },

    select: (project, selection) => selectVersions(database.of(project), project.id, selection),

    async findDeleted(project, limit) {
      const all = database
        .of(project)
        .selectFrom('object_versions as version')
        .select(['version.object_id', 'version.kind', 'version.digest'])
        .where('version.project_id', '=', project.id)
        .limit(limit)
      const hidden = await all.where('version.deleted_at', 'is', null).where(isHidden(project)).execute()
      const marked = await all
        .where('version.deleted_at', 'is not', null)
        .where('version.value_gone_at', 'is', null)
        .orderBy('version.deleted_at', 'desc')
        .execute()
      return [...hidden, ...marked].slice(0, limit).map((row) => ({ ...row, kind: row.kind as ObjectKind }))
    },

    async findNamed(keys, deletedSince) {
      const named = new Set<(typeof keys)[number]>()
      for (const [projectId, ofProject] of groupBy(keys, ({ project_id }) => project_id)) {
        for (const some of inParts(ofProject, valuesAtOnce)) {
          const digests = await findNamedDigests(database.of(serverWork), {
            projectId,
            digests: some.map(({ digest }) => digest),
            deletedSince,
          })
          for (const key of some) if (digests.has(key.digest)) named.add(key)
        }
      }
      return named
    },

    async markValueDeleted(projectId, digests, at) {
      for (const some of inParts(digests, valuesAtOnce)) {
        await database
          .of(serverWork)
          .updateTable('object_versions')
          .set({ value_gone_at: at })
          .where('project_id', '=', projectId)
          .where('digest', 'in', some)
          .where('deleted_at', 'is not', null)
          .where('value_gone_at', 'is', null)
          .execute()
      }
    },

    async findLatestOps(project, names) {
      const latest = new Map<string, string>()
      for (const some of inParts(names, valuesAtOnce)) {
        const rows = await latestOps(database.of(project), project, storable(some))
        for (const { object_id, digest } of rows) latest.set(object_id, digest)
      }
      return latest
    },

    async totalBytes(project) {
      const row = await database
        .of(project)
        .selectFrom('object_versions as version')
        .select((select) => select.fn.sum<number | string | null>('version.size_bytes').as('bytes'))
        .where('version.project_id', '=', project.id)
        .where('version.deleted_at', 'is', null)
        .where(isNotHidden)
        .executeTakeFirst()
      return Number(row?.bytes ?? 0)
    },
  }
}

async function findNamedDigests(
  database: Database,
  { projectId, digests, deletedSince }: { projectId: string; digests: readonly string[]; deletedSince: Micros },
): Promise<Set<string>> {
  const rows = await database
    .selectFrom('object_versions')
    .select('digest')
    .distinct()
    .where('project_id', '=', projectId)
    .where('digest', 'in', [...digests])
    .where((match) => match.or([match('deleted_at', 'is', null), match('deleted_at', '>=', deletedSince)]))
    .execute()
  return new Set(rows.map(({ digest }) => digest))
}

async function findSome(
  database: Database,
  project: ProjectScope,
  wanted: readonly VersionQuery[],
): Promise<(StoredVersion | undefined)[]> {
  const known = await resolveAliases(database, project, wanted)
  const byName = groupBy((await findCandidates(database, project.id, known)).map(toVersion), ({ object_id }) => object_id)
  return known.map(({ object_id, argument }) => pickVersion(byName.get(object_id) ?? [], argument))
}

/** The same with every alias of the object replaced by its digest. */
async function resolveAliases(database: Database, project: ProjectScope, wanted: readonly VersionQuery[]): Promise<VersionQuery[]> {
  const aliases = storable(wanted.flatMap(({ argument }) => (argument.by === 'alias' ? [argument.alias] : [])))
  const names = storable(wanted.map(({ object_id }) => object_id))
  if (aliases.length === 0 || names.length === 0) return [...wanted]
  const rows = await database
    .selectFrom('object_aliases')
    .select(['object_id', 'alias', 'digest'])
    .where('project_id', '=', project.id)
    .where('object_id', 'in', names)
    .where('alias', 'in', aliases)
    .execute()
  const digests = new Map(rows.map(({ object_id, alias, digest }) => [`${object_id} ${alias}`, digest]))
  return wanted.map((one) => {
    const digest = one.argument.by === 'alias' ? digests.get(`${one.object_id} ${one.argument.alias}`) : undefined
    return digest === undefined ? one : { ...one, argument: { by: 'digest', digest } }
  })
}

/** The version that the pointer names, else the one with the highest index: an object of the same name may hold the pointer. */
async function latestOps(
  database: Database,
  project: ProjectScope,
  names: readonly string[],
): Promise<{ object_id: string; digest: string }[]> {
  if (names.length === 0) return []
  const live = database
    .selectFrom('object_versions as version')
    .where('version.project_id', '=', project.id)
    .where('version.kind', '=', 'op')
    .where('version.deleted_at', 'is', null)
    .where(isNotHidden)
  const pointed = await live
    .innerJoin('object_latest as latest', (join) => join.on(isLatest))
    .select(['version.object_id', 'version.digest'])
    .where('version.object_id', 'in', [...names])
    .execute()
  const rest = names.filter((name) => !pointed.some(({ object_id }) => object_id === name))
  if (rest.length === 0) return pointed
  const others = await live
    .select(['version.object_id', 'version.digest'])
    .where('version.object_id', 'in', rest)
    .orderBy('version.version_index')
    .execute()
  return [...others, ...pointed]
}
