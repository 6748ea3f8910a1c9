import { client } from '../../../lib/server/client.ts'
import { toExpression } from '../../../features/filter/call-condition.ts'
import { orderOf, selectionOf } from '../../../features/calls/calls-queries.ts'
import type { ListedCalls } from '../../../features/calls/totals/known-traces.ts'
import { maxSelected } from './use-selection.ts'

/** After so many ids it is said how many are known. */
const toldEach = 500

/**
 * Ids of the calls that a list selects, in its order: the first `maxSelected`.
 * @throws the reason of `signal` when it ends the reading
 */
export async function matchingCalls(
  project_id: string,
  listed: ListedCalls,
  { signal, onCount }: { signal: AbortSignal; onCount: (count: number) => void },
): Promise<string[]> {
  const { filter, conditions, further } = selectionOf(listed)
  const query = toExpression(conditions, further)
  const which = { project_id, filter, ...(query && { query }) }
  const request = { ...which, sort_by: orderOf(listed), limit: maxSelected, columns: ['id'] }
  const ids: string[] = []
  for await (const { id } of client.calls.streamQuery(request, { signal })) {
    ids.push(id)
    if (ids.length % toldEach === 0) onCount(ids.length)
  }
  signal.throwIfAborted()
  return ids
}
