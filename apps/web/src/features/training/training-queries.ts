import type { TrainedModel, TrainingEvent, TrainingJob } from '@heddle/core-api/types'
import { createClient } from '@heddle/core-api/client'
import { trainingRoutes } from '@heddle/core-api/routes'
import { parseExactJson, stringifyJson } from '@heddle/json/exact'
import { queryOptions } from '@tanstack/react-query'
import { serverUrl } from '../../lib/server/base-path.ts'
import { readAgain } from '../../lib/server/read-again.ts'
import type { ProjectName } from '../../lib/use-project.ts'
import { isUnfinished } from './is-unfinished.ts'

/** The training service of the server that sent this page. The cookie of the session is the credential. */
export const trainingClient = createClient({ baseUrl: serverUrl(), routes: trainingRoutes, timeoutMs: 60_000 })

/** The same for what programs recorded, which is shown as it was sent: a number that JavaScript would write differently is a `JsonNumber`. */
export const exactTrainingClient = createClient({
  baseUrl: serverUrl(),
  routes: trainingRoutes,
  timeoutMs: 60_000,
  json: { parse: parseExactJson, stringify: stringifyJson },
})

/** Models and jobs of a project, checkpoints and events that a page holds. */
export const maxModels = 100
export const maxJobs = 100
export const maxCheckpoints = 1_000
export const maxEvents = 20_000
const pageSize = 100
/** Polling interval while a job is unfinished. */
const refreshMs = 2_000

/** The models of a project in the order of their registration. */
export const modelsQuery = ({ entity, project, id }: ProjectName) =>
  queryOptions({
    queryKey: ['trained-models', id],
    queryFn: async ({ signal }) => {
      const { data, has_more } = await trainingClient.models.list({ entity, project, limit: maxModels }, { signal })
      return { models: data, hasMore: has_more }
    },
  })

/** The newest jobs of a project, the newest first. */
export const jobsQuery = ({ entity, project, id }: ProjectName) =>
  queryOptions({
    queryKey: ['training-jobs', id],
    queryFn: async ({ signal }) => {
      const { data, has_more } = await trainingClient.trainingJobs.list({ entity, project, limit: maxJobs }, { signal })
      return { jobs: data, hasMore: has_more }
    },
    refetchInterval: ({ state }) => (state.data?.jobs.some(isUnfinished) ? refreshMs : false),
  })

/** Jobs that are drawn together. */
const maxManyJobs = 500
const manyJobsRefreshMs = 10_000

/** The newest jobs of a project, as many as are drawn together, newest first, in pages. */
export const manyJobsQuery = ({ entity, project, id }: ProjectName) =>
  queryOptions({
    queryKey: ['many-training-jobs', id],
    queryFn: async ({ signal }) => {
      const jobs: TrainingJob[] = []
      for (let after: string | null = null; ;) {
        const page: Awaited<ReturnType<typeof trainingClient.trainingJobs.list>> = await trainingClient.trainingJobs.list(
          { entity, project, after, limit: pageSize },
          { signal },
        )
        jobs.push(...page.data)
        if (!page.has_more || jobs.length >= maxManyJobs) return { jobs, hasMore: page.has_more }
        after = page.last_id
      }
    },
    refetchInterval: ({ state }) => (state.data?.jobs.some(isUnfinished) ? manyJobsRefreshMs : false),
  })

interface JobAndModel {
  job: TrainingJob
  model: TrainedModel
}

/** A job with its model. Events just before its end are read before it is shown as ended, since they are no longer polled then. */
export const jobQuery = (job_id: string) =>
  queryOptions({
    queryKey: ['training-job', job_id],
    queryFn: async ({ signal, client, queryKey }): Promise<JobAndModel> => {
      const before = client.getQueryData<JobAndModel>(queryKey)
      const job = await trainingClient.trainingJobs.read({ job_id }, { signal })
      const model = await trainingClient.models.read({ model_id: job.model_id }, { signal })
      if (before && isUnfinished(before.job) && !isUnfinished(job)) await readAgain(client, eventsQuery(job_id, true).queryKey)
      return { job, model }
    },
    refetchInterval: ({ state }) => (state.data && !isUnfinished(state.data.job) ? false : refreshMs),
  })

export const modelQuery = (model_id: string) =>
  queryOptions({ queryKey: ['trained-model', model_id], queryFn: ({ signal }) => trainingClient.models.read({ model_id }, { signal }) })

/** The events of a job so far; known ones are not read again. */
export const eventsQuery = (job_id: string, isLive: boolean) =>
  queryOptions({
    queryKey: ['training-events', job_id],
    queryFn: async ({ signal, client, queryKey }) => {
      const events = [...(client.getQueryData<readonly TrainingEvent[]>(queryKey) ?? [])]
      for (;;) {
        const after = events.at(-1)?.id ?? null
        const { data, has_more } = await trainingClient.trainingEvents.list({ job_id, after, limit: pageSize }, { signal })
        events.push(...data)
        if (!has_more || events.length >= maxEvents) return events
      }
    },
    refetchInterval: isLive ? refreshMs : false,
  })

/** The newest checkpoints of a model, the newest first. */
export const checkpointsQuery = (model_id: string) =>
  queryOptions({
    queryKey: ['checkpoints', model_id],
    queryFn: async ({ signal }) => {
      const checkpoints = []
      let after: string | null = null
      for (;;) {
        const { data, has_more, last_id } = await trainingClient.checkpoints.list(
          { model_id, order: 'desc', after, limit: pageSize },
          { signal },
        )
        checkpoints.push(...data)
        if (!has_more || checkpoints.length >= maxCheckpoints) return { checkpoints, hasMore: has_more }
        after = last_id
      }
    },
  })

/** The newest jobs of a model, the newest first: as many as a list of jobs holds. */
export const jobsOfModelQuery = (model_id: string) =>
  queryOptions({
    queryKey: ['training-jobs-of-model', model_id],
    queryFn: async ({ signal }) => (await trainingClient.trainingJobs.list({ model_id, limit: maxJobs }, { signal })).data,
  })

/** Metrics of the newest checkpoints of a model, by step. `newestStep` is one that they hold: with the next one they are read again. */
export const checkpointMetricsQuery = (model_id: string, newestStep: number) =>
  queryOptions({
    queryKey: ['checkpoint-metrics', model_id, newestStep],
    queryFn: async ({ signal }) => {
      const { data } = await trainingClient.checkpoints.list({ model_id, order: 'desc', limit: maxJobs }, { signal })
      return new Map(data.map(({ step, metrics }) => [step, metrics]))
    },
    staleTime: Number.POSITIVE_INFINITY,
  })
