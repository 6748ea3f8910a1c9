import { useQuery } from '@tanstack/react-query'
import { useProject } from '../../lib/use-project.ts'
import { latestJobsQuery } from './home-queries.ts'
import { LatestList } from './latest-list.tsx'

/** The newest training jobs. */
export function LatestJobs() {
  const project = useProject()
  return (
    <LatestList
      title="Training"
      what="training jobs"
      none="No training jobs yet"
      all={{ to: '/$entity/$project/training/jobs', params: project }}
      query={useQuery(latestJobsQuery(project))}
      rowsOf={(jobs) =>
        jobs.map(({ id, kind, status, created_at }) => ({
          id,
          link: { to: '/$entity/$project/training/jobs/$job', params: { ...project, job: id } },
          status,
          name: kind === 'rl' ? 'Reinforcement learning' : 'Fine-tuning',
          detail: id.slice(-8),
          time: created_at,
        }))
      }
    />
  )
}
