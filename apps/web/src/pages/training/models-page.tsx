import type { TrainedModel, TrainingJob } from '@heddle/core-api/types'
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { Boxes, Plus } from 'lucide-react'
import { useMemo } from 'react'
import { useProject, type ProjectName } from '../../lib/use-project.ts'
import { DemoHint } from '../../features/demo/demo-hint.tsx'
import { StatusText } from '../../ui/badge.tsx'
import { ButtonLink } from '../../ui/button-link.tsx'
import { EmptyState } from '../../ui/card.tsx'
import type { Column } from '../../ui/table/columns.ts'
import { timeColumn, linkColumn, numberColumn, textColumn } from '../../ui/table/column-kinds.tsx'
import { jobStatuses } from './job-status.ts'
import { RewardCell } from '../../features/training/reward-cell.tsx'
import { useRewardsOfJobs } from '../../features/training/rewards-of-jobs.ts'
import { jobsQuery, maxModels, modelsQuery } from '../../features/training/training-queries.ts'
import { ListPage } from '../../ui/list-page.tsx'
import { countText } from '../../lib/texts/count-text.ts'

interface ListedModel {
  model: TrainedModel
  /** The newest one of the model, among the newest of the project. */
  newest: TrainingJob | undefined
  /** The newest one that made a checkpoint. */
  made: TrainingJob | undefined
}

const noJobs: readonly TrainingJob[] = []

/** The models of a project that are trained, in the order of their registration. */
export function ModelsPage() {
  const project = useProject()
  const navigate = useNavigate()
  const query = useQuery(modelsQuery(project))
  const { models, hasMore = false } = query.data ?? {}
  const jobs = useQuery(jobsQuery(project)).data?.jobs ?? noJobs
  const rewards = useRewardsOfJobs(jobs)
  const rows = useMemo(
    () =>
      models?.map((model): ListedModel => {
        const own = jobs.filter(({ model_id }) => model_id === model.id)
        return { model, newest: own[0], made: own.find(({ step }) => step !== null) }
      }),
    [models, jobs],
  )
  const columns = useMemo(() => columnsOf(project, rewards), [project, rewards])
  return (
    <ListPage
      title="Models"
      actions={
        <ButtonLink variant="primary" icon={Plus} to="/$entity/$project/training/start" params={project}>
          Train a model
        </ButtonLink>
      }
      label="Models"
      name="trained-models"
      rowHeight={44}
      query={query}
      rows={rows}
      columns={columns}
      rowId={({ model }) => model.id}
      linkOf={(row) => linkOfModel(project, row)}
      onPeek={(row) => void navigate(linkOfModel(project, row))}
      empty={
        <EmptyState icon={Boxes} title="No models yet">
          A model is registered with its first job, or with <code>heddle models register</code>. To look at some first, <DemoHint />.
        </EmptyState>
      }
      footer={({ length }) => (
        <>
          {`${hasMore ? 'First ' : ''}${countText(length, 'model')}`}
          {hasMore && <span className="truncate">heddle models list lists more than {maxModels}</span>}
        </>
      )}
    />
  )
}

const linkOfModel = (project: ProjectName, { model }: ListedModel) =>
  ({ to: '/$entity/$project/training/models/$model', params: { ...project, model: model.id } }) as const

const columnsOf = (project: ProjectName, rewards: ReturnType<typeof useRewardsOfJobs>): readonly Column<ListedModel>[] => [
  linkColumn(
    'model',
    'Model',
    'minmax(160px, 1fr)',
    ({ model }) => model.name,
    (row) => linkOfModel(project, row),
    {
      pin: 'left',
      sort: true,
    },
  ),
  textColumn('base', 'Base', 'minmax(96px, 0.6fr)', ({ model }) => model.base_model, { look: 'mono', sort: true }),
  numberColumn('checkpoint', 'Checkpoint', '92px', ({ made }) => made?.step, { sort: true }),
  {
    id: 'reward',
    title: 'Reward or loss',
    width: '144px',
    align: 'right',
    cell: ({ made }) => <RewardCell curve={made && rewards.get(made.id)} />,
  },
  {
    id: 'job',
    title: 'Last job',
    width: '104px',
    cell: ({ newest }) =>
      newest && (
        <Link to="/$entity/$project/training/jobs/$job" params={{ ...project, job: newest.id }} className="hover:underline">
          <StatusText status={jobStatuses[newest.status].status}>{jobStatuses[newest.status].text}</StatusText>
        </Link>
      ),
  },
  { ...timeColumn<ListedModel>('trained', 'Trained', ({ newest }) => newest?.created_at), width: '88px' },
]
