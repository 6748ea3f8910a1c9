import { isJsonObject } from '@heddle/core-api/internal'
import type { TracingClient } from '../../connect.ts'
import type { ForeignRunItem, Json, JsonObject } from '../foreign-item.ts'

/** What the server has stored for an item of a run. */
export interface ItemCall {
  id: string
  trace_id: string
  started_at: string
  ended_at: string | null
  output: Json
  exception: string | null
  /** Values of annotations by their names: those of the call, over those of the root of its trace. */
  scores: JsonObject
}

interface Search {
  client: TracingClient
  project: string
  /** At most a few hundred, since they are read together. */
  items: readonly ForeignRunItem[]
}

type StoredCall = Omit<ItemCall, 'scores'>

/** The calls of the items, by the ids of the items: that which the item names, else the root of its trace. Items without a stored call are absent. */
export async function findItemCalls({ client, project, items }: Search): Promise<Map<string, ItemCall>> {
  const read = async (filter: Filter) => {
    const columns = ['id', 'trace_id', 'started_at', 'ended_at', 'output', 'exception']
    const { calls } = await client.calls.query({ project_id: project, filter, columns } as Parameters<TracingClient['calls']['query']>[0])
    return calls as unknown as StoredCall[]
  }
  const named = items.flatMap(({ call }) => (call === undefined ? [] : [call]))
  const roots = new Map((await read({ trace_ids: idsOf(items), trace_roots_only: true })).map((call) => [call.trace_id, call]))
  const calls = new Map((named.length === 0 ? [] : await read({ call_ids: named })).map((call) => [call.id, call]))
  const scores = await readScores(client, project, [...calls.keys(), ...[...roots.values()].map(({ id }) => id)])
  return new Map(
    items.flatMap(({ id, call: callId, traceId }) => {
      const root = roots.get(traceId)
      const call = callId === undefined ? root : calls.get(callId)
      return call === undefined
        ? []
        : [[id, { ...call, output: outputOf(call), scores: { ...scores.get(root?.id ?? ''), ...scores.get(call.id) } }] as const]
    }),
  )
}

/** The output itself: calls from spans have it under the name of the attribute. */
function outputOf({ output }: StoredCall): Json {
  if (!isJsonObject(output)) return output
  const [[name = '', value] = [], ...others] = Object.entries(output)
  return others.length === 0 && /^langfuse\.(observation|trace)\.output$/.test(name) ? value : output
}

interface Filter {
  trace_ids?: string[]
  call_ids?: string[]
  trace_roots_only?: boolean
}

const idsOf = (items: readonly ForeignRunItem[]) => [...new Set(items.map(({ traceId }) => traceId))]

/** Values of annotations by call and name; of several with one name the newest. */
async function readScores(client: TracingClient, project: string, calls: readonly string[]): Promise<Map<string, JsonObject>> {
  const refs = [...new Set(calls)].map((id) => ({ $literal: `weave:///${project}/call/${id}` }))
  const byCall = new Map<string, JsonObject>()
  if (refs.length === 0) return byCall
  const { result } = await client.feedback.query({
    project_id: project,
    query: { $expr: { $in: [{ $getField: 'weave_ref' }, refs] } },
    sort_by: [{ field: 'created_at', direction: 'asc' }],
  })
  for (const { weave_ref, feedback_type, payload } of result) {
    const [, name] = /^wandb\.annotation\.(.+)$/.exec(feedback_type ?? '') ?? []
    const call = weave_ref?.split('/').at(-1)
    if (name === undefined || call === undefined || !isJsonObject(payload)) continue
    byCall.set(call, { ...byCall.get(call), [name]: payload['value'] })
  }
  return byCall
}
