import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { ListChecks } from 'lucide-react'
import { useCallback, useMemo, useState } from 'react'
import { type ProjectName, useProject } from '../../lib/use-project.ts'
import { countText } from '../../lib/texts/count-text.ts'
import { toCell } from '../../lib/texts/to-text.ts'
import type { AboutCall } from '../../features/calls/about/about-call.ts'
import { aboutCallsQuery } from '../../features/calls/about/about-calls-query.ts'
import { signOfKind } from '../../features/calls/kind-of-call.ts'
import { KindIcon, type Status, StatusText } from '../../ui/badge.tsx'
import { EmptyState, Skeleton } from '../../ui/card.tsx'
import { Select } from '../../ui/select.tsx'
import type { Column } from '../../ui/table/columns.ts'
import { timeColumn, numberColumn, textColumn } from '../../ui/table/column-kinds.tsx'
import { PageFooter } from '../../ui/page.tsx'
import { filterNames, type ItemFilter, itemFilters } from '../../features/queues/item-filters.ts'
import { type ItemState, stateNames } from '../../features/queues/item-states.ts'
import type { QueueItem } from '../../features/queues/queue-queries.ts'
import { useItems } from './use-items.ts'
import { QueryTable } from '../../ui/table/query-table.tsx'

interface Properties {
  queue: string
  filter: ItemFilter | undefined
  onFilter: (filter: ItemFilter | undefined) => void
  /** Users who must review an item. */
  reviewers: number
}

const all = 'all'
const choices = [{ value: all, label: 'All' }, ...itemFilters.map((value) => ({ value, label: filterNames[value] }))]
const noItems: readonly QueueItem[] = []
const noCalls: ReadonlyMap<string, AboutCall | null> = new Map()
/** Items whose inputs are read together. */
const chunkItems = 100

/** The first items of a queue, in its order. */
export function ItemsTable({ queue, filter, onFilter, reviewers }: Properties) {
  const project = useProject()
  const query = useItems(queue, filter)
  const items = query.data?.items ?? noItems
  const [chunk, setChunk] = useState(0)
  const onRange = useCallback((first: number) => setChunk(Math.floor(first / chunkItems)), [])
  const seen = useQuery(
    aboutCallsQuery(
      project.id,
      // The rows in sight may be of two parts.
      items.slice(chunk * chunkItems, (chunk + 2) * chunkItems).map(({ call_id }) => call_id),
    ),
  )
  const { data: calls = noCalls, isError: isUnknown } = seen
  const columns = useMemo(
    () => columnsOf(project, { queue, filter, reviewers, items, calls, isUnknown }),
    [project.id, queue, filter, reviewers, items, calls, isUnknown],
  )
  return (
    <div className="flex h-full min-h-0 flex-col">
      <div className="flex h-12 shrink-0 items-center gap-2 border-b border-line px-4">
        <Select
          label="Items"
          inside
          choices={choices}
          value={filter ?? all}
          onChange={(value) => onFilter(itemFilters.find((one) => one === value))}
        />
      </div>
      <QueryTable
        label="Items"
        name="queue-items"
        query={query}
        rows={query.data?.items}
        onRange={onRange}
        columns={columns}
        rowId={({ id }) => id}
        rowName={({ position_in_queue }) => `item ${position_in_queue}`}
        linkOf={(item) => linkOfItem(project, queue, item, filter)}
        empty={
          <EmptyState icon={ListChecks} title={filter === undefined ? 'No items yet' : 'No items match'}>
            {filter === undefined ? 'Send traces to this queue from the list of traces.' : 'Choose other items above.'}
          </EmptyState>
        }
      />
      {query.data && <PageFooter>{`${query.data.hasMore ? 'The first ' : ''}${countText(items.length, 'item')}`}</PageFooter>}
    </div>
  )
}

const signs: Readonly<Record<ItemState, Status>> = { unstarted: 'queued', in_progress: 'running', completed: 'ok', skipped: 'cancelled' }

const nameOf = ({ call_op_name, call_id }: QueueItem) => toCell(call_op_name.split('/').at(-1)?.split(':')[0] || call_id, 60)

interface ColumnsOf extends Pick<Properties, 'queue' | 'filter' | 'reviewers'> {
  /** Who annotated or reserved them has a column where there is anyone. */
  items: readonly QueueItem[]
  /** What the items in sight are about; null for a call that is gone. */
  calls: ReadonlyMap<string, AboutCall | null>
  /** Whether that could not be read. */
  isUnknown: boolean
}

const reviewsOf = ({ review_count }: QueueItem) => review_count

const linkOfItem = (project: ProjectName, queue: string, { id: item }: QueueItem, state: ItemFilter | undefined) =>
  ({ to: '/$entity/$project/queues/$queue/annotate/$item', params: { ...project, queue, item }, search: { state } }) as const

function columnsOf(project: ProjectName, { queue, filter, reviewers, items, calls, isUnknown }: ColumnsOf): Column<QueueItem>[] {
  return [
    numberColumn('place', '#', '52px', ({ position_in_queue }) => position_in_queue),
    {
      id: 'trace',
      title: 'Trace',
      width: 'minmax(140px, 1.2fr)',
      hint: nameOf,
      cell: (item) => (
        <Link {...linkOfItem(project, queue, item, filter)} className="inline-flex max-w-full items-center gap-2 font-medium">
          <KindIcon kind={signOfKind(calls.get(item.call_id)?.kind ?? 'other')} />
          <span className="truncate">{nameOf(item)}</span>
        </Link>
      ),
    },
    {
      id: 'input',
      title: 'Input',
      width: 'minmax(120px, 2fr)',
      hint: ({ call_id }) => calls.get(call_id)?.input,
      cell: ({ call_id }) => {
        const call = calls.get(call_id)
        if (call === undefined && !isUnknown) return <Skeleton className="h-2.5 w-3/5" />
        return call?.input && <span className="text-fg-2">{call.input}</span>
      },
    },
    {
      id: 'state',
      title: 'State',
      width: '132px',
      sort: ({ annotation_state }) => stateNames[annotation_state],
      cell: ({ annotation_state }) => <StatusText status={signs[annotation_state]}>{stateNames[annotation_state]}</StatusText>,
    },
    ...columnOfPeople('annotator', 'Annotator', items, ({ annotator_user_id }) => annotator_user_id),
    ...(reviewers > 1
      ? [numberColumn('reviews', 'Reviews', '88px', reviewsOf, { sort: true, show: (count) => `${count} of ${reviewers}` })]
      : []),
    ...columnOfPeople('reserved', 'Reserved by', items, ({ claimed_by }) => claimed_by),
    timeColumn('started', 'Started', ({ call_started_at }) => call_started_at),
  ]
}

const columnOfPeople = (id: string, title: string, items: readonly QueueItem[], personOf: (item: QueueItem) => string | null | undefined) =>
  items.some((item) => personOf(item)) ? [textColumn(id, title, 'minmax(92px, 0.4fr)', personOf, { sort: true })] : []
