import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { ListChecks, Plus } from 'lucide-react'
import { useMemo, useState } from 'react'
import { client } from '../../lib/server/client.ts'
import { countText } from '../../lib/texts/count-text.ts'
import { type ProjectName, useProject } from '../../lib/use-project.ts'
import { QueryProblem } from '../../ui/states/query-problem.tsx'
import { Button } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/card.tsx'
import { PageFooter, PageHead } from '../../ui/page.tsx'
import type { Column } from '../../ui/table/columns.ts'
import { DataTable } from '../../ui/table/data-table.tsx'
import { timeColumn } from '../../ui/table/time-column.tsx'
import { CreateQueue } from './create-queue.tsx'
import { QueueProgress } from './queue-progress.tsx'
import { maxQueues, queuesQuery } from '../../features/queues/queue-queries.ts'

type Queue = Awaited<ReturnType<NonNullable<ReturnType<typeof queuesQuery>['queryFn']>>>['queues'][number]

const noQueues: readonly Queue[] = []

/** The annotation queues of a project, with how much of each is done. */
export function QueuesPage() {
  const project = useProject()
  const navigate = useNavigate()
  const query = useQuery(queuesQuery(client, project.id))
  const [isCreating, setIsCreating] = useState(false)
  const columns = useMemo(() => columnsOf(project), [project.id])
  return (
    <div data-flush="" className="flex h-full min-h-0 flex-col">
      <PageHead
        title="Annotation"
        actions={
          <Button variant="primary" icon={Plus} onClick={() => setIsCreating(true)}>
            New queue
          </Button>
        }
      />
      {query.isError && <QueryProblem error={query.error} retry={() => void query.refetch()} />}
      <DataTable
        label="Queues"
        name="queues"
        rows={query.data?.queues ?? noQueues}
        columns={columns}
        rowId={({ id }) => id}
        rowName={({ name }) => name}
        onOpen={({ id }) => void navigate({ to: '/$entity/$project/queues/$queue', params: { ...project, queue: id } })}
        isLoading={query.isPending && !query.isError}
        empty={
          query.data && (
            <EmptyState icon={ListChecks} title="No queues yet">
              Create a queue, then send traces to it from the list of traces.
            </EmptyState>
          )
        }
      />
      {query.data && (
        <PageFooter>{query.data.hasMore ? `The newest ${maxQueues} queues` : countText(query.data.queues.length, 'queue')}</PageFooter>
      )}
      <CreateQueue open={isCreating} onClose={() => setIsCreating(false)} />
    </div>
  )
}

const columnsOf = (project: ProjectName): Column<Queue>[] => [
  {
    id: 'name',
    title: 'Name',
    width: 'minmax(180px, 2fr)',
    sort: ({ name }) => name,
    hint: ({ name }) => name,
    cell: ({ id, name }) => (
      <Link to="/$entity/$project/queues/$queue" params={{ ...project, queue: id }} className="font-medium">
        {name}
      </Link>
    ),
  },
  {
    id: 'done',
    title: 'Done',
    width: 'minmax(150px, 1.2fr)',
    sort: ({ stats }) => (stats ? stats.completed_items / Math.max(1, stats.total_items) : 0),
    cell: ({ stats }) => <QueueProgress done={stats?.completed_items ?? 0} total={stats?.total_items ?? 0} />,
  },
  { id: 'questions', title: 'Questions', width: '96px', align: 'right', cell: ({ scorer_refs }) => scorer_refs.length },
  {
    id: 'reviews',
    title: 'Reviews per item',
    width: '132px',
    align: 'right',
    sort: ({ reviewers_per_item }) => reviewers_per_item,
    cell: ({ reviewers_per_item }) => reviewers_per_item,
  },
  {
    id: 'by',
    title: 'Created by',
    width: 'minmax(110px, 0.8fr)',
    hint: ({ created_by }) => created_by,
    cell: ({ created_by }) => created_by,
  },
  timeColumn('created', 'Created', ({ created_at }) => created_at),
]
