import { useMemo } from 'react'
import { ChartFrame } from '../../plot/frame.tsx'
import { Lines } from '../../plot/drawings.ts'
import type { LineSeries } from '../../plot/lines.tsx'
import { metricText } from '../../features/curves/metric-name.ts'
import type { RewardPoint } from './rewards-over-checkpoints.ts'

const height = 248
const text = (value: number) => metricText('reward', value)

interface Properties {
  /** At least two. */
  points: readonly RewardPoint[]
  /** Step of the checkpoint that the job made. */
  made: number | null
}

/** The reward of a model from checkpoint to checkpoint, with its spread over trajectories and that of validations. */
export function RewardByCheckpoint({ points, made }: Properties) {
  const series = useMemo(() => seriesOf(points), [points])
  const shown = points.find(({ step }) => step === made) ?? points.at(-1)
  if (!shown) return null
  return (
    <ChartFrame
      title="Reward"
      value={
        <>
          {text(shown.reward)}
          <span className="ml-1 text-xs text-fg-3">at checkpoint {shown.step}</span>
        </>
      }
      note={
        shown.trajectories === undefined
          ? 'By checkpoint'
          : `By checkpoint, mean of ${shown.trajectories.toLocaleString('en')} trajectories`
      }
      height={height}
      table={{
        columns: ['Checkpoint', 'Reward', 'Spread', 'Validation'],
        rows: points.map(({ step, reward, spread, validation }) => [
          step,
          text(reward),
          spread === undefined ? '–' : text(spread),
          validation === undefined ? '–' : text(validation),
        ]),
      }}
    >
      <Lines
        label={`Reward by checkpoint: ${points.map(({ step, reward }) => `${text(reward)} at ${step}`).join(', ')}`}
        height={height}
        series={series}
        format={text}
        xName="Checkpoint"
        endLabels
        dots={points.length < 20}
        hover={made ?? undefined}
        {...boundsOf(points)}
      />
    </ChartFrame>
  )
}

/** The axis covers the band. */
function boundsOf(points: readonly RewardPoint[]) {
  const ends = points.flatMap(({ reward, spread = 0, validation = reward }) => [reward - spread, reward + spread, validation])
  return { min: Math.min(...ends), max: Math.max(...ends) }
}

function seriesOf(points: readonly RewardPoint[]): LineSeries[] {
  const validated = points.filter(({ validation }) => validation !== undefined)
  return [
    {
      id: 'reward',
      name: 'Training',
      color: 'var(--s1)',
      values: points.map(({ reward }) => reward),
      places: points.map(({ step }) => step),
      band: points.map(({ reward, spread = 0 }): [number, number] => [reward - spread, reward + spread]),
    },
    ...(validated.length < 2
      ? []
      : [
          {
            id: 'validation',
            name: 'Validation',
            color: 'var(--s3)',
            dash: '2 3',
            values: validated.map(({ validation = 0 }) => validation),
            places: validated.map(({ step }) => step),
          },
        ]),
  ]
}
