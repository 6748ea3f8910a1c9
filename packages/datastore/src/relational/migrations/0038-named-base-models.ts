import type { RelationalMigration } from '../relational-migration.ts'

/** How clients named the base models of the models that they train step by step. */
export const namedBaseModels: RelationalMigration = {
  name: '0038-named-base-models',
  async up(db) {
    await db.schema.alterTable('tinker_runs').addColumn('named_base_model', 'text').execute()
  },
}
