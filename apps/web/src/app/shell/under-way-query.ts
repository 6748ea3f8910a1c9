import { queryOptions } from '@tanstack/react-query'
import { client } from '../../lib/server/client.ts'
import { queuesKey } from '../../features/queues/queue-queries.ts'
import { trainingClient } from '../../features/training/training-queries.ts'
import type { ProjectName } from '../../lib/use-project.ts'
import type { UnderWay } from './under-way-texts.ts'

const refreshMs = 20_000

/** What is under way in a project. Polled while the page is visible, and read again with the queues when an item of one changes. */
export const underWayQuery = ({ id, entity, project }: ProjectName) =>
  queryOptions({
    queryKey: [...queuesKey(id), 'under-way'],
    queryFn: async ({ signal }): Promise<UnderWay> => {
      const [counts, jobs] = await Promise.all([
        client.projects.readUnderWay({ project_id: id }, { signal }),
        trainingClient.trainingJobs.list({ entity, project, status: 'running', limit: 1 }, { signal }),
      ])
      return { runs: counts.evaluation_runs, items: counts.annotation_items, jobs: jobs.data.length }
    },
    refetchInterval: refreshMs,
    refetchIntervalInBackground: false,
  })
