import type { TrainedModel } from '@heddle/core-api/types'
import { Columns3 } from 'lucide-react'
import { useState } from 'react'
import { formatBytes } from '../../lib/texts/byte-size.ts'
import { useTimeZone } from '../../lib/time/use-time-zone.ts'
import { useProject } from '../../lib/use-project.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { ListTable } from '../../ui/list-table.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Failure } from '../../ui/states/failure.tsx'
import { maxCheckpoints, checkpointsQuery, trainingClient } from '../../features/training/training-queries.ts'
import { type CheckpointColumns, checkpointColumns } from './checkpoint-columns.tsx'
import { CheckpointMenu } from './checkpoint-menu.tsx'
import { sortByKind } from './step-metrics.ts'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { readAgain } from '../../lib/server/read-again.ts'
import { toast } from '../../ui/toast.tsx'

const shownMetrics = 1
/** Rows shown at first. */
const shownRows = 50

interface Properties extends Omit<CheckpointColumns, 'project' | 'timeZone' | 'names' | 'showsAll'> {
  model: TrainedModel
  /** Whether the model has older checkpoints that were not read. */
  hasMore: boolean
  onEvaluate: (step: number) => void
  onDelete: (step: number) => void
}

/** The checkpoints of a model with their metrics and scores, and actions on them. */
export function CheckpointsTable({ model, hasMore, onEvaluate, onDelete, ...shown }: Properties) {
  const { checkpoints, panes } = shown
  const project = useProject()
  const timeZone = useTimeZone()
  const [showsAllMetrics, setShowsAllMetrics] = useState(false)
  const [count, setCount] = useState(shownRows)
  const keep = useKeepCheckpoint(model.id)
  const names = sortByKind([...new Set(checkpoints.flatMap(({ metrics }) => Object.keys(metrics)))])
  const columns = checkpointColumns({
    ...shown,
    project,
    timeZone,
    names: showsAllMetrics ? names : names.slice(0, shownMetrics),
    showsAll: showsAllMetrics,
  })
  const latest = checkpoints[0]?.step
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
        actions={({ step, kept_at, size_bytes }) => (
          <CheckpointMenu
            model={model}
            step={step}
            isKept={kept_at !== null}
            hasFiles={size_bytes > 0}
            canDelete={step !== latest && kept_at === null}
            onKeep={(isKept) => keep.mutate({ step, kept: isKept })}
            onEvaluate={() => onEvaluate(step)}
            onDelete={() => onDelete(step)}
          />
        )}
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
function useKeepCheckpoint(model: string) {
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
