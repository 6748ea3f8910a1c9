import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { explain } from '../../components/query-problem.tsx'
import type { CallRow } from './call-row.ts'
import { newCallsQuery } from './calls-queries.ts'
import type { ListedCalls } from './totals/known-traces.ts'

interface Properties {
  project: string
  search: ListedCalls
  rows: readonly CallRow[]
  /** While a person reads further down, nothing is asked. */
  isPaused: boolean
  onShow: () => void
}

/** Says how many calls are new since the table was read. The rows stay where they are until somebody asks for the new ones. */
export function LiveBar({ project, search, rows, isPaused, onShow }: Properties) {
  const known = useMemo(() => new Set(rows.map(({ id }) => id)), [rows])
  const { data: count = 0, error } = useQuery(newCallsQuery(project, search, { known, isEnabled: !isPaused }))
  return (
    <div className="row" role="status">
      {error && <span>{explain(error)} </span>}
      {count > 0 ? (
        <button type="button" onClick={onShow}>
          {`${count >= 100 ? '100 or more' : count} new`}
        </button>
      ) : (
        <span className="muted">{isPaused ? 'Live, paused until the first row is in view' : 'Live, no new calls'}</span>
      )}
    </div>
  )
}
