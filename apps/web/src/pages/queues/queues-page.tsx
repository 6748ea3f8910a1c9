import { useQuery } from '@tanstack/react-query'
import { ListChecks, Plus } from 'lucide-react'
import { useMemo, useState } from 'react'
import { client } from '../../lib/server/client.ts'
import { countText } from '../../lib/texts/count-text.ts'
import { type ProjectName, useProject } from '../../lib/use-project.ts'
import { Button } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/card.tsx'
import type { Column } from '../../ui/table/columns.ts'
import { timeColumn, linkColumn, numberColumn, textColumn } from '../../ui/table/column-kinds.tsx'
import { CreateQueue } from './create-queue.tsx'
import { QueueProgress } from './queue-progress.tsx'
import { maxQueues, queuesQuery } from '../../features/queues/queue-queries.ts'
import { ListPage } from '../../ui/list-page.tsx'

type Queue = Awaited<ReturnType<NonNullable<ReturnType<typeof queuesQuery>['queryFn']>>>['queues'][number]

/** The annotation queues of a project, with how much of each is done. */
export function QueuesPage() {
  const project = useProject()
  const query = useQuery(queuesQuery(client, project.id))
  const [isCreating, setIsCreating] = useState(false)
  const columns = useMemo(() => columnsOf(project), [project.id])
  return (
    <ListPage
      title="Annotation"
      actions={
        <Button variant="primary" icon={Plus} onClick={() => setIsCreating(true)}>
          New queue
        </Button>
      }
      label="Queues"
      name="queues"
      query={query}
      rows={query.data?.queues}
      columns={columns}
      rowId={({ id }) => id}
      rowName={({ name }) => name}
      linkOf={(queue) => linkOfQueue(project, queue)}
      empty={
        <EmptyState icon={ListChecks} title="No queues yet">
          Create a queue, then send traces to it from the list of traces.
        </EmptyState>
      }
      footer={({ length }) => (query.data?.hasMore ? `The newest ${maxQueues} queues` : countText(length, 'queue'))}
    >
      <CreateQueue open={isCreating} onClose={() => setIsCreating(false)} />
    </ListPage>
  )
}

const linkOfQueue = (project: ProjectName, { id: queue }: Queue) =>
  ({ to: '/$entity/$project/queues/$queue', params: { ...project, queue } }) as const

const columnsOf = (project: ProjectName): Column<Queue>[] => [
  linkColumn(
    'name',
    'Name',
    'minmax(170px, 2fr)',
    ({ name }) => name,
    (queue) => linkOfQueue(project, queue),
    { sort: true },
  ),
  {
    id: 'done',
    title: 'Done',
    width: 'minmax(120px, 1.2fr)',
    sort: ({ stats }) => (stats ? stats.completed_items / Math.max(1, stats.total_items) : 0),
    cell: ({ stats }) => <QueueProgress done={stats?.completed_items ?? 0} total={stats?.total_items ?? 0} />,
  },
  numberColumn('questions', 'Questions', '84px', ({ scorer_refs }) => scorer_refs.length),
  numberColumn('reviews', 'Reviews per item', '120px', ({ reviewers_per_item }) => reviewers_per_item, { sort: true }),
  textColumn('by', 'Created by', 'minmax(80px, 0.8fr)', ({ created_by }) => created_by),
  timeColumn('created', 'Created', ({ created_at }) => created_at),
]
