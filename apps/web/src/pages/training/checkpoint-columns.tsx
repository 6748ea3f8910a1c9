import type { Checkpoint } from '@heddle/core-api/types'
import { Link } from '@tanstack/react-router'
import { Star } from 'lucide-react'
import { cx } from '../../lib/cx.ts'
import { formatBytes } from '../../lib/texts/byte-size.ts'
import { columnText } from '../../lib/texts/number-text.ts'
import { exactTimeText } from '../../lib/time/time-text.ts'
import type { ProjectName } from '../../lib/use-project.ts'
import { Tag } from '../../ui/badge.tsx'
import type { ListColumn } from '../../ui/list-table.tsx'
import type { CheckpointScore } from '../../features/checkpoint-scores/checkpoint-runs.ts'
import { ScoreChange, scoreOfStep } from '../../features/checkpoint-scores/score-change.tsx'
import { metricColumnText, titleOfMetric } from '../../features/curves/metric-name.ts'
import { nameOfJob } from './job-name.ts'
import { lookOfPane } from './model-choice.ts'
import { numberColumn, textColumn } from '../../ui/table/column-kinds.tsx'

const shownScores = 3

export interface CheckpointColumns {
  /** The newest first. */
  checkpoints: readonly Checkpoint[]
  /** Ids of the jobs that made the checkpoints, by step. */
  jobOf: ReadonlyMap<number, string>
  /** Scores of the evaluation that is shown. */
  scores: readonly CheckpointScore[]
  /** Steps of the checkpoints in the panes of the chat, in their order; undefined for the base model. */
  panes: readonly (number | undefined)[]
  project: ProjectName
  timeZone: string
  /** Metrics that have a column. */
  names: readonly string[]
  showsAll: boolean
}

export function checkpointColumns(options: CheckpointColumns): ListColumn<Checkpoint>[] {
  const { names, showsAll, scores } = options
  return [
    stepColumn(options),
    jobColumn(options),
    ...names.map((name) => metricColumn(name, showsAll)),
    ...scores.slice(0, shownScores).map(scoreColumn),
    textColumn('size', 'Size', '76px', ({ size_bytes }) => (size_bytes === 0 ? null : formatBytes(size_bytes)), {
      look: 'quiet',
      align: 'right',
    }),
  ]
}

function stepColumn({ checkpoints, panes, timeZone }: CheckpointColumns): ListColumn<Checkpoint> {
  const latest = checkpoints[0]?.step
  return {
    id: 'step',
    title: 'Step',
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
  }
}

function jobColumn({ jobOf, project }: CheckpointColumns): ListColumn<Checkpoint> {
  return {
    id: 'job',
    title: 'Made by',
    cell: ({ step }) => {
      const job = jobOf.get(step)
      return (
        job && (
          <Link to="/$entity/$project/training/jobs/$job" params={{ ...project, job }} className="text-fg-2 hover:text-fg hover:underline">
            {nameOfJob(job)}
          </Link>
        )
      )
    },
  }
}

const metricColumn = (name: string, showsAll: boolean): ListColumn<Checkpoint> =>
  numberColumn(name, titleOfMetric(name), showsAll ? '128px' : '72px', ({ metrics }) => metrics[name], {
    show: (value) => metricColumnText(name, value),
  })

/** A score of each checkpoint, with its change from the evaluated checkpoint before it. */
function scoreColumn(score: CheckpointScore): ListColumn<Checkpoint> {
  const { name, isRate, points } = score
  return {
    id: `score.${name}`,
    title: name,
    width: '114px',
    align: 'right',
    cell: ({ step }) => {
      const { point, before } = scoreOfStep(points, step)
      if (!point) return undefined
      return (
        <span className="inline-flex items-center gap-2">
          {columnText(point.value, isRate)}
          {before && <ScoreChange score={score} point={point} before={before} className="w-12 text-xs" />}
          {!before && points.length > 1 && <span className="w-12" />}
        </span>
      )
    },
  }
}
