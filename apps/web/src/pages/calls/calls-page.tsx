import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { SearchX } from 'lucide-react'
import { Suspense, useCallback, useMemo, useState } from 'react'
import { useProject } from '../../lib/use-project.ts'
import { readAhead } from '../../ui/table/more-button.tsx'
import { QueryProblem } from '../../ui/states/query-problem.tsx'
import { Button } from '../../ui/button.tsx'
import { EmptyState, Skeleton } from '../../ui/card.tsx'
import { type Condition, withCondition } from '../../features/filter/call-condition.ts'
import { CallsHead } from './calls-head.tsx'
import { callsKey, callsQuery } from '../../features/calls/calls-queries.ts'
import { type CallsSearch, listOf, maxPaths } from '../../features/calls/calls-search.ts'
import { CallsTable } from './calls-table.tsx'
import { FilterBar } from './filter/filter-bar.tsx'
import { SavedViews } from './saved-views/saved-views.tsx'
import { useSelection } from './selection/use-selection.ts'
import { isKnown } from '../../features/calls/totals/known-traces.ts'
import { useListedCalls } from '../../features/calls/totals/totals-query.ts'
import { lazyDialog, lazyPart } from '../../ui/lazy-part.tsx'
import { loadAroundList } from './load-around-list.ts'

// Rows are loaded first.
const CallsStrip = lazyPart(() => loadAroundList().then(({ CallsStrip }) => CallsStrip))
const CallsColumnsMenu = lazyPart(() => loadAroundList().then(({ CallsColumnsMenu }) => CallsColumnsMenu))
const CallsFooter = lazyPart(() => loadAroundList().then(({ CallsFooter }) => CallsFooter))
const LiveBar = lazyPart(() => import('./live-bar.tsx').then(({ LiveBar }) => LiveBar))
const TotalsNotice = lazyPart(() => import('./totals/totals-notice.tsx').then(({ TotalsNotice }) => TotalsNotice))
const SelectionBar = lazyPart(() => import('./selection/selection-bar.tsx').then(({ SelectionBar }) => SelectionBar))
const CallPeek = lazyPart(() => import('./call-peek.tsx').then(({ CallPeek }) => CallPeek))
const GroupedCalls = lazyPart(() => import('./grouping/grouped-calls.tsx').then(({ GroupedCalls }) => GroupedCalls))
const FieldsDialog = lazyDialog(() => import('./fields/fields-dialog.tsx').then(({ FieldsDialog }) => FieldsDialog))
const NoCalls = lazyPart(() => import('./empty/no-calls.tsx').then(({ NoCalls }) => NoCalls))
const TotalsDialog = lazyDialog(() => import('./totals/totals-dialog.tsx').then(({ TotalsDialog }) => TotalsDialog))

const route = getRouteApi('/$entity/$project/calls')
const noColumns: readonly string[] = []
const noConditions: readonly Condition[] = []

