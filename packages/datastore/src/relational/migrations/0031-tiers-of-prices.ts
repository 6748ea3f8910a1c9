import type { RelationalMigration } from '../relational-migration.ts'

/** Prices may differ by the kind of token, the tier of service and the size of the prompt. */
export const tiersOfPrices: RelationalMigration = {
  name: '0031-tiers-of-prices',
  async up(db) {
    await db.schema.alterTable('costs').addColumn('details', 'text').execute()
  },
}
