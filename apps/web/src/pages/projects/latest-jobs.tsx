import { useQuery } from '@tanstack/react-query'
import type { TrainingJob } from '@heddle/core-api/types'
import { useProject } from '../../lib/use-project.ts'
import { methods } from '../../features/training/methods.ts'
import { RewardCell } from '../../features/training/reward-cell.tsx'
import { useRewardsOfJobs } from '../../features/training/rewards-of-jobs.ts'
import { modelsQuery } from '../../features/training/training-queries.ts'
import { latestJobsQuery } from './home-queries.ts'
import { LatestList } from './latest-list.tsx'

const noJobs: readonly TrainingJob[] = []

/** The newest training jobs, named after their models, each with its reward or loss. */
export function LatestJobs() {
  const project = useProject()
  const { data } = useQuery(modelsQuery(project))
  const query = useQuery(latestJobsQuery(project))
  const rewards = useRewardsOfJobs(query.data ?? noJobs)
  const modelOf = new Map(data?.models.map((model) => [model.id, model.name]))
  return (
    <LatestList
      title="Training"
      what="training jobs"
      none="No training jobs yet"
      all={{ to: '/$entity/$project/training/jobs', params: project }}
      query={query}
      rowsOf={(jobs) =>
        jobs.map(({ id, model_id, kind, status, created_at }) => ({
          id,
          link: { to: '/$entity/$project/training/jobs/$job', params: { ...project, job: id } },
          status,
          name: modelOf.get(model_id) ?? methods[kind].title,
          detail: `${methods[kind].short} ${id.slice(-8)}`,
          ...(rewards.has(id) && { result: <RewardCell curve={rewards.get(id)} isRunning={status === 'running'} /> }),
          time: created_at,
        }))
      }
    />
  )
}
