import { percentile } from '@heddle/evaluations'
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { formatDuration } from '../../lib/time/duration.ts'
import { formatCost } from '../../lib/texts/format-cost.ts'
import { compactCount } from '../../lib/texts/compact-count.ts'
import type { MorePages } from '../../ui/table/more-button.tsx'
import { Button } from '../../ui/button.tsx'
import { PageFooter } from '../../ui/page.tsx'
import type { CallRow } from '../../features/calls/call-row.ts'
import { callCountQuery } from '../../features/calls/counts/call-counts.ts'
import { totalsOfRows } from '../../features/calls/totals/totals-of-rows.ts'
import type { ListedCalls } from '../../features/calls/totals/known-traces.ts'

interface Properties {
  project: string
  listed: ListedCalls
  rows: readonly CallRow[] | undefined
  pages: MorePages
}

/** The number of rows, and the totals of the loaded ones. */
export function CallsFooter({ project, listed, rows = [], pages }: Properties) {
  const { data, isLoading } = useQuery(callCountQuery(project, listed))
  const noun = listed.level === 'all' ? 'span' : 'trace'
  const totals = useMemo(() => textsOf(rows, listed.level), [rows, listed.level])
  const isPart = pages.hasNextPage
  return (
    <PageFooter>
      <span className="num whitespace-nowrap" aria-busy={isLoading}>
        {data &&
          `${data.has_more ? 'More than ' : ''}${data.count.toLocaleString('en')} ${noun}${data.count === 1 && !data.has_more ? '' : 's'}`}
      </span>
      <span role="status" className="num truncate">
        {rows.length > 0 && `${rows.length.toLocaleString('en')} loaded`}
      </span>
      {pages.hasNextPage && (
        <Button variant="ghost" disabled={pages.isFetchingNextPage} onClick={() => void pages.fetchNextPage()}>
          Load more
        </Button>
      )}
      {totals.length > 0 && (
        <span className="num truncate max-lg:hidden">
          {isPart && <span>Of these: </span>}
          {totals.join(' · ')}
        </span>
      )}
    </PageFooter>
  )
}

/** The median latency of the rows, and what they used, as far as they have any. */
function textsOf(rows: readonly CallRow[], level: ListedCalls['level']): string[] {
  const latencies = rows.flatMap(({ latencyMs }) => latencyMs ?? [])
  const { tokens, cost } = totalsOfRows(rows, level)
  return [
    ...(latencies.length === 0 ? [] : [`p50 ${formatDuration(percentile(latencies, 0.5))}`]),
    ...(tokens === null ? [] : [`${compactCount(tokens)} tokens`]),
    ...(cost === null ? [] : [formatCost(cost)]),
  ]
}
