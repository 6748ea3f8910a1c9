import { queryOptions } from '@tanstack/react-query'
import { client } from '../../lib/server/client.ts'
import type { ProjectName } from '../../lib/use-project.ts'
import { toDefinition } from './to-definition.ts'
import { newestObjects } from '../../lib/server/newest-objects.ts'

export const maxDefinitions = 100

/** The latest version of each evaluation of a project, the newest first. */
export const definitionsQuery = ({ id: project_id }: Pick<ProjectName, 'id'>) =>
  queryOptions({
    queryKey: ['evaluation-definitions', project_id],
    queryFn: async ({ signal }) => {
      const wanted = { project_id, objectClass: 'Evaluation', most: maxDefinitions }
      const { objects, hasMore } = await newestObjects(client, wanted, signal)
      return { definitions: objects.map(({ object_id, val, created_at }) => toDefinition(object_id, val, created_at)), hasMore }
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
      const wanted = { project_id, objectClass: 'Scorer', most: maxDefinitions }
      const { objects, hasMore } = await newestObjects(client, wanted, signal)
      const scorers = objects.map(({ object_id: name, val, created_at: createdAt }): ListedScorer => {
        const { _class_name: className } = Object(val) as Record<string, unknown>
        return { name, className: typeof className === 'string' ? className : '', createdAt }
      })
      return { scorers, hasMore }
    },
  })
