import type { Tables } from '@heddle/datastore'
import type { Transaction } from 'kysely'
import type { NewVersion } from '../objects-store.ts'

/**
 * Writes the pointers of the names without moving them. As the first statement it makes writers of one name wait for each other on PostgreSQL,
 * in the order of names and so never in a circle, and takes the write lock on SQLite before anything is read.
 */
export async function lockNames(transaction: Transaction<Tables>, project_id: string, versions: readonly NewVersion[]): Promise<void> {
  const inOrder = [...versions].sort((a, b) => (a.object_id < b.object_id ? -1 : Number(a.object_id > b.object_id)))
  await transaction
    .insertInto('object_latest')
    .values(inOrder.map(({ object_id, kind, digest }) => ({ project_id, object_id, kind, digest })))
    .onConflict((conflict) =>
      conflict.columns(['project_id', 'object_id']).doUpdateSet((set) => ({ object_id: set.ref('excluded.object_id') })),
    )
    .execute()
}

/**
 * Makes writers of a name wait for each other, as the first statement of a transaction. False if the name has no live version: then nothing is
 * locked, and a first version being published is ordered after this transaction.
 */
export async function lockLiveName(transaction: Transaction<Tables>, project_id: string, object_id: string): Promise<boolean> {
  const { numUpdatedRows } = await transaction
    .updateTable('object_latest')
    .set({ object_id })
    .where('project_id', '=', project_id)
    .where('object_id', '=', object_id)
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0n
}
