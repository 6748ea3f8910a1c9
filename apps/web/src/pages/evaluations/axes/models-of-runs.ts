import { formatRef } from '@heddle/core-api'
import { queryOptions } from '@tanstack/react-query'
import { client } from '../../../lib/server/client.ts'
import type { ProjectName } from '../../../lib/use-project.ts'
import { modelFields } from './model-fields.ts'
import type { FieldsOfModels } from './run-axes.ts'

/** Most versions of models read in one request. Runs of older ones have no parameters. */
const maxVersions = 500

/**
 * Parameters of the newest versions of these models, by each reference to a version: by its digest, its index, and `latest`. Deleted versions are
 * missing.
 */
export const modelFieldsQuery = ({ id, entity, project }: ProjectName, object_ids: readonly string[]) =>
  queryOptions({
    queryKey: ['model-fields', id, object_ids],
    queryFn: async ({ signal }): Promise<FieldsOfModels> => {
      const sort_by = [{ field: 'created_at', direction: 'desc' as const }]
      const filter = { object_ids: [...object_ids], is_op: false }
      const { objs } = await client.objects.query({ project_id: id, filter, sort_by, limit: maxVersions }, { signal })
      return new Map(
        objs.flatMap(({ object_id: name, digest, version_index, is_latest, val }) => {
          const fields = modelFields(val)
          const versions = [digest, `v${version_index}`, ...(is_latest === 1 ? ['latest'] : [])]
          return versions.map(
            (version) => [formatRef({ kind: 'object', entity, project, name, digest: version, edges: [] }), fields] as const,
          )
        }),
      )
    },
    staleTime: 60_000,
    structuralSharing: false,
  })
