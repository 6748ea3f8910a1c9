import { queryOptions } from '@tanstack/react-query'
import { client } from '../../lib/server/client.ts'
import type { ProjectName } from '../../lib/use-project.ts'
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

export interface ListedScorer {
  name: string
  /** Class of the object; empty if it has none. */
  className: string
  createdAt: string
}

/** The latest version of each scorer of a project, the newest first. */
export const scorersQuery = ({ id: project_id }: Pick<ProjectName, 'id'>) =>
  queryOptions({
    queryKey: ['evaluation-scorers', project_id],
    queryFn: async ({ signal }) => {
      const filter = { latest_only: true, is_op: false, base_object_classes: ['Scorer'] }
      const sort_by = [{ field: 'created_at', direction: 'desc' as const }]
      const { objs } = await client.objects.query({ project_id, filter, sort_by, limit: maxDefinitions + 1 }, { signal })
      const scorers = objs.slice(0, maxDefinitions).map(({ object_id: name, val, created_at: createdAt }): ListedScorer => {
        const { _class_name: className } = Object(val) as Record<string, unknown>
        return { name, className: typeof className === 'string' ? className : '', createdAt }
      })
      return { scorers, hasMore: objs.length > maxDefinitions }
    },
  })
