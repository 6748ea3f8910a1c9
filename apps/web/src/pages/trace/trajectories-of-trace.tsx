import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { trajectoriesOfTraceQuery } from '../../features/trajectories/trajectory-queries.ts'
import { numberText } from '../../lib/texts/number-text.ts'
import { useProject } from '../../lib/use-project.ts'

const shownTrajectories = 3

/** Links to the trajectories that a trace is part of, with their rewards. `look`: classes of the links. */
export function TrajectoriesOfTrace({ traceId, look }: { traceId: string; look: string }) {
  const project = useProject()
  const trajectories = useQuery(trajectoriesOfTraceQuery(project, traceId)).data ?? []
  if (trajectories.length === 0) return null
  return (
    <span>
      Trajectory{' '}
      {trajectories.slice(0, shownTrajectories).map(({ id, model, modelName, group, place, reward }) => (
        <Link
          key={id}
          to="/$entity/$project/training/models/$model/trajectories"
          params={{ ...project, model }}
          search={{ group, trajectory: place + 1 }}
          className={`${look} mr-2`}
        >
          {modelName}, reward {numberText(reward, false)}
        </Link>
      ))}
      {trajectories.length > shownTrajectories && `and ${trajectories.length - shownTrajectories} more`}
    </span>
  )
}
