import { Delta } from '../../ui/badge.tsx'
import { changeText } from '../curves/metric-name.ts'
import type { ScorePoint } from '../evaluations/scores-over-runs.ts'
import type { CheckpointScore } from './checkpoint-runs.ts'

/** The score of a step, and that of the last step before it that was measured. */
export function scoreOfStep<Point extends { run: { step: number } }>(
  points: readonly Point[],
  step: number,
): { point?: Point; before?: Point } {
  const at = points.findIndex(({ run }) => run.step === step)
  const [point, before] = [points[at], points[at - 1]]
  return { ...(point && { point }), ...(point && before && { before }) }
}

interface Properties {
  score: Pick<CheckpointScore, 'name' | 'isRate'>
  point: Pick<ScorePoint, 'value' | 'interval'>
  before: Pick<ScorePoint, 'value'>
  className?: string
}

/** How much a score differs from the one before, gray where that lies within its interval. */
export function ScoreChange({ score: { name, isRate }, point: { value, interval }, before, className = '' }: Properties) {
  const change = value - before.value
  return (
    <Delta
      value={change}
      text={isRate ? (Math.abs(change) * 100).toFixed(1) : changeText(name, change)}
      noise={interval !== undefined && before.value >= interval.low && before.value <= interval.high}
      className={className}
    />
  )
}
