import { sql, type ColumnDefinitionBuilder, type Kysely } from 'kysely'
import type { RelationalMigration } from '../relational-migration.ts'

const notNull = (column: ColumnDefinitionBuilder) => column.notNull()

async function createIdentity(
  db: Kysely<unknown>,
  numberColumn: (column: ColumnDefinitionBuilder) => ColumnDefinitionBuilder,
): Promise<void> {
  await db.schema
    .createTable('projects')
    .addColumn('number', 'integer', numberColumn)
    .addColumn('id', 'text', (column) => column.notNull().unique())
    .addColumn('internal_id', 'text', (column) => column.notNull().unique())
    .addColumn('entity', 'text', notNull)
    .addColumn('name', 'text', notNull)
    .addColumn('created_at', 'bigint', notNull)
    .execute()
  await db.schema
    .createTable('api_keys')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('name', 'text', notNull)
    .addColumn('user_id', 'text', notNull)
    .addColumn('hash', 'text', (column) => column.notNull().unique())
    .addColumn('prefix', 'text', notNull)
    .addColumn('entity', 'text', notNull)
    .addColumn('role', 'text', notNull)
    .addColumn('scopes', 'text', notNull)
    .addColumn('expires_at', 'bigint')
    .addColumn('last_used_at', 'bigint')
    .addColumn('revoked_at', 'bigint')
    .addColumn('created_at', 'bigint', notNull)
    .execute()
  await db.schema
    .createTable('api_key_projects')
    .addColumn('key_id', 'text', (column) => column.notNull().references('api_keys.id').onDelete('cascade'))
    .addColumn('project_id', 'text', notNull)
    .addColumn('role', 'text', notNull)
    .addPrimaryKeyConstraint('api_key_projects_pk', ['key_id', 'project_id'])
    .execute()
}

async function createObjects(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('object_versions')
    .addColumn('project_id', 'text', notNull)
    .addColumn('object_id', 'text', notNull)
    .addColumn('kind', 'text', notNull)
    .addColumn('digest', 'text', notNull)
    .addColumn('version_index', 'integer', notNull)
    .addColumn('base_object_class', 'text')
    .addColumn('leaf_object_class', 'text')
    .addColumn('wb_user_id', 'text')
    .addColumn('size_bytes', 'bigint', notNull)
    .addColumn('created_at', 'bigint', notNull)
    .addColumn('deleted_at', 'bigint')
    .addPrimaryKeyConstraint('object_versions_pk', ['project_id', 'object_id', 'kind', 'digest'])
    .execute()
  await db.schema
    .createTable('object_latest')
    .addColumn('project_id', 'text', notNull)
    .addColumn('object_id', 'text', notNull)
    .addColumn('kind', 'text', notNull)
    .addColumn('digest', 'text', notNull)
    .addPrimaryKeyConstraint('object_latest_pk', ['project_id', 'object_id'])
    .execute()
  await db.schema
    .createTable('files')
    .addColumn('project_id', 'text', notNull)
    .addColumn('digest', 'text', notNull)
    .addColumn('name', 'text', notNull)
    .addColumn('size_bytes', 'bigint', notNull)
    .addColumn('created_at', 'bigint', notNull)
    .addPrimaryKeyConstraint('files_pk', ['project_id', 'digest'])
    .execute()
}

/** Projects, keys with their permissions, objects and files. */
export const projectsKeysObjectsFiles: RelationalMigration = {
  name: '0001-projects-keys-objects-files',
  async up(db, kind) {
    // Both count up without reusing a number after a delete.
    await createIdentity(db, (column) =>
      kind === 'sqlite' ? column.primaryKey().autoIncrement() : column.primaryKey().generatedAlwaysAsIdentity(),
    )
    await createObjects(db)
    await db.schema
      .createTable('analytical_migrations')
      .addColumn('name', 'text', (column) => column.primaryKey())
      .addColumn('applied_at', 'bigint', notNull)
      .execute()
    await db.schema
      .createIndex('object_versions_by_age')
      .on('object_versions')
      .columns(['project_id', 'created_at'])
      .where(sql.ref('deleted_at'), 'is', null)
      .execute()
  },
}
