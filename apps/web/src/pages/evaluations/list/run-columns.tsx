import type { EvalSummary } from '@heddle/core-api/types'
import { Link } from '@tanstack/react-router'
import type { ProjectName } from '../../../lib/use-project.ts'
import { CostMark } from '../../../features/costs/cost-source.tsx'
import { formatDuration } from '../../../lib/time/duration.ts'
import { formatCost } from '../../../lib/texts/format-cost.ts'
import { readableName } from '../../../lib/texts/readable-name.ts'
import { NameTag, Progress, StatusIcon } from '../../../ui/badge.tsx'
import type { Column } from '../../../ui/table/columns.ts'
import { columnText, numberText } from '../../../lib/texts/number-text.ts'
import { DatasetLink } from '../dataset-link.tsx'
import { runIcons } from '../run-icons.ts'
import type { ListedRun } from '../listed-run.ts'
import { type RunProgress, progressText } from './progress-text.ts'
import { type ScoreScales, sparkScores } from '../../../features/evaluations/spark-scores.ts'
import { linkColumn, numberColumn, timeColumn } from '../../../ui/table/column-kinds.tsx'

/** A run with the data read in addition to its call. */
export interface RunOfList {
  run: ListedRun
  /** Name of its model; undefined where it names none. */
  subject: string | undefined
  summary: EvalSummary | undefined
  /** Reference to the version that it ran on; undefined where that is not known. */
  dataset: string | undefined
  /** Undefined for one that has ended, and where it is not known. */
  progress: RunProgress | undefined
  /** For how long a running one has had no news; undefined where that is short. */
  quietMinutes: number | undefined
}

/** Number of scores with a column by default. */
const usualScores = 3
const usualOthers = ['status', 'name', 'model', 'dataset', 'rows', 'latency', 'cost', 'started']
const idOfScore = (name: string) => `score:${name}`

/** Ids of the columns that are shown where the address names none: without the latency where no run reports one. */
export function usualColumns(scores: readonly string[], runs: readonly Pick<ListedRun, 'latency_seconds'>[]): string[] {
  const hasLatency = runs.some(({ latency_seconds }) => latency_seconds !== null)
  return [...usualOthers.filter((id) => id !== 'latency' || hasLatency), ...scores.slice(0, usualScores).map(idOfScore)]
}

/** All columns that the list of runs can show. `scores`: names, in their order. */
export function runColumns(project: ProjectName, scores: readonly string[], scales: ScoreScales): Column<RunOfList>[] {
  return [
    {
      id: 'status',
      title: 'Status',
      isTitleHidden: true,
      width: '36px',
      align: 'center',
      pin: 'left',
      sort: ({ run }) => run.status,
      hint: (row) => row.run.exception ?? statusOf(row),
      cell: (row) => (
        <StatusIcon status={row.quietMinutes === undefined ? (runIcons[row.run.status] ?? 'queued') : 'warning'} label={statusOf(row)} />
      ),
    },
    linkColumn(
      'name',
      'Run',
      'minmax(92px, 0.9fr)',
      ({ run }) => run.name,
      ({ run }) => linkOfRun(project, run),
      {
        sort: ({ run }) => readableName(run.name),
      },
    ),
    {
      id: 'model',
      title: 'Subject',
      width: 'minmax(140px, 1.5fr)',
      sort: ({ run }) => run.model ?? '',
      hint: ({ run }) => run.model ?? undefined,
      cell: ({ subject }) =>
        subject && (
          <span className="mono block">
            <NameTag text={subject} />
          </span>
        ),
    },
    {
      id: 'dataset',
      title: 'Dataset',
      width: 'minmax(112px, 1.1fr)',
      cell: ({ dataset }) => dataset && <DatasetLink dataset={dataset} />,
    },
    {
      id: 'rows',
      title: 'Trials',
      width: '80px',
      align: 'right',
      sort: ({ summary }) => summary?.trial_count ?? -1,
      cell: rowsText,
    },
    ...scores.map((name, at) => scoreColumn(project, name, { scales, hasBar: at === 0 })),
    numberColumn('latency', 'Mean latency', '90px', ({ run }) => run.latency_seconds, {
      sort: true,
      show: (seconds) => formatDuration(seconds * 1_000),
    }),
    numberColumn('tokens', 'Tokens', '84px', ({ summary }) => summary?.predict_total_tokens, { sort: true }),
    {
      id: 'cost',
      title: 'Cost',
      width: '72px',
      align: 'right',
      sort: ({ summary }) => summary?.predict_total_cost ?? -1,
      cell: ({ summary }) => costCell(summary),
    },
    numberColumn('took', 'Duration', '92px', ({ run }) => run.duration_us, { sort: true, show: (us) => formatDuration(us / 1_000) }),
    { ...timeColumn<RunOfList>('started', 'Started', ({ run }) => run.started_at), width: '88px' },
  ]
}