/** The traces of a project, or all of their spans. Selection and display are kept in the address. */
export function CallsPage() {
  const { id } = useProject()
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const change = (part: CallsSearch, replace = false) => void navigate({ search: (before) => ({ ...before, ...part }), replace })
  const [fieldsOf, setFieldsOf] = useState<string>()
  const [choosesTotals, setChoosesTotals] = useState(false)
  const [isAtTop, setIsAtTop] = useState(true)
  const queries = useQueryClient()
  const { listed, isFailed, refetch: findTraces } = useListedCalls(id, search)
  const calls = useInfiniteQuery(callsQuery(id, listed))
  const rows = useMemo(() => calls.data?.pages.flatMap((page) => page.rows), [calls.data])
  const list = useMemo(() => listOf(search), [search])
  const selection = useSelection(rows, list)
  const paths = useMemo(() => [...new Set(calls.data?.pages.flatMap((page) => page.paths))].sort().slice(0, maxPaths), [calls.data])
  const columnPaths = useMemo(() => [...new Set(calls.data?.pages.flatMap((page) => page.ownColumns)), ...paths], [calls.data, paths])
  const hidden = useMemo(() => search.hidden?.map((title) => title.toLowerCase()) ?? noColumns, [search.hidden])
  const stop = () => queries.cancelQueries({ queryKey: callsKey(id) })
  const searchAgain = () => void queries.refetchQueries({ queryKey: callsKey(id), type: 'active' })
  const addCondition = useCallback(
    (condition: Condition) => void navigate({ search: (before) => ({ ...before, where: withCondition(before.where, condition) }) }),
    [navigate],
  )
  const { peek } = search
  /** There is nothing to show: what fails with the list needs no notice of its own. */
  const hasProblem = calls.isError && rows === undefined
  const isStopped = calls.isPending && calls.fetchStatus === 'idle' && isKnown(listed)

  const table = {
    rows,
    hidden,
    columns: search.columns ?? noColumns,
    peek,
    selection,
    list,
    sort: search.sort,
    onSort: (sort: CallsSearch['sort']) => change({ sort }),
    onTop: setIsAtTop,
    onFields: setFieldsOf,
    onCondition: addCondition,
    onPeek: (next: string | undefined) => change({ peek: next }, true),
    onEnd: () => readAhead(calls),
    empty: (
      <Suspense>
        <NoCalls search={search} />
      </Suspense>
    ),
  }

  return (
    <div data-flush className="flex h-full min-h-0 flex-col">
      <CallsHead
        search={search}
        canRefresh={!calls.isFetching && isKnown(listed)}
        change={change}
        onTotals={() => setChoosesTotals(true)}
        onRefresh={() => {
          findTraces()
          void calls.refetch()
        }}
      />
      <SavedViews key={id} search={search} hasProblem={hasProblem} hasRows={rows !== undefined} />
      <div className="flex shrink-0 items-start gap-2 px-4 pt-3">
        <FilterBar project={id} search={search} paths={paths} isSearching={calls.isFetching} change={change} onStop={() => void stop()} />
        <Suspense fallback={<Skeleton className="h-8 w-28" />}>
          <CallsColumnsMenu search={search} paths={columnPaths} change={change} />
        </Suspense>
      </div>
      {!hasProblem && (
        <Suspense
          fallback={
            <div aria-busy="true" className="px-4 pt-3 pb-2">
              <Skeleton className="h-14" />
            </div>
          }
        >
          <CallsStrip project={id} search={search} listed={listed} change={change} />
        </Suspense>
      )}
      {search.traces !== undefined && (
        <div className="flex flex-col gap-2 px-4 pb-2">
          <Suspense>
            <TotalsNotice project={id} search={search} />
          </Suspense>
        </div>
      )}
      {search.live === 'on' && rows && (
        <Suspense>
          <LiveBar project={id} search={listed} rows={rows} isPaused={!isAtTop} onShow={() => void calls.refetch()} />
        </Suspense>
      )}
      {calls.error && (
        <div className="px-4 pb-3">
          <QueryProblem error={calls.error} retry={() => void calls.refetch()} />
          {search.text !== undefined && <SearchLimits />}
        </div>
      )}
      <div className="relative flex min-h-0 grow border-t border-line">
        {isStopped && !calls.error ? (
          <div className="min-w-0 grow">
            <EmptyState icon={SearchX} title="The search was stopped" actions={<Button onClick={searchAgain}>Search again</Button>} />
          </div>
        ) : (
          (rows !== undefined || (calls.isPending && !isFailed && !calls.error)) && (
            <Suspense fallback={<CallsTable {...table} />}>
              {search.group === undefined ? <CallsTable {...table} /> : <GroupedCalls {...table} search={search} />}
            </Suspense>
          )
        )}
        {selection.ids.size > 0 && (
          <Suspense>
            <SelectionBar selection={selection} list={list} listed={listed} onDeleted={() => change({ peek: undefined }, true)} />
          </Suspense>
        )}
        {peek !== undefined && (
          <Suspense>
            <CallPeek id={peek} rows={rows} search={search} list={list} onFields={() => setFieldsOf(peek)} change={change} />
          </Suspense>
        )}
      </div>
      <Suspense>
        <CallsFooter project={id} listed={listed} rows={rows} pages={calls} />
      </Suspense>
      {fieldsOf !== undefined && (
        <FieldsDialog
          id={fieldsOf}
          where={search.where ?? noConditions}
          columns={search.columns ?? noColumns}
          change={change}
          onClose={() => setFieldsOf(undefined)}
        />
      )}
      {choosesTotals && (
        <TotalsDialog least={search.traces ?? {}} onApply={(traces) => change({ traces })} onClose={() => setChoosesTotals(false)} />
      )}
    </div>
  )
}

/** What ends a search of many calls, and what makes it shorter. */
const SearchLimits = () => (
  <p className="mt-2 text-xs text-fg-3">
    A search reads each call that the conditions leave, within the time that the server gives a query. With a time range or another
    condition it reads fewer.
  </p>
)
