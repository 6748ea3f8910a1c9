import { formatRef, parseRef } from '@heddle/core-api'
import { queryOptions } from '@tanstack/react-query'
import { client } from '../../../lib/server/client.ts'
import type { ProjectName } from '../../../lib/use-project.ts'
import { type Definition, toDefinition } from '../to-definition.ts'

/** Most versions of evaluations to read. Runs of older ones lack their data. */
const maxVersions = 500

/** Definitions of versions of evaluations, by the reference of the version. Deleted versions are missing. */
export const definitionsOfRunsQuery = ({ id, entity, project }: ProjectName, evaluations: readonly string[]) =>
  queryOptions({
    queryKey: ['definitions-of-runs', id, evaluations],
    queryFn: async ({ signal }) => {
      const object_ids = [...new Set(evaluations.flatMap((ref) => nameOf(ref) ?? []))]
      if (object_ids.length === 0) return new Map<string, Definition>()
      const sort_by = [{ field: 'created_at', direction: 'desc' as const }]
      const filter = { object_ids, is_op: false }
      const { objs } = await client.objects.query({ project_id: id, filter, sort_by, limit: maxVersions }, { signal })
      return new Map(
        objs.map(({ object_id: name, digest, val }): [string, Definition] => [
          formatRef({ kind: 'object', entity, project, name, digest, edges: [] }),
          toDefinition(name, val, ''),
        ]),
      )
    },
    enabled: evaluations.length > 0,
    staleTime: Infinity,
  })

function nameOf(ref: string): string | undefined {
  const parsed = parseRef(ref)
  return parsed?.kind === 'object' ? parsed.name : undefined
}
