import { queryOptions } from '@tanstack/react-query'
import { exactTrainingClient, trainingClient } from '../../features/training/training-queries.ts'

/**
 * The tools available to the first attempt of the newest reinforcement learning of a model, with their numbers in the form in which they were sent; empty
 * without such a job.
 */
export const trainedToolsQuery = (model_id: string) =>
  queryOptions({
    queryKey: ['trained-tools', model_id],
    queryFn: async ({ signal }): Promise<readonly unknown[]> => {
      const jobs = await trainingClient.trainingJobs.list({ model_id, status: 'succeeded', limit: 1 }, { signal })
      const [job] = jobs.data
      if (job?.kind !== 'rl') return []
      const { data } = await exactTrainingClient.jobTrajectories.list({ job_id: job.id, group: 0, limit: 1 }, { signal })
      return data[0]?.tools ?? []
    },
    staleTime: Number.POSITIVE_INFINITY,
  })

/** Names of tools in the form of chat completions, for a sentence. */
export function namesOfTools(tools: readonly unknown[]): string {
  return tools.map((tool) => (tool as { function?: { name?: unknown } } | null)?.function?.name ?? 'one without a name').join(', ')
}
