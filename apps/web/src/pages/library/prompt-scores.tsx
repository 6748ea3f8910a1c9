import { Link } from '@tanstack/react-router'
import { columnText, numberText } from '../../lib/texts/number-text.ts'
import { useProject } from '../../lib/use-project.ts'
import { useSize } from '../../lib/use-size.ts'
import type { CheckpointScore } from '../../features/checkpoint-scores/checkpoint-runs.ts'
import { ScoreChange, scoreOfStep } from '../../features/checkpoint-scores/score-change.tsx'
import { Spark } from '../../plot/spark.tsx'
import { Skeleton } from '../../ui/card.tsx'
import { Select } from '../../ui/select.tsx'
import type { PromptScores, PromptScoresState } from './use-prompt-scores.ts'

/** A score over the versions of a prompt, the oldest first, in a box that has its height before it is known. Its last value leads to its run. */
export const ScoreCurve = ({ state: { isPending, error, scores } }: { state: PromptScoresState }) => (
  <section aria-label="Score by version" aria-busy={isPending} className="h-26 shrink-0 border-b border-line px-4 py-2.5">
    {scores ? (
      <Curve scores={scores} />
    ) : isPending ? (
      <Skeleton className="h-full" />
    ) : (
      <p className="text-xs text-fg-3">{error ? 'Scores could not be loaded.' : 'Evaluate two versions to see their scores.'}</p>
    )}
  </section>
)

function Curve({ scores: { evaluation, all, drawn, onDraw } }: { scores: PromptScores }) {
  const project = useProject()
  const [ref, { width }] = useSize<HTMLDivElement>()
  const { name, isRate, points } = drawn
  const last = points.at(-1)
  const text = (value: number) => numberText(value, isRate)
  return (
    <>
      <div className="flex h-7 items-center gap-2">
        {all.length > 1 ? (
          <Select
            inside
            label="Score"
            value={name}
            choices={all.map((one) => ({ value: one.name, label: one.name }))}
            onChange={onDraw}
            className="min-w-0"
          />
        ) : (
          <span className="truncate text-fg-2" data-cut="" data-tip={name}>
            {name}
          </span>
        )}
        <span className="grow" />
        {last && (
          <Link
            to="/$entity/$project/evaluations/runs/$run"
            params={{ ...project, run: last.run.id }}
            className="num min-h-6 shrink-0 font-semibold hover:underline"
            aria-label={`${name} of v${last.run.step}: ${text(last.value)}, show the run`}
          >
            {text(last.value)}
          </Link>
        )}
      </div>
      <p className="truncate text-xs text-fg-3" data-cut="" data-tip={evaluation}>
        {evaluation}
      </p>
      <div ref={ref} className="h-9">
        {width > 0 && (
          <Spark
            values={points.map(({ value }) => value)}
            width={width}
            height={36}
            label={`${name} by version: ${points.map(({ run, value }) => `${text(value)} at v${run.step}`).join(', ')}`}
          />
        )}
      </div>
    </>
  )
}

/** The score of a version, and how it differs from the last one before it that was measured. Renders nothing for a version that was not. */
export function VersionScore({ series, version }: { series: CheckpointScore; version: number }) {
  const { point, before } = scoreOfStep(series.points, version)
  if (!point) return null
  return (
    <span className="num ml-auto flex shrink-0 items-center gap-1.5 text-xs">
      <span className="sr-only">{series.name}</span>
      <span className="font-medium">{columnText(point.value, series.isRate)}</span>
      {before && <ScoreChange score={series} point={point} before={before} />}
    </span>
  )
}
