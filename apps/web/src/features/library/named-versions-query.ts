import { queryOptions } from '@tanstack/react-query'
import { client } from '../../lib/server/client.ts'
import { type NamedVersion, namedVersions } from './named-versions.ts'

/** Versions that the page looks through, the newest first. */
export const maxVersions = 5_000

/** The versions of a project that registries hold or that have an alias besides `latest`. */
export const namedVersionsQuery = (project_id: string) =>
  queryOptions({
    queryKey: ['named-versions', project_id],
    queryFn: async ({ signal }): Promise<{ versions: NamedVersion[]; hasMore: boolean }> => {
      const sort_by = [{ field: 'created_at', direction: 'desc' as const }]
      const query = { project_id, sort_by, limit: maxVersions + 1, metadata_only: true, include_tags_and_aliases: true }
      const { objs } = await client.objects.query(query, { signal })
      return { versions: namedVersions(objs.slice(0, maxVersions)), hasMore: objs.length > maxVersions }
    },
  })
