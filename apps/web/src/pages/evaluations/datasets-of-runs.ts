import { formatRef, parseRef } from '@heddle/core-api'
import { queryOptions } from '@tanstack/react-query'
import { client } from '../../app/client.ts'
import type { ProjectName } from '../../app/use-project.ts'
import { toDefinition } from './to-definition.ts'

/** Versions of evaluations that are looked through. Those of older runs go without a dataset. */
const maxVersions = 500

/** References to the datasets of versions of evaluations, by the reference of the version. One that is gone or names none is missing. */
export const datasetsOfRunsQuery = ({ id, entity, project }: ProjectName, evaluations: readonly string[]) =>
  queryOptions({
    queryKey: ['datasets-of-evaluations', id, evaluations],
    queryFn: async ({ signal }) => {
      const object_ids = [...new Set(evaluations.flatMap((ref) => nameOf(ref) ?? []))]
      if (object_ids.length === 0) return new Map<string, string>()
      const sort_by = [{ field: 'created_at', direction: 'desc' as const }]
      const filter = { object_ids, is_op: false }
      const { objs } = await client.objects.query({ project_id: id, filter, sort_by, limit: maxVersions }, { signal })
      return new Map(
        objs.flatMap(({ object_id: name, digest, val }): [string, string][] => {
          const { dataset } = toDefinition(name, val, '')
          return dataset === '' ? [] : [[formatRef({ kind: 'object', entity, project, name, digest, edges: [] }), dataset]]
        }),
      )
    },
    enabled: evaluations.length > 0,
    staleTime: Infinity,
  })

function nameOf(ref: string): string | undefined {
  const parsed = parseRef(ref)
  return parsed?.kind === 'object' ? parsed.name : undefined
}
