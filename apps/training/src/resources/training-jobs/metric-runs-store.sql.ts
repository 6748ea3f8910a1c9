import type { SftConfig } from '@heddle/core-api/internal'
import { inParts, type RelationalStore } from '@heddle/datastore'
import type { TrainingStatus } from './training-job-row.ts'
import type { MetricRunsStore } from './metric-runs-store.ts'

const maxJobs = 1_000
/** Parameters of a statement. */
const maxInStatement = 500

export function sqlMetricRunsStore(database: RelationalStore): MetricRunsStore {
  return {
    async jobsOf(work, modelId) {
      const rows = await database
        .of(work)
        .selectFrom('training_jobs')
        .select(['id', 'status', 'config', 'created_at', 'ended_at'])
        .where('model_id', '=', modelId)
        .where('kind', '=', 'sft')
        .orderBy('number')
        .limit(maxJobs)
        .execute()
      const logged = rows
        .map((row) => ({ ...row, logging: (JSON.parse(row.config) as SftConfig | null)?.metric_logging }))
        .filter(({ logging }) => logging?.enabled)
      const counts = new Map<string, number>()
      for (const ids of inParts(
        logged.map(({ id }) => id),
        maxInStatement,
      )) {
        const counted = await database
          .of(work)
          .selectFrom('training_events')
          .select(({ fn }) => ['job_id', fn.countAll<number | string>().as('steps')])
          .where('job_id', 'in', ids)
          .where('type', '=', 'gradient_step')
          .groupBy('job_id')
          .execute()
        for (const { job_id, steps } of counted) counts.set(job_id, Number(steps))
      }
      return logged.map(({ id, status, logging, created_at, ended_at }) => ({
        id,
        status: status as TrainingStatus,
        targetStep: logging?.target_training_step ?? null,
        createdAt: created_at,
        endedAt: ended_at,
        steps: counts.get(id) ?? 0,
      }))
    },

    async stepsOf(work, jobId, numbers) {
      const steps = []
      for (const some of inParts(numbers, maxInStatement)) {
        const rows = await database
          .of(work)
          .selectFrom('training_events')
          .select(['seq', 'data', 'created_at'])
          .where('job_id', '=', jobId)
          .where('type', '=', 'gradient_step')
          .where('seq', 'in', some)
          .orderBy('seq')
          .execute()
        for (const { seq, data, created_at } of rows)
          steps.push({ number: seq, metrics: JSON.parse(data) as Record<string, unknown>, at: created_at })
      }
      return steps
    },
  }
}
