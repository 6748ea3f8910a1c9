import { type CallKind, callKindOf, displayNameOf } from '@heddle/core-api'
import { queryOptions } from '@tanstack/react-query'
import { createConcurrencyLimit } from '../../lib/concurrency-limit.ts'
import { client } from '../../lib/server/client.ts'
import { toExpression } from '../../features/filter/call-condition.ts'
import { hasOwnUsage, usageOfCall } from '../../features/calls/model-usage.ts'
import { callsOfGroup } from '../../features/costs/calls-of-group.ts'

const limited = createConcurrencyLimit(2)

export interface AboutOp {
  kind: CallKind
  /** That of its span, of which the name of an op keeps only some characters. Its calls may have display names of their own. */
  name: string
}

/** What kind a few ops are and how the spans of their newest calls are named, by their keys in statistics. Ops without calls are missing. */
export const aboutOpsQuery = (project_id: string, ops: readonly string[]) =>
  queryOptions({
    queryKey: ['about-ops', project_id, ops],
    queryFn: async ({ signal }) => {
      const read = ops.map((op) =>
        limited(async () => {
          const query = toExpression(callsOfGroup('op', op))
          const newest = { sort_by: [{ field: 'started_at', direction: 'desc' as const }], limit: 1 }
          const columns = ['op_name', 'attributes', 'summary']
          const found: AboutOp[] = []
          for await (const call of client.calls.streamQuery({ project_id, ...(query && { query }), columns, ...newest }, { signal }))
            found.push({
              kind: callKindOf(call, hasOwnUsage(call, usageOfCall(call))),
              name: displayNameOf({ ...call, display_name: null }),
            })
          return found.map((about): [string, AboutOp] => [op, about])
        }, signal),
      )
      return new Map((await Promise.all(read)).flat())
    },
    enabled: ops.length > 0,
    staleTime: 300_000,
  })
