import { useInfiniteQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { ChevronDown, ChevronsDown, ChevronUp } from 'lucide-react'
import { useMemo } from 'react'
import { useProject } from '../../lib/use-project.ts'
import { IconButton } from '../../ui/button.tsx'
import { IconLink } from '../../ui/button-link.tsx'
import { callsQuery } from '../../features/calls/calls-queries.ts'
import type { CallsSearch } from '../../features/calls/calls-search.ts'
import { useListedCalls } from '../../features/calls/totals/totals-query.ts'
import { usePageKeys } from '../../features/trace/use-page-keys.ts'

/**
 * The previous and next traces in the list from which one was opened, in the order and with the conditions of that list. From the list as loaded:
 * reading all of its pages again would take long, and move its rows.
 */
export function ListSteps({ call, list }: { call: string; list: CallsSearch }) {
  const { id, entity, project } = useProject()
  const navigate = useNavigate()
  const { listed } = useListedCalls(id, list)
  const calls = useInfiniteQuery({ ...callsQuery(id, listed), staleTime: Infinity })
  const rows = useMemo(() => calls.data?.pages.flatMap((page) => page.rows) ?? [], [calls.data])
  const at = rows.findIndex((row) => row.id === call)
  const trace = { to: '/$entity/$project/calls/$call', search: { list } } as const
  const [before, after] = at < 0 ? [] : [rows[at - 1], rows[at + 1]]
  const open = (next: { id: string } | undefined) => next && void navigate({ ...trace, params: { entity, project, call: next.id } })
  usePageKeys({ j: () => open(after), k: () => open(before) })
  return (
    <nav aria-label="Position in the list" className="num mr-1 flex items-center gap-1 text-xs whitespace-nowrap text-fg-3">
      {placeText(at, rows.length, calls)}
      {before && <IconLink {...trace} params={{ entity, project, call: before.id }} label="Previous trace" keys="k" icon={ChevronUp} />}
      {after && <IconLink {...trace} params={{ entity, project, call: after.id }} label="Next trace" keys="j" icon={ChevronDown} />}
      {at >= 0 && !after && calls.hasNextPage && (
        <IconButton
          label="Load more of the list"
          icon={ChevronsDown}
          disabled={calls.isFetchingNextPage}
          onClick={() => void calls.fetchNextPage()}
        />
      )}
    </nav>
  )
}

function placeText(
  at: number,
  rows: number,
  { isPending, hasNextPage, error }: { isPending: boolean; hasNextPage: boolean; error: unknown },
) {
  if (error) return 'The list could not be read'
  if (isPending) return ''
  if (at < 0) return `Not among the ${hasNextPage ? 'first ' : ''}${rows.toLocaleString('en')} listed`
  return `${(at + 1).toLocaleString('en')} of ${rows.toLocaleString('en')}${hasNextPage ? '+' : ''}`
}
