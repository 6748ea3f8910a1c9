import { useMemo, useState } from 'react'
import type { CallRow } from '../call-row.ts'

/** One action reads and sends them all. */
export const maxSelected = 100

/** The calls that a person has chosen for an action, among those that are here. */
export interface Selection {
  ids: ReadonlySet<string>
  toggle: (id: string) => void
  clear: () => void
}

/** A call that the filter takes away is not selected any more. */
export function useSelection(rows: readonly CallRow[] | undefined): Selection {
  const [chosen, setChosen] = useState<readonly string[]>([])
  const ids = useMemo(() => {
    const here = new Set(chosen.length === 0 ? [] : rows?.map(({ id }) => id))
    return new Set(chosen.filter((id) => here.has(id)))
  }, [chosen, rows])
  function toggle(id: string) {
    if (ids.has(id)) setChosen([...ids].filter((one) => one !== id))
    else if (ids.size < maxSelected) setChosen([...ids, id])
  }
  return { ids, toggle, clear: () => setChosen([]) }
}
