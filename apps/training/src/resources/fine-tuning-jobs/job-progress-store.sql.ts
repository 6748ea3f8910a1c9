import type { RelationalStore } from '@heddle/datastore'
import type { JobProgress, JobProgressStore } from './job-progress-store.ts'

export function sqlJobProgressStore(database: RelationalStore): JobProgressStore {
  return {
    async find(work, jobs) {
      const found = new Map(jobs.map(({ id }): [string, JobProgress] => [id, { start: null, last: null, checkpoint: null }]))
      if (jobs.length === 0) return found
      const ids = [...found.keys()]
      const newest = database
        .of(work)
        .selectFrom('training_events')
        .select(({ fn }) => ['job_id', fn.max('seq').as('seq')])
        .where('job_id', 'in', ids)
        .where('type', '=', 'gradient_step')
        .groupBy('job_id')
        .as('newest')
      const starts = await database
        .of(work)
        .selectFrom('training_events')
        .select(['job_id', 'data', 'created_at'])
        .where('job_id', 'in', ids)
        .where('seq', '=', 0)
        .where('type', '=', 'training_started')
        .execute()
      for (const { job_id, data, created_at } of starts) {
        const { num_sequences: steps } = JSON.parse(data) as { num_sequences: number }
        found.get(job_id)!.start = { at: Number(created_at), steps }
      }
      const steps = await database
        .of(work)
        .selectFrom(newest)
        .innerJoin('training_events', (join) =>
          join.onRef('training_events.job_id', '=', 'newest.job_id').onRef('training_events.seq', '=', 'newest.seq'),
        )
        .select(['training_events.job_id', 'training_events.seq', 'data', 'created_at'])
        .execute()
      for (const { job_id, seq, data, created_at } of steps)
        found.get(job_id)!.last = { at: Number(created_at), step: seq, metrics: JSON.parse(data) as Record<string, number> }
      const checkpoints = await database
        .of(work)
        .selectFrom('checkpoints')
        .select(['id', 'job_id', 'step', 'metrics', 'created_at'])
        .where('model_id', 'in', [...new Set(jobs.map(({ model_id }) => model_id))])
        .where('job_id', 'in', ids)
        .where('deleted_at', 'is', null)
        .execute()
      for (const { id, job_id, step, metrics, created_at } of checkpoints)
        found.get(job_id!)!.checkpoint = {
          id,
          step,
          metrics: JSON.parse(metrics) as Record<string, number>,
          created_at: Number(created_at),
        }
      return found
    },
  }
}
