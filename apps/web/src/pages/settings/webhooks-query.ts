import { queryOptions } from '@tanstack/react-query'
import { client } from '../../lib/server/client.ts'

/** The webhooks of a project, in the order in which they were created. */
export const webhooksQuery = (project_id: string) =>
  queryOptions({
    queryKey: ['webhooks', project_id],
    queryFn: async ({ signal }) => (await client.webhooks.list({ project_id }, { signal })).webhooks,
  })
