import type { Handlers, SortBy, tracing } from '@heddle/core-api'
import { badRequest } from '@heddle/core-api/internal'
import type { TracingContext } from '../../context.ts'
import { toStoredId } from '../../payload/stored-id.ts'
import { type ThreadField, threadFields, type ThreadsSelection, type ThreadsStore } from './threads-store.ts'
import type { ReadTurns } from './turns/read-turns.ts'

export interface ThreadsDeps {
  store: ThreadsStore
  readTurns: ReadTurns
}

/** All operations on threads. */
export function threadsHandlers({ store, readTurns }: ThreadsDeps): Handlers<(typeof tracing)['threads'], TracingContext> {
  return {
    async streamQuery({ project_id, filter, limit, offset, sort_by }, context) {
      const project = await context.open(project_id)
      const named = (filter?.thread_ids ?? []).map(toStoredId)
      const selection = {
        after: filter?.after_datetime ?? null,
        before: filter?.before_datetime ?? null,
        thread_ids: named.length === 0 ? null : named,
        feedback: filter?.feedback ?? null,
        without_feedback: filter?.without_feedback ?? null,
        order: toThreadsOrder(sort_by),
        limit,
        offset,
      }
      return flatten(store.select(project, selection))
    },

    async streamTurns({ project_id, thread_id, ...selection }, context) {
      return readTurns(await context.open(project_id), { ...selection, thread_id: toStoredId(thread_id) }, context)
    },
  }
}

async function* flatten<T>(blocks: AsyncIterable<T[]>): AsyncGenerator<T> {
  for await (const block of blocks) yield* block
}

const maxKeys = 32
const usual: ThreadsSelection['order'] = [{ field: 'last_updated', direction: 'desc' }]

/** The order of threads: by default the last updated first. @throws 400 for a field that threads are not ordered by, and above 32 keys. */
function toThreadsOrder(sortBy: readonly SortBy[] | null): ThreadsSelection['order'] {
  if (sortBy === null || sortBy.length === 0) return usual
  if (sortBy.length > maxKeys) throw badRequest(`sort_by has ${sortBy.length} keys, at most ${maxKeys} are allowed`)
  return sortBy.map(({ field, direction }) => {
    if (!isThreadField(field))
      throw badRequest(`Threads cannot be sorted by ${JSON.stringify(field)}: use one of ${threadFields.join(', ')}`)
    return { field, direction }
  })
}

function isThreadField(field: string): field is ThreadField {
  return threadFields.some((known) => known === field)
}
