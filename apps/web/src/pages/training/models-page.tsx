import type { TrainedModel, TrainingJob } from '@heddle/core-api/types'
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { Boxes, Plus } from 'lucide-react'
import { useMemo } from 'react'
import { useProject } from '../../lib/use-project.ts'
import { DemoHint } from '../../features/demo/demo-hint.tsx'
import { ShowQuery } from '../../ui/states/show-query.tsx'
import { StatusText } from '../../ui/badge.tsx'
import { ButtonLink } from '../../ui/button-link.tsx'
import { EmptyState } from '../../ui/card.tsx'
import { PageFooter, PageHead } from '../../ui/page.tsx'
import type { Column } from '../../ui/table/columns.ts'
import { DataTable } from '../../ui/table/data-table.tsx'
import { timeColumn } from '../../ui/table/time-column.tsx'
import { jobStatuses } from './job-status.ts'
import { RewardCell } from '../../features/training/reward-cell.tsx'
import { useRewardsOfJobs } from '../../features/training/rewards-of-jobs.ts'
import { jobsQuery, maxModels, modelsQuery } from '../../features/training/training-queries.ts'

const noJobs: readonly TrainingJob[] = []

/** The models of a project that are trained, in the order of their registration. */
export function ModelsPage() {
  const project = useProject()
  return (
    <div data-flush className="flex h-full min-h-0 flex-col">
      <PageHead
        title="Models"
        actions={
          <ButtonLink variant="primary" icon={Plus} to="/$entity/$project/training/start" params={project}>
            Train a model
          </ButtonLink>
        }
      />
      <ShowQuery query={useQuery(modelsQuery(project))} what="the models of the project">
        {({ models, hasMore }) =>
          models.length === 0 ? (
            <div className="min-h-0 grow overflow-auto">
              <EmptyState icon={Boxes} title="No models yet">
                A model is registered with its first job, or with <code>heddle models register</code>. To look at some first, <DemoHint />.
              </EmptyState>
            </div>
          ) : (
            <>
              <ModelsTable models={models} />
              <PageFooter>
                {models.length === 1 ? '1 model' : `${hasMore ? 'First ' : ''}${models.length.toLocaleString('en')} models`}
                {hasMore && <span className="truncate">heddle models list lists more than {maxModels}</span>}
              </PageFooter>
            </>
          )
        }
      </ShowQuery>
    </div>
  )
}

interface ListedModel {
  model: TrainedModel
  /** The newest one of the model, among the newest of the project. */
  newest: TrainingJob | undefined
  /** The newest one that made a checkpoint. */
  made: TrainingJob | undefined
}

function ModelsTable({ models }: { models: readonly TrainedModel[] }) {
  const project = useProject()
  const navigate = useNavigate()
  const jobs = useQuery(jobsQuery(project)).data?.jobs ?? noJobs
  const rewards = useRewardsOfJobs(jobs)
  const rows = useMemo(
    () =>
      models.map((model): ListedModel => {
        const own = jobs.filter(({ model_id }) => model_id === model.id)
        return { model, newest: own[0], made: own.find(({ step }) => step !== null) }
      }),
    [models, jobs],
  )
  const columns = useMemo(
    (): readonly Column<ListedModel>[] => [
      {
        id: 'model',
        title: 'Model',
        width: 'minmax(180px, 1fr)',
        pin: 'left',
        sort: ({ model }) => model.name,
        hint: ({ model }) => model.name,
        cell: ({ model }) => (
          <Link
            to="/$entity/$project/training/models/$model"
            params={{ ...project, model: model.id }}
            className="font-medium hover:underline"
          >
            {model.name}
          </Link>
        ),
      },
      {
        id: 'base',
        title: 'Base',
        width: 'minmax(128px, 0.6fr)',
        sort: ({ model }) => model.base_model,
        cell: ({ model }) => <span className="mono text-fg-2">{model.base_model}</span>,
      },
      {
        id: 'checkpoint',
        title: 'Checkpoint',
        width: '112px',
        align: 'right',
        sort: ({ made }) => made?.step ?? -1,
        cell: ({ made }) => (made ? `step ${made.step}` : <span className="text-fg-3">–</span>),
      },
      {
        id: 'reward',
        title: 'Reward or loss',
        width: '188px',
        align: 'right',
        cell: ({ made }) => <RewardCell curve={made && rewards.get(made.id)} />,
      },
      {
        id: 'job',
        title: 'Last job',
        width: '132px',
        cell: ({ newest }) =>
          newest ? (
            <Link to="/$entity/$project/training/jobs/$job" params={{ ...project, job: newest.id }} className="hover:underline">
              <StatusText status={jobStatuses[newest.status].status}>{jobStatuses[newest.status].text}</StatusText>
            </Link>
          ) : (
            <span className="text-fg-3">–</span>
          ),
      },
      timeColumn('trained', 'Trained', ({ newest }) => newest?.created_at),
    ],
    [project, rewards],
  )
  const open = ({ model }: ListedModel) =>
    void navigate({ to: '/$entity/$project/training/models/$model', params: { ...project, model: model.id } })
  return (
    <DataTable
      label="Models"
      name="trained-models"
      rowHeight={44}
      rows={rows}
      columns={columns}
      rowId={({ model }) => model.id}
      onOpen={open}
      onPeek={open}
    />
  )
}
