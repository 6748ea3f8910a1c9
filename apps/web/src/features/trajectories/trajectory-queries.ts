import { isApiError } from '@heddle/core-api'
import type { JobTrajectory, LoggedTrajectoryGroup } from '@heddle/core-api/types'
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { countedInNumbers } from './counted-in-numbers.ts'
import { roundNumbers } from '../../lib/round-numbers.ts'
import type { ProjectName } from '../../lib/use-project.ts'
import { exactTrainingClient, trainingClient } from '../training/training-queries.ts'

/** Groups of a job that are read at a time. */
const groupsOfPage = 1_000
const trajectoriesOfPage = 20
const loggedOfPage = 20
/** Models whose logged trajectories are looked through for a trace. */
const maxSearchedModels = 20

/** A trajectory of either source: with its advantage where a job learned from it. */
export type ShownTrajectory = Omit<JobTrajectory, 'advantage'> & { advantage?: number | undefined }

/** Groups from which a job learned, in the order of its request. */
export const jobGroupsQuery = (job_id: string) =>
  infiniteQueryOptions({
    queryKey: ['job-groups', job_id],
    initialPageParam: null as string | null,
    queryFn: ({ signal, pageParam: after }) =>
      trainingClient.jobTrajectories.listGroups({ job_id, after, limit: groupsOfPage }, { signal }),
    getNextPageParam: ({ has_more, last_id }) => (has_more ? last_id : undefined),
    staleTime: Number.POSITIVE_INFINITY,
  })

/** The trajectories of one of these groups. */
export const jobTrajectoriesQuery = (job_id: string, group: number, withTokens: boolean) =>
  infiniteQueryOptions({
    queryKey: ['job-trajectories', job_id, group, withTokens],
    initialPageParam: null as string | null,
    queryFn: async ({ signal, pageParam: after }) => {
      const page = await exactTrainingClient.jobTrajectories.list(
        { job_id, group, after, limit: trajectoriesOfPage, ...(withTokens && { log_probabilities: true }) },
        { signal },
      )
      return { ...page, data: page.data.map(countedInNumbers) }
    },
    getNextPageParam: ({ has_more, last_id }) => (has_more ? last_id : undefined),
    staleTime: Number.POSITIVE_INFINITY,
  })

/** Which logged groups of a model are shown. */
export interface LoggedFilter {
  step?: number | undefined
  split?: string | undefined
}

/** Logged groups of a model, the newest first. */
export const loggedGroupsQuery = (model_id: string, { step, split }: LoggedFilter) =>
  infiniteQueryOptions({
    queryKey: ['logged-groups', model_id, step, split],
    initialPageParam: null as string | null,
    queryFn: async ({ signal, pageParam: after }) => {
      const request = { model_id, step: step ?? null, split: split ?? null, after, limit: loggedOfPage }
      const page = await exactTrainingClient.trajectories.list(request, { signal })
      return { ...page, data: page.data.map(groupInNumbers) }
    },
    getNextPageParam: ({ has_more, last_id }) => (has_more ? last_id : undefined),
  })

/** A logged group by its id; null if there is none. */
export const loggedGroupQuery = (model_id: string, group: string) =>
  queryOptions({
    queryKey: ['logged-group', model_id, group],
    queryFn: async ({ signal }): Promise<LoggedTrajectoryGroup | null> => {
      const { data } = await exactTrainingClient.trajectories.list({ model_id, trajectory_id: `${group}:0`, limit: 1 }, { signal })
      return data[0] === undefined ? null : groupInNumbers(data[0])
    },
  })

function groupInNumbers({ trajectories, ...group }: LoggedTrajectoryGroup): LoggedTrajectoryGroup {
  return { ...roundNumbers(group), trajectories: trajectories.map(countedInNumbers) }
}

/** Where a logged trajectory is. */
export interface TrajectoryPlace {
  id: string
  model: string
  modelName: string
  group: string
  /** From 0. */
  place: number
  reward: number
}

/** The logged trajectories whose metadata names a trace. None where the server does not train, or the key may not read it. */
export const trajectoriesOfTraceQuery = ({ entity, project, id }: ProjectName, trace_id: string | undefined) =>
  queryOptions({
    queryKey: ['trajectories-of-trace', id, trace_id],
    enabled: trace_id !== undefined,
    queryFn: async ({ signal }): Promise<TrajectoryPlace[]> => {
      try {
        const { data: models } = await trainingClient.models.list({ entity, project, limit: maxSearchedModels }, { signal })
        const found = models.map(async ({ id: model_id, name }) => {
          const { data } = await trainingClient.trajectories.list({ model_id, trace_id: trace_id ?? '' }, { signal })
          return data.flatMap((group) => placesIn(group, { model_id, name, trace_id }))
        })
        return (await Promise.all(found)).flat()
      } catch (error) {
        if (isApiError(error) && [401, 403, 404].includes(error.status)) return []
        throw error
      }
    },
  })

function placesIn(
  { id: group, trajectories }: LoggedTrajectoryGroup,
  { model_id: model, name: modelName, trace_id }: { model_id: string; name: string; trace_id: string | undefined },
): TrajectoryPlace[] {
  return trajectories.flatMap(({ id, metadata, reward }, place) =>
    metadata['trace_id'] === trace_id ? [{ id, model, modelName, group, place, reward }] : [],
  )
}
