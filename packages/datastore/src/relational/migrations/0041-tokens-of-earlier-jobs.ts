import { sql } from 'kysely'
import type { RelationalKind, RelationalMigration } from '../relational-migration.ts'

/** The tokens that the data of an event counts; NULL where it counts none. */
const countOf: Record<RelationalKind, string> = {
  sqlite: `CASE WHEN json_type(data, '$.num_trainable_tokens') IN ('integer', 'real') THEN json_extract(data, '$.num_trainable_tokens') END`,
  postgres: `CASE json_typeof(data::json -> 'num_trainable_tokens') WHEN 'number' THEN (data::json ->> 'num_trainable_tokens')::numeric END`,
}

/** Counts the tokens of jobs from before they had a count, from the gradient steps among their events. */
export const tokensOfEarlierJobs: RelationalMigration = {
  name: '0041-tokens-of-earlier-jobs',
  async up(db, kind) {
    await sql`UPDATE training_jobs SET trainable_tokens = (
        SELECT CAST(SUM(${sql.raw(countOf[kind])}) AS bigint) FROM training_events
        WHERE training_events.job_id = training_jobs.id AND training_events.type = 'gradient_step'
      ) WHERE trainable_tokens IS NULL`.execute(db)
  },
}
