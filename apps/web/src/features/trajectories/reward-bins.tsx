import { Distribution } from '../../plot/drawings.ts'
import { cx } from '../../lib/cx.ts'
import { Button } from '../../ui/button.tsx'
import { metricText } from '../curves/metric-name.ts'
import { toBins } from '../charts/histogram-bins.ts'
import { meanOf } from './group-statistics.ts'

const text = (value: number) => metricText('reward', value)

interface Properties {
  rewards: readonly number[]
  /** Pixels. */
  height: number
  /** Number of the bin that is chosen, from 1. */
  chosen: number | undefined
  onChoose: (bin: number | undefined) => void
}

/** How rewards are distributed, with their mean where bins are parts of one axis. A press on a bin chooses it, and another gives it back. */
export function RewardBins({ rewards, height, chosen, onChoose }: Properties) {
  const bins = toBins(rewards)
  const isExact = bins.every(({ low, high }) => low === high)
  const [first, last] = [bins[0]?.low ?? 0, bins.at(-1)?.high ?? 1]
  return (
    <div role="group" aria-label="Trajectories by reward">
      <Distribution
        label={`${rewards.length.toLocaleString('en')} rewards, mean ${text(meanOf(rewards))}, from ${text(first)} to ${text(last)}`}
        height={height}
        bins={[bins.map(({ count }) => count)]}
        series={[{ id: 'trajectories', name: 'Trajectories', color: 'var(--s1)' }]}
        unit=""
        x0={first}
        x1={last}
        format={text}
        {...(isExact ? { names: bins.map(({ low }) => text(low)) } : { marks: [{ at: meanOf(rewards), color: 'var(--fg-2)' }] })}
        part={(at) => {
          const { low, high, count } = bins[at]!
          const isChosen = chosen === at + 1
          const range = low === high ? text(low) : `${text(low)} to ${text(high)}`
          return (
            <Button
              variant="ghost"
              aria-pressed={isChosen}
              aria-label={`Reward ${range}: ${count} trajectories`}
              onClick={() => onChoose(isChosen ? undefined : at + 1)}
              className={cx(
                'size-full rounded-none -outline-offset-2',
                isChosen ? 'bg-accent/15' : 'bg-transparent [--on-hover:transparent] [--on-press:transparent]',
              )}
            />
          )
        }}
      />
    </div>
  )
}
