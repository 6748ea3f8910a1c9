import { queryOptions } from '@tanstack/react-query'
import { client } from '../../../app/client.ts'
import { toExpression } from '../../calls/call-condition.ts'
import { type ModelUsage, usageOfCall } from '../../calls/model-usage.ts'

/** Calls of a trace whose usage is read. The page says when there are more. */
export const maxUsageCalls = 10_000

/** What the calls of a trace used, apart from the tree, which does not wait for it. */
export function traceUsageQuery(project_id: string, traceId: string | undefined, calls: number) {
  return queryOptions({
    queryKey: ['trace-usage', project_id, traceId, calls],
    enabled: traceId !== undefined && calls > 0,
    queryFn: async ({ signal }) => {
      const usage = new Map<string, readonly ModelUsage[]>()
      let read = 0
      const query = toExpression([{ path: 'summary.usage', operator: '!=', value: '' }])
      const request = { project_id, filter: { trace_ids: [traceId ?? ''] }, ...(query && { query }), columns: ['id', 'summary'] }
      for await (const call of client.calls.streamQuery({ ...request, include_costs: true, limit: maxUsageCalls + 1 }, { signal })) {
        read++
        const models = usageOfCall(call)
        if (models.length > 0 && read <= maxUsageCalls) usage.set(call.id, models)
      }
      return { usage, hasMore: read > maxUsageCalls }
    },
    structuralSharing: false,
  })
}
