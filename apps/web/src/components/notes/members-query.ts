import { queryOptions } from '@tanstack/react-query'
import { client } from '../../app/client.ts'

/** The people of a project whom a note may mention. */
export const membersQuery = (project_id: string) =>
  queryOptions({
    queryKey: ['members', project_id],
    queryFn: ({ signal }) => client.projects.queryMembers({ project_id }, { signal }),
    staleTime: 60_000,
  })
