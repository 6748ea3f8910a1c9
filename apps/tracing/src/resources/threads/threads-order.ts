import type { SortBy } from '@heddle/core-api'
import { badRequest } from '@heddle/core-api/internal'
import { type ThreadField, threadFields, type ThreadsSelection } from './threads-store.ts'

const maxKeys = 32
const usual: ThreadsSelection['order'] = [{ field: 'last_updated', direction: 'desc' }]

/** The order of threads: the last updated first where none is asked for. @throws 400 for a field that threads are not ordered by, and above 32 keys. */
export function toThreadsOrder(sortBy: readonly SortBy[] | null): ThreadsSelection['order'] {
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
