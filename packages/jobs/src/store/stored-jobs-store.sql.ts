import { notFound } from '@heddle/core-api/internal'
import type { ScopedDatabase, Tables } from '@heddle/datastore'
import type { ProjectScope } from '@heddle/identity'
import type { Selectable } from 'kysely'
import { type Job, type JobCount, type JobState, jobStates, type JobSummary } from '../job.ts'
import { waitingStates } from './job-states-store.sql.ts'
import type { ProjectJobsStore } from './jobs-store.ts'

/** All but what may be large. */
export const summaryColumns = [
  'number',
  'id',
  'project_id',
  'kind',
  'state',
  'serial_key',
  'attempt',
  'max_attempts',
  'progress',
  'error',
  'cancel_requested_at',
  'created_at',
  'run_after',
  'started_at',
  'ended_at',
] as const
type SummaryRow = Pick<Selectable<Tables['jobs']>, (typeof summaryColumns)[number]>

export function toSummary(row: SummaryRow): JobSummary {
  return {
    id: row.id,
    projectId: row.project_id,
    kind: row.kind,
    state: toState(row.state),
    serialKey: row.serial_key,
    attempt: row.attempt,
    maxAttempts: row.max_attempts,
    progress: parsed(row.progress) as JobSummary['progress'],
    error: row.error,
    cancelRequestedAt: row.cancel_requested_at,
    createdAt: row.created_at,
    runAfter: row.run_after,
    startedAt: row.started_at,
    endedAt: row.ended_at,
  }
}

/** Throws for a state that a newer version wrote and this one does not know. */
function toState(text: string): JobState {
  const state = text === 'blocked' ? 'queued' : jobStates.find((state) => state === text)
  if (!state) throw new Error(`a job in the database has the state ${JSON.stringify(text)}, which this version does not know`)
  return state
}

const parsed = (text: string | null): unknown => (text === null ? null : JSON.parse(text))

/** Reads the jobs of a project. */
export function sqlStoredJobs(
  database: ScopedDatabase,
  queue: string,
): Pick<ProjectJobsStore, 'find' | 'list' | 'count' | 'countByKey' | 'countWaiting'> {
  const jobsOf = (project: ProjectScope) =>
    database.of(project).selectFrom('jobs').where('queue', '=', queue).where('project_id', '=', project.id)

  async function numberOf(project: ProjectScope, id: string): Promise<number> {
    const row = id.includes('\0') ? undefined : await jobsOf(project).select('number').where('id', '=', id).executeTakeFirst()
    if (!row) throw notFound(`after: job ${JSON.stringify(id)} was not found`)
    return row.number
  }

  return {
    async find(project, id): Promise<Job | undefined> {
      // A text with NUL is in no row, and PostgreSQL refuses to look for one.
      if (id.includes('\0')) return undefined
      const row = await jobsOf(project)
        .select([...summaryColumns, 'payload', 'result'])
        .where('id', '=', id)
        .executeTakeFirst()
      return row && { ...toSummary(row), payload: parsed(row.payload), result: parsed(row.result) }
    },

    async list(project, { kind, state, serialKey }, { after, order, limit }) {
      if (kind?.includes('\0') || serialKey?.includes('\0')) return []
      let query = jobsOf(project).select(summaryColumns)
      if (kind !== undefined) query = query.where('kind', '=', kind)
      if (serialKey !== undefined) query = query.where('serial_key', '=', serialKey)
      if (state !== undefined) query = query.where('state', 'in', state === 'queued' ? waitingStates : [state])
      if (after !== undefined) query = query.where('number', order === 'asc' ? '>' : '<', await numberOf(project, after))
      const rows = await query.orderBy('number', order).limit(limit).execute()
      return rows.map(toSummary)
    },

    async count(project) {
      const rows = await jobsOf(project)
        .select((select) => ['kind', 'state', select.fn.countAll().as('jobs')])
        .groupBy(['kind', 'state'])
        .execute()
      const counts = new Map<string, JobCount>()
      for (const row of rows) {
        const state = toState(row.state)
        const before = counts.get(`${row.kind} ${state}`)?.jobs ?? 0
        counts.set(`${row.kind} ${state}`, { kind: row.kind, state, jobs: before + Number(row.jobs) })
      }
      return [...counts.entries()].toSorted(([left], [right]) => (left < right ? -1 : 1)).map(([, count]) => count)
    },

    async countByKey(project, prefix) {
      const rows = await jobsOf(project)
        .select((select) => ['state', select.fn.countAll().as('jobs')])
        .where('state', 'in', [...waitingStates, 'running', 'failed'])
        .where((where) => where(where.fn<string>('substr', ['idempotency_key', where.val(1), where.val(prefix.length)]), '=', prefix))
        .groupBy('state')
        .execute()
      const failed = rows.find(({ state }) => state === 'failed')
      const all = rows.reduce((sum, { jobs }) => sum + Number(jobs), 0)
      return { unfinished: all - Number(failed?.jobs ?? 0), failed: Number(failed?.jobs ?? 0) }
    },

    async countWaiting(project) {
      const row = await database
        .of(project)
        .selectFrom('job_queues')
        .select('waiting')
        .where('queue', '=', queue)
        .where('project_id', '=', project.id)
        .executeTakeFirst()
      return row?.waiting ?? 0
    },
  }
}
