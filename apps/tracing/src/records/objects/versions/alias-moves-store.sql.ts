import type { Database, Tables } from '@heddle/datastore'
import type { Transaction } from 'kysely'
import type { AliasMove, AliasMovesPage, LabelAuthor } from '../object-labels-store.ts'

/** Newest moves of one alias that are kept. */
const maxOfAlias = 100
/** Newest moves of one object that are kept. */
const maxOfObject = 10_000

interface NamedObject {
  project_id: string
  object_id: string
}

type Target = Pick<AliasMove, 'alias' | 'from_digest' | 'to_digest'>

/** Aliases with their targets, as moves to `digest`, or to nothing; those that point there already are omitted. */
export function moveTargets(aliases: readonly { alias: string; digest: string | undefined }[], to: string | undefined): Target[] {
  return aliases
    .filter(({ digest }) => digest !== to)
    .map(({ alias, digest }) => ({ alias, from_digest: digest ?? null, to_digest: to ?? null }))
    .sort((one, other) => Buffer.compare(Buffer.from(one.alias), Buffer.from(other.alias)))
}

/** Records moves of an object whose name is locked, and removes those beyond the limit. */
export async function recordMoves(
  transaction: Transaction<Tables>,
  { project_id, object_id }: NamedObject,
  moves: readonly Target[],
  { wb_user_id, at }: LabelAuthor,
): Promise<void> {
  if (moves.length === 0) return
  const { last } = await transaction
    .selectFrom('object_alias_moves')
    .select((select) => select.fn.max<number | string | null>('number').as('last'))
    .where('project_id', '=', project_id)
    .where('object_id', '=', object_id)
    .executeTakeFirstOrThrow()
  const first = Number(last ?? 0) + 1
  await transaction
    .insertInto('object_alias_moves')
    .values(moves.map((move, n) => ({ project_id, object_id, number: first + n, ...move, wb_user_id, created_at: at })))
    .execute()
  await dropOldOfAliases(transaction, { project_id, object_id }, moves)
  await dropOldOfObject(transaction, { project_id, object_id })
}

/** Reads which moves are old before it deletes them: without statistics of the table PostgreSQL would rank the moves again for each row of the object. */
async function dropOldOfAliases(
  transaction: Transaction<Tables>,
  { project_id, object_id }: NamedObject,
  moves: readonly Target[],
): Promise<void> {
  const aged = transaction
    .selectFrom('object_alias_moves')
    .select('number')
    .select((select) =>
      select.fn
        .agg<number>('row_number')
        .over((over) => over.partitionBy('alias').orderBy('number', 'desc'))
        .as('age'),
    )
    .where('project_id', '=', project_id)
    .where('object_id', '=', object_id)
    .where(
      'alias',
      'in',
      moves.map(({ alias }) => alias),
    )
    .as('aged')
  const old = await transaction.selectFrom(aged).select('aged.number').where('aged.age', '>', maxOfAlias).execute()
  if (old.length === 0) return
  await transaction
    .deleteFrom('object_alias_moves')
    .where('project_id', '=', project_id)
    .where('object_id', '=', object_id)
    .where(
      'number',
      'in',
      old.map(({ number }) => number),
    )
    .execute()
}

async function dropOldOfObject(transaction: Transaction<Tables>, { project_id, object_id }: NamedObject): Promise<void> {
  const newestTooMany = transaction
    .selectFrom('object_alias_moves')
    .select('number')
    .where('project_id', '=', project_id)
    .where('object_id', '=', object_id)
    .orderBy('number', 'desc')
    .limit(1)
    .offset(maxOfObject)
  await transaction
    .deleteFrom('object_alias_moves')
    .where('project_id', '=', project_id)
    .where('object_id', '=', object_id)
    .where('number', '<=', newestTooMany)
    .execute()
}

/** A page of the moves of an object, the newest first. */
export async function listMoves(
  database: Database,
  { project_id, object_id }: NamedObject,
  { alias, limit, offset }: AliasMovesPage,
): Promise<AliasMove[]> {
  const moves = database
    .selectFrom('object_alias_moves')
    .select(['alias', 'from_digest', 'to_digest', 'wb_user_id', 'created_at as at'])
    .where('project_id', '=', project_id)
    .where('object_id', '=', object_id)
    .orderBy('number', 'desc')
    .limit(limit)
    .offset(offset)
  return (alias === null ? moves : moves.where('alias', '=', alias)).execute()
}
