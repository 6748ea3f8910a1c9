import type { Call } from '@heddle/core-api/types'
import { queryOptions } from '@tanstack/react-query'
import { client } from '../../../lib/server/client.ts'
import { toExpression } from '../../filter/call-condition.ts'
import { type ModelUsage, usageOfCall } from '../../calls/model-usage.ts'
import type { UsageByCall } from './usage-of-trace.ts'

/** Most calls of a trace whose usage is read. The page shows when there are more. */
export const maxUsageCalls = 10_000

/** Fields of a call that contain its usage. */
export const usageColumns = ['id', 'summary'] as const

/** Usage of the calls of a trace, separate from the tree, which does not wait for it. */
export function traceUsageQuery(project_id: string, traceId: string | undefined, calls: number) {
  return queryOptions({
    queryKey: ['trace-usage', project_id, traceId, calls],
    enabled: traceId !== undefined && calls > 0,
    queryFn: ({ signal }) => {
      const query = toExpression([{ path: 'summary.usage', operator: '!=', value: '' }])
      const request = { project_id, filter: { trace_ids: [traceId ?? ''] }, ...(query && { query }), columns: [...usageColumns] }
      return readUsage(client.calls.streamQuery({ ...request, include_costs: true, limit: maxUsageCalls + 1 }, { signal }), maxUsageCalls)
    },
    structuralSharing: false,
  })
}

/** What calls with `usageColumns` used, by their ids; of the first ones, where there are more. */
export async function readUsage(stream: AsyncIterable<Call>, limit: number): Promise<{ usage: UsageByCall; hasMore: boolean }> {
  const usage = new Map<string, readonly ModelUsage[]>()
  let read = 0
  for await (const call of stream) {
    read++
    const models = usageOfCall(call)
    if (models.length > 0 && read <= limit) usage.set(call.id, models)
  }
  return { usage, hasMore: read > limit }
}
