import { sql } from 'kysely'
import type { RelationalMigration } from '../relational-migration.ts'

/** The number of reviewers per item of a queue, how long a claim lasts, and the order in which items are claimed. */
export const setUpOfQueues: RelationalMigration = {
  name: '0019-set-up-of-queues',
  async up(db) {
    const [queues, items] = [db.schema.alterTable('annotation_queues'), db.schema.alterTable('annotation_items')]
    await queues.addColumn('reviewers_per_item', 'integer', (column) => column.notNull().defaultTo(1)).execute()
    await queues.addColumn('reservation_minutes', 'integer', (column) => column.notNull().defaultTo(10)).execute()
    await queues.addColumn('item_order', 'text', (column) => column.notNull().defaultTo('oldest')).execute()
    await items.addColumn('review_count', 'integer', (column) => column.notNull().defaultTo(0)).execute()
    await sql`UPDATE annotation_items SET review_count = (SELECT count(*) FROM annotation_progress
      WHERE item_id = annotation_items.id AND annotation_progress.annotation_state IN ('completed', 'skipped'))
      WHERE finished_at IS NOT NULL`.execute(db)
    // The last ten digits of an id are random: in their order items are claimed at random.
    await sql`CREATE INDEX annotation_items_open_at_random ON annotation_items (queue_id, (substr(id, 27)), id)
      WHERE finished_at IS NULL`.execute(db)
  },
}
