import { displayNameOf } from '@heddle/core-api'
import { queryOptions } from '@tanstack/react-query'
import { queuesQuery } from '../../features/queues/queue-queries.ts'
import { jobsQuery, modelsQuery } from '../../features/training/training-queries.ts'
import { runsQuery } from '../../features/evaluations/evaluation-queries.ts'
import { client } from '../../lib/server/client.ts'
import type { ProjectName } from '../../lib/use-project.ts'
import type { Target } from './targets.ts'

/** The newest of each kind that the search looks through. */
export const searchedObjects = 200

/** The newest objects, evaluation runs, queues, models and training jobs of a project; unreadable ones are omitted. */
export const namedTargetsQuery = (project: ProjectName | undefined) =>
  queryOptions({
    queryKey: ['go-to', project?.id],
    enabled: project !== undefined,
    queryFn: async ({ client: queries }): Promise<Target[]> => {
      if (!project) return []
      const found = await Promise.allSettled([
        objectTargets(project),
        queries
          .ensureQueryData(runsQuery(project))
          .then(({ runs }) =>
            runs.map(({ id, name }) => ({ href: `/${project.id}/evaluations/runs/${id}`, title: name, kind: 'evaluation run' })),
          ),
        queries
          .ensureQueryData(modelsQuery(project))
          .then(({ models }) =>
            models.map(({ id, name }) => ({ href: `/${project.id}/training/models/${id}`, title: name, kind: 'trained model' })),
          ),
        queries.ensureQueryData(jobsQuery(project)).then(({ jobs }) =>
          jobs.map(({ id, kind }) => ({
            href: `/${project.id}/training/jobs/${id}`,
            title: kind === 'rl' ? 'Reinforcement learning' : 'Fine-tuning',
            kind: `training job ${id}`,
          })),
        ),
        queries
          .ensureQueryData(queuesQuery(client, project.id))
          .then(({ queues }) =>
            queues.map(({ id, name }) => ({ href: `/${project.id}/queues/${id}`, title: name, kind: 'annotation queue' })),
          ),
      ])
      return found.flatMap((one) => (one.status === 'fulfilled' ? one.value : []))
    },
  })

async function objectTargets({ id: project_id }: ProjectName): Promise<Target[]> {
  const sort_by = [{ field: 'created_at', direction: 'desc' as const }]
  const filter = { latest_only: true }
  const { objs } = await client.objects.query({ project_id, filter, sort_by, limit: searchedObjects, metadata_only: true })
  return objs.map(({ object_id, kind, base_object_class: base }) => {
    const path = kind === 'op' ? 'ops' : base === 'Dataset' ? 'datasets' : 'objects'
    return {
      href: `/${project_id}/${path}/${encodeURIComponent(object_id)}`,
      title: object_id,
      kind: kind === 'op' ? 'op' : (base?.toLowerCase() ?? 'object'),
    }
  })
}

/** The call with an id, as a list of at most one. */
export const callTargetQuery = (project: string | undefined, id: string, isWanted: boolean) =>
  queryOptions({
    queryKey: ['go-to-call', project, id],
    enabled: project !== undefined && isWanted,
    queryFn: async ({ signal }): Promise<Target[]> => {
      const columns = ['id', 'op_name', 'display_name', 'started_at', 'trace_id', 'attributes']
      const query = { project_id: project ?? '', filter: { call_ids: [id] }, columns, limit: 1 }
      for await (const call of client.calls.streamQuery(query, { signal }))
        return [{ href: `/${project}/calls/${encodeURIComponent(call.id)}`, title: displayNameOf(call), kind: 'call with this id' }]
      return []
    },
  })
