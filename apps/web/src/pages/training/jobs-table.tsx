import { Link, useNavigate } from '@tanstack/react-router'
import { type ReactNode, useMemo } from 'react'
import type { TrainingJob } from '@heddle/core-api/types'
import { compactCount } from '../../lib/texts/compact-count.ts'
import { formatCost } from '../../lib/texts/format-cost.ts'
import { useProject } from '../../lib/use-project.ts'
import { Avatar, Badge, StatusText } from '../../ui/badge.tsx'
import type { Column } from '../../ui/table/columns.ts'
import { DataTable } from '../../ui/table/data-table.tsx'
import { numberColumn, timeColumn, textColumn } from '../../ui/table/column-kinds.tsx'
import { durationOf } from './job-duration.ts'
import { methods } from '../../features/training/methods.ts'
import { jobStatuses } from './job-status.ts'
import type { ListedJob } from './listed-jobs.ts'
import { RewardCell } from '../../features/training/reward-cell.tsx'
import { useRewardsOfJobs } from '../../features/training/rewards-of-jobs.ts'

interface Properties {
  jobs: readonly ListedJob[]
  /** By id of the job, as far as they have a price. Undefined while the prices are loading. */
  costs: ReadonlyMap<string, number> | undefined
  empty: ReactNode
}

/** Training jobs, the newest first. */
export function JobsTable({ jobs, costs, empty }: Properties) {
  const project = useProject()
  const navigate = useNavigate()
  const all = useMemo(() => jobs.map(({ job }) => job), [jobs])
  const rewards = useRewardsOfJobs(all)
  const columns = useMemo(
    (): readonly Column<ListedJob>[] => [
      {
        id: 'state',
        title: 'State',
        width: '104px',
        pin: 'left',
        hint: ({ job }) => job.error_message ?? undefined,
        cell: ({ job }) => <StatusText status={jobStatuses[job.status].status}>{jobStatuses[job.status].text}</StatusText>,
      },
      {
        id: 'model',
        title: 'Model',
        width: 'minmax(188px, 1fr)',
        sort: ({ model, job }) => model?.name ?? job.model_id,
        hint: ({ model, job }) => `${model?.name ?? job.model_id}, job ${job.id.slice(-8)}`,
        cell: ({ model, job }) => (
          <>
            <Link to="/$entity/$project/training/jobs/$job" params={{ ...project, job: job.id }} className="font-medium hover:underline">
              {model?.name ?? job.model_id}
            </Link>{' '}
            <span className="mono text-fg-3">{job.id.slice(-8)}</span>
          </>
        ),
      },
      {
        id: 'method',
        title: 'Method',
        width: '60px',
        hint: ({ job }) => methods[job.kind].title,
        cell: ({ job }) => <Badge>{methods[job.kind].short}</Badge>,
      },
      textColumn('base', 'Base', 'minmax(96px, 0.6fr)', ({ model }) => model?.base_model, { look: 'mono', sort: true }),
      {
        id: 'step',
        title: 'Checkpoint',
        width: '92px',
        align: 'right',
        sort: ({ job }) => job.step ?? -1,
        cell: ({ job: { parent_step: from, step } }) =>
          step === null ? <span className="text-fg-3">{from === null ? '–' : `${from} →`}</span> : <StepText from={from} step={step} />,
      },
      {
        id: 'reward',
        title: 'Reward or loss',
        width: '144px',
        align: 'right',
        sort: ({ job }) => rewards.get(job.id)?.last ?? Number.NEGATIVE_INFINITY,
        cell: ({ job }) => <RewardCell curve={rewards.get(job.id)} isRunning={job.status === 'running'} />,
      },
      numberColumn('tokens', 'Tokens', '68px', ({ job }) => job.trainable_tokens, { sort: true, show: compactCount }),
      {
        id: 'cost',
        title: 'Cost',
        width: '72px',
        align: 'right',
        sort: ({ job }) => costs?.get(job.id) ?? -1,
        cell: ({ job }) => {
          const cost = costs?.get(job.id)
          if (cost !== undefined) return formatCost(cost)
          return costs && job.trainable_tokens !== null && <span className="text-fg-3">No price</span>
        },
      },
      { id: 'duration', title: 'Duration', width: '80px', align: 'right', cell: ({ job }) => durationOf(job) },
      { ...timeColumn<ListedJob>('created', 'Created', ({ job }) => job.created_at), width: '92px' },
      {
        id: 'by',
        title: 'By',
        width: '44px',
        align: 'right',
        sort: ({ job }) => job.created_by,
        hint: ({ job }) => job.created_by,
        cell: ({ job }) => <Starter job={job} />,
      },
    ],
    [project, rewards, costs],
  )
  const open = ({ job }: ListedJob) => void navigate({ to: '/$entity/$project/training/jobs/$job', params: { ...project, job: job.id } })
  return (
    <DataTable
      label="Training jobs"
      name="training-jobs"
      rowHeight={44}
      rows={jobs}
      columns={columns}
      rowId={({ job }) => job.id}
      onOpen={open}
      onPeek={open}
      tone={({ job }) => (job.status === 'failed' ? 'red' : undefined)}
      empty={empty}
    />
  )
}

const Starter = ({ job: { created_by } }: { job: TrainingJob }) => (
  <>
    <Avatar name={created_by} />
    <span className="sr-only">{created_by}</span>
  </>
)

const StepText = ({ from, step }: { from: number | null; step: number }) => (
  <>
    {from !== null && <span className="text-fg-3">{from} → </span>}
    {step}
  </>
)
