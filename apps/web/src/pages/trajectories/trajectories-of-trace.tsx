import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useProject } from '../../app/use-project.ts'
import { numberText } from '../evaluations/charts/number-text.ts'
import { trajectoriesOfTraceQuery } from './trajectory-queries.ts'

const shown = 10

/** Links to the logged trajectories that a trace recorded; nothing where there are none. */
export function TrajectoriesOfTrace({ traceId }: { traceId: string | undefined }) {
  const project = useProject()
  const places = useQuery(trajectoriesOfTraceQuery(project, traceId)).data ?? []
  if (places.length === 0) return null
  return (
    <p className="row">
      <span className="muted">Trajectories of this trace:</span>
      {places.slice(0, shown).map(({ id, model, modelName, group, place, reward }) => (
        <Link
          key={id}
          to="/$entity/$project/training/models/$model/trajectories"
          params={{ ...project, model }}
          search={{ group, trajectory: place + 1 }}
        >
          {modelName}, reward {numberText(reward, false)}
        </Link>
      ))}
      {places.length > shown && <span className="muted">and {places.length - shown} more</span>}
    </p>
  )
}
