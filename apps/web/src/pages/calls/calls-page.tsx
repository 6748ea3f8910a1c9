import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { useCallback, useMemo, useState } from 'react'
import { useProject } from '../../app/use-project.ts'
import { Empty } from '../../components/empty.tsx'
import { MoreButton, readAhead } from '../../components/more-button.tsx'
import { Pending } from '../../components/pending.tsx'
import { QueryProblem } from '../../components/query-problem.tsx'
import { AddToDashboard } from '../dashboards/add-to-dashboard.tsx'
import { chartOfCalls } from '../dashboards/chart/chart-of-calls.ts'
import { type Condition, withCondition } from './call-condition.ts'
import { CallPeek } from './call-peek.tsx'
import { maxPaths } from './call-row.ts'
import { callCountQuery, callsQuery, conditionsOf } from './calls-queries.ts'
import { type CallsSearch, listOf } from './calls-search.ts'
import { CallsTable } from './calls-table.tsx'
import { ColumnsPicker } from './columns-picker.tsx'
import { FieldsDialog } from './fields/fields-dialog.tsx'
import { FilterBar } from './filter/filter-bar.tsx'
import { Histogram } from './histogram.tsx'
import { LiveBar } from './live-bar.tsx'
import { SavedViews } from './saved-views/saved-views.tsx'
import { SelectionBar } from './selection/selection-bar.tsx'
import { useSelection } from './selection/use-selection.ts'
import { TotalsForm } from './totals/totals-form.tsx'
import { isKnown, type ListedCalls } from './totals/known-traces.ts'
import { useListedCalls } from './totals/totals-query.ts'
import { filterWithText } from './text/text-filter.ts'
import { SearchLimits, TextSearch } from './text/text-search.tsx'

const route = getRouteApi('/$entity/$project/calls')
/** What is asked to find the calls of an address. */
const searchKeys = ['calls', 'call-count', 'calls-histogram'] as const
const noColumns: readonly string[] = []
const noConditions: readonly Condition[] = []

