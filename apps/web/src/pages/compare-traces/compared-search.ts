import { searchOf, text, word } from '../../lib/search.ts'

/** Search parameters of a comparison of traces. */
export const comparedSearch = searchOf({
  /** Ids of a call of each of two traces, with a comma between them. */
  ids: text,
  /** `changed`: only pairs that differ, and calls of one trace alone. */
  rows: word('changed'),
  /** The pair that is shown whole, by the ids of its calls; a dash for none. */
  pair: text,
})
export type ComparedSearch = ReturnType<typeof comparedSearch>

/** The two ids of an address; fewer where there are not two different ones. */
export function idsOf({ ids = '' }: ComparedSearch): string[] {
  return [...new Set(ids.split(',').map((id) => id.trim()))].filter((id) => id !== '').slice(0, 2)
}
