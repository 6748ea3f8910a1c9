import { useMutation, useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { client } from '../../app/client.ts'
import { useProject } from '../../app/use-project.ts'
import { Empty } from '../../components/empty.tsx'
import { FormattedText } from '../../components/markdown/formatted-text.tsx'
import { explain } from '../../components/query-problem.tsx'
import { ShowQuery } from '../../components/show-query.tsx'
import { Time } from '../../components/time.tsx'
import { toCell } from '../../components/to-text.ts'
import { ExportQueue } from './answers/export-queue.tsx'
import { QueueAnswers } from './answers/queue-answers.tsx'
import { claimNext } from './claim-next.ts'
import { countByAnnotator } from './count-by-annotator.ts'
import { EditQueue } from './edit-queue.tsx'
import { isOfOpenItems, type ItemFilter } from './item-filters.ts'
import { ItemFilterSelect } from './item-filter-select.tsx'
import { stateNames } from './item-states.ts'
import { QueueProgress } from './queue-progress.tsx'
import { maxItems, queueQuery, queueStatsQuery } from './queue-queries.ts'
import { itemOrders } from './queue-set-up.ts'
import { useItems } from './use-items.ts'

const from = '/$entity/$project/queues/$queue'

type Items = { items: Awaited<ReturnType<typeof client.annotationQueues.queryItems>>['items']; hasMore: boolean }

/** A queue: its instructions, how far it and each annotator are, and its items. */
export function QueuePage() {
  const project = useProject()
  const { queue } = useParams({ from })
  const { state } = useSearch({ from })
  const read = useQuery(queueQuery(client, project.id, queue))
  const stats = useQuery(queueStatsQuery(client, project.id, queue))
  const navigate = useNavigate({ from })
  const items = useItems(queue, state)
  return (
    <ShowQuery query={read} what="the queue">
      {({ name, description, ...setUp }) => (
        <>
          <h1>{name}</h1>
          {description !== '' && <FormattedText text={description} label="Instructions" />}
          <div className="row">
            <QueueProgress done={stats.data?.completed_items ?? 0} total={stats.data?.total_items ?? 0} />
            <StartAnnotating queue={queue} filter={state} />
          </div>
          <p className="muted">
            {setUp.reviewers_per_item === 1 ? 'One person reviews' : `${setUp.reviewers_per_item} people review`} each item, reserved for{' '}
            {setUp.reservation_minutes === 1 ? 'a minute' : `${setUp.reservation_minutes.toLocaleString('en')} minutes`}; order:{' '}
            {itemOrders[setUp.item_order]}.
          </p>
          <EditQueue queue={{ name, description, ...setUp }} />
          <div className="row">
            <ItemFilterSelect label="Items" filter={state} onChange={(filter) => void navigate({ to: '.', search: { state: filter } })} />
          </div>
          <ShowQuery query={items} what="items">
            {(data) => <ItemsOfQueue queue={queue} filter={state} reviewers={setUp.reviewers_per_item} {...data} />}
          </ShowQuery>
          <QueueAnswers queue={queue} />
          <ExportQueue queue={queue} />
        </>
      )}
    </ShowQuery>
  )
}

function StartAnnotating({ queue, filter }: { queue: string; filter: ItemFilter | undefined }) {
  const project = useProject()
  const navigate = useNavigate()
  const claim = useMutation({
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
  return (
    <>
      <button type="button" className="primary" disabled={claim.isPending} onClick={() => claim.mutate()}>
        Start annotating
      </button>
      {claim.data === null && <span role="status">No items left: each is done or claimed by another annotator.</span>}
      {claim.isError && (
        <span role="alert" className="problem">
          {explain(claim.error)}
        </span>
      )}
    </>
  )
}

interface ListProperties extends Items {
  queue: string
  filter: ItemFilter | undefined
  /** People who must review an item. */
  reviewers: number
}

function ItemsOfQueue({ queue, filter, reviewers, items, hasMore }: ListProperties) {
  const project = useProject()
  if (items.length === 0) return <Empty title="No items">No call in this queue is in this state.</Empty>
  return (
    <>
      <ul aria-label="Progress of annotators">
        {countByAnnotator(items).map(({ annotator, completed, skipped, inProgress }) => (
          <li key={annotator}>
            {annotator}: {completed} completed, {skipped} skipped, {inProgress} in progress
          </li>
        ))}
      </ul>
      <div className="scroll">
        <table>
          <thead>
            <tr>
              <th scope="col" className="number">
                #
              </th>
              <th scope="col">Call</th>
              <th scope="col">State</th>
              <th scope="col">Annotator</th>
              {reviewers > 1 && (
                <th scope="col" className="number">
                  Reviews
                </th>
              )}
              <th scope="col">Held by</th>
              <th scope="col">Call started</th>
            </tr>
          </thead>
          <tbody>
            {items.map((item) => (
              <tr key={item.id}>
                <td className="number">{item.position_in_queue}</td>
                <td>
                  <Link
                    to="/$entity/$project/queues/$queue/annotate/$item"
                    params={{ ...project, queue, item: item.id }}
                    search={{ state: filter }}
                  >
                    {toCell(item.call_op_name.split('/').at(-1)?.split(':')[0] || item.call_id, 60)}
                  </Link>
                </td>
                <td>{stateNames[item.annotation_state]}</td>
                <td>{item.annotator_user_id}</td>
                {reviewers > 1 && (
                  <td className="number">
                    {item.review_count} of {reviewers}
                  </td>
                )}
                <td>
                  {item.claimed_by !== null && item.claimed_until !== null && (
                    <>
                      {item.claimed_by} until <Time value={item.claimed_until} />
                    </>
                  )}
                </td>
                <td>
                  <Time value={item.call_started_at} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {hasMore && <p className="notice">The first {maxItems.toLocaleString('en')} items are shown; there are more.</p>}
    </>
  )
}
