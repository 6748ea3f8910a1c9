import type { Checkpoint, TrainedModel } from '@heddle/core-api/types'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { Columns3, Download, FlaskConical, ListTree, Star, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { serverUrl } from '../../lib/server/base-path.ts'
import { readAgain } from '../../lib/server/read-again.ts'
import { type ProjectName, useProject } from '../../lib/use-project.ts'
import { formatBytes } from '../../lib/texts/byte-size.ts'
import { Failure } from '../../ui/states/failure.tsx'
import { cx } from '../../lib/cx.ts'
import { Delta, Tag } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { type ListColumn, ListTable } from '../../ui/list-table.tsx'
import { MenuItem, MenuSeparator } from '../../ui/menu.tsx'
import { Notice } from '../../ui/notice.tsx'
import { RowMenu } from '../../ui/row-menu.tsx'
import { toast } from '../../ui/toast.tsx'
import { useTimeZone } from '../../lib/time/use-time-zone.ts'
import { exactTimeText } from '../../lib/time/time-text.ts'
import { changeText, metricText, titleOfMetric } from '../../features/curves/metric-name.ts'
import type { CheckpointScore } from '../../features/checkpoint-scores/checkpoint-runs.ts'
import { columnText } from '../../lib/texts/number-text.ts'
import { nameOfJob } from './job-name.ts'
import { lookOfPane } from './model-choice.ts'
import { sortByKind } from './step-metrics.ts'
import { checkpointsQuery, maxCheckpoints, trainingClient } from '../../features/training/training-queries.ts'

const shownMetrics = 1
const shownScores = 3
/** Rows that are in the page at first. */
const shownRows = 50

interface Properties {
  model: TrainedModel
  /** The newest first. */
  checkpoints: readonly Checkpoint[]
  hasMore: boolean
  jobOf: ReadonlyMap<number, string>
  /** Scores of the evaluation that is shown. */
  scores: readonly CheckpointScore[]
  /** Steps of the checkpoints that are chatted with, in the order of their panes; undefined for the base model. */
  panes: readonly (number | undefined)[]
  onEvaluate: (step: number) => void
  onDelete: (step: number) => void
}

/** The checkpoints of a model with their results, and actions. */
export function CheckpointsTable(properties: Properties) {
  const { model, checkpoints, hasMore, panes } = properties
  const project = useProject()
  const timeZone = useTimeZone()
  const [showsAllMetrics, setShowsAllMetrics] = useState(false)
  const [count, setCount] = useState(shownRows)
  const keep = useKeeping(model.id)
  const names = sortByKind([...new Set(checkpoints.flatMap(({ metrics }) => Object.keys(metrics)))])
  const columns = columnsOf({
    ...properties,
    project,
    timeZone,
    keep: keep.mutate,
    names: showsAllMetrics ? names : names.slice(0, shownMetrics),
    showsAll: showsAllMetrics,
  })
  const kept = checkpoints.filter(({ kept_at }) => kept_at !== null).length
  const bytes = checkpoints.reduce((sum, { size_bytes }) => sum + size_bytes, 0)
  return (
    <Card
      title="Checkpoints"
      flush
      className="shrink-0"
      actions={
        <>
          <span className="num text-xs text-fg-3">
            {kept > 0 && `${kept} kept, `}
            {formatBytes(bytes)}
          </span>
          {names.length > shownMetrics && (
            <Button variant="ghost" icon={Columns3} aria-pressed={showsAllMetrics} onClick={() => setShowsAllMetrics(!showsAllMetrics)}>
              All metrics
            </Button>
          )}
        </>
      }
    >
      {hasMore && <Notice className="mx-4 mb-2" title={`The newest ${maxCheckpoints.toLocaleString('en')} checkpoints`} />}
      <Failure error={keep.error} />
      <ListTable
        label="Checkpoints"
        rows={checkpoints.slice(0, count)}
        columns={columns}
        rowId={({ id }) => id}
        picked={({ step }) => panes.includes(step)}
        minWidth={columns.reduce((sum, { width = '96' }) => sum + Number.parseInt(width), 0)}
      />
      {checkpoints.length > count && (
        <div className="border-t border-line px-4 py-2">
          <Button variant="ghost" onClick={() => setCount(checkpoints.length)}>
            Show all {checkpoints.length.toLocaleString('en')}
          </Button>
        </div>
      )}
    </Card>
  )
}

/** Marks a checkpoint as kept, so that it cannot be deleted, or removes the mark; either can be undone. */
function useKeeping(model: string) {
  const queries = useQueryClient()
  const keep = useMutation({
    mutationFn: ({ step, kept }: { step: number; kept: boolean }) => trainingClient.checkpoints.keep({ model_id: model, step, kept }),
    onSuccess: async (_, { step, kept }) => {
      await readAgain(queries, checkpointsQuery(model).queryKey)
      toast({
        title: kept ? `Step ${step} is kept` : `Step ${step} is no longer kept`,
        action: { label: 'Undo', run: () => keep.mutate({ step, kept: !kept }) },
      })
    },
  })
  return keep
}

interface ColumnsOf extends Properties {
  project: ProjectName
  timeZone: string
  /** Metrics that have a column. */
  names: readonly string[]
  showsAll: boolean
  keep: (change: { step: number; kept: boolean }) => void
}

function columnsOf({
  model,
  checkpoints,
  jobOf,
  scores,
  panes,
  project,
  timeZone,
  names,
  showsAll,
  keep,
  onEvaluate,
  onDelete,
}: ColumnsOf): ListColumn<Checkpoint>[] {
  const latest = checkpoints[0]?.step
  return [
    {
      id: 'step',
      header: 'Step',
      width: '112px',
      cell: ({ step, kept_at, kept_by }) => {
        const pane = panes.indexOf(step)
        return (
          <span className="flex items-center gap-2">
            <span aria-hidden className={cx('size-2 shrink-0 rounded-full', pane < 0 ? 'bg-line-2' : lookOfPane(pane))} />
            <span className="font-medium">{step}</span>
            {step === latest && <Tag>latest</Tag>}
            {step === 0 && step !== latest && <Tag>base</Tag>}
            {kept_at !== null && (
              <span className="inline-flex" data-tip={`Kept by ${kept_by}, ${exactTimeText(kept_at, timeZone)}`}>
                <Star size={13} role="img" aria-label={`Kept by ${kept_by}`} className="fill-amber text-amber" />
              </span>
            )}
          </span>
        )
      },
    },
    {
      id: 'job',
      header: 'Made by',
      cell: ({ step }) => {
        const job = jobOf.get(step)
        if (job === undefined) return <span className="text-fg-3">–</span>
        return (
          <Link to="/$entity/$project/training/jobs/$job" params={{ ...project, job }} className="text-fg-2 hover:text-fg hover:underline">
            {nameOfJob(job)}
          </Link>
        )
      },
    },
    ...names.map((name): ListColumn<Checkpoint> => ({
      id: name,
      header: titleOfMetric(name),
      width: showsAll ? '128px' : '72px',
      align: 'right',
      cell: ({ metrics: { [name]: value } }) => (value === undefined ? <span className="text-fg-3">–</span> : metricText(name, value)),
    })),
    ...scores.slice(0, shownScores).map(({ name, isRate, points }): ListColumn<Checkpoint> => ({
      id: `score.${name}`,
      header: name,
      width: '108px',
      align: 'right',
      cell: ({ step }) => {
        const at = points.findIndex(({ run }) => run.step === step)
        const [point, before] = [points[at], points[at - 1]]
        if (!point) return <span className="text-fg-3">–</span>
        const change = before && point.value - before.value
        return (
          <span className="inline-flex items-center gap-2">
            {columnText(point.value, isRate)}
            {change !== undefined && (
              <Delta
                value={change}
                text={isRate ? (Math.abs(change) * 100).toFixed(1) : changeText(name, change)}
                noise={
                  point.interval !== undefined &&
                  before !== undefined &&
                  before.value >= point.interval.low &&
                  before.value <= point.interval.high
                }
                className="w-10 text-xs"
              />
            )}
          </span>
        )
      },
    })),
    {
      id: 'size',
      header: 'Size',
      width: '76px',
      align: 'right',
      cell: ({ size_bytes }) => <span className="text-fg-2">{formatBytes(size_bytes)}</span>,
    },
    {
      id: 'actions',
      header: <span className="sr-only">Actions</span>,
      width: '60px',
      align: 'right',
      cell: ({ step, kept_at, size_bytes }) => (
        <CheckpointMenu
          model={model}
          step={step}
          isKept={kept_at !== null}
          hasFiles={size_bytes > 0}
          canDelete={step !== latest && kept_at === null}
          onKeep={(kept) => keep({ step, kept })}
          onEvaluate={() => onEvaluate(step)}
          onDelete={() => onDelete(step)}
        />
      ),
    },
  ]
}

interface MenuProperties {
  model: TrainedModel
  step: number
  isKept: boolean
  hasFiles: boolean
  canDelete: boolean
  onKeep: (kept: boolean) => void
  onEvaluate: () => void
  onDelete: () => void
}

function CheckpointMenu({ model, step, isKept, hasFiles, canDelete, onKeep, onEvaluate, onDelete }: MenuProperties) {
  const project = useProject()
  const navigate = useNavigate()
  return (
    <RowMenu of={`step ${step}`}>
      <MenuItem icon={FlaskConical} onClick={onEvaluate}>
        Evaluate…
      </MenuItem>
      <MenuItem
        icon={ListTree}
        onClick={() =>
          void navigate({
            to: '/$entity/$project/training/models/$model/trajectories',
            params: { ...project, model: model.id },
            search: { step },
          })
        }
      >
        Trajectories
      </MenuItem>
      <MenuItem icon={Star} onClick={() => onKeep(!isKept)}>
        {isKept ? 'No longer keep' : 'Keep'}
      </MenuItem>
      {hasFiles && (
        <MenuItem
          icon={Download}
          onClick={() => window.location.assign(`${serverUrl()}/v1/preview/models/${model.id}/checkpoints/${step}/archive`)}
        >
          Download
        </MenuItem>
      )}
      {canDelete && (
        <>
          <MenuSeparator />
          <MenuItem danger icon={Trash2} onClick={onDelete}>
            Delete…
          </MenuItem>
        </>
      )}
    </RowMenu>
  )
}
