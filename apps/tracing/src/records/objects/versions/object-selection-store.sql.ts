import { setImmediate } from 'node:timers/promises'
import type { SortBy } from '@heddle/core-api'
import type { Tables } from '@heddle/datastore'
import { type Expression, type ExpressionBuilder, type Kysely, type Nullable, sql, type SqlBool } from 'kysely'
import { isNotHidden } from './hidden-versions-store.sql.ts'
import { storable, toVersion, versionsOf } from './object-rows-store.sql.ts'
import type { ObjectsSelection, StoredVersion } from '../objects-store.ts'

type VersionWithLatest = { version: Tables['object_versions']; latest: Nullable<Tables['object_latest']> }
type Match = ExpressionBuilder<Tables & VersionWithLatest, 'version' | 'latest'>
type Condition = Expression<SqlBool>

type OrderKey = { column: 'object_id' | 'created_at' | 'version_index' | 'kind' | 'digest'; direction: 'asc' | 'desc' }

/** Versions of one statement: it may block the thread. */
const versionsAtOnce = 2_000

/** The live versions of a selection, in steps between which the thread is free. */
export async function selectVersions(db: Kysely<Tables>, projectId: string, selection: ObjectsSelection): Promise<StoredVersion[]> {
  const found: StoredVersion[] = []
  for (;;) {
    const limit = Math.min(selection.limit - found.length, versionsAtOnce)
    const rows = await select(db, projectId, { ...selection, limit, after: found.at(-1) }).execute()
    for (const row of rows) found.push(toVersion(row))
    if (rows.length < versionsAtOnce || found.length >= selection.limit) return found
    await setImmediate()
  }
}

type Step = ObjectsSelection & {
  /** The last version of the step before; undefined in the first, which alone skips the offset. */
  after: StoredVersion | undefined
}

function select(db: Kysely<Tables>, projectId: string, { filter, sort_by, limit, offset, after }: Step) {
  const { object_ids, base_object_classes, exclude_base_object_classes, leaf_object_classes, is_op, latest_only, tags, aliases } = filter
  const order = toOrder(sort_by)
  const matching = versionsOf(db, projectId)
    .where('version.deleted_at', 'is', null)
    .where(isNotHidden)
    .where((match) =>
      match.and([
        ...given(object_ids, (names) => isAmong(match, 'version.object_id', names)),
        ...given(base_object_classes, (classes) => isAmong(match, 'version.base_object_class', classes)),
        ...given(exclude_base_object_classes, (classes) => isNotAmong(match, classes)),
        ...given(leaf_object_classes, (classes) => isAmong(match, 'version.leaf_object_class', classes)),
        ...(is_op === null ? [] : [match('version.kind', '=', is_op ? 'op' : 'object')]),
        ...(latest_only === true ? [match('latest.digest', 'is not', null)] : []),
        ...given(tags, (names) => hasTag(match, names)),
        ...given(aliases, (names) => hasAlias(match, names)),
        ...(after === undefined ? [] : [comesAfter(match, order, after)]),
      ]),
    )
  return order
    .reduce((query, { column, direction }) => query.orderBy(`version.${column}`, direction), matching)
    .limit(limit)
    .offset(after === undefined ? offset : 0)
}

/** Versions after a given one in the order. The first key is also compared separately, so that an index finds the start. */
function comesAfter(match: Match, order: readonly OrderKey[], after: StoredVersion): Condition {
  const isAt = ({ column }: OrderKey) => match(`version.${column}`, '=', after[column])
  const isBehind = ({ column, direction }: OrderKey) => match(`version.${column}`, direction === 'asc' ? '>' : '<', after[column])
  const behind = match.or(order.map((key, at) => match.and([...order.slice(0, at).map(isAt), isBehind(key)])))
  const [first] = order
  return first === undefined
    ? behind
    : match.and([match(`version.${first.column}`, first.direction === 'asc' ? '>=' : '<=', after[first.column]), behind])
}

function given(list: readonly string[] | null, toCondition: (entries: readonly string[]) => Condition): Condition[] {
  return list === null || list.length === 0 ? [] : [toCondition(list)]
}

type TextColumn = 'version.object_id' | 'version.base_object_class' | 'version.leaf_object_class'

function isAmong(match: Match, column: TextColumn, texts: readonly string[]): Condition {
  const possible = storable(texts)
  return possible.length === 0 ? sql<SqlBool>`1 = 0` : match(column, 'in', possible)
}

/** Versions without a class are of none of these. */
function isNotAmong(match: Match, classes: readonly string[]): Condition {
  return match.or([match('version.base_object_class', 'is', null), match.not(isAmong(match, 'version.base_object_class', classes))])
}

function hasTag(match: Match, tags: readonly string[]): Condition {
  return match.exists(
    match
      .selectFrom('object_tags as label')
      .select('label.tag')
      .whereRef('label.project_id', '=', 'version.project_id')
      .whereRef('label.object_id', '=', 'version.object_id')
      .whereRef('label.digest', '=', 'version.digest')
      .where('label.tag', 'in', orNone(tags)),
  )
}

function hasAlias(match: Match, aliases: readonly string[]): Condition {
  const pointed = match.exists(
    match
      .selectFrom('object_aliases as label')
      .select('label.alias')
      .whereRef('label.project_id', '=', 'version.project_id')
      .whereRef('label.object_id', '=', 'version.object_id')
      .whereRef('label.digest', '=', 'version.digest')
      .where('label.alias', 'in', orNone(aliases)),
  )
  return aliases.includes('latest') ? match.or([pointed, match('latest.digest', 'is not', null)]) : pointed
}

/** A list that is valid in PostgreSQL: no label is the empty text. */
function orNone(names: readonly string[]): string[] {
  const possible = storable(names)
  return possible.length === 0 ? [''] : possible
}

/** The requested keys, each once, and then those that make the order total. */
function toOrder(sortBy: readonly SortBy[]): OrderKey[] {
  const requested = sortBy.flatMap(({ field, direction }): OrderKey[] =>
    field === 'object_id' || field === 'created_at' ? [{ column: field, direction }] : [],
  )
  const last = requested.at(-1)
  const byAge = last?.column === 'created_at' ? last.direction : 'asc'
  const rest: OrderKey[] = [
    { column: 'created_at', direction: byAge },
    { column: 'version_index', direction: byAge },
    { column: 'object_id', direction: 'asc' },
    { column: 'kind', direction: 'asc' },
    { column: 'digest', direction: 'asc' },
  ]
  return [...requested, ...rest].filter((key, at, keys) => keys.findIndex(({ column }) => column === key.column) === at)
}
