import { useQueries, useQuery } from '@tanstack/react-query'
import type { TrainingJob } from '@heddle/core-api'
import { useProject } from '../../app/use-project.ts'
import { Failure } from '../../components/failure.tsx'
import { QueryProblem } from '../../components/query-problem.tsx'
import { isUnfinished, jobsQuery, eventsQuery } from './training-queries.ts'
import { type StepMetrics, stepsOf } from './step-metrics.ts'

/** Jobs whose curves can be in one chart, with that of the page. */
export const maxJobsDrawn = 8

export interface OverlaidJob {
  id: string
  steps: readonly StepMetrics[]
  /** Why its events were not read; null where they were, or still are. */
  error: Error | null
}

/** The gradient steps of other jobs, in the order of their ids, as they are read. */
export function useOverlaidJobs(ids: readonly string[]): OverlaidJob[] {
  return useQueries({
    queries: ids.map((id) => eventsQuery(id, false)),
    combine: (queries) => queries.map(({ data, error }, at) => ({ id: ids[at] ?? '', steps: stepsOf(data ?? []), error })),
  })
}

interface Properties {
  job: TrainingJob
  /** Those that are drawn. */
  overlaid: readonly OverlaidJob[]
  onOver: (ids: readonly string[]) => void
}

/** Chooses jobs of the project whose curves are laid over those of the page. */
export function ChooseOverlaid({ job, overlaid, onOver }: Properties) {
  const over = overlaid.map(({ id }) => id)
  const project = useProject()
  const jobs = useQuery(jobsQuery(project))
  if (jobs.error) return <QueryProblem error={jobs.error} retry={() => void jobs.refetch()} />
  const others = (jobs.data?.jobs ?? []).filter((one) => one.id !== job.id && one.kind === job.kind && !isUnfinished(one))
  if (others.length === 0 && over.length === 0) return null
  return (
    <div className="row">
      <label htmlFor="over">Lay over it</label>
      <select
        id="over"
        value=""
        disabled={over.length + 1 >= maxJobsDrawn}
        onChange={({ target }) => target.value !== '' && onOver([...over, target.value])}
      >
        <option value="">{over.length + 1 >= maxJobsDrawn ? `at most ${maxJobsDrawn} jobs` : 'another job …'}</option>
        {others
          .filter(({ id }) => !over.includes(id))
          .map(({ id, created_at, status }) => (
            <option key={id} value={id}>
              {nameOfJob(id)}, {status}, {created_at.slice(0, 16).replace('T', ' ')}
            </option>
          ))}
      </select>
      {over.map((id) => (
        <button key={id} type="button" onClick={() => onOver(over.filter((one) => one !== id))}>
          Without {nameOfJob(id)}
        </button>
      ))}
      {overlaid.map(({ id, error }) => error && <Failure key={id} error={error} before={`The ${nameOfJob(id)} was not read.`} />)}
    </div>
  )
}

export const nameOfJob = (id: string) => `job ${id.slice(-8)}`
