import { textOf, wordOf } from '../../lib/search.ts'

/** Search parameters of a comparison of traces. */
export interface ComparedSearch {
  /** Ids of a call of each of two traces, with a comma between them. */
  ids?: string | undefined
  /** `changed`: only pairs that differ, and calls of one trace alone. */
  rows?: 'changed' | undefined
  /** The pair that is shown whole, by the ids of its calls; a dash for none. */
  pair?: string | undefined
}

export const comparedSearch = (search: Record<string, unknown>): ComparedSearch => ({
  ids: textOf(search, 'ids'),
  rows: wordOf(search, 'rows', ['changed']),
  pair: textOf(search, 'pair'),
})

/** The two ids of an address; fewer where there are not two different ones. */
export function idsOf({ ids = '' }: ComparedSearch): string[] {
  return [...new Set(ids.split(',').map((id) => id.trim()))].filter((id) => id !== '').slice(0, 2)
}
