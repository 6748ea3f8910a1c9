import { countText } from '../../lib/texts/count-text.ts'
import { cx } from '../../lib/cx.ts'
import { Delta } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { metricText } from '../curves/metric-name.ts'
import type { ShownTrajectory } from './trajectory-queries.ts'

const text = (value: number) => metricText('reward', value)

interface Properties {
  trajectories: readonly ShownTrajectory[]
  /** Index of the trajectory shown, from 0; undefined: none, or all. */
  chosen: number | undefined
  onChoose: (place: number) => void
}

/** The trajectories of a group as cards, each with its reward and how much better than the group it did. */
export function TrajectoryCards({ trajectories, chosen, onChoose }: Properties) {
  return (
    <ul className="grid grid-cols-[repeat(auto-fill,minmax(112px,1fr))] gap-1.5">
      {trajectories.map(({ id, reward, advantage, messages }, at) => (
        <li key={id}>
          <Button
            aria-pressed={at === chosen}
            aria-label={`Trajectory ${at + 1}: reward ${text(reward)}${advantage === undefined ? '' : `, advantage ${text(advantage)}`}`}
            onClick={() => onChoose(at)}
            className={cx(
              'h-auto w-full flex-col items-stretch gap-0 p-2 text-left font-normal shadow-none',
              at === chosen && 'border-accent',
            )}
          >
            <span className="flex items-center justify-between gap-1">
              <span className="text-xs text-fg-3">t{at + 1}</span>
              {advantage !== undefined && <Delta value={advantage} text={text(Math.abs(advantage))} className="text-2xs" />}
            </span>
            <span className="num block text-lg font-semibold text-fg">{text(reward)}</span>
            <span className="num block truncate text-2xs text-fg-3">{countText(messages.length, 'message')}</span>
          </Button>
        </li>
      ))}
    </ul>
  )
}
