import type { Handlers, tracing } from '@heddle/core-api'
import type { TracingContext } from '../../context.ts'
import { toThreadsOrder } from './threads-order.ts'
import type { ThreadsStore } from './threads-store.ts'

export interface ThreadsDeps {
  store: ThreadsStore
}

/** All operations on threads. */
export function threadsHandlers({ store }: ThreadsDeps): Handlers<(typeof tracing)['threads'], TracingContext> {
  return {
    async streamQuery({ project_id, filter, limit, offset, sort_by }, context) {
      const project = await context.open(project_id)
      const named = filter?.thread_ids ?? []
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
  }
}

async function* flatten<T>(blocks: AsyncIterable<T[]>): AsyncGenerator<T> {
  for await (const block of blocks) yield* block
}
