import { useQuery } from '@tanstack/react-query'
import { QueryProblem } from '../../../ui/states/query-problem.tsx'
import { Notice } from '../../../ui/notice.tsx'
import type { CallsSearch } from '../../../features/calls/calls-search.ts'
import { rangeTitles } from '../range-titles.ts'
import { maxTraces, tracesQuery } from '../../../features/calls/totals/totals-query.ts'

/** Shows the time range of the traces selected by their totals, and which of them are omitted. */
export function TotalsNotice({ project, search }: { project: string; search: CallsSearch }) {
  const query = useQuery(tracesQuery(project, search))
  return (
    <>
      <p className="text-xs text-fg-3">{`Totals of traces of the last ${rangeTitles[search.range ?? '7d']}, as in the chart.`}</p>
      {query.data?.hasMore === true && (
        <Notice tone="warning" title={`The newest ${maxTraces.toLocaleString('en')} such traces are shown`}>
          There are more. Choose a shorter range or larger sums.
        </Notice>
      )}
      {query.error && <QueryProblem error={query.error} retry={() => void query.refetch()} />}
    </>
  )
}
