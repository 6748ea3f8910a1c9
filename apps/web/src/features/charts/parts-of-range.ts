import { type QueryClient, queryOptions } from '@tanstack/react-query'
import { client } from '../../lib/server/client.ts'
import { partsOf, type TimeRange } from '../../lib/time/time-range.ts'

/** When the first call of a project started or its first feedback was given; 0 if it has none. */
const firstRecordQuery = (project_id: string) =>
  queryOptions({
    queryKey: ['first-record', project_id],
    queryFn: async ({ signal }) => {
      const first = <Field extends string>(field: Field) => ({ project_id, sort_by: [{ field, direction: 'asc' as const }], limit: 1 })
      const { result } = await client.feedback.query({ ...first('created_at'), fields: ['created_at'] }, { signal })
      const times = result.map(({ created_at }) => Date.parse(String(created_at)))
      for await (const call of client.calls.streamQuery({ ...first('started_at'), columns: ['id', 'started_at'] }, { signal }))
        times.push(Date.parse(call.started_at))
      return times.length === 0 ? 0 : Math.min(...times)
    },
    staleTime: 30_000,
  })

/** Start and seconds of the parts of a range of a project, for charts over time. */
export async function partsOfRange(queries: QueryClient, project_id: string, range: TimeRange) {
  return partsOf(range, { sinceMs: await queries.fetchQuery(firstRecordQuery(project_id)), nowMs: Date.now() })
}
