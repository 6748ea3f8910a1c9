import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useMemo } from 'react'
import { useProject } from '../../app/use-project.ts'
import { callsQuery } from '../calls/calls-queries.ts'
import type { CallsSearch } from '../calls/calls-search.ts'
import { useListedCalls } from '../calls/totals/totals-query.ts'

/**
 * The calls before and after a call in the list that it was opened from, in the order and with the conditions of that list. As that was read:
 * reading all of its pages anew would take long, and move its calls.
 */
export function ListSteps({ call, list }: { call: string; list: CallsSearch }) {
  const { id, entity, project } = useProject()
  const { listed } = useListedCalls(id, list)
  const calls = useInfiniteQuery({ ...callsQuery(id, listed), staleTime: Infinity })
  const rows = useMemo(() => calls.data?.pages.flatMap((page) => page.rows) ?? [], [calls.data])
  const at = rows.findIndex((row) => row.id === call)
  const trace = { to: '/$entity/$project/calls/$call', search: { list } } as const
  const [before, after] = at < 0 ? [] : [rows[at - 1], rows[at + 1]]
  return (
    <nav aria-label="List that the call is in" className="row">
      <Link to="/$entity/$project/calls" params={{ entity, project }} search={list}>
        Back to the list
      </Link>
      {before && (
        <Link {...trace} params={{ entity, project, call: before.id }}>
          Previous in the list
        </Link>
      )}
      {after && (
        <Link {...trace} params={{ entity, project, call: after.id }}>
          Next in the list
        </Link>
      )}
      {at >= 0 && !after && calls.hasNextPage && (
        <button type="button" disabled={calls.isFetchingNextPage} onClick={() => void calls.fetchNextPage()}>
          Read further calls of the list
        </button>
      )}
      <span className="muted">{placeText(at, rows.length, calls)}</span>
    </nav>
  )
}

function placeText(
  at: number,
  rows: number,
  { isPending, hasNextPage, error }: { isPending: boolean; hasNextPage: boolean; error: unknown },
) {
  if (error) return 'The list could not be read.'
  if (isPending) return 'Reading the list …'
  if (at < 0) return `Not among the ${hasNextPage ? 'first ' : ''}${rows.toLocaleString('en')} calls of the list.`
  return `${(at + 1).toLocaleString('en')} of ${rows.toLocaleString('en')}${hasNextPage ? ' or more' : ''}`
}
