import { sql, type ColumnDefinitionBuilder, type Kysely } from 'kysely'
import type { RelationalKind, RelationalMigration } from '../relational-migration.ts'

const notNull = (column: ColumnDefinitionBuilder) => column.notNull()

/** Text that is compared bytewise, as in SQLite, so that both sort the same, whatever the locale of the server. */
const byteText = (kind: RelationalKind) => (kind === 'postgres' ? sql`text COLLATE "C"` : 'text')

async function compareByBytes(db: Kysely<unknown>): Promise<void> {
  for (const table of ['object_versions', 'object_latest'])
    await sql`ALTER TABLE ${sql.table(table)}
      ALTER COLUMN object_id TYPE text COLLATE "C", ALTER COLUMN digest TYPE text COLLATE "C"`.execute(db)
}

async function createLabels(db: Kysely<unknown>, kind: RelationalKind): Promise<void> {
  await db.schema
    .createTable('object_tags')
    .addColumn('project_id', 'text', notNull)
    .addColumn('object_id', byteText(kind), notNull)
    .addColumn('digest', byteText(kind), notNull)
    .addColumn('tag', 'text', notNull)
    .addColumn('wb_user_id', 'text', notNull)
    .addColumn('created_at', 'bigint', notNull)
    .addPrimaryKeyConstraint('object_tags_pk', ['project_id', 'object_id', 'digest', 'tag'])
    .execute()
  await db.schema
    .createTable('object_aliases')
    .addColumn('project_id', 'text', notNull)
    .addColumn('object_id', byteText(kind), notNull)
    .addColumn('alias', 'text', notNull)
    .addColumn('digest', byteText(kind), notNull)
    .addColumn('wb_user_id', 'text', notNull)
    .addColumn('created_at', 'bigint', notNull)
    .addPrimaryKeyConstraint('object_aliases_pk', ['project_id', 'object_id', 'alias'])
    .execute()
  await db.schema.createIndex('object_aliases_by_version').on('object_aliases').columns(['project_id', 'object_id', 'digest']).execute()
}

async function createRegistry(db: Kysely<unknown>, kind: RelationalKind): Promise<void> {
  await db.schema
    .createTable('registry_portfolios')
    .addColumn('project_id', byteText(kind), notNull)
    .addColumn('portfolio_name', byteText(kind), notNull)
    .addColumn('links', 'integer', notNull)
    .addPrimaryKeyConstraint('registry_portfolios_pk', ['project_id', 'portfolio_name'])
    .execute()
  await db.schema
    .createTable('registry_links')
    .addColumn('project_id', byteText(kind), notNull)
    .addColumn('portfolio_name', byteText(kind), notNull)
    .addColumn('version_index', 'integer', notNull)
    .addColumn('source_project_id', 'text', notNull)
    .addColumn('object_id', byteText(kind), notNull)
    .addColumn('digest', byteText(kind), notNull)
    .addColumn('wb_user_id', 'text', notNull)
    .addColumn('created_at', 'bigint', notNull)
    .addPrimaryKeyConstraint('registry_links_pk', ['project_id', 'portfolio_name', 'version_index'])
    .execute()
  await db.schema
    .createIndex('registry_links_by_version')
    .on('registry_links')
    .columns(['source_project_id', 'object_id', 'digest'])
    .execute()
  await db.schema
    .createTable('registry_aliases')
    .addColumn('project_id', byteText(kind), notNull)
    .addColumn('portfolio_name', byteText(kind), notNull)
    .addColumn('alias', 'text', notNull)
    .addColumn('version_index', 'integer', notNull)
    .addPrimaryKeyConstraint('registry_aliases_pk', ['project_id', 'portfolio_name', 'alias'])
    .execute()
}

/** Tags and aliases of object versions, and the registries that hold them. */
export const namesOfObjects: RelationalMigration = {
  name: '0003-names-of-objects',
  async up(db, kind) {
    if (kind === 'postgres') await compareByBytes(db)
    await createLabels(db, kind)
    await createRegistry(db, kind)
    await db.schema
      .createIndex('object_versions_by_name')
      .on('object_versions')
      .columns(['project_id', 'object_id', 'created_at'])
      .where(sql.ref('deleted_at'), 'is', null)
      .execute()
    await db.schema
      .createIndex('object_versions_deleted')
      .on('object_versions')
      .columns(['project_id'])
      .where(sql.ref('deleted_at'), 'is not', null)
      .execute()
  },
}
