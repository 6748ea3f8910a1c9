import { type CallKind, callKindOf } from '@heddle/core-api'
import { queryOptions } from '@tanstack/react-query'
import { createConcurrencyLimit } from '../../lib/concurrency-limit.ts'
import { client } from '../../lib/server/client.ts'
import { toExpression } from '../../features/filter/call-condition.ts'
import { hasOwnUsage, usageOfCall } from '../../features/calls/model-usage.ts'
import { callsOfGroup } from '../../features/costs/calls-of-group.ts'

const limited = createConcurrencyLimit(2)

/** The kinds of a few ops, by their keys in statistics: each is that of the newest call of the op. Ops without calls are missing. */
export const kindsOfOpsQuery = (project_id: string, ops: readonly string[]) =>
  queryOptions({
    queryKey: ['kinds-of-ops', project_id, ops],
    queryFn: async ({ signal }) => {
      const read = ops.map((op) =>
        limited(async () => {
          const query = toExpression(callsOfGroup('op', op))
          const newest = { sort_by: [{ field: 'started_at', direction: 'desc' as const }], limit: 1 }
          const columns = ['op_name', 'attributes', 'summary']
          const kinds: CallKind[] = []
          for await (const call of client.calls.streamQuery({ project_id, ...(query && { query }), columns, ...newest }, { signal }))
            kinds.push(callKindOf(call, hasOwnUsage(call, usageOfCall(call))))
          return kinds.map((kind): [string, CallKind] => [op, kind])
        }, signal),
      )
      return new Map((await Promise.all(read)).flat())
    },
    enabled: ops.length > 0,
    staleTime: 300_000,
  })
