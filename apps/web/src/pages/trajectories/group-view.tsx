import { Button } from '../../ui/button.tsx'
import { TrajectoryCards } from '../../features/trajectories/group-trajectories.tsx'
import type { ShownTrajectory } from '../../features/trajectories/trajectory-queries.ts'
import { TrajectoryView } from '../../features/trajectories/trajectory-view.tsx'

interface Properties {
  trajectories: readonly ShownTrajectory[]
  /** Index of the one that is shown alone, from 0; undefined: all are shown side by side. */
  alone: number | undefined
  onAlone: (place: number | undefined) => void
}

/** The trajectories of a group: their rewards as cards, and each with its messages, side by side. */
export function GroupView({ trajectories, alone, onAlone }: Properties) {
  const shown = trajectories.map((trajectory, at) => ({ trajectory, at })).filter(({ at }) => alone === undefined || at === alone)
  return (
    <div className="flex flex-col gap-4">
      <div role="group" aria-label="Trajectories" className="flex flex-col gap-2">
        <TrajectoryCards trajectories={trajectories} chosen={alone} onChoose={(at) => onAlone(at === alone ? undefined : at)} />
        {alone !== undefined && (
          <span>
            <Button onClick={() => onAlone(undefined)}>All side by side</Button>
          </span>
        )}
      </div>
      {shown.length === 0 && <p className="text-fg-3">The group has no trajectory {(alone ?? 0) + 1} among those that are loaded.</p>}
      <div
        className="grid auto-cols-[minmax(320px,1fr)] grid-flow-col gap-4 overflow-x-auto pb-2"
        tabIndex={0}
        role="region"
        aria-label="Trajectories of the group"
      >
        {shown.map(({ trajectory, at }) => (
          <div key={trajectory.id} className="min-w-0 rounded-lg border border-line p-4">
            <TrajectoryView trajectory={trajectory} number={at + 1} />
          </div>
        ))}
      </div>
    </div>
  )
}
