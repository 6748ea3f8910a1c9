import type { Database, Tables } from '@heddle/datastore'
import type { ProjectScope } from '@heddle/identity'
import type { Selectable, Transaction } from 'kysely'
import type { ObjectKind } from './object-class.ts'
import type { NewVersion, ObjectsStore, Published, StoredVersion, WantedVersion } from './objects-store.ts'

/** Names or digests in one statement. */
const valuesAtOnce = 500

type VersionRow = Selectable<Tables['object_versions']> & { latest_digest: string | null }
type Scoped = NewVersion & { project_id: string }

export function sqlObjectsStore(database: Database): ObjectsStore {
  const versionsOf = (project: ProjectScope) =>
    database
      .selectFrom('object_versions as version')
      .leftJoin('object_latest as latest', (join) =>
        join
          .onRef('latest.project_id', '=', 'version.project_id')
          .onRef('latest.object_id', '=', 'version.object_id')
          .onRef('latest.kind', '=', 'version.kind')
          .onRef('latest.digest', '=', 'version.digest'),
      )
      .selectAll('version')
      .select('latest.digest as latest_digest')
      .where('version.project_id', '=', project.id)

  /** Versions that a wanted one may be; more than one may answer to the same index. */
  async function findCandidates(project: ProjectScope, wanted: readonly WantedVersion[]): Promise<VersionRow[]> {
    const names = wanted.map(({ object_id }) => object_id)
    const digests = wanted.flatMap(({ argument }) => (argument.by === 'digest' ? [argument.digest] : []))
    const indexes = wanted.flatMap(({ argument }) => (argument.by === 'index' ? [argument.version_index] : []))
    return versionsOf(project)
      .where('version.object_id', 'in', names)
      .where((match) =>
        match.or([
          ...(digests.length > 0 ? [match('version.digest', 'in', digests)] : []),
          ...(indexes.length > 0 ? [match('version.version_index', 'in', indexes)] : []),
          ...(digests.length + indexes.length < wanted.length ? [match('latest.digest', 'is not', null)] : []),
        ]),
      )
      .execute()
  }

  return {
    async findLatest(project, { object_id, kind, digest }) {
      const row = await versionsOf(project)
        .where('version.object_id', '=', object_id)
        .where('version.kind', '=', kind)
        .where('version.digest', '=', digest)
        .executeTakeFirst()
      return row && row.deleted_at === null && row.latest_digest !== null ? toVersion(row) : undefined
    },

    async publish(project, versions) {
      const published = new Map<NewVersion, Published>()
      await database.transaction().execute(async (transaction) => {
        for (const version of inNameOrder(versions))
          published.set(version, await publishIn(transaction, { ...version, project_id: project.id }))
      })
      return versions.flatMap((version) => published.get(version) ?? [])
    },

    async findVersions(project, wanted) {
      const found: (StoredVersion | undefined)[] = []
      for (let at = 0; at < wanted.length; at += valuesAtOnce) {
        const some = wanted.slice(at, at + valuesAtOnce)
        const byName = groupByName((await findCandidates(project, some)).map(toVersion))
        for (const one of some) found.push(pickVersion(byName.get(one.object_id) ?? [], one))
      }
      return found
    },

    async findLatestOps(project, names) {
      const latest = new Map<string, string>()
      for (let at = 0; at < names.length; at += valuesAtOnce) {
        const rows = await latestOps(database, project, names.slice(at, at + valuesAtOnce))
        for (const { object_id, digest } of rows) latest.set(object_id, digest)
      }
      return latest
    },
  }
}

/** Transactions that take names in one order do not wait for each other in a circle. */
function inNameOrder(versions: readonly NewVersion[]): NewVersion[] {
  return [...versions].sort((a, b) => (a.object_id < b.object_id ? -1 : Number(a.object_id > b.object_id)))
}

async function publishIn(transaction: Transaction<Tables>, version: Scoped): Promise<Published> {
  await lockName(transaction, version)
  const known = await sameName(transaction, version).where('digest', '=', version.digest).selectAll().executeTakeFirst()
  if (known?.deleted_at !== null) {
    const other = await findOtherClass(transaction, version)
    if (other !== undefined) return { status: 'other_class', ...other }
  }
  const version_index = known?.version_index ?? (await insertVersion(transaction, version))
  if (known !== undefined && known.deleted_at !== null) await revive(transaction, version)
  await moveLatest(transaction, version)
  return { status: 'published', version_index }
}

