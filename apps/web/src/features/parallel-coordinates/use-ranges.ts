import { useEffect, useMemo, useState } from 'react'
import type { AxesSearch } from './axes-search.ts'
import type { AxisRange } from './axis.ts'

/** Ranges are written to the address once the keys rest: browsers reject addresses that change dozens of times a second. */
const restMs = 150

/** The search parameters, with the ranges chosen since. */
export function useRanges(search: AxesSearch, onChange: (part: AxesSearch) => void) {
  const [pending, setPending] = useState<{ since: AxesSearch; ranges: AxisRange[] | undefined }>()
  const isPending = pending?.since === search
  useEffect(() => {
    if (!isPending) return
    const timer = setTimeout(() => onChange({ ranges: pending.ranges }), restMs)
    return () => clearTimeout(timer)
    // Only the latest choice counts, whichever function makes it.
  }, [pending, isPending])
  const chosen = useMemo(() => (isPending ? { ...search, ranges: pending.ranges } : search), [search, isPending, pending])
  return {
    chosen,
    setRanges: (ranges: AxisRange[] | undefined) => setPending({ since: search, ranges }),
    /** Changes something else of the address, with the ranges that are not yet in it. */
    change: (part: AxesSearch) => onChange({ ...(isPending && { ranges: pending.ranges }), ...part }),
  }
}
