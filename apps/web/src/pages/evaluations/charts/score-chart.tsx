import type { EvaluationRun } from '@heddle/evaluations'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useProject } from '../../../lib/use-project.ts'
import { ChartFrame } from '../../../plot/frame.tsx'
import { Lines } from '../../../plot/drawings.ts'
import { intervalText, numberText } from '../../../lib/texts/number-text.ts'
import type { ScoreSeries } from '../../../features/evaluations/scores-over-runs.ts'

/** The order of the points of a chart. */
interface Order<Run extends EvaluationRun> {
  /** In words. */
  order: string
  /** Label below a point. */
  labelOf: (run: Run) => string
  /** Title of the labels, if they are not self-explanatory. */
  name?: string
}

interface Properties<Run extends EvaluationRun> {
  /** Default: the name of the score. */
  title?: ReactNode
  note?: string
  /** At least two points. */
  series: ScoreSeries<Run>
  over: Order<Run>
  height: number
  actions?: ReactNode
  bare?: boolean
}

/** A score over several runs, with the interval of each where it is known. A point leads to its run; so does the table. */
export function ScoreChart<Run extends EvaluationRun>({ title, note, series, over, height, actions, bare }: Properties<Run>) {
  const { name, isRate, points } = series
  const project = useProject()
  const text = (value: number) => numberText(value, isRate)
  const values = points.map(({ value }) => value)
  const labels = points.map(({ run }) => over.labelOf(run))
  const hasBand = points.every(({ interval }) => interval !== undefined)
  const [least, most] = [
    Math.min(...points.map((point) => point.interval?.low ?? point.value)),
    Math.max(...points.map((point) => point.interval?.high ?? point.value)),
  ]
  const to = '/$entity/$project/evaluations/runs/$run'
  return (
    <ChartFrame
      title={title ?? name}
      name={`${name} ${over.order}`}
      // The outer points extend beyond the box.
      className="overflow-hidden"
      height={height}
      {...(note !== undefined && { note })}
      {...(actions !== undefined && { actions })}
      {...(bare && { bare })}
      table={{
        columns: ['Run', over.name ?? 'Subject', name, '95% interval'],
        rows: points.toReversed().map(({ run, value, interval }) => [
          <Link key="run" to={to} params={{ ...project, run: run.id }} search={{ measure: name }} className="text-accent-text underline">
            {run.name}
          </Link>,
          over.name === undefined ? (run.model ?? '–') : over.labelOf(run),
          text(value),
          interval ? intervalText(interval, isRate) : '–',
        ]),
      }}
    >
      <Lines
        label={`${name} ${over.order}: ${values.map(text).join(', ')}`}
        height={height}
        yTicks={3}
        dots={points.length <= 40}
        series={[
          {
            id: name,
            name,
            color: 'var(--s1)',
            values,
            ...(hasBand && { band: points.map(({ interval }): [number, number] => [interval!.low, interval!.high]) }),
          },
        ]}
        min={isRate ? Math.max(0, Math.floor(least * 5) / 5) : least}
        max={isRate ? Math.min(1, Math.ceil(most * 5) / 5) : most === least ? most + 1 : most}
        format={text}
        xTicks={labels.flatMap((label, at) => (label === labels[at - 1] ? [] : [at]))}
        xLabel={(at) => labels[at] ?? ''}
        {...(over.name !== undefined && { xName: over.name })}
        part={(at) =>
          points[at] && (
            <Link
              to={to}
              params={{ ...project, run: points[at].run.id }}
              search={{ measure: name }}
              tabIndex={-1}
              aria-hidden
              className="block size-full"
            />
          )
        }
      />
    </ChartFrame>
  )
}
