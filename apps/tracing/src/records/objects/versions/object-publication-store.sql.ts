import { invariant, type Micros, type Tables } from '@heddle/datastore'
import type { Insertable, Transaction } from 'kysely'
import { groupBy } from '../../../group-by.ts'
import { hiddenSince, isNotHidden, readHiddenUntil } from './hidden-versions-store.sql.ts'
import { lockNames } from './object-name-lock-store.sql.ts'
import type { NewVersion, PublishOutcome } from '../objects-store.ts'

/** Publishes versions of different names in one transaction. Answers in the given order. */
export async function publishIn(
  transaction: Transaction<Tables>,
  project_id: string,
  wanted: readonly NewVersion[],
): Promise<PublishOutcome[]> {
  await lockNames(transaction, project_id, wanted)
  const known = await readNames(transaction, project_id, wanted)
  const versions = wanted.map((version) => ({ ...version, at: timeAfter(known, version) }))
  const published = versions.map((version) => decide(version, known))
  const taken = versions.filter((_, index) => published[index]?.status === 'published')
  const fresh = versions.flatMap((version, index) => {
    const decision = published[index]
    const isNew = decision?.status === 'published' && !known.versions.has(keyOf(version))
    return isNew ? [toRow(project_id, version, decision.version_index)] : []
  })
  checkFresh(fresh, known)
  if (fresh.length > 0) await transaction.insertInto('object_versions').values(fresh).execute()
  const deleted = taken.filter((version) => typeof known.versions.get(keyOf(version))?.deleted_at === 'number')
  for (const version of deleted) await revive(transaction, project_id, version)
  if (taken.length > 0) {
    await noteStored(transaction, project_id, taken)
    await moveLatest(transaction, project_id, taken)
  }
  return published
}

/** Each new version of a name follows the highest one, and there is one at most in a transaction. */
function checkFresh(fresh: readonly Insertable<Tables['object_versions']>[], { highest }: KnownNames): void {
  const names = new Set(fresh.map(nameOf))
  invariant(names.size === fresh.length, 'objects.one-new-version-a-name', () => `${fresh.length} versions of ${names.size} names`)
  for (const row of fresh) {
    const index = (highest.get(nameOf(row)) ?? -1) + 1
    invariant(
      row.version_index === index,
      'objects.versions-are-consecutive',
      () => `${nameOf(row)}: ${row.version_index} instead of ${index}`,
    )
  }
}

/** Versions of a name are ordered by their times, even if the clock was set back in between, and are later than those that a deletion hides. */
function timeAfter({ newest, hiddenUntil }: KnownNames, { object_id, at }: NewVersion): Micros {
  const last = newest.get(object_id)
  return Math.max(last !== undefined && last > at ? last + 1 : at, (hiddenUntil.get(object_id) ?? -1) + 1)
}

/** Stored data of the names, read behind their locks. */
interface KnownNames {
  /** The versions with one of the new digests. */
  versions: ReadonlyMap<string, { version_index: number; deleted_at: Micros | null }>
  /** The highest index by name and kind. */
  highest: ReadonlyMap<string, number>
  /** The latest time of a version by name. */
  newest: ReadonlyMap<string, Micros>
  /** Until when versions were published that unfinished deletions hide, by name. */
  hiddenUntil: ReadonlyMap<string, Micros>
  /** Classes of the live versions by name and kind. */
  classes: ReadonlyMap<string, readonly { base_object_class: string | null }[]>
}

const nameOf = ({ object_id, kind }: { object_id: string; kind: string }) => `${kind} ${object_id}`
const keyOf = (version: { object_id: string; kind: string; digest: string }) => `${nameOf(version)} ${version.digest}`

async function readNames(transaction: Transaction<Tables>, project_id: string, wanted: readonly NewVersion[]): Promise<KnownNames> {
  const names = [...new Set(wanted.map(({ object_id }) => object_id))]
  const digests = [...new Set(wanted.map(({ digest }) => digest))]
  const rows = transaction.selectFrom('object_versions as version').where('project_id', '=', project_id).where('object_id', 'in', names)
  const versions = await rows
    .where('digest', 'in', digests)
    .select(['object_id', 'kind', 'digest', 'version_index', 'deleted_at', hiddenSince.as('hidden_since')])
    .execute()
  const highest = await rows
    .groupBy(['object_id', 'kind'])
    .select((select) => ['object_id', 'kind', select.fn.max('version_index').as('index'), select.fn.max('created_at').as('newest')])
    .execute()
  const newest = new Map<string, Micros>()
  for (const { object_id, newest: at } of highest) newest.set(object_id, Math.max(newest.get(object_id) ?? Number(at), Number(at)))
  const classes = await rows
    .where('deleted_at', 'is', null)
    .where(isNotHidden)
    .select(['object_id', 'kind', 'base_object_class'])
    .distinct()
    .execute()
  return {
    versions: new Map(versions.map((version) => [keyOf(version), { ...version, deleted_at: version.deleted_at ?? version.hidden_since }])),
    highest: new Map(highest.map((name) => [nameOf(name), Number(name.index)])),
    newest,
    hiddenUntil: await readHiddenUntil(transaction, project_id, names),
    classes: groupBy(classes, nameOf),
  }
}

/** A live version is unchanged; everything else must be of the class of the live versions. */
function decide(version: NewVersion, known: KnownNames): PublishOutcome {
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
    .set({ created_at: version.at, deleted_at: null, wb_user_id: version.wb_user_id, key_id: version.key_id })
    .where('project_id', '=', project_id)
    .where('object_id', '=', version.object_id)
    .where('kind', '=', version.kind)
    .where('digest', '=', version.digest)
    .execute()
  // A deletion that has not ended may have left its tags.
  await transaction
    .deleteFrom('object_tags')
    .where('project_id', '=', project_id)
    .where('object_id', '=', version.object_id)
    .where('digest', '=', version.digest)
    .execute()
}

/** The values are there again, also for deleted versions of other names that have the same. */
async function noteStored(transaction: Transaction<Tables>, project_id: string, versions: readonly NewVersion[]): Promise<void> {
  await transaction
    .updateTable('object_versions')
    .set({ value_gone_at: null })
    .where('project_id', '=', project_id)
    .where('digest', 'in', [...new Set(versions.map(({ digest }) => digest))])
    .where('value_gone_at', 'is not', null)
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

function toRow(project_id: string, { at, ...columns }: NewVersion, version_index: number): Insertable<Tables['object_versions']> {
  return { ...columns, project_id, version_index, created_at: at, deleted_at: null }
}
