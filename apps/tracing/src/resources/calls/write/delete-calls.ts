import { tooLarge } from '@heddle/core-api/internal'
import type { Micros } from '@heddle/datastore'
import type { ProjectScope } from '@heddle/identity'
import type { CallsStore } from '../calls-store.ts'
import type { CallsWriter } from './calls-writer.ts'
import { withDescendants } from './descendants.ts'

const maxDeletedIds = 1000

/**
 * Deletes calls with everything below them. Resolves to the number of distinct ids given plus that of the live calls below them; to 0 where none of
 * the ids is a live call.
 * @throws ApiError 413 above 1000 ids.
 */
export type DeleteCalls = (project: ProjectScope, ids: readonly string[]) => Promise<number>

interface DeleteCallsDeps {
  store: Pick<CallsStore, 'findTraces'>
  writer: Pick<CallsWriter, 'write'>
  clock: () => Micros
}

export function createDeleteCalls({ store, writer, clock }: DeleteCallsDeps): DeleteCalls {
  return async (project, given) => {
    if (given.length > maxDeletedIds) throw tooLarge()
    const requested = [...new Set(given)]
    const live = withDescendants(await store.findTraces(project, requested), requested)
    if (live.length === 0) return 0
    const ids = [...new Set([...requested, ...live])]
    const deleted_at = clock()
    await writer.write([{ project, changes: ids.map((id) => ({ kind: 'delete', id, deleted_at })) }])
    return ids.length
  }
}
