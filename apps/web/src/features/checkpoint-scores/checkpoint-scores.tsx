import type { UseQueryResult } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useMemo } from 'react'
import { useProject } from '../../lib/use-project.ts'
import { QueryProblem } from '../../ui/states/query-problem.tsx'
import { ChartFrame } from '../../plot/frame.tsx'
import { Lines } from '../../plot/drawings.ts'
import type { LineSeries } from '../../plot/lines.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Select } from '../../ui/select.tsx'
import { looksOfLines } from '../curves/series-lines.ts'
import { numberText } from '../../lib/texts/number-text.ts'
import { maxRuns } from '../evaluations/evaluation-queries.ts'
import type { CheckpointRun, CheckpointScore } from './checkpoint-runs.ts'
import type { CheckpointScoresState } from './use-scores-of-checkpoints.ts'

const height = 212
/** Curves that can be distinguished at a glance; the table of the chart has all of them. */
const maxCurves = 4
/** The style for comparisons implies a sequence; here scores are independent. */
const looks = looksOfLines.filter((_, at) => at !== 1)

interface Properties {
  runs: UseQueryResult<{ runs: readonly CheckpointRun[]; hasMore: boolean }>
  scores: CheckpointScoresState
  onEvaluation: (evaluation: string) => void
}

/** What an evaluation found of the checkpoints of a model, over its steps. A press on a point leads to its run. */
export function CheckpointScores({ runs, scores, onEvaluation }: Properties) {
  const project = useProject()
  const navigate = useNavigate()
  const { evaluations, evaluation, shown } = scores
  const isLoading = runs.isPending || (runs.data !== undefined && runs.data.runs.length > 0 && !scores.summaries && !scores.error)
  const drawn = shown.slice(0, maxCurves)
  const series = useMemo(() => seriesOf(shown.slice(0, maxCurves)), [shown])
  const isRates = drawn.every(({ isRate }) => isRate)
  const text = (value: number) => numberText(value, isRates)
  const hasIntervals = drawn.some(({ points }) => points.some(({ interval }) => interval))
  function open(step: number) {
    const run = drawn.flatMap(({ points }) => points).find((point) => point.run.step === step)?.run.id
    if (run !== undefined) void navigate({ to: '/$entity/$project/evaluations/runs/$run', params: { ...project, run }, search: {} })
  }
  return (
    <>
      {runs.error && <QueryProblem error={runs.error} retry={() => void runs.refetch()} />}
      {scores.error && <QueryProblem error={scores.error} retry={scores.refetch} />}
      {runs.data?.hasMore && <Notice title={`Among the newest ${maxRuns} evaluation runs`} />}
      {drawn.length === 0 && !isLoading ? (
        <p className="flex h-24 shrink-0 items-center justify-center rounded-lg border border-line text-fg-3">
          {runs.data?.runs.length === 0 ? 'No checkpoint was evaluated yet' : 'Scores appear once two checkpoints are evaluated'}
        </p>
      ) : (
        <ChartFrame
          title="Score by checkpoint"
          note={[evaluation, hasIntervals && '95% intervals'].filter((part) => typeof part === 'string').join(', ')}
          className="shrink-0"
          height={height}
          state={isLoading ? 'loading' : 'ready'}
          actions={
            evaluations.length > 1 && (
              <Select
                inside
                label="Evaluation"
                value={evaluation ?? ''}
                onChange={onEvaluation}
                choices={evaluations.map(({ evaluation: name }) => ({ value: name, label: name }))}
              />
            )
          }
          table={tableOf(shown)}
        >
          <Lines
            label={drawn
              .map(
                ({ name, isRate, points }) =>
                  `${name} by step: ${points.map(({ run, value }) => `${numberText(value, isRate)} at ${run.step}`).join(', ')}`,
              )
              .join('; ')}
            height={height}
            dots
            endLabels
            series={series}
            format={text}
            xName="Step"
            onPick={open}
            {...boundsOf(drawn, isRates)}
          />
        </ChartFrame>
      )}
    </>
  )
}

const seriesOf = (scores: readonly CheckpointScore[]): LineSeries[] =>
  scores.map(({ name, points }, at) => ({
    id: name,
    name,
    ...looks[at % looks.length]!,
    values: points.map(({ value }) => value),
    places: points.map(({ run }) => run.step),
    ...(points.every(({ interval }) => interval) && {
      band: points.map(({ value, interval }): [number, number] => [interval?.low ?? value, interval?.high ?? value]),
    }),
  }))

/** The axis covers the intervals; rates end at 1. */
function boundsOf(scores: readonly CheckpointScore[], isRates: boolean) {
  const ends = scores.flatMap(({ points }) => points.flatMap(({ value, interval }) => [interval?.low ?? value, interval?.high ?? value]))
  return { min: Math.min(...ends), max: isRates ? 1 : Math.max(...ends) }
}

function tableOf(scores: readonly CheckpointScore[]) {
  const steps = [...new Set(scores.flatMap(({ points }) => points.map(({ run }) => run.step)))].toSorted((one, other) => other - one)
  return {
    columns: ['Step', ...scores.map(({ name }) => name)],
    rows: steps.map((step) => [
      step,
      ...scores.map(({ isRate, points }) => {
        const point = points.find(({ run }) => run.step === step)
        if (!point) return '–'
        const { value, interval } = point
        return `${numberText(value, isRate)}${interval ? ` (${numberText(interval.low, isRate)} to ${numberText(interval.high, isRate)})` : ''}`
      }),
    ]),
  }
}
