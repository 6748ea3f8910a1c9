import { Delta } from '../../ui/badge.tsx'
import { columnText, pointsText, roundChange } from '../../lib/texts/number-text.ts'
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
  score: Pick<CheckpointScore, 'isRate'>
  point: Pick<ScorePoint, 'value' | 'interval'>
  before: Pick<ScorePoint, 'value'>
  className?: string
}

/** Whether the score before lies within the interval of a score, so that their difference may be chance. */
export const mayBeChance = ({ interval }: Properties['point'], before: Properties['before']): boolean =>
  interval !== undefined && before.value >= interval.low && before.value <= interval.high

/** How much a score differs from the one before, gray where that may be chance. */
export function ScoreChange({ score: { isRate }, point, before, className = '' }: Properties) {
  const change = point.value - before.value
  return (
    <Delta
      value={change}
      text={isRate ? Number(pointsText(change)).toFixed(1) : columnText(roundChange(change), false)}
      noise={mayBeChance(point, before)}
      className={className}
    />
  )
}