/**
 * Writes the pointer of the name without moving it. As the first statement it makes writers of one name wait for each other on PostgreSQL,
 * and takes the write lock on SQLite before anything is read.
 */
async function lockName(transaction: Transaction<Tables>, { project_id, object_id, kind, digest }: Scoped): Promise<void> {
  await transaction
    .insertInto('object_latest')
    .values({ project_id, object_id, kind, digest })
    .onConflict((conflict) => conflict.columns(['project_id', 'object_id']).doUpdateSet({ object_id }))
    .execute()
}

async function moveLatest(transaction: Transaction<Tables>, { project_id, object_id, kind, digest }: Scoped): Promise<void> {
  await transaction
    .updateTable('object_latest')
    .set({ kind, digest })
    .where('project_id', '=', project_id)
    .where('object_id', '=', object_id)
    .execute()
}

function sameName(transaction: Transaction<Tables>, { project_id, object_id, kind }: Scoped) {
  return transaction
    .selectFrom('object_versions')
    .where('project_id', '=', project_id)
    .where('object_id', '=', object_id)
    .where('kind', '=', kind)
}

async function findOtherClass(
  transaction: Transaction<Tables>,
  version: Scoped,
): Promise<{ base_object_class: string | null } | undefined> {
  const name = version.base_object_class
  return sameName(transaction, version)
    .where('deleted_at', 'is', null)
    .where((match) =>
      name === null
        ? match('base_object_class', 'is not', null)
        : match.or([match('base_object_class', 'is', null), match('base_object_class', '!=', name)]),
    )
    .select('base_object_class')
    .executeTakeFirst()
}

async function insertVersion(transaction: Transaction<Tables>, version: Scoped): Promise<number> {
  const { at, ...columns } = version
  const { highest } = await sameName(transaction, version)
    .select((select) => select.fn.max('version_index').as('highest'))
    .executeTakeFirstOrThrow()
  const version_index = highest === null ? 0 : Number(highest) + 1
  await transaction
    .insertInto('object_versions')
    .values({ ...columns, version_index, created_at: at, deleted_at: null })
    .execute()
  return version_index
}

async function revive(transaction: Transaction<Tables>, { project_id, object_id, kind, digest, at, wb_user_id }: Scoped): Promise<void> {
  await transaction
    .updateTable('object_versions')
    .set({ created_at: at, deleted_at: null, wb_user_id })
    .where('project_id', '=', project_id)
    .where('object_id', '=', object_id)
    .where('kind', '=', kind)
    .where('digest', '=', digest)
    .execute()
}

/** The version that the pointer names, else the one with the highest index: an object of the same name may hold the pointer. */
async function latestOps(
  database: Database,
  project: ProjectScope,
  names: readonly string[],
): Promise<{ object_id: string; digest: string }[]> {
  const live = database
    .selectFrom('object_versions as version')
    .where('version.project_id', '=', project.id)
    .where('version.kind', '=', 'op')
    .where('version.deleted_at', 'is', null)
  const pointed = await live
    .innerJoin('object_latest as latest', (join) =>
      join
        .onRef('latest.project_id', '=', 'version.project_id')
        .onRef('latest.object_id', '=', 'version.object_id')
        .onRef('latest.kind', '=', 'version.kind')
        .onRef('latest.digest', '=', 'version.digest'),
    )
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

function groupByName(versions: readonly StoredVersion[]): Map<string, StoredVersion[]> {
  const byName = new Map<string, StoredVersion[]>()
  for (const version of versions) {
    const same = byName.get(version.object_id)
    if (same === undefined) byName.set(version.object_id, [version])
    else same.push(version)
  }
  return byName
}

function pickVersion(versions: readonly StoredVersion[], { argument }: WantedVersion): StoredVersion | undefined {
  switch (argument.by) {
    case 'latest':
      return versions.find(({ is_latest }) => is_latest === 1)
    case 'digest':
      return versions.find(({ digest }) => digest === argument.digest)
    case 'index': {
      const same = versions.filter(({ version_index }) => version_index === argument.version_index)
      return same.find(({ kind }) => kind === 'object') ?? same[0]
    }
  }
}

function toVersion({ latest_digest, kind, ...row }: VersionRow): StoredVersion {
  return { ...row, kind: kind as ObjectKind, is_latest: latest_digest === null ? 0 : 1 }
}
