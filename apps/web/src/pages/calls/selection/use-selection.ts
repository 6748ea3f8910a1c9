import { useMemo, useState } from 'react'
import type { CallRow } from '../../../features/calls/call-row.ts'

/** An action takes them in parts, and ids of more would be too many for a page. */
export const maxSelected = 10_000

/** The calls that a person has chosen for an action. */
export interface Selection {
  ids: ReadonlySet<string>
  /** Whether they were chosen as all that match, those that are not loaded included. */
  isMatching: boolean
  /** If there are more than can be selected, selects the first ones. */
  set: (ids: ReadonlySet<string>) => void
  setMatching: (ids: readonly string[]) => void
  clear: () => void
}

interface StoredSelection {
  ids: readonly string[]
  /** The list that they were chosen from as all that match. Undefined where each was chosen by itself. */
  of?: string | undefined
}

const none: StoredSelection = { ids: [] }

/** A call that a filter takes away is not selected any more. `list` says what selects the rows: all that match it are selected until it changes. */
export function useSelection(rows: readonly CallRow[] | undefined, list: object): Selection {
  const [chosen, setChosen] = useState(none)
  const of = chosen.of && JSON.stringify(list)
  const isMatching = of !== undefined && of === chosen.of
  const ids = useMemo(() => {
    if (isMatching) return new Set(chosen.ids)
    const here = new Set(chosen.ids.length === 0 ? [] : rows?.map(({ id }) => id))
    return new Set(chosen.ids.filter((id) => here.has(id)))
  }, [chosen, isMatching, rows])
  const choose = (next: Iterable<string>, from?: string) => setChosen({ ids: [...next].slice(0, maxSelected), of: from })
  return {
    ids,
    isMatching,
    set: (next) => choose(next, isMatching && next.size > 0 ? of : undefined),
    setMatching: (next) => choose(next, JSON.stringify(list)),
    clear: () => setChosen(none),
  }
}
