import type { Database, Micros, Tables } from '@heddle/datastore'
import type { ProjectScope } from '@heddle/identity'
import type { Insertable, Selectable, Transaction } from 'kysely'
import type { ObjectKind } from './object-class.ts'
import type { NewVersion, ObjectsStore, Published, StoredVersion, WantedVersion } from './objects-store.ts'

/** Names or digests in one statement. */
const valuesAtOnce = 500
/** Versions published in one transaction: it may block the thread. */
const publishedAtOnce = 100

type VersionRow = Selectable<Tables['object_versions']> & { latest_digest: string | null }

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
      const published: Published[] = []
      for (let at = 0; at < versions.length; at += publishedAtOnce) {
        const some = versions.slice(at, at + publishedAtOnce)
        published.push(...(await database.transaction().execute((transaction) => publishIn(transaction, project.id, some))))
      }
      return published
    },

    async findVersions(project, wanted) {
      const found: (StoredVersion | undefined)[] = []
      for (let at = 0; at < wanted.length; at += valuesAtOnce) {
        const some = wanted.slice(at, at + valuesAtOnce)
        const byName = groupBy((await findCandidates(project, some)).map(toVersion), ({ object_id }) => object_id)
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

/**
 * Writes the pointers of the names without moving them. As the first statement it makes writers of one name wait for each other on PostgreSQL,
 * in the order of names and so never in a circle, and takes the write lock on SQLite before anything is read.
 */
async function lockNames(transaction: Transaction<Tables>, project_id: string, versions: readonly NewVersion[]): Promise<void> {
  const inOrder = [...versions].sort((a, b) => (a.object_id < b.object_id ? -1 : Number(a.object_id > b.object_id)))
  await transaction
    .insertInto('object_latest')
    .values(inOrder.map(({ object_id, kind, digest }) => ({ project_id, object_id, kind, digest })))
    .onConflict((conflict) =>
      conflict.columns(['project_id', 'object_id']).doUpdateSet((set) => ({ object_id: set.ref('excluded.object_id') })),
    )
    .execute()
}

async function publishIn(transaction: Transaction<Tables>, project_id: string, versions: readonly NewVersion[]): Promise<Published[]> {
  await lockNames(transaction, project_id, versions)
  const known = await readNames(transaction, project_id, versions)
  const published = versions.map((version) => decide(version, known))
  const taken = versions.filter((_, index) => published[index]?.status === 'published')
  const fresh = versions.flatMap((version, index) => {
    const decision = published[index]
    const isNew = decision?.status === 'published' && !known.versions.has(keyOf(version))
    return isNew ? [toRow(project_id, version, decision.version_index)] : []
  })
  if (fresh.length > 0) await transaction.insertInto('object_versions').values(fresh).execute()
  const deleted = taken.filter((version) => typeof known.versions.get(keyOf(version))?.deleted_at === 'number')
  for (const version of deleted) await revive(transaction, project_id, version)
  if (taken.length > 0) await moveLatest(transaction, project_id, taken)
  return published
}

/** What is stored of the names, read behind their locks. */
interface KnownNames {
  /** The versions with one of the new digests. */
  versions: ReadonlyMap<string, { version_index: number; deleted_at: Micros | null }>
  /** The highest index by name and kind. */
  highest: ReadonlyMap<string, number>
  /** Classes of the live versions by name and kind. */
  classes: ReadonlyMap<string, readonly { base_object_class: string | null }[]>
}

const nameOf = ({ object_id, kind }: { object_id: string; kind: string }) => `${kind} ${object_id}`
const keyOf = (version: { object_id: string; kind: string; digest: string }) => `${nameOf(version)} ${version.digest}`

async function readNames(transaction: Transaction<Tables>, project_id: string, wanted: readonly NewVersion[]): Promise<KnownNames> {
  const names = [...new Set(wanted.map(({ object_id }) => object_id))]
  const digests = [...new Set(wanted.map(({ digest }) => digest))]
  const rows = transaction.selectFrom('object_versions').where('project_id', '=', project_id).where('object_id', 'in', names)
  const versions = await rows
    .where('digest', 'in', digests)
    .select(['object_id', 'kind', 'digest', 'version_index', 'deleted_at'])
    .execute()
  const highest = await rows
    .groupBy(['object_id', 'kind'])
    .select((select) => ['object_id', 'kind', select.fn.max('version_index').as('index')])
    .execute()
  const classes = await rows.where('deleted_at', 'is', null).select(['object_id', 'kind', 'base_object_class']).distinct().execute()
  return {
    versions: new Map(versions.map((version) => [keyOf(version), version])),
    highest: new Map(highest.map((name) => [nameOf(name), Number(name.index)])),
    classes: groupBy(classes, nameOf),
  }
}

/** A live version stays as it is; everything else must be of the class of the live versions. */
function decide(version: NewVersion, known: KnownNames): Published {
  const stored = known.versions.get(keyOf(version))
  if (stored?.deleted_at !== null) {
    const other = known.classes.get(nameOf(version))?.find(({ base_object_class }) => base_object_class !== version.base_object_class)
    if (other !== undefined) return { status: 'other_class', base_object_class: other.base_object_class }
  }
  return { status: 'published', version_index: stored?.version_index ?? (known.highest.get(nameOf(version)) ?? -1) + 1 }
}

async function revive(transaction: Transaction<Tables>, project_id: string, version: NewVersion): Promise<void> {
  await transaction
    .updateTable('object_versions')
    .set({ created_at: version.at, deleted_at: null, wb_user_id: version.wb_user_id })
    .where('project_id', '=', project_id)
    .where('object_id', '=', version.object_id)
    .where('kind', '=', version.kind)
    .where('digest', '=', version.digest)
    .execute()
}

async function moveLatest(transaction: Transaction<Tables>, project_id: string, versions: readonly NewVersion[]): Promise<void> {
  await transaction
    .insertInto('object_latest')
    .values(versions.map(({ object_id, kind, digest }) => ({ project_id, object_id, kind, digest })))
    .onConflict((conflict) =>
      conflict
        .columns(['project_id', 'object_id'])
        .doUpdateSet((set) => ({ kind: set.ref('excluded.kind'), digest: set.ref('excluded.digest') })),
    )
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

function groupBy<T>(values: readonly T[], keyOf: (value: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>()
  for (const value of values) {
    const key = keyOf(value)
    const same = groups.get(key)
    if (same === undefined) groups.set(key, [value])
    else same.push(value)
  }
  return groups
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

function toRow(project_id: string, { at, ...columns }: NewVersion, version_index: number): Insertable<Tables['object_versions']> {
  return { ...columns, project_id, version_index, created_at: at, deleted_at: null }
}
