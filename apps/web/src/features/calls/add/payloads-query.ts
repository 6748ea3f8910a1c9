import type { Call } from '@heddle/core-api/types'
import { queryOptions } from '@tanstack/react-query'
import { exactClient } from '../../../lib/server/client.ts'

/** Inputs and output of a call. */
export type PayloadsOfCall = Pick<Call, 'inputs' | 'output' | 'attributes'>

/** The payloads of some calls, with exact numbers, in the order of their ids. Missing calls are omitted. */
export async function readPayloads(project_id: string, ids: readonly string[], signal: AbortSignal): Promise<PayloadsOfCall[]> {
  const found = new Map<string, PayloadsOfCall>()
  const request = { project_id, filter: { call_ids: [...ids] }, columns: ['id', 'inputs', 'output', 'attributes'] }
  for await (const { id, inputs, output, attributes } of exactClient.calls.streamQuery(request, { signal }))
    found.set(id, { inputs, output, attributes })
  return ids.flatMap((id) => found.get(id) ?? [])
}

/** The same, kept. */
export const payloadsQuery = (project_id: string, ids: readonly string[]) =>
  queryOptions({
    queryKey: ['payloads-of-calls', project_id, ids],
    queryFn: ({ signal }) => readPayloads(project_id, ids, signal),
    staleTime: Infinity,
    structuralSharing: false,
  })
