import { useMutation, useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { FileOutput, Pencil } from 'lucide-react'
import { Suspense, useState } from 'react'
import { MoreMenu } from '../../ui/more-menu.tsx'
import { client } from '../../lib/server/client.ts'
import { useProject } from '../../lib/use-project.ts'
import { Failure } from '../../ui/states/failure.tsx'
import { Pending } from '../../ui/states/pending.tsx'
import { ShowQuery } from '../../ui/states/show-query.tsx'
import { Button } from '../../ui/button.tsx'
import { lazyDialog, lazyPart } from '../../ui/lazy-part.tsx'
import { MenuItem } from '../../ui/menu.tsx'
import { Notice } from '../../ui/notice.tsx'
import { PageHead } from '../../ui/page.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import { claimNext } from '../../features/queues/claim-next.ts'
import { isOfOpenItems, type ItemFilter } from '../../features/queues/item-filters.ts'
import { ItemsTable } from './items-table.tsx'
import { QueueProgress } from './queue-progress.tsx'
import { queueQuery, queueStatsQuery } from '../../features/queues/queue-queries.ts'
import { queueTabs } from './queue-tabs.ts'

// What is behind another tab or a button is fetched when it is shown.
const AboutQueue = lazyPart(() => import('./about-queue.tsx').then(({ AboutQueue }) => AboutQueue))
const EditQueue = lazyDialog(() => import('./edit-queue.tsx').then(({ EditQueue }) => EditQueue))
const ExportQueue = lazyDialog(() => import('./answers/export-queue.tsx').then(({ ExportQueue }) => ExportQueue))
const PeopleTable = lazyPart(() => import('./people-table.tsx').then(({ PeopleTable }) => PeopleTable))
const QueueAnswers = lazyPart(() => import('./answers/queue-answers.tsx').then(({ QueueAnswers }) => QueueAnswers))

const from = '/$entity/$project/queues/$queue'

type Queue = Awaited<ReturnType<typeof client.annotationQueues.read>>['queue']

/** A queue: its progress, items, answers and settings. */
export function QueuePage() {
  const project = useProject()
  const { queue: id } = useParams({ from })
  const queue = useQuery(queueQuery(client, project.id, id))
  return (
    <ShowQuery query={queue} what="the queue">
      {(queue) => <LoadedQueue queue={queue} />}
    </ShowQuery>
  )
}

function LoadedQueue({ queue }: { queue: Queue }) {
  const project = useProject()
  const { state, tab = 'items' } = useSearch({ from })
  const navigate = useNavigate({ from })
  const stats = useQuery(queueStatsQuery(client, project.id, queue.id)).data
  const [dialog, setDialog] = useState<'edit' | 'export'>()
  const start = useStart(queue.id, state)
  const total = stats?.total_items ?? 0
  return (
    <div data-flush="" className="flex h-full min-h-0 flex-col">
      <PageHead
        trail={[
          <Link key="queues" to="/$entity/$project/queues" params={project}>
            Annotation
          </Link>,
        ]}
        title={queue.name}
        state={<QueueProgress done={stats?.completed_items ?? 0} total={total} />}
        actions={
          <>
            <MoreMenu>
              <MenuItem icon={Pencil} onClick={() => setDialog('edit')}>
                Edit queue
              </MenuItem>
              <MenuItem icon={FileOutput} onClick={() => setDialog('export')}>
                Export to dataset…
              </MenuItem>
            </MoreMenu>
            <Button variant="primary" disabled={start.isPending} onClick={() => start.mutate()}>
              Annotate
            </Button>
          </>
        }
      />
      {start.data === null && <Notice className="m-3" title="No items left: each is done or reserved by others" />}
      <Failure error={start.error} className="m-3" />
      <Tabs
        label="Parts of the queue"
        value={tab}
        onChange={(value) =>
          void navigate({ to: '.', search: { state, tab: queueTabs.find((one) => one === value && one !== 'items') }, replace: true })
        }
        tabs={[
          { id: 'items', label: 'Items', count: total > 0 ? total.toLocaleString('en') : undefined },
          { id: 'answers', label: 'Answers' },
          { id: 'people', label: 'Annotators' },
          { id: 'about', label: 'Instructions' },
        ]}
      >
        <Suspense fallback={<Pending what="this part" />}>
          {tab === 'items' && (
            <ItemsTable
              queue={queue.id}
              filter={state}
              onFilter={(filter) => void navigate({ to: '.', search: { state: filter } })}
              reviewers={queue.reviewers_per_item}
            />
          )}
          {tab === 'answers' && <QueueAnswers queue={queue.id} />}
          {tab === 'people' && <PeopleTable queue={queue.id} />}
          {tab === 'about' && <AboutQueue queue={queue} />}
        </Suspense>
      </Tabs>
      {dialog === 'edit' && <EditQueue queue={queue} onClose={() => setDialog(undefined)} />}
      {dialog === 'export' && <ExportQueue queue={queue.id} onClose={() => setDialog(undefined)} />}
    </div>
  )
}

/** Reserves the next item and opens it. Its data are null where none is left. */
function useStart(queue: string, filter: ItemFilter | undefined) {
  const project = useProject()
  const navigate = useNavigate()
  return useMutation({
    mutationFn: () => claimNext(client, project.id, queue),
    onSuccess: async (item) => {
      if (item)
        await navigate({
          to: '/$entity/$project/queues/$queue/annotate/$item',
          params: { ...project, queue, item: item.id },
          search: { state: isOfOpenItems(filter) ? filter : undefined },
        })
    },
  })
}
