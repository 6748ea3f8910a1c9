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
import { type ItemState, itemStates, stateNames } from './item-states.ts'
import { QueueProgress } from './queue-progress.tsx'
import { itemsQuery, maxItems, queueQuery, queueStatsQuery } from './queue-queries.ts'

const from = '/$entity/$project/queues/$queue'

type Items = { items: Awaited<ReturnType<typeof client.annotationQueues.queryItems>>['items']; hasMore: boolean }

/** A queue: its instructions, how far it and each annotator are, and its items. */
export function QueuePage() {
  const project = useProject()
  const { queue } = useParams({ from })
  const { state } = useSearch({ from })
  const read = useQuery(queueQuery(client, project.id, queue))
  const stats = useQuery(queueStatsQuery(client, project.id, queue))
  const items = useQuery(itemsQuery(client, project.id, queue, state ? [state] : []))
  return (
    <ShowQuery query={read} what="the queue">
      {({ name, description }) => (
        <>
          <h1>{name}</h1>
          {description !== '' && <FormattedText text={description} label="Instructions" />}
          <div className="row">
            <QueueProgress done={stats.data?.completed_items ?? 0} total={stats.data?.total_items ?? 0} />
            <StartAnnotating queue={queue} />
          </div>
          <StateFilter state={state} />
          <ShowQuery query={items} what="items">
            {(data) => <ItemsOfQueue queue={queue} {...data} />}
          </ShowQuery>
          <QueueAnswers queue={queue} />
          <ExportQueue queue={queue} />
        </>
      )}
    </ShowQuery>
  )
}

function StartAnnotating({ queue }: { queue: string }) {
  const project = useProject()
  const navigate = useNavigate()
  const claim = useMutation({
    mutationFn: () => claimNext(client, project.id, queue),
    onSuccess: async (item) => {
      if (item) await navigate({ to: '/$entity/$project/queues/$queue/annotate/$item', params: { ...project, queue, item: item.id } })
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

function StateFilter({ state }: { state: ItemState | undefined }) {
  const navigate = useNavigate({ from })
  return (
    <div className="row">
      <label htmlFor="state">Items</label>
      <select
        id="state"
        value={state ?? ''}
        onChange={({ target }) => void navigate({ to: '.', search: { state: (target.value || undefined) as ItemState | undefined } })}
      >
        <option value="">all</option>
        {itemStates.map((one) => (
          <option key={one} value={one}>
            {stateNames[one]}
          </option>
        ))}
      </select>
    </div>
  )
}

function ItemsOfQueue({ queue, items, hasMore }: Items & { queue: string }) {
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
              <th scope="col">Call started</th>
            </tr>
          </thead>
          <tbody>
            {items.map((item) => (
              <tr key={item.id}>
                <td className="number">{item.position_in_queue}</td>
                <td>
                  <Link to="/$entity/$project/queues/$queue/annotate/$item" params={{ ...project, queue, item: item.id }}>
                    {toCell(item.call_op_name.split('/').at(-1)?.split(':')[0] || item.call_id, 60)}
                  </Link>
                </td>
                <td>{stateNames[item.annotation_state]}</td>
                <td>{item.annotator_user_id}</td>
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
