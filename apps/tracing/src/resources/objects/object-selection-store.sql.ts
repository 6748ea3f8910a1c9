import type { SortBy } from '@heddle/core-api'
import type { Tables } from '@heddle/datastore'
import { type Expression, type ExpressionBuilder, type Kysely, type Nullable, sql, type SqlBool } from 'kysely'
import { storable, versionsOf } from './object-rows-store.sql.ts'
import type { ObjectsSelection } from './objects-store.ts'

type Joined = { version: Tables['object_versions']; latest: Nullable<Tables['object_latest']> }
type Match = ExpressionBuilder<Tables & Joined, 'version' | 'latest'>
type Condition = Expression<SqlBool>

type OrderKey = { column: 'object_id' | 'created_at' | 'version_index' | 'kind' | 'digest'; direction: 'asc' | 'desc' }

/** Statement for the live versions of a selection. */
export function selectVersions(db: Kysely<Tables>, projectId: string, { filter, sort_by, limit, offset }: ObjectsSelection) {
  const { object_ids, base_object_classes, exclude_base_object_classes, leaf_object_classes, is_op, latest_only, tags, aliases } = filter
  const matching = versionsOf(db, projectId)
    .where('version.deleted_at', 'is', null)
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
      ]),
    )
  return toOrder(sort_by)
    .reduce((query, { column, direction }) => query.orderBy(`version.${column}`, direction), matching)
    .limit(limit)
    .offset(offset)
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

/** A list of which PostgreSQL can be asked: no label is the empty text. */
function orNone(names: readonly string[]): string[] {
  const possible = storable(names)
  return possible.length === 0 ? [''] : possible
}

/** The keys that are asked for, each once, and then what makes the order complete. */
function toOrder(sortBy: readonly SortBy[]): OrderKey[] {
  const asked = sortBy.flatMap(({ field, direction }): OrderKey[] =>
    field === 'object_id' || field === 'created_at' ? [{ column: field, direction }] : [],
  )
  const last = asked.at(-1)
  const byAge = last?.column === 'created_at' ? last.direction : 'asc'
  const rest: OrderKey[] = [
    { column: 'created_at', direction: byAge },
    { column: 'version_index', direction: byAge },
    { column: 'object_id', direction: 'asc' },
    { column: 'kind', direction: 'asc' },
    { column: 'digest', direction: 'asc' },
  ]
  return [...asked, ...rest].filter((key, at, keys) => keys.findIndex(({ column }) => column === key.column) === at)
}
