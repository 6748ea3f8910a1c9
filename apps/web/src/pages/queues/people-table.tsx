import { useMemo } from 'react'
import { ShowQuery } from '../../ui/states/show-query.tsx'
import { Avatar } from '../../ui/badge.tsx'
import { ListTable } from '../../ui/list-table.tsx'
import { type AnnotatorCounts, countByAnnotator } from './count-by-annotator.ts'
import { type QueueItem, maxItems } from '../../features/queues/queue-queries.ts'
import { useItems } from './use-items.ts'
import { numberColumn } from '../../ui/table/column-kinds.tsx'

/** How far each annotator is. */
export const PeopleTable = ({ queue }: { queue: string }) => (
  <ShowQuery query={useItems(queue, undefined)} what="annotators">
    {({ items, hasMore }) => <Counts items={items} hasMore={hasMore} />}
  </ShowQuery>
)

function Counts({ items, hasMore }: { items: readonly QueueItem[]; hasMore: boolean }) {
  const rows = useMemo(() => countByAnnotator(items), [items])
  if (rows.length === 0) return <p className="p-4 text-fg-3">No answers yet</p>
  return (
    <>
      <ListTable<AnnotatorCounts>
        label="Annotators"
        edge={false}
        rows={rows}
        rowId={({ annotator }) => annotator}
        columns={[
          {
            id: 'annotator',
            title: 'Annotator',
            cell: ({ annotator }) => (
              <span className="flex items-center gap-2">
                <Avatar name={annotator} />
                <span className="truncate font-medium">{annotator}</span>
              </span>
            ),
          },
          numberColumn('completed', 'Completed', '120px', ({ completed }) => completed),
          numberColumn('skipped', 'Skipped', '120px', ({ skipped }) => skipped),
          numberColumn('in-progress', 'In progress', '120px', ({ inProgress }) => inProgress),
        ]}
      />
      {hasMore && <p className="px-4 py-2 text-xs text-fg-3">Of the first {maxItems.toLocaleString('en')} items</p>}
    </>
  )
}
