import { useQuery } from '@tanstack/react-query'
import { useProject } from '../../lib/use-project.ts'
import { runsQuery } from '../../features/evaluations/evaluation-queries.ts'
import { LatestList } from './latest-list.tsx'

const latest = 5

/** The newest evaluation runs. */
export function LatestRuns() {
  const project = useProject()
  return (
    <LatestList
      title="Evaluations"
      what="evaluation runs"
      none="No evaluations yet"
      all={{ to: '/$entity/$project/evaluations', params: project }}
      query={useQuery(runsQuery(project))}
      rowsOf={({ runs }) =>
        runs.slice(0, latest).map(({ id, name, model, status, started_at }) => ({
          id,
          link: { to: '/$entity/$project/evaluations/runs/$run', params: { ...project, run: id } },
          status,
          name,
          detail: model,
          time: started_at,
        }))
      }
    />
  )
}
