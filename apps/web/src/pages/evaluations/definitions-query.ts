import { queryOptions } from '@tanstack/react-query'
import { client } from '../../app/client.ts'
import type { ProjectName } from '../../app/use-project.ts'
import { toDefinition } from './to-definition.ts'

export const maxDefinitions = 100

/** The latest version of each evaluation of a project, the newest first. */
export const definitionsQuery = ({ id: project_id }: Pick<ProjectName, 'id'>) =>
  queryOptions({
    queryKey: ['evaluation-definitions', project_id],
    queryFn: async ({ signal }) => {
      const filter = { latest_only: true, is_op: false, base_object_classes: ['Evaluation'] }
      const sort_by = [{ field: 'created_at', direction: 'desc' as const }]
      const { objs } = await client.objects.query({ project_id, filter, sort_by, limit: maxDefinitions + 1 }, { signal })
      const definitions = objs.slice(0, maxDefinitions).map(({ object_id, val, created_at }) => toDefinition(object_id, val, created_at))
      return { definitions, hasMore: objs.length > maxDefinitions }
    },
  })
