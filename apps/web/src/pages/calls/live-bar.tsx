import { useQuery } from '@tanstack/react-query'
import { ArrowUp } from 'lucide-react'
import { useMemo } from 'react'
import { explain } from '../../ui/states/query-problem.tsx'
import { RequestId } from '../../ui/states/request-id.tsx'
import type { CallRow } from '../../features/calls/call-row.ts'
import { newCallsQuery } from '../../features/calls/counts/call-counts.ts'
import type { ListedCalls } from '../../features/calls/totals/known-traces.ts'
import { ShapedButton } from '../../ui/shaped-button.tsx'

interface Properties {
  project: string
  search: ListedCalls
  rows: readonly CallRow[]
  /** While the user reads further down, there is no polling. */
  isPaused: boolean
  onShow: () => void
}

/** Shows how many traces are new since the list was read. The rows are unchanged until the user requests the new ones. */
export function LiveBar({ project, search, rows, isPaused, onShow }: Properties) {
  const known = useMemo(() => new Set(rows.map(({ id }) => id)), [rows])
  const { data: count = 0, error } = useQuery(newCallsQuery(project, search, { known, isEnabled: !isPaused }))
  const noun = search.level === 'all' ? 'span' : 'trace'
  return (
    <div role="status" className="flex h-8 shrink-0 items-center justify-center gap-2 border-t border-line bg-sunken text-xs text-fg-3">
      {error ? (
        <>
          <span className="text-red-text">{explain(error)}</span>
          <RequestId error={error} />
        </>
      ) : count > 0 ? (
        <ShapedButton
          onClick={onShow}
          className="inline-flex h-6 items-center gap-1 rounded-sm px-2 font-medium text-accent-text pressable"
        >
          <ArrowUp size={12} aria-hidden />
          {`${count >= 100 ? '100 or more' : count} new ${noun}${count === 1 ? '' : 's'}`}
        </ShapedButton>
      ) : (
        <>
          <span aria-hidden className="live size-1.5 rounded-full bg-green" />
          {isPaused ? 'Live, paused until the first row is in view' : `Live, no new ${noun}s`}
        </>
      )}
    </div>
  )
}
