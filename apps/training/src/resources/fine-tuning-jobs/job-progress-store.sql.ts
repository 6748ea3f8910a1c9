import type { Database, RelationalStore } from '@heddle/datastore'
import type { JobProgress, JobProgressStore } from './job-progress-store.ts'

type Metrics = Readonly<Record<string, number>>

export function sqlJobProgressStore(database: RelationalStore): JobProgressStore {
  return {
    async find(work, jobs) {
      const progress = new Map(jobs.map(({ id }): [string, JobProgress] => [id, { start: null, last: null, checkpoint: null }]))
      if (jobs.length === 0) return progress
      const db = database.of(work)
      const ids = [...progress.keys()]
      for (const { job_id, ...start } of await readStarts(db, ids)) progress.get(job_id)!.start = start
      for (const { job_id, ...last } of await readLastSteps(db, ids)) progress.get(job_id)!.last = last
      const models = [...new Set(jobs.map(({ model_id }) => model_id))]
      for (const { job_id, ...checkpoint } of await readCheckpoints(db, { ids, models })) progress.get(job_id)!.checkpoint = checkpoint
      return progress
    },
  }
}

async function readStarts(db: Database, ids: readonly string[]) {
  const rows = await db
    .selectFrom('training_events')
    .select(['job_id', 'data', 'created_at'])
    .where('job_id', 'in', ids)
    .where('seq', '=', 0)
    .where('type', '=', 'training_started')
    .execute()
  return rows.map(({ job_id, data, created_at }) => {
    // The wire calls the number of gradient steps so.
    const { num_sequences: steps } = JSON.parse(data) as { num_sequences: number }
    return { job_id, at: Number(created_at), steps }
  })
}

/** The newest gradient step of each job. */
async function readLastSteps(db: Database, ids: readonly string[]) {
  const newest = db
    .selectFrom('training_events')
    .select(({ fn }) => ['job_id', fn.max('seq').as('seq')])
    .where('job_id', 'in', ids)
    .where('type', '=', 'gradient_step')
    .groupBy('job_id')
    .as('newest')
  const rows = await db
    .selectFrom(newest)
    .innerJoin('training_events', (join) =>
      join.onRef('training_events.job_id', '=', 'newest.job_id').onRef('training_events.seq', '=', 'newest.seq'),
    )
    .select(['training_events.job_id', 'training_events.seq', 'data', 'created_at'])
    .execute()
  return rows.map(({ job_id, seq, data, created_at }) => ({
    job_id,
    at: Number(created_at),
    step: seq,
    metrics: JSON.parse(data) as Metrics,
  }))
}

/** The checkpoints that jobs created. `models` are those of the jobs: the index of checkpoints begins with the model. */
async function readCheckpoints(db: Database, { ids, models }: { ids: readonly string[]; models: readonly string[] }) {
  const rows = await db
    .selectFrom('checkpoints')
    .select(['id', 'job_id', 'step', 'metrics', 'created_at'])
    .where('model_id', 'in', models)
    .where('job_id', 'in', ids)
    .where('deleted_at', 'is', null)
    .execute()
  return rows.map(({ id, job_id, step, metrics, created_at }) => ({
    job_id: job_id!,
    id,
    step,
    metrics: JSON.parse(metrics) as Metrics,
    created_at: Number(created_at),
  }))
}
