import { sql, type ColumnDefinitionBuilder } from 'kysely'
import type { RelationalKind, RelationalMigration } from '../relational-migration.ts'

const notNull = (column: ColumnDefinitionBuilder) => column.notNull()

/** Text that is compared bytewise on both stores. */
const byteText = (kind: RelationalKind) => (kind === 'postgres' ? sql`text COLLATE "C"` : 'text')

/** Who pointed the aliases of objects where, and when. Of aliases that are there already the latest move is known. */
export const movesOfAliases: RelationalMigration = {
  name: '0017-moves-of-aliases',
  async up(db, kind) {
    await db.schema
      .createTable('object_alias_moves')
      .addColumn('project_id', 'text', notNull)
      .addColumn('object_id', byteText(kind), notNull)
      .addColumn('number', 'bigint', notNull)
      .addColumn('alias', byteText(kind), notNull)
      .addColumn('from_digest', byteText(kind))
      .addColumn('to_digest', byteText(kind))
      .addColumn('wb_user_id', 'text', notNull)
      .addColumn('created_at', 'bigint', notNull)
      .addPrimaryKeyConstraint('object_alias_moves_pk', ['project_id', 'object_id', 'number'])
      .execute()
    await db.schema
      .createIndex('object_alias_moves_by_alias')
      .on('object_alias_moves')
      .columns(['project_id', 'object_id', 'alias', 'number'])
      .execute()
    await sql`INSERT INTO object_alias_moves (project_id, object_id, number, alias, to_digest, wb_user_id, created_at)
      SELECT project_id, object_id, row_number() OVER (PARTITION BY project_id, object_id ORDER BY created_at, alias),
        alias, digest, wb_user_id, created_at
      FROM object_aliases`.execute(db)
  },
}
