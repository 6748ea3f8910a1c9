import { displayNameOf } from '@heddle/core-api'
import { queryOptions } from '@tanstack/react-query'
import { equals } from '@heddle/trace-model/query'
import { client, exactClient } from '../../lib/server/client.ts'
import { statusOf, toCallRow } from '../../features/calls/call-row.ts'
import type { ComparedCall } from './compared-call.ts'
import { hashOf } from './hash-of.ts'

/** The most calls of each trace that are compared, the earliest first. The page shows when there are more. */
export const maxComparedCalls = 5_000
/** Most traces with the same name that are suggested for a comparison. */
const maxOffered = 20

/** The calls of the trace of a call, with a hash of inputs and output. Null if the call does not exist. */
export const comparedTraceQuery = (project_id: string, id: string) =>
  queryOptions({
    queryKey: ['compared-trace', project_id, id],
    queryFn: async ({ signal }) => {
      const { call: first } = await client.calls.read({ project_id, id }, { signal })
      if (!first) return null
      const calls: ComparedCall[] = []
      const filter = { trace_ids: [first.trace_id] }
      for await (const call of exactClient.calls.streamQuery(
        { project_id, filter, include_costs: true, limit: maxComparedCalls + 1 },
        { signal },
      )) {
        const { latencyMs, tokens, cost, costSource } = toCallRow(call, [])
        calls.push({
          id: call.id,
          parentId: call.parent_id,
          name: displayNameOf(call),
          startedAt: Date.parse(call.started_at),
          endedAt: call.ended_at === null ? null : Date.parse(call.ended_at),
          status: statusOf(call),
          latencyMs,
          tokens,
          cost,
          costSource,
          inputs: hashOf(call.inputs),
          output: hashOf(call.output),
        })
      }
      return { first, calls: calls.slice(0, maxComparedCalls), hasMore: calls.length > maxComparedCalls }
    },
  })

/** The newest roots of the same op, for a comparison with a call. */
export const comparableQuery = (project_id: string, id: string) =>
  queryOptions({
    queryKey: ['comparable', project_id, id],
    queryFn: async ({ signal }) => {
      const { call } = await client.calls.read({ project_id, id }, { signal })
      if (!call) return null
      const query = { $expr: equals('op_name', call.op_name) }
      const sort_by = [{ field: 'started_at', direction: 'desc' as const }]
      const columns = ['id', 'op_name', 'display_name', 'started_at', 'attributes', 'trace_id']
      const found = []
      const request = { project_id, filter: { trace_roots_only: true }, query, sort_by, columns, limit: maxOffered + 1 }
      for await (const { id: other, started_at, trace_id, ...named } of client.calls.streamQuery(request, { signal }))
        if (trace_id !== call.trace_id) found.push({ id: other, started_at, name: displayNameOf(named) })
      return { name: displayNameOf(call), others: found.slice(0, maxOffered) }
    },
  })
