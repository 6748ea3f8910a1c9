import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import type { TrainedModel, TrainingEvent, TrainingJob } from '@heddle/core-api/types'
import { Suspense, useMemo } from 'react'
import { QueryProblem } from '../../ui/states/query-problem.tsx'
import { ShowQuery } from '../../ui/states/show-query.tsx'
import { cx } from '../../lib/cx.ts'
import { Skeleton } from '../../ui/card.tsx'
import { Notice } from '../../ui/notice.tsx'
import { type TabItem, Tabs } from '../../ui/tabs.tsx'
import { JobConfig } from './job-config.tsx'
import { JobCurves } from './job-curves.tsx'
import { JobHead } from './job-head.tsx'
import { JobTotals } from './job-totals.tsx'
import type { Metrics } from '../../features/training/metrics-by-model.ts'
import { type StepMetrics, stepsOf } from './step-metrics.ts'
import { isUnfinished } from '../../features/training/is-unfinished.ts'
import { checkpointMetricsQuery, eventsQuery, jobQuery, maxEvents } from '../../features/training/training-queries.ts'
import { type JobSearch, jobTabs } from '../../features/training/training-search.ts'
import { lazyPart } from '../../ui/lazy-part.tsx'

// Panels next to the curves, or instead of them, are loaded on demand.
const JobSteps = lazyPart(() => import('./job-steps.tsx').then(({ JobSteps }) => JobSteps))
const JobEvents = lazyPart(() => import('./job-events.tsx').then(({ JobEvents }) => JobEvents))
const JobGroups = lazyPart(() => import('../../features/trajectories/job-groups.tsx').then(({ JobGroups }) => JobGroups))
const JobPane = lazyPart(() => import('./job-pane.tsx').then(({ JobPane }) => JobPane))

const route = getRouteApi('/$entity/$project/training/jobs/$job')
const noMetrics: ReadonlyMap<number, Metrics> = new Map()

/** A training job: what it did so far, step by step, while it runs and after. */
export function JobPage() {
  const { job: id } = route.useParams()
  return (
    <ShowQuery query={useQuery(jobQuery(id))} what="the training job">
      {({ job, model }) => <OneJob key={job.id} job={job} model={model} />}
    </ShowQuery>
  )
}

function OneJob({ job, model }: { job: TrainingJob; model: TrainedModel }) {
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const events = useQuery(eventsQuery(job.id, isUnfinished(job)))
  const steps = useMemo(() => stepsOf(events.data ?? []), [events.data])
  const metrics = useQuery(checkpointMetricsQuery(model.id, job.step ?? job.parent_step ?? 0)).data ?? noMetrics
  const set = (changed: Partial<JobSearch>) => void navigate({ search: (before) => ({ ...before, ...changed }), replace: true })
  const hasPane = search.step !== undefined || (search.group !== undefined && job.kind === 'rl')
  return (
    <div data-flush className="flex h-full min-h-0 flex-col">
      <JobHead job={job} model={model} steps={steps} />
      <JobTotals job={job} model={model} steps={steps} metrics={metrics} />
      <Tabs
        label="Job"
        value={search.tab ?? 'curves'}
        onChange={(next) => set({ tab: jobTabs.find((one) => one === next) })}
        tabs={tabsOf(job, steps, events.data)}
      />
      {events.error && (
        <div className="px-4">
          <QueryProblem error={events.error} retry={() => void events.refetch()} />
        </div>
      )}
      <JobNotices job={job} events={events.data} />
      <div className="relative flex min-h-0 grow">
        <div className={cx('flex min-w-0 grow flex-col overflow-auto', hasPane && 'max-lg:invisible')}>
          <Suspense fallback={<LoadingPart />}>
            {events.data ? (
              <JobPart
                job={job}
                model={model}
                steps={steps}
                events={events.data}
                metrics={metrics}
                hasPane={hasPane}
                search={search}
                set={set}
              />
            ) : (
              !events.error && <LoadingPart />
            )}
          </Suspense>
        </div>
        {hasPane && events.data && (
          <Suspense fallback={<div aria-busy="true" className="w-140 shrink-0 border-l border-line-2 max-lg:hidden" />}>
            <JobPane job={job} steps={steps} search={search} onChange={set} />
          </Suspense>
        )}
      </div>
    </div>
  )
}

const LoadingPart = () => (
  <div role="status" aria-busy="true" className="flex flex-col gap-3 p-4">
    <span className="sr-only">Loading the job</span>
    <Skeleton className="h-62" />
    <Skeleton className="h-40" />
  </div>
)

function tabsOf(job: TrainingJob, steps: readonly StepMetrics[], events: readonly TrainingEvent[] | undefined): TabItem[] {
  return [
    { id: 'curves', label: 'Curves' },
    { id: 'steps', label: 'Steps', ...(events && { count: steps.length.toLocaleString('en') }) },
    ...(job.kind === 'rl' ? [{ id: 'data', label: 'Training data' }] : []),
    { id: 'events', label: 'Events', ...(events && { count: events.length.toLocaleString('en') }) },
    { id: 'config', label: 'Config' },
  ]
}

function JobNotices({ job, events }: { job: TrainingJob; events: readonly TrainingEvent[] | undefined }) {
  const isCut = events !== undefined && events.length >= maxEvents
  if (job.error_message === null && job.message === null && !isCut) return null
  return (
    <div className="flex max-h-40 shrink-0 flex-col gap-2 overflow-auto px-4 pt-3">
      {job.error_message !== null && <Notice tone="error" title={job.error_message} />}
      {job.message !== null && <Notice title={job.message} />}
      {isCut && <Notice title={`First ${maxEvents.toLocaleString('en')} events`}>The API has all of them.</Notice>}
    </div>
  )
}

interface PartProperties {
  job: TrainingJob
  model: TrainedModel
  steps: readonly StepMetrics[]
  events: readonly TrainingEvent[]
  metrics: ReadonlyMap<number, Metrics>
  hasPane: boolean
  search: JobSearch
  set: (changed: Partial<JobSearch>) => void
}

function JobPart({ job, model, steps, events, metrics, hasPane, search, set }: PartProperties) {
  if (search.tab === 'steps') return <JobSteps steps={steps} selected={search.step} onSelect={(step) => set({ step })} />
  if (search.tab === 'events') return <JobEvents events={events} choice={search.events} onChoice={(choice) => set({ events: choice })} />
  if (search.tab === 'config') return <JobConfig job={job} model={model} events={events} />
  if (search.tab === 'data' && job.kind === 'rl') return <JobGroups job={job} search={search} onChange={set} />
  return <JobCurves job={job} model={model} steps={steps} metrics={metrics} hasPane={hasPane} search={search} onChange={set} />
}