function costCell(summary: EvalSummary | undefined) {
  if (summary?.predict_total_cost == null) return undefined
  return (
    <>
      {formatCost(summary.predict_total_cost)}
      <CostMark source={{ pricedAs: summary.priced_as ?? [], reported: summary.reported_uses ?? 0 }} />
    </>
  )
}

/** How a run is, in words. */
function statusOf({ run, progress, quietMinutes }: RunOfList): string {
  const done = progress === undefined ? '' : `: ${progressText(progress)}`
  return `${run.status}${done}${quietMinutes === undefined ? '' : `, without news for ${quietMinutes.toLocaleString('en')} min`}`
}

const linkOfRun = (project: ProjectName, { id: run }: ListedRun) =>
  ({ to: '/$entity/$project/evaluations/runs/$run', params: { ...project, run } }) as const

/** Trials that are there; of a run under way, of how many. */
function rowsText({ run, summary, progress }: RunOfList) {
  if (!progress) return summary?.trial_count.toLocaleString('en')
  const { done, total } = progress
  if (total === undefined || total < done || total === 0) return done.toLocaleString('en')
  return (
    <span className="flex items-center justify-end gap-2">
      <span className="w-5">
        <Progress value={done / total} tone="blue" label={`Progress of ${readableName(run.name)}`} />
      </span>
      {`${done.toLocaleString('en')}/${total.toLocaleString('en')}`}
    </span>
  )
}

interface ScoreOptions {
  scales: ScoreScales
  hasBar: boolean
}

function scoreColumn(project: ProjectName, name: string, { scales, hasBar }: ScoreOptions): Column<RunOfList> {
  const scoreOf = ({ summary }: RunOfList) => sparkScores(summary, scales).find((score) => score.name === name)
  return {
    id: idOfScore(name),
    title: name,
    // As wide as its title, where there is room.
    width: `minmax(${hasBar ? 104 : 92}px, ${Math.min(124, 20 + Math.ceil(name.length * 6.5))}px)`,
    align: 'right',
    sort: (row) => scoreOf(row)?.value ?? Number.NEGATIVE_INFINITY,
    cell: (row) => {
      const score = scoreOf(row)
      if (!score) return undefined
      const text = numberText(score.value, score.isRate)
      return (
        <Link
          {...linkOfRun(project, row.run)}
          search={{ measure: name }}
          aria-label={`${readableName(name)} ${text}`}
          className="flex min-h-6 items-center justify-end gap-2 hover:underline"
        >
          {hasBar && (
            <span aria-hidden className="h-1.5 w-8 shrink-0 overflow-hidden rounded-full bg-active">
              <span className="block h-full rounded-full bg-s1" style={{ width: `${score.share * 100}%` }} />
            </span>
          )}
          <span className={hasBar ? 'min-w-12' : undefined}>{columnText(score.value, score.isRate)}</span>
        </Link>
      )
    },
  }
}
