import { useEffect, useMemo, useState } from 'react'
import type { AxesSearch } from './axes-search.ts'
import type { AxisRange } from './axis.ts'

/** Ranges come into the address once the keys rest: a browser refuses addresses that change dozens of times a second. */
const restMs = 150

/** What the address says, with the ranges that were chosen since. */
export function useRanges(search: AxesSearch, onChange: (part: AxesSearch) => void) {
  const [pending, setPending] = useState<{ since: AxesSearch; ranges: AxisRange[] | undefined }>()
  const isPending = pending?.since === search
  useEffect(() => {
    if (!isPending) return
    const timer = setTimeout(() => onChange({ ranges: pending.ranges }), restMs)
    return () => clearTimeout(timer)
    // Only what was chosen last counts, not which function says it.
  }, [pending, isPending])
  const chosen = useMemo(() => (isPending ? { ...search, ranges: pending.ranges } : search), [search, isPending, pending])
  return {
    chosen,
    setRanges: (ranges: AxisRange[] | undefined) => setPending({ since: search, ranges }),
    /** Changes something else of the address, with the ranges that are not yet in it. */
    change: (part: AxesSearch) => onChange({ ...(isPending && { ranges: pending.ranges }), ...part }),
  }
}
