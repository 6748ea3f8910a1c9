import { formatRef } from '@heddle/core-api'
import { queryOptions } from '@tanstack/react-query'
import { client } from '../../../app/client.ts'
import type { ProjectName } from '../../../app/use-project.ts'
import { modelFields } from './model-fields.ts'
import type { FieldsOfModels } from './run-axes.ts'

/** Versions of models that are looked through in one request. Runs of older ones go without parameters. */
const maxVersions = 500

/**
 * What the newest versions of these models are made with, by each reference to a version: by its digest, its index, and `latest`. One that was
 * deleted is missing.
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
