import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'
import { client } from '../../../app/client.ts'
import { readAgain } from '../../../app/read-again.ts'
import { useProject } from '../../../app/use-project.ts'
import { Failure } from '../../../components/failure.tsx'
import { ShowQuery } from '../../../components/show-query.tsx'
import { keysOfItems, queuesQuery } from '../../queues/queue-queries.ts'

/** Adds calls to an annotation queue of the project. */
export function AddToQueue({ ids }: { ids: readonly string[] }) {
  const project = useProject()
  return (
    <ShowQuery query={useQuery(queuesQuery(client, project.id))} what="annotation queues">
      {({ queues }) =>
        queues.length === 0 ? (
          <p>
            The project has no annotation queue yet.{' '}
            <Link to="/$entity/$project/queues" params={project}>
              Create one
            </Link>
          </p>
        ) : (
          <QueueForm ids={ids} queues={queues} />
        )
      }
    </ShowQuery>
  )
}

function QueueForm({ ids, queues }: { ids: readonly string[]; queues: readonly { id: string; name: string }[] }) {
  const project = useProject()
  const queries = useQueryClient()
  const [queue, setQueue] = useState(queues[0]?.id ?? '')
  const add = useMutation({
    mutationFn: async () => {
      const items = { project_id: project.id, queue_id: queue, call_ids: [...ids], display_fields: ['inputs', 'output'] }
      return { queue, ...(await client.annotationQueues.addCalls(items)) }
    },
    onSuccess: () => Promise.all(keysOfItems.map((key) => readAgain(queries, [key, project.id]))),
  })
  function submit(event: FormEvent) {
    event.preventDefault()
    add.mutate()
  }
  return (
    <form className="fields" onSubmit={submit}>
      <label htmlFor="selected-queue">Annotation queue</label>
      <select id="selected-queue" value={queue} onChange={({ target }) => setQueue(target.value)}>
        {queues.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </select>
      <button type="submit" className="primary" disabled={add.isPending}>
        Add the calls
      </button>
      {add.data && (
        <p role="status">
          {add.data.added_count} added{add.data.duplicates > 0 && `, ${add.data.duplicates} were in it already`}:{' '}
          <Link to="/$entity/$project/queues/$queue" params={{ ...project, queue: add.data.queue }}>
            {queues.find(({ id }) => id === add.data.queue)?.name ?? 'the queue'}
          </Link>
        </p>
      )}
      <Failure error={add.error} before="No call was added." />
    </form>
  )
}
