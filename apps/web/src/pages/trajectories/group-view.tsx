import './trajectories.css'
import { numberText } from '../evaluations/charts/number-text.ts'
import type { ShownTrajectory } from './trajectory-queries.ts'
import { TrajectoryView } from './trajectory-view.tsx'

interface Properties {
  trajectories: readonly ShownTrajectory[]
  /** Place of the one that is shown alone, from 0; undefined: all are beside each other. */
  alone: number | undefined
  onAlone: (place: number | undefined) => void
}

/** The trajectories of a group: their rewards as a table, and each with its messages, side by side. */
export function GroupView({ trajectories, alone, onAlone }: Properties) {
  const shown = trajectories.map((trajectory, at) => ({ trajectory, at })).filter(({ at }) => alone === undefined || at === alone)
  return (
    <>
      <div className="row" role="group" aria-label="Trajectories">
        <button type="button" aria-pressed={alone === undefined} onClick={() => onAlone(undefined)}>
          All side by side
        </button>
        {trajectories.map(({ id, reward, advantage }, at) => (
          <button key={id} type="button" aria-pressed={alone === at} onClick={() => onAlone(at)}>
            {at + 1}: reward {numberText(reward, false)}
            {advantage !== undefined && `, advantage ${numberText(advantage, false)}`}
          </button>
        ))}
      </div>
      {shown.length === 0 && <p className="notice">The group has no trajectory {(alone ?? 0) + 1} among those that are read.</p>}
      <div className="group-columns" tabIndex={0} role="region" aria-label="Trajectories of the group">
        {shown.map(({ trajectory, at }) => (
          <TrajectoryView key={trajectory.id} trajectory={trajectory} number={at + 1} />
        ))}
      </div>
    </>
  )
}