/** The calls of a project, newest or slowest first. What is selected and shown stands in the address. */
export function CallsPage() {
  const project = useProject()
  const { id } = project
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const change = (part: CallsSearch, replace = false) => void navigate({ search: (before) => ({ ...before, ...part }), replace })
  const [fieldsOf, setFieldsOf] = useState<string>()
  const [isAtTop, setIsAtTop] = useState(true)
  const queries = useQueryClient()
  const { listed, isFailed, refetch: findTraces } = useListedCalls(id, search)
  const calls = useInfiniteQuery(callsQuery(id, listed))
  const rows = useMemo(() => calls.data?.pages.flatMap((page) => page.rows), [calls.data])
  const selection = useSelection(rows)
  const list = useMemo(() => listOf(search), [search])
  const paths = useMemo(() => [...new Set(calls.data?.pages.flatMap((page) => page.paths))].sort().slice(0, maxPaths), [calls.data])
  const columnPaths = useMemo(() => [...new Set(calls.data?.pages.flatMap((page) => page.ownColumns)), ...paths], [calls.data, paths])
  const stop = () => Promise.all(searchKeys.map((key) => queries.cancelQueries({ queryKey: [key, id] })))
  const searchAgain = () => void Promise.all(searchKeys.map((key) => queries.refetchQueries({ queryKey: [key, id], type: 'active' })))
  const addCondition = useCallback(
    (condition: Condition) => void navigate({ search: (before) => ({ ...before, where: withCondition(before.where, condition) }) }),
    [navigate],
  )

  return (
    <>
      <h1>Calls</h1>
      <SavedViews key={id} search={search} />
      <Histogram project={id} search={search} listed={listed} change={change} />
      <div className="choose-calls">
        <TextSearch search={search} isSearching={calls.isFetching} change={change} onStop={() => void stop()} />
        <FilterBar project={id} search={search} paths={paths} change={change} />
        <TotalsForm project={id} search={search} change={change} />
      </div>
      <div className="row">
        <CallCount project={id} search={listed} />
        <ColumnsPicker hidden={search.hidden ?? []} columns={search.columns ?? []} paths={columnPaths} change={change} />
        <button
          type="button"
          onClick={() => {
            findTraces()
            void calls.refetch()
          }}
          disabled={calls.isFetching || !isKnown(listed)}
        >
          Refresh
        </button>
        <button type="button" aria-pressed={search.live === 'on'} onClick={() => change({ live: search.live === 'on' ? undefined : 'on' })}>
          Live
        </button>
        {search.traces === undefined && <AddToDashboard chart={chartOfCalls(search)} />}
        {search.traces === undefined && (
          <Link
            to="/$entity/$project/training/start"
            params={project}
            search={{ where: conditionsOf(search), filter: filterWithText(search.filter, search.text) }}
          >
            Train on these
          </Link>
        )}
      </div>
      {search.live === 'on' && rows && (
        <LiveBar project={id} search={listed} rows={rows} isPaused={!isAtTop} onShow={() => void calls.refetch()} />
      )}
      <SelectionBar selection={selection} onDeleted={() => change({ peek: undefined }, true)} />
      {calls.error && <QueryProblem error={calls.error} retry={() => void calls.refetch()} />}
      {calls.error && search.text !== undefined && <SearchLimits />}
      {calls.isPending && !isFailed && (calls.fetchStatus !== 'idle' || !isKnown(listed)) && <Pending what="calls" />}
      {calls.isPending && calls.fetchStatus === 'idle' && isKnown(listed) && (
        <Empty title="The search was stopped">
          <button type="button" onClick={searchAgain}>
            Search again
          </button>
        </Empty>
      )}
      <div className={search.peek === undefined ? 'calls' : 'calls with-peek'}>
        {rows?.length === 0 && (
          <NoCalls
            isFiltered={
              search.where !== undefined ||
              search.filter !== undefined ||
              search.text !== undefined ||
              search.traces !== undefined ||
              search.status !== undefined ||
              search.review !== undefined
            }
          />
        )}
        {rows && rows.length > 0 && (
          <div>
            <CallsTable
              rows={rows}
              hidden={search.hidden ?? noColumns}
              columns={search.columns ?? noColumns}
              peek={search.peek}
              selection={selection}
              list={list}
              onTop={setIsAtTop}
              onFields={setFieldsOf}
              onCondition={addCondition}
              onPeek={(peek) => change({ peek }, true)}
              onEnd={() => readAhead(calls)}
            />
            <p className="muted">
              The arrow keys, Page, Home and End choose a call; Space shows it here, f its fields, x selects it, Enter opens its trace.
            </p>
            <p className="muted" role="status">
              {rows.length.toLocaleString('en')} rows are here{calls.hasNextPage ? '; there are more.' : ', which are all.'}{' '}
              <MoreButton query={calls}>Load more</MoreButton>
            </p>
          </div>
        )}
        {search.peek !== undefined && (
          <CallPeek id={search.peek} tab={search.tab} list={list} onFields={() => setFieldsOf(search.peek)} change={change} />
        )}
      </div>
      {fieldsOf !== undefined && (
        <FieldsDialog
          id={fieldsOf}
          where={search.where ?? noConditions}
          columns={search.columns ?? noColumns}
          change={change}
          onClose={() => setFieldsOf(undefined)}
        />
      )}
    </>
  )
}

function CallCount({ project, search }: { project: string; search: ListedCalls }) {
  const { data, isLoading } = useQuery(callCountQuery(project, search))
  if (!data) return <span aria-busy={isLoading} />
  const noun = search.level === 'all' ? 'call' : 'trace'
  const isOne = data.count === 1 && !data.has_more
  return <span>{`${data.has_more ? 'More than ' : ''}${data.count.toLocaleString('en')} ${noun}${isOne ? '' : 's'}`}</span>
}

function NoCalls({ isFiltered }: { isFiltered: boolean }) {
  const project = useProject()
  if (isFiltered) return <Empty title="No call matches">Remove a condition, or look at all calls instead of roots alone.</Empty>
  return (
    <Empty title="No calls yet">
      <Link to="/$entity/$project" params={project}>
        The home page of the project
      </Link>{' '}
      says how to send some.
    </Empty>
  )
}
