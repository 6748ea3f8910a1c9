import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { ChartNoAxesCombined, Plus, SearchX } from 'lucide-react'
import { Suspense, useMemo } from 'react'
import type { TrainedModel, TrainingJob } from '@heddle/core-api/types'
import { SearchField } from '../../ui/search-field.tsx'
import { sum } from '../../lib/sum.ts'
import { formatCost } from '../../lib/texts/format-cost.ts'
import { countText } from '../../lib/texts/count-text.ts'
import { useProject } from '../../lib/use-project.ts'
import { ChooseView } from '../../features/parallel-coordinates/choose-view.tsx'
import { DemoHint } from '../../features/demo/demo-hint.tsx'
import { Pending } from '../../ui/states/pending.tsx'
import { ShowQuery } from '../../ui/states/show-query.tsx'
import { ButtonLink } from '../../ui/button-link.tsx'
import { Button } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/card.tsx'
import { PageFooter, PageHead } from '../../ui/page.tsx'
import { Select } from '../../ui/select.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import { costOfJob } from './cost-of-job.ts'
import { JobsTable } from './jobs-table.tsx'
import { countInState, type ListedJob, listJobs } from './listed-jobs.ts'
import { tokenPricesQuery } from './token-prices-query.ts'
import { methods } from '../../features/training/methods.ts'
import { jobsQuery, maxJobs, modelsQuery } from '../../features/training/training-queries.ts'
import { type JobsSearch, jobStates } from '../../features/training/training-search.ts'
import { lazyPart } from '../../ui/lazy-part.tsx'

const route = getRouteApi('/$entity/$project/training/jobs')
const JobsOverAxes = lazyPart(() => import('./axes/jobs-over-axes.tsx').then(({ JobsOverAxes }) => JobsOverAxes))

/** The newest training jobs of a project. */
export function JobsPage() {
  const project = useProject()
  const jobs = useQuery(jobsQuery(project))
  const models = useQuery(modelsQuery(project))
  return (
    <div data-flush className="flex h-full min-h-0 flex-col">
      <PageHead
        title="Training jobs"
        actions={
          <ButtonLink variant="primary" icon={Plus} to="/$entity/$project/training/start" params={project}>
            New job
          </ButtonLink>
        }
      />
      <ShowQuery query={models} what="the models of the project">
        {({ models: known }) => (
          <ShowQuery query={jobs} what="training jobs">
            {(data) =>
              data.jobs.length === 0 ? (
                <NoJobs hasModels={known.length > 0} />
              ) : (
                <Jobs jobs={data.jobs} hasMore={data.hasMore} models={known} />
              )
            }
          </ShowQuery>
        )}
      </ShowQuery>
    </div>
  )
}

const NoJobs = ({ hasModels }: { hasModels: boolean }) => (
  <div className="min-h-0 grow overflow-auto">
    <EmptyState icon={ChartNoAxesCombined} title="No training jobs yet">
      {hasModels
        ? 'A job starts when an agent or a program sends trajectories or conversations, or from traces.'
        : 'Train from traces, or register a model with heddle models register.'}{' '}
      To look at some first, <DemoHint />.
    </EmptyState>
  </div>
)

function Jobs({ jobs, hasMore, models }: { jobs: readonly TrainingJob[]; hasMore: boolean; models: readonly TrainedModel[] }) {
  const project = useProject()
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const set = (changed: Partial<JobsSearch>, replace = true) => void navigate({ search: (before) => ({ ...before, ...changed }), replace })
  const listed = useMemo(() => listJobs(jobs, models, search), [jobs, models, search])
  const bases = [...new Set(models.map(({ base_model }) => base_model))].toSorted()
  const costs = useCosts(listed, bases)
  const tab = (id: string, label: string, state: JobsSearch['state']) => ({
    id,
    label,
    count: countInState(jobs, state).toLocaleString('en'),
  })
  return (
    <>
      <Tabs
        label="Jobs"
        value={search.state ?? 'all'}
        onChange={(next) => set({ state: jobStates.find((one) => one === next) }, false)}
        tabs={[tab('all', 'All', undefined), tab('active', 'Active', 'active'), tab('failed', 'Failed', 'failed')]}
      />
      <div className="flex min-h-12 shrink-0 flex-wrap items-center gap-2 border-b border-line px-4 py-2">
        <SearchField label="Search jobs" value={search.text ?? ''} onChange={(text) => set({ text: text || undefined })} />
        <Select
          inside
          label="Method"
          value={search.method ?? 'any'}
          onChange={(next) => set({ method: next === 'rl' || next === 'sft' ? next : undefined })}
          choices={[
            { value: 'any', label: 'Any' },
            { value: 'rl', label: methods.rl.title },
            { value: 'sft', label: methods.sft.title },
          ]}
        />
        <Select
          inside
          label="Base"
          value={search.base ?? ''}
          onChange={(next) => set({ base: next === '' ? undefined : next })}
          choices={[{ value: '', label: 'Any' }, ...bases.map((base) => ({ value: base, label: base }))]}
        />
        <span className="grow" />
        <ChooseView view={search.view} onChange={(view) => set({ view }, false)} />
      </div>
      {search.view === 'axes' ? (
        <div className="min-h-0 grow overflow-auto p-4">
          <Suspense fallback={<Pending what="the axes" />}>
            <JobsOverAxes project={project} models={models} />
          </Suspense>
        </div>
      ) : (
        <JobsTable
          jobs={listed}
          costs={costs}
          empty={
            <EmptyState
              icon={SearchX}
              title="No jobs match"
              actions={
                <Button onClick={() => set({ state: undefined, method: undefined, base: undefined, text: undefined })}>
                  Clear filters
                </Button>
              }
            />
          }
        />
      )}
      <PageFooter>
        {countText(listed.length, 'job')}
        {hasMore && (
          <span data-tip="heddle jobs list lists those of one model" className="truncate">
            of the newest {maxJobs}
          </span>
        )}
        {costs && costs.size > 0 && <span className="num truncate">{totalText(listed, costs)}</span>}
      </PageFooter>
    </>
  )
}

/** Costs of jobs that have a price, by id. Undefined while the prices are loading. */
function useCosts(jobs: readonly ListedJob[], bases: readonly string[]): ReadonlyMap<string, number> | undefined {
  const { id } = useProject()
  const prices = useQuery({ ...tokenPricesQuery(id, bases), enabled: bases.length > 0 }).data
  return useMemo(() => {
    if (prices === undefined) return undefined
    const costs = jobs.map(({ job, model }) => [job.id, costOfJob(job, model?.base_model, prices)] as const)
    return new Map(costs.flatMap(([job, cost]) => (cost === undefined ? [] : [[job, cost] as const])))
  }, [jobs, prices])
}

/** The cost of all, and how many of those that learned have none. */
function totalText(jobs: readonly ListedJob[], costs: ReadonlyMap<string, number>): string {
  const unpriced = jobs.filter(({ job }) => job.trainable_tokens !== null && !costs.has(job.id)).length
  const rest = unpriced === 0 ? '' : `, ${countText(unpriced, 'job')} without a price`
  return `${formatCost(sum([...costs.values()]))} in all${rest}`
}
