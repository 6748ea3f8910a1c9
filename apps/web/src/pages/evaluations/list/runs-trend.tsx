import type { EvalSummary } from '@heddle/core-api/types'
import { Link } from '@tanstack/react-router'
import { type ReactNode, useMemo } from 'react'
import { useTimeZone } from '../../../lib/time/use-time-zone.ts'
import { useProject } from '../../../lib/use-project.ts'
import { formatCost } from '../../../lib/texts/format-cost.ts'
import { daysOrTimesOf } from '../../../features/charts/labels-of-time.ts'
import { Delta } from '../../../ui/badge.tsx'
import { Select } from '../../../ui/select.tsx'
import { numberText } from '../../../lib/texts/number-text.ts'
import { ScoreChart } from '../charts/score-chart.tsx'
import type { ScorePoint, ScoreSeries } from '../../../features/evaluations/scores-over-runs.ts'
import { datasetText } from '../dataset-link.tsx'
import { sizeText } from '../measure-text.ts'
import type { ListedRun } from '../listed-run.ts'
import { modelName } from './subject-names.ts'
import { trendFacts } from './trend-of-runs.ts'

interface Properties {
  /** Name of the evaluation that the runs are of; undefined for those of several. */
  evaluation: string | undefined
  series: readonly ScoreSeries<ListedRun>[]
  /** Name of the score that is drawn. Default: the first. */
  score: string | undefined
  summaries: ReadonlyMap<string, EvalSummary>
  /** Reference to the dataset of a run; empty where it is not known. */
  datasetOf: (run: ListedRun) => string
  onScore: (name: string) => void
}

/** The course of a score from run to run, with the best and the latest. Renders nothing if no score is in two runs. */
export function RunsTrend({ evaluation, series, score, summaries, datasetOf, onScore }: Properties) {
  const timeZone = useTimeZone()
  const drawn = series.find(({ name }) => name === score) ?? series[0]
  const nameOf = useMemo(() => daysOrTimesOf(drawn?.points.map(({ run }) => run.started_at) ?? [], timeZone), [drawn, timeZone])
  const facts = drawn && trendFacts(drawn, summaries)
  if (!facts) return null
  const { best, latest, change, spent } = facts
  const text = ({ value }: ScorePoint) => numberText(value, drawn.isRate)
  const count = `${drawn.points.length.toLocaleString('en')} complete runs`
  return (
    <section
      aria-label="Scores over runs"
      className="grid shrink-0 grid-cols-1 border-b border-line lg:grid-cols-[1fr_360px] xl:grid-cols-[1fr_400px]"
    >
      <ScoreChart
        bare
        height={132}
        title={evaluation ?? 'All evaluations'}
        note={`${drawn.name}, last ${count}`}
        series={drawn}
        over={{ order: 'from the oldest to the newest run', labelOf: ({ started_at }) => nameOf(started_at) }}
        actions={
          series.length > 1 && (
            <Select
              inside
              label="Score"
              value={drawn.name}
              choices={series.map(({ name }) => ({ value: name, label: name }))}
              onChange={onScore}
              className="max-w-56"
            />
          )
        }
      />
      <dl className="grid grid-cols-2 content-center gap-x-4 gap-y-3 border-line p-4 max-lg:border-t md:grid-cols-4 lg:grid-cols-2 lg:border-l">
        <Fact name="Best" value={text(best)} note={<RunLink run={best.run} />} />
        <Fact
          name="Latest"
          value={text(latest)}
          note={
            change === 0 ? (
              <RunLink run={latest.run} />
            ) : (
              <Delta value={change} text={`${sizeText(drawn.name, change, drawn.isRate)} vs. previous`} noise />
            )
          }
        />
        <Fact
          name="Trials"
          value={summaries.get(latest.run.id)?.trial_count.toLocaleString('en') ?? '–'}
          note={datasetText(datasetOf(latest.run))}
        />
        <Fact name="Spent" value={spent === undefined ? '–' : formatCost(spent)} note={spent === undefined ? 'No price' : count} />
      </dl>
    </section>
  )
}

const Fact = ({ name, value, note }: { name: string; value: string; note: ReactNode }) => (
  <div className="min-w-0">
    <dt className="text-xs text-fg-3">{name}</dt>
    <dd>
      <span className="num text-lg font-semibold">{value}</span>
      <span className="block truncate text-xs text-fg-3">{note}</span>
    </dd>
  </div>
)

function RunLink({ run }: { run: ListedRun }) {
  const project = useProject()
  return (
    <Link
      to="/$entity/$project/evaluations/runs/$run"
      params={{ ...project, run: run.id }}
      data-tip={`${run.name}${run.model === null ? '' : `, ${run.model}`}`}
      className="inline-block min-h-6 max-w-full truncate hover:text-fg hover:underline"
    >
      {run.model === null ? run.name : modelName(run.model)}
    </Link>
  )
}
