import { toBins } from '../evaluations/charts/histogram-bins.ts'
import { numberText } from '../evaluations/charts/number-text.ts'

const height = 60

interface Properties {
  rewards: readonly number[]
  /** Number of the bin that is chosen, from 1. */
  chosen: number | undefined
  onChoose: (bin: number | undefined) => void
}

/** How rewards are distributed. A click on a bin chooses it, and another gives it back. */
export function RewardBins({ rewards, chosen, onChoose }: Properties) {
  const bins = toBins(rewards)
  const most = Math.max(1, ...bins.map(({ count }) => count))
  return (
    <div className="reward-bins" role="group" aria-label="Trajectories by reward">
      {bins.map(({ low, high, count }, at) => {
        const range = low === high ? numberText(low, false) : `${numberText(low, false)} to ${numberText(high, false)}`
        const isChosen = chosen === at + 1
        return (
          <button
            key={low}
            type="button"
            aria-pressed={isChosen}
            aria-label={`Reward ${range}: ${count} trajectories`}
            onClick={() => onChoose(isChosen ? undefined : at + 1)}
          >
            <span>{count}</span>
            <span className="bar" style={{ height: count === 0 ? 0 : Math.max(2, (count / most) * height) }} />
            <span>{range}</span>
          </button>
        )
      })}
    </div>
  )
}
